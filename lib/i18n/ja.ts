/** Japanese. */
import type { Messages } from './en.js'

const ja: Messages = {
  direction: 'ltr',
  'signIn.title': 'ログイン',
  'signIn.titleOf': '{site}にログイン',
  'signIn.lead': '{site}に進みます',
  'signIn.with': '{provider}でログイン',
  'signIn.button': 'ログイン',
  'signIn.sendLink': 'リンクを受け取る',
  'signIn.sendLinkWith': '{provider}でリンクを受け取る',
  'signIn.address': 'メールアドレス',
  'signIn.addressExample': 'name@example.com',
  'signIn.username': 'ユーザー名',
  'signIn.addressOrUsername': 'メールアドレスまたはユーザー名',
  'signIn.password': 'パスワード',
  'signIn.code': 'コード',
  'signIn.continue': '続行',
  'signIn.otherAddress': '別のメールアドレスを使用',
  'signIn.more': 'その他のログイン方法',
  'signIn.showPassword': 'パスワードを表示',
  'signIn.hidePassword': 'パスワードを隠す',
  'signIn.or': 'または',
  'signIn.lastUsed': '前回使用',
  'signIn.remember': 'ログイン状態を保持する',
  'signIn.captcha':
    'ロボットではないことを確認するため、JavaScriptを有効にしてから、このページを再読み込みしてください。',
  'signIn.nothing': 'ここで利用できるログイン方法はまだありません。',
  'signIn.required': 'このページを表示するには、ログインしてください。',
  'signIn.again': 'ご本人であることを確認するため、もう一度ログインしてください。',
  'signIn.already': 'すでにログインしています。',
  'signIn.replaces': 'ここでログインすると、現在のセッションに代わって新しいセッションが始まります。',
  'signIn.addsPasskey': '新しいパスキーを選択すると、アカウントに追加されます。',
  'signIn.addsService': '{provider}などのサービスを選択すると、アカウントに追加されます。',
  'signIn.addsBoth': '新しいパスキー、または{provider}などのサービスを選択すると、アカウントに追加されます。',
  'signIn.othersReplace': 'その他の方法でログインすると、現在のセッションに代わって新しいセッションが始まります。',
  'signIn.failed': 'ログインできませんでした。もう一度お試しいただくか、別のログイン方法を選択してください。',
  'signIn.notCreated':
    'アカウントを作成できませんでした。もう一度お試しいただくか、別のログイン方法を選択してください。',
  'signIn.mailFailed': 'メールを送信できませんでした。メールアドレスを確認し、数分後にもう一度お試しください。',
  'signIn.unavailable':
    'このサイトで問題が発生しているため、現在ログインできません。しばらくしてからもう一度お試しください。',
  'passkey.signIn': 'パスキーでログイン',
  'passkey.create': 'パスキーでアカウントを作成',
  'passkey.newHere': '初めてご利用の方',
  'passkey.needsScript': 'パスキーでログインするには、JavaScriptが必要です。',
  'passkey.insecurePage':
    'パスキーは安全なページ（https）でのみ使用できますが、このページは安全なページではありません。',
  'passkey.unsupportedBrowser': 'このブラウザはパスキーに対応していません。',
  'passkey.cancelled':
    'ログインしていません。操作がキャンセルされたか、時間がかかりすぎたか、このサイトのパスキーが見つかりませんでした。もう一度お試しください。',
  'passkey.cancelledNew':
    'パスキーは作成されませんでした。操作がキャンセルされたか、時間がかかりすぎたか、このデバイスにはパスキーを保存できません。もう一度お試しください。',
  'passkey.notAllowed': 'このページではパスキーの使用が許可されていません。',
  'passkey.alreadyRegistered':
    'このデバイスには、このアカウントのパスキーがすでにあります。そのパスキーでログインしてください。',
  'passkey.unsupported': 'このブラウザまたはデバイスはパスキーに対応していません。',
  'passkey.unsupportedNew': 'このブラウザまたはデバイスでは、このサイトに必要な種類のパスキーを作成できません。',
  'passkey.insecure': 'このURLではパスキーを使用できません。httpsで始まる、サイト本来のURLを開いてください。',
  'passkey.refused': 'パスキーの応答がサイトに承認されませんでした。もう一度お試しください。',
  'passkey.refusedNew': 'このパスキーはサイトに承認されませんでした。もう一度お試しください。',
  'passkey.network': 'サイトに接続できませんでした。インターネット接続を確認してから、もう一度お試しください。',
  'passkey.failed': 'お使いのブラウザまたはデバイスで、この操作を完了できませんでした。もう一度お試しください。',
  'passkey.offerTitle': 'パスワードなしでログイン',
  'passkey.offerText':
    'パスキーを使うと、指紋、顔、または画面ロックで{site}にログインできます。パスワードよりすばやく使え、偽サイトに悪用されることもありません。',
  'passkey.offerButton': 'パスキーを作成',
  'passkey.notNow': '今はしない',
  'signOut.title': 'ログアウト',
  'signOut.question': '{site}からログアウトしますか？',
  'signOut.button': 'ログアウト',
  'signOut.also': '{provider}からもログアウト',
  'signOut.alsoDone': '{provider}からもログアウトします。',
  'signOut.nobody': 'このブラウザでは{site}にログインしていません。',
  'signOut.outOfDate':
    'まだログアウトしていません。このページの有効期限が切れていました。もう一度ボタンを押してください。',

  'factor.title': '本人確認',
  'factor.totp': '認証アプリに表示される{site}のコードを入力してください。',
  'factor.recovery': '{site}のリカバリーコードを1つ入力してください。各コードは1回のみ使用できます。',
  'factor.passkey': '{site}に進むには、パスキーを使用してください。',
  'factor.email': '{site}に進むには、アカウントのメールアドレスでコードを受け取ってください。',
  'factor.emailSent': '{site}からアカウントのメールアドレスに送信されたコードを入力してください。',
  'factor.send': 'コードを受け取る',
  'factor.sendAgain': '新しいコードを受け取る',
  'factor.recoveryCode': 'リカバリーコード',
  'factor.remember': 'このブラウザでは再度確認しない（期間：{lifetime}）',
  'factor.useTotp': '認証アプリを使用',
  'factor.useEmail': 'メールでコードを受け取る',
  'factor.useRecovery': 'リカバリーコードを使用',
  'factor.usePasskey': 'パスキーを使用',

  'factors.title': '2段階ログイン',
  'factors.lead': '通常のログイン方法に加えて、{site}では次のいずれかによる2段階目の確認が必要です。',
  'factors.required': '{site}では、ログインのたびに2段階目の確認が必要です。続行するには、確認方法を追加してください。',
  'factors.totp': '認証アプリ',
  'factors.email': 'メールで届くコード',
  'factors.passkey': 'パスキー',
  'factors.recovery': 'リカバリーコード',
  'factors.addTotp': '認証アプリを追加',
  'factors.addEmail': 'メールで届くコードを追加',
  'factors.addPasskey': 'パスキーを2段階目の確認に使用',
  'factors.recommended': 'おすすめ',
  'factors.whyPasskey': 'パスキーはすばやく使え、偽サイトに悪用されることもありません。',
  'factors.whyTotp': 'アプリは通信環境がなくても、メールを確認できないときでも使えます。',
  'factors.added': '追加日：{date}',
  'factors.remove': '削除',
  'factors.removeThis': '削除：{factor}',
  'factors.done': '完了',
  'factors.newCodes': '新しいリカバリーコードを作成',
  'factors.left': '残りのリカバリーコード：{count}',
  'factors.scan': '認証アプリでこのコードをスキャンし、アプリに表示される6桁の数字を入力してください。',
  'factors.type': '認証アプリにこのキーを入力し、アプリに表示される6桁の数字を入力してください。',
  'factors.orType': 'スキャンできない場合は、次のキーをアプリに入力してください：',
  'factors.qr': '認証アプリ用のQRコード',
  'factors.open': 'このデバイスのアプリで開く',
  'factors.name': 'デバイスの名前（任意）',
  'factors.add': '追加',
  'factors.emailLead': 'メールが届くことを確認するため、アカウントのメールアドレスにコードをお送りします。',
  'factors.emailSent': 'アカウントのメールアドレスにお送りしたコードを入力してください。',
  'factors.passkeyLead':
    'お持ちのパスキーのいずれかを今すぐ使用してください。今後、別の方法でログインするときにパスキーを求められます。',
  'factors.codes': 'リカバリーコード',
  'factors.codesLead':
    '紙やパスワードマネージャーなど、スマートフォンがなくても確認できる場所にこれらのコードを保管してください。2段階目の確認の代わりに、各コードで1回ログインできます。',
  'factors.codesOnce': 'コードが表示されるのは今回だけです。以前のコードは使用できなくなりました。',
  'factors.codesFor': '{site}のリカバリーコード',
  'factors.copy': 'コピー',
  'factors.copied': 'コピーしました。',
  'factors.download': 'ダウンロード',
  'factors.print': '印刷',
  'factors.kept': 'これらのコードを安全な場所に保管しました。',

  'page.cancel': 'キャンセル',
  'page.home': '{site}に移動',
  'verifyRequest.title': 'メールをご確認ください',
  'verifyRequest.text':
    'ログイン用のリンクをお送りしました。このブラウザで開いてください。別のブラウザで開いた場合は、先に確認を求められます。',
  'verifyRequest.textTo':
    '{address} にログイン用のリンクをお送りしました。このブラウザで開いてください。別のブラウザで開いた場合は、先に確認を求められます。',
  'verifyRequest.help':
    '数分たっても届かない場合は、迷惑メールフォルダをご確認ください。または、前のページに戻ってメールアドレスを確認し、もう一度リンクをリクエストしてください。有効なのは最新のリンクのみです。',
  'verifyRequest.wait':
    '数分たっても届かない場合は、迷惑メールフォルダをご確認いただくか、もう一度メールをリクエストしてください。有効なのは最新のリンクのみです。',
  'verifyRequest.again': 'メールをもう一度送信',
  'verifyRequest.limited': 'まだメールを再送信できません。{wait}待ってから、もう一度お試しください。',
  'verifyRequest.sentAgain': '新しいメールをお送りしました。',
  'verifyRequest.otherMethod': '別のログイン方法を使用',
  'verifyRequest.signUp':
    '入力されたメールアドレスにメールをお送りしました。続行するには、メールのリンクをこのブラウザで開いてください。',
  'verifyRequest.signUpTo':
    '{address} にメールをお送りしました。続行するには、メールのリンクをこのブラウザで開いてください。',
  'verifyRequest.reset':
    '入力されたメールアドレスのアカウントが存在する場合は、そのメールアドレスにメールをお送りしました。メールのリンクを開いて、新しいパスワードを設定してください。',
  'verifyRequest.resetTo':
    '{address} のアカウントが存在する場合は、そのメールアドレスにメールをお送りしました。メールのリンクを開いて、新しいパスワードを設定してください。',
  'confirmEmail.title': 'ログインの確認',
  'confirmEmail.lead': '{address}として{site}にログインするリンクを開きました。',
  'confirmEmail.advice':
    'このリンクをご自身でリクエストし、このブラウザでこのアカウントにログインしたい場合にのみ、続行してください。',
  'confirmEmail.button': '{address}としてログイン',
  'confirmEmail.prove':
    'このアカウントにログインしています。続行すると、このメールアドレスがご自身のものであることが証明されます。',
  'confirmEmail.otherUser':
    '現在、ここでは{person}としてログインしています。続行すると、代わりにこのメールアドレスの所有者としてログインします。',
  'confirmEmail.newUser':
    '現在、ここでは{person}としてログインしています。続行すると、このメールアドレスの新しいアカウントが作成され、代わりにそのアカウントにログインします。',
  'confirmEmail.somebody': '別のユーザー',
  'changeEmail.title': 'メールアドレスの変更',
  'changeEmail.lead': '{site}のアカウントのメールアドレスが{address}になります。',
  'changeEmail.before': 'これまでは{address}でした。変更後、ログイン用のリンクは新しいメールアドレスに送信されます。',
  'changeEmail.hadNone':
    'これまでは登録されていませんでした。変更後、ログイン用のリンクは新しいメールアドレスに送信されます。',
  'changeEmail.signedIn':
    '{person}としてログインしています。これがご自身のアカウントで、ご自身で変更をリクエストした場合にのみ、続行してください。',
  'changeEmail.button': 'メールアドレスを変更',
  'changeEmail.about': 'このリンクを使うと、{address}が{site}のアカウントのメールアドレスになります。',
  'changeEmail.signOutFirst':
    '{person}としてログインしています。ログアウトし、変更をリクエストしたアカウントでログインしてから、メールのリンクをもう一度開いてください。',
  'changeEmail.signInFirst':
    'このブラウザではログインしていません。変更をリクエストしたアカウントでログインしてから、メールのリンクをもう一度開いてください。',
  'changeEmail.notYours': 'お心当たりがない場合は、このページを閉じてください。何も変更されていません。',

  'password.forgotLink': 'パスワードをお忘れですか？',
  'password.signUpLink': 'アカウントを作成',
  'password.signInLink': 'アカウントをお持ちの方はログイン',
  'password.new': '新しいパスワード',
  'password.current': '現在のパスワード',
  'password.length':
    '{count}文字以上で入力してください。いくつかの単語を並べると、覚えやすく、推測されにくくなります。',
  'password.signUpTitle': 'アカウントの作成',
  'password.signUpLead': '{site}のアカウントを作成します',
  'password.signUpButton': 'アカウントを作成',
  'password.forgotTitle': 'パスワードをお忘れですか？',
  'password.forgotText':
    'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。',
  'password.resetTitle': '新しいパスワードの設定',
  'password.resetLead': '{site}のアカウント{address}',
  'password.resetText': '設定すると、このブラウザではログインした状態になり、ほかのすべての場所ではログアウトします。',
  'password.saveButton': 'パスワードを保存',
  'password.verifyTitle': 'メールアドレスの確認',
  'password.verifyLead': '{site}のアカウントのメールアドレスが{address}になります。',
  'password.verifyAdvice': 'このアカウントの作成をご自身で始めた場合にのみ、続行してください。',
  'password.verifyAnew':
    '別のブラウザで始めたか、第三者がアカウントの作成を始めました。そのため、パスワードはここで設定してください。別のブラウザで入力されたパスワードは無効です。',
  'password.changeTitle': 'パスワードの変更',
  'password.changeLead': '{site}のアカウント{address}',
  'password.changeText': 'このブラウザではログインしたままになり、ほかのすべての場所ではログアウトします。',
  'password.firstTitle': 'パスワードの設定',
  'password.signInFirst': 'このブラウザではログインしていません。先にログインしてください。',
  'password.signInAgain':
    'このアカウントのパスワードを設定するには、もう一度ログインしてから、5分以内にこのページに戻ってください。',
  'password.proveFirst':
    'アカウントのメールアドレスがまだ確認されていません。先に、そのメールアドレスに送信されるリンクでログインして確認してください。',

  'deleteAccount.title': 'アカウントの削除',
  'deleteAccount.lead': '{site}のアカウント{address}と、それに属するすべてのデータを削除します。',
  'deleteAccount.grace': 'アカウントは{time}後に削除されます。それまでは、サイトの運営者が元に戻せます。',
  'deleteAccount.button': 'アカウントを削除する',
  'deleteAccount.signInAgain':
    'このアカウントを削除するには、もう一度ログインし、5分以内にこのページに戻ってください。',
  'deleteAccount.refused':
    '現在、このアカウントをここで削除することはできません。サイトの運営者にお問い合わせください。',
  'deleteAccount.done': 'アカウントを削除しました。',
  'deleteAccount.scheduled':
    'アカウントは{time}後に削除されます。残したい場合は、サイトの運営者にお問い合わせください。',
  'password.short': 'パスワードが短すぎます。',
  'password.long': 'パスワードが長すぎます。',
  'password.common':
    'このパスワードは非常に多くの人が使用しているため、すぐに推測されます。別のパスワードを設定してください。',
  'password.breached':
    'このパスワードは、別のサイトへの不正アクセスにより攻撃者に知られています。別のパスワードを設定し、このパスワードを使用しているすべてのサイトで変更してください。',
  'password.contextual':
    'このパスワードは、メールアドレスまたはこのサイトの名前からなるため、簡単に推測されます。別のパスワードを設定してください。',
  'password.unavailable': 'このパスワードが安全かどうかを確認できませんでした。数分後にもう一度お試しください。',
  'password.wrong': '現在のパスワードが正しくありません。もう一度お試しください。',
  'connect.title': '{provider}との連携',
  'connect.heading': '{provider}のアカウントを連携しますか？',
  'connect.lead': 'このサービスのアカウントが{site}と連携されます。',
  'connect.leadAs': 'このサービスのアカウントが、{person}としてログインしている{site}と連携されます。',
  'connect.advice':
    '連携後は、そのアカウントでここにログインできるようになります。連携を希望する場合にのみ続行し、{provider}でご自身のアカウントであることを確認してください。',
  'connect.button': '{provider}に進む',
  'guard.csrfHeading': 'このページの有効期限が切れていました',
  'guard.csrfText': '送信した内容は保存されていません。ページを開き直してから、もう一度送信してください。',
  'guard.signInHeading': 'ログインしていません',
  'guard.signInText': '送信した内容は保存されていません。先にログインしてから、もう一度送信してください。',
  'guard.confirmText': '送信した内容は保存されていません。先に本人確認をしてから、もう一度送信してください。',
  'guard.forbiddenHeading': 'アクセスできません',
  'guard.forbiddenText':
    'このアカウントにはアクセス権がありません。フォームを送信した場合、その内容は保存されていません。サイトの管理者にアクセス権をリクエストしてください。',
  'guard.connectText':
    '送信した内容は保存されていません。先にサービスのアカウントを連携してから、もう一度送信してください。',
  'continue.title': '続行',
  'continue.heading': 'しばらくお待ちください…',
  'continue.lead': '{host}に移動しています…',
  'continue.help': '画面が切り替わらない場合は、{link}。',
  'continue.link': '{host}に進んでください',
  'account.device': '{system} の {browser}',
  'account.support': 'サポート',
  'mail.signIn': '{site}へのログイン',
  'mail.signInOpen': 'ログインするには、次のリンクを開いてください：',
  'mail.signInOpenAs': '{address}としてログインするには、次のリンクを開いてください：',
  'mail.signInPress': 'ログインするには、ボタンを押してください。',
  'mail.signInPressAs': '{address}としてログインするには、ボタンを押してください。',
  'mail.signInButton': 'ログイン',
  'mail.signInBrowser':
    'リンクは、リクエストしたときと同じブラウザで開いてください。別のブラウザで開いた場合は、先に確認を求められます。',
  'mail.signInIgnore':
    'このメールにお心当たりがない場合は、無視してかまいません。リンクがなければ、誰もログインできません。このメールを転送しないでください。',
  'mail.change': '{site}の新しいメールアドレスの確認',
  'mail.changeOpen': 'これをアカウントのメールアドレスにするには、次のリンクを開いてください：',
  'mail.changePress': 'これをアカウントのメールアドレスにするには、ボタンを押してください。',
  'mail.changeButton': 'メールアドレスを確認',
  'mail.changeBrowser':
    'リンクは、ご自身のアカウントにログインしているブラウザで開いてください。先に確認を求められます。',
  'mail.changeIgnore':
    'このメールにお心当たりがない場合は、無視してかまいません。リンクがなければ、何も変更されません。このメールを転送しないでください。',
  'mail.validity': 'このリンクは1回のみ使用できます。有効期間は{lifetime}です。',
  'mail.copy': 'ボタンが機能しない場合は、次のリンクをブラウザにコピーしてください：',
  'mail.code': '{site}のコード',
  'mail.codeEnter': 'ログイン画面で、次のコードを入力してください：',
  'mail.codeValidity': 'このコードは1回のみ使用できます。有効期間は{lifetime}です。',
  'mail.codeIgnore':
    'ログインしようとしていない場合、第三者がログイン方法を知っている可能性があります。1段階目はすでに通過されています。パスワードを変更し、このコードを誰にも教えないでください。',
  'mail.factors': '{site}の2段階ログインが変更されました',
  'mail.factorsFacts': '{site}のアカウントで、2段階目の確認方法が変更されました。',
  'mail.factorsAdvice': 'ご自身による変更でない場合は、サイトの管理者に連絡してください。',
  'mail.changed': '{site}のメールアドレスが変更されました',
  'mail.changedFacts':
    'このメールアドレスは、{site}のアカウントのメールアドレスではなくなりました。現在は別のメールアドレスが登録されています。ログイン用のリンクは今後ここには届きません。',
  'mail.changedAdvice':
    'ご自身による変更でない場合、第三者がアカウントにアクセスしたことになります。すぐにサイトの管理者に連絡してください。',
  'mail.signUp': '{site}のメールアドレスの確認',
  'mail.signUpOpen': 'アカウントの作成を完了するには、次のリンクを開いてください：',
  'mail.signUpPress': 'アカウントの作成を完了するには、ボタンを押してください。',
  'mail.signUpButton': 'メールアドレスを確認',
  'mail.signUpBrowser':
    'リンクは、作成を始めたときと同じブラウザで開いてください。別のブラウザで開いた場合は、もう一度パスワードの設定を求められます。',
  'mail.signUpIgnore':
    'このメールにお心当たりがない場合は、無視してかまいません。リンクがなければ、アカウントは作成されません。このメールを転送しないでください。',
  'mail.reset': '{site}の新しいパスワードの設定',
  'mail.resetOpen': '新しいパスワードを設定するには、次のリンクを開いてください：',
  'mail.resetPress': '新しいパスワードを設定するには、ボタンを押してください。',
  'mail.resetButton': 'パスワードを設定',
  'mail.resetBrowser': 'リンクを開いたブラウザでログインし、ほかのすべての場所ではログアウトします。',
  'mail.resetIgnore':
    'このメールにお心当たりがない場合は、無視してかまいません。リンクがなければ、パスワードは変更されません。このメールを転送しないでください。',
  'mail.haveAccount': '{site}のアカウントをすでにお持ちです',
  'mail.haveAccountOpen':
    'どなたか（おそらくご本人）が、このメールアドレスでアカウントを作成しようとしたか、アカウントのパスワードを置き換えようとしました。アカウントはすでに存在します。これまでと同じ方法でログインしてください。',
  'mail.haveAccountReset': 'パスワードをお忘れの場合は、新しいパスワードを設定してください：',
  'mail.haveAccountIgnore': 'お心当たりがない場合は、このメールを無視してかまいません。何も変更されていません。',
  'mail.passwordChanged': '{site}のパスワードが変更されました',
  'mail.passwordChangedFacts': '{site}のアカウントに新しいパスワードが設定されました。',
  'mail.passwordChangedAdvice':
    'ご自身による変更でない場合、第三者がアカウントまたはメールボックスにアクセスしたことになります。すぐに新しいパスワードを設定し、サイトの管理者に連絡してください。',
  'error.title': 'エラー',
  'error.reference': '照会番号：{reference}',
  'error.tryAgain': 'もう一度試す',
  'error.Configuration.heading': 'このサイトで問題が発生しています',
  'error.Configuration.text':
    '現在この操作を行えません。お客様の操作に問題はありません。\n数分後にもう一度お試しください。問題が続く場合は、サイトの管理者にお知らせください。',
  'error.unknown.heading': '問題が発生しました',
  'error.unknown.text': 'サイトに戻って、もう一度お試しください。',
  'error.AccountMismatch.heading': '別のアカウントです',
  'error.AccountMismatch.text':
    'ご本人であることの確認中に、別のアカウントでログインされました。何も変更されていません。アカウントを切り替えるには、先にログアウトしてください。',
  'error.InvalidCode.heading': 'コードが正しくありません',
  'error.InvalidCode.text':
    'コードが正しくないか、すでに使用されたか、有効期限が切れています。コードを確認するか、次のコードをお待ちください。',
  'error.ReauthenticationRequired.heading': 'ご本人であることを確認してください',
  'error.ReauthenticationRequired.text':
    '前回のログインから時間がたっています。もう一度ログインしてから、操作をやり直してください。',
  'error.SecondFactorFailed.text':
    '時間内にログインが完了しなかったか、誤ったコードの入力回数が多すぎます。もう一度ログインしてください。',
  'error.AccessDenied.heading': 'アクセスが拒否されました',
  'error.AccessDenied.text':
    'このアカウントではここにログインできません。\n別のアカウントをお持ちの場合は、そのアカウントでログインするか、サイトの管理者にアクセス権をリクエストしてください。',
  'error.AccountNotLinked.text':
    'このメールアドレスのアカウントがすでに存在するか、このログイン方法は別のアカウントで使用されています。最初にログインしたときと同じ方法でログインしてください。',
  'error.CaptchaRequired.text': 'ロボットではないことを確認してから、もう一度お試しください。',
  'error.CaptchaUnavailable.heading': 'しばらくしてからもう一度お試しください',
  'error.CaptchaUnavailable.text':
    'ロボットではないことを確認できませんでした。何も変更されておらず、アカウントに問題はありません。',
  'error.ConsentRequired.heading': 'アカウントは連携されませんでした',
  'error.ConsentRequired.text':
    'ご本人またはサービス側の同意が得られなかったか、ここで連携されているものとは別のアカウントがサービスで選択されました。\n最初の画面に戻って、アカウントをもう一度連携してください。',
  'error.CredentialsSignin.text': 'ログイン情報が正しくありません。入力内容を確認して、もう一度お試しください。',
  'error.EmailSignInError.text':
    'このメールアドレスにはリンクを送信できません。メールアドレスを確認して、もう一度お試しください。',
  'error.ImpersonatedSession.heading': 'このセッションでは許可されていません',
  'error.ImpersonatedSession.text':
    'ほかのユーザーのセッションを使用しているため、この操作はできません。何も変更されていません。先にこのセッションを終了してください。',
  'error.InvalidCheck.heading': '最初からやり直してください',
  'error.InvalidCheck.text':
    'ログインに時間がかかりすぎたか、別のブラウザで開かれたか、すでに使用されています。何も変更されていません。',
  'error.InvalidProvider.heading': '不明なログイン方法です',
  'error.InvalidProvider.text': '指定されたログイン方法は、このサイトでは利用できません。別の方法を選択してください。',
  'error.InvalidRequest.heading': 'リクエストを処理できませんでした',
  'error.InvalidRequest.text':
    '前のページに戻って、もう一度お試しください。問題が続く場合は、サイトの管理者に連絡してください。',
  'error.MissingCSRF.text':
    'このページの有効期限が切れていました。長時間開いたままになっていたか、別のタブでログインまたはログアウトしました。もう一度お試しください。',
  'error.NotConnected.heading': '連携されているアカウントがありません',
  'error.NotConnected.text': '先にサービスのアカウントを連携してください。',
  'error.OAuthAccountNotLinked.text':
    'このメールアドレスのアカウントをすでにお持ちですが、別の方法でログインされていました。最初にログインしたときと同じ方法でログインしてください。',
  'error.OAuthCallbackError.text':
    'ログインが完了しませんでした。キャンセルされたか、サービスで確認されませんでした。もう一度お試しいただくか、別のログイン方法を選択してください。',
  'error.OAuthSignInError.text':
    'ログインを開始できませんでした。もう一度お試しいただくか、別のログイン方法を選択してください。',
  'error.PasswordRejected.heading': 'このパスワードは使用できません',
  'error.PasswordRejected.text': '前のページに戻って、別のパスワードを設定してください。',
  'error.PasswordsBusy.heading': '少し待ってからもう一度お試しください',
  'error.PasswordsBusy.text':
    '現在、多くの方がログインしています。何も変更されておらず、アカウントに問題はありません。',
  'error.RefreshError.heading': 'サービスに接続できません',
  'error.RefreshError.text': 'しばらくしてからもう一度お試しください。',
  'error.SignOutError.heading': 'このブラウザでのみログアウトしました',
  'error.SignOutError.text':
    'サーバー上のセッションを終了できませんでした。自動的に再試行されます。\n第三者がセッションのコピーを持っている可能性がある場合は、しばらくしてからもう一度ログインし、ログアウトしてください。',
  'error.TooManyCookies.heading': 'このサイトのCookieを保存できません',
  'error.TooManyCookies.text':
    'このサイトはブラウザにこれ以上データを保存できないため、何も変更されませんでした。\nブラウザでこのサイトのCookieを削除してから、もう一度お試しください。',
  'error.TooManyRequests.heading': '試行回数が多すぎます',
  'error.TooManyRequests.text': '数分待ってから、もう一度お試しください。アカウントに問題はありません。',
  'error.Verification.heading': 'このリンクは無効になりました',
  'error.Verification.text':
    'すでに使用されたか、有効期限が切れたか、新しいリンクが送信されています。リンクをコピーした場合は、一部が欠けている可能性があります。\nもう一度ログインして、新しいリンクを受け取ってください。',
  'error.WebAuthnVerificationError.heading': 'パスキーが承認されませんでした',
  'error.WebAuthnVerificationError.text':
    '時間がかかりすぎたか、別のサイトまたはアカウント用に作成されたパスキーか、このサイトで認識されなくなったパスキーです。何も変更されていません。\nもう一度お試しいただくか、別の方法でログインしてください。',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'このサイトは現在利用できません',
  'error.TenantUnavailable.text': '数秒後にもう一度お試しください。アカウントに問題はありません。',
  'error.UnknownTenant.heading': 'ここにはサイトがありません',
  'error.UnknownTenant.text': 'アドレスをご確認ください。',

  'organization.title': '組織を選択',
  'organization.lead': '選択した組織で{site}に進みます',
  'organization.none': '{site}で所属している組織がありません。組織の管理者にアクセス権をリクエストしてください。',
  'organization.active': '使用中',
  'guard.notFoundHeading': 'このページは存在しません',
  'guard.notFoundText': 'このページは存在しません。フォームを送信した場合、その内容は保存されていません。',
  'guard.organizationText':
    '先に組織を選択してから、もう一度お試しください。フォームを送信した場合、その内容は保存されていません。',
  'app.title': '{app}に進みますか?',
  'app.lead': 'アプリが{site}のアカウントにログインします。',
  'app.advice':
    'ご自身で今アプリを開いた場合にのみ続行してください。アプリはセッションの一覧からいつでもログアウトできます。',
  'app.otherAccount': '別のアカウントを使用',
  'invitation.title': '招待を受ける',
  'invitation.lead': '{site} の {organization} に招待されています。',
  'invitation.address': 'この招待は {address} 宛てです。',
  'invitation.button': '招待を受ける',
  'invitation.other':
    '別のアカウントでサインインしているか、そのアドレスが確認されていません。サインアウトしてから、もう一度リンクを開いてください。',
  'mail.invitation': '{site} への招待',
  'mail.invitationOpen': '{organization} に招待されています。招待を受けるには、このリンクを開いてください：',
  'mail.invitationPress': '{organization} に招待されています。招待を受けるには、ボタンを押してください。',
  'mail.invitationButton': '招待を見る',
  'mail.invitationIgnore':
    '送信者に心当たりがない場合は、このメールを無視してください。操作をしなければ何も起こりません。',
}

export default ja
