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
  'signIn.password': 'パスワード',
  'signIn.code': 'コード',
  'signIn.continue': '続行',
  'signIn.otherAddress': '別のメールアドレスを使用',
  'signIn.more': 'その他のログイン方法',
  'signIn.showPassword': 'パスワードを表示',
  'signIn.hidePassword': 'パスワードを隠す',
  'signIn.or': 'または',
  'signIn.remember': 'ログイン状態を保持する',
  'signIn.captcha':
    'ロボットではないことを確認するため、JavaScriptを有効にしてから、このページを再読み込みしてください。',
  'signIn.nothing': 'ここで利用できるログイン方法はまだありません。',
  'signIn.required': 'このページを表示するには、ログインしてください。',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
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
  'signOut.title': 'ログアウト',
  'signOut.question': '{site}からログアウトしますか？',
  'signOut.button': 'ログアウト',
  'signOut.also': '{provider}からもログアウト',
  'signOut.alsoDone': '{provider}からもログアウトします。',
  'signOut.nobody': 'このブラウザでは{site}にログインしていません。',
  'signOut.outOfDate':
    'まだログアウトしていません。このページの有効期限が切れていました。もう一度ボタンを押してください。',

  'factor.title': 'Confirm that it is you',
  'factor.totp': 'Enter the code that your authenticator app shows for {site}.',
  'factor.recovery': 'Enter one of your recovery codes for {site}. Each code works once.',
  'factor.passkey': 'Use your passkey to go on to {site}.',
  'factor.email': 'To go on to {site}, get a code at the address of your account.',
  'factor.emailSent': 'Enter the code that {site} has just sent to the address of your account.',
  'factor.send': 'Send me a code',
  'factor.sendAgain': 'Send a new code',
  'factor.recoveryCode': 'Recovery code',
  'factor.remember': 'Do not ask for this again in this browser for {lifetime}',
  'factor.useTotp': 'Use an authenticator app',
  'factor.useEmail': 'Get a code by email',
  'factor.useRecovery': 'Use a recovery code',
  'factor.usePasskey': 'Use a passkey',

  'factors.title': 'Two-step sign-in',
  'factors.lead': 'Besides your usual way to sign in, {site} asks for one of these.',
  'factors.required': '{site} asks for a second step at each sign-in. Add one to go on.',
  'factors.totp': 'Authenticator app',
  'factors.email': 'Code by email',
  'factors.passkey': 'Passkey',
  'factors.recovery': 'Recovery codes',
  'factors.addTotp': 'Add an authenticator app',
  'factors.addEmail': 'Add a code by email',
  'factors.addPasskey': 'Use my passkeys as a second step',
  'factors.added': 'Added on {date}',
  'factors.remove': 'Remove',
  'factors.removeThis': 'Remove: {factor}',
  'factors.done': 'Done',
  'factors.newCodes': 'Make new recovery codes',
  'factors.left': 'Recovery codes left: {count}',
  'factors.scan': 'Scan this code with your authenticator app, then enter the six digits that the app shows.',
  'factors.type': 'Enter this key in your authenticator app, then enter the six digits that the app shows.',
  'factors.orType': 'If you cannot scan it, enter this key in the app:',
  'factors.qr': 'QR code for your authenticator app',
  'factors.open': 'Open in an app on this device',
  'factors.name': 'Name of the device (optional)',
  'factors.add': 'Add',
  'factors.emailLead': 'We send a code to the address of your account, to see that it arrives.',
  'factors.emailSent': 'Enter the code that we have just sent to the address of your account.',
  'factors.passkeyLead': 'Use one of your passkeys now. From then on it is asked for when you sign in another way.',
  'factors.codes': 'Your recovery codes',
  'factors.codesLead':
    'Keep these codes where you find them without your phone, such as on paper or in a password manager. Each one signs you in once, in place of your second step.',
  'factors.codesOnce': 'They are shown only now. Earlier codes do not work any more.',

  'page.cancel': 'キャンセル',
  'page.home': '{site}に移動',
  'verifyRequest.title': 'メールをご確認ください',
  'verifyRequest.text':
    'ログイン用のリンクをお送りしました。このブラウザで開いてください。別のブラウザで開いた場合は、先に確認を求められます。',
  'verifyRequest.help':
    '数分たっても届かない場合は、迷惑メールフォルダをご確認ください。または、前のページに戻ってメールアドレスを確認し、もう一度リンクをリクエストしてください。有効なのは最新のリンクのみです。',
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
  'connect.title': '{provider}との連携',
  'connect.heading': '{provider}のアカウントを連携しますか？',
  'connect.lead': 'このサービスのアカウントが{site}と連携されます。',
  'connect.leadAs': 'このサービスのアカウントが、{person}としてログインしている{site}と連携されます。',
  'connect.advice':
    '連携後は、そのアカウントでここにログインできるようになります。連携を希望する場合にのみ続行し、{provider}でご自身のアカウントであることを確認してください。',
  'connect.button': '{provider}に進む',
  'continue.title': '続行',
  'continue.heading': 'しばらくお待ちください…',
  'continue.lead': '{host}に移動しています…',
  'continue.help': '画面が切り替わらない場合は、{link}。',
  'continue.link': '{host}に進んでください',
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
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': '{site}のメールアドレスが変更されました',
  'mail.changedFacts':
    'このメールアドレスは、{site}のアカウントのメールアドレスではなくなりました。現在は別のメールアドレスが登録されています。ログイン用のリンクは今後ここには届きません。',
  'mail.changedAdvice':
    'ご自身による変更でない場合、第三者がアカウントにアクセスしたことになります。すぐにサイトの管理者に連絡してください。',
  'error.title': 'エラー',
  'error.reference': '照会番号：{reference}',
  'error.Configuration.heading': 'このサイトで問題が発生しています',
  'error.Configuration.text':
    '現在ログインできません。お客様の操作に問題はありません。しばらくしてからもう一度お試しください。\n原因はサーバーのログに記録されており、サイトの管理者が確認できます。',
  'error.unknown.heading': '問題が発生しました',
  'error.unknown.text': 'サイトに戻って、もう一度お試しください。',
  'error.AccountMismatch.heading': 'That is another account',
  'error.AccountMismatch.text':
    'You were asked to confirm that it is you, and signed in to another account. Nothing has changed. To change accounts, sign out first.',
  'error.InvalidCode.heading': 'The code is not correct',
  'error.InvalidCode.text':
    'This code is not correct, was used before, or is too old. Please check it, or wait for the next one.',
  'error.ReauthenticationRequired.heading': 'Please confirm that it is you',
  'error.ReauthenticationRequired.text':
    'It has been a while since you signed in. Please sign in again, then repeat what you wanted to do.',
  'error.SecondFactorFailed.text':
    'The sign-in was not completed in time, or there were too many wrong codes. Please sign in again.',
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
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'サービスに接続できません',
  'error.RefreshError.text': 'しばらくしてからもう一度お試しください。',
  'error.SignOutError.heading': 'このブラウザでのみログアウトしました',
  'error.SignOutError.text':
    'サーバー上のセッションを終了できませんでした。自動的に再試行されます。\n第三者がセッションのコピーを持っている可能性がある場合は、しばらくしてからもう一度ログインし、ログアウトしてください。',
  'error.TooManyRequests.heading': '試行回数が多すぎます',
  'error.TooManyRequests.text': '数分待ってから、もう一度お試しください。アカウントに問題はありません。',
  'error.Verification.heading': 'このリンクは無効になりました',
  'error.Verification.text':
    'すでに使用されたか、有効期限が切れたか、新しいリンクが送信されています。リンクをコピーした場合は、一部が欠けている可能性があります。\nもう一度ログインして、新しいリンクを受け取ってください。',
  'error.WebAuthnVerificationError.heading': 'パスキーが承認されませんでした',
  'error.WebAuthnVerificationError.text':
    '時間がかかりすぎたか、別のサイトまたはアカウント用に作成されたパスキーか、このサイトで認識されなくなったパスキーです。何も変更されていません。\nもう一度お試しいただくか、別の方法でログインしてください。',
}

export default ja
