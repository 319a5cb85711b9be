/** German. */
import type { Messages } from './en.js'

const de: Messages = {
  direction: 'ltr',
  'signIn.title': 'Anmelden',
  'signIn.titleOf': 'Bei {site} anmelden',
  'signIn.lead': 'um mit {site} fortzufahren',
  'signIn.with': 'Mit {provider} anmelden',
  'signIn.button': 'Anmelden',
  'signIn.sendLink': 'Link per E-Mail senden',
  'signIn.sendLinkWith': 'Link mit {provider} senden',
  'signIn.address': 'E-Mail-Adresse',
  'signIn.addressExample': 'sie@example.com',
  'signIn.username': 'Benutzername',
  'signIn.password': 'Passwort',
  'signIn.code': 'Code',
  'signIn.continue': 'Weiter',
  'signIn.otherAddress': 'Andere Adresse verwenden',
  'signIn.more': 'Weitere Anmeldemöglichkeiten',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.hidePassword': 'Passwort verbergen',
  'signIn.or': 'oder',
  'signIn.remember': 'Angemeldet bleiben',
  'signIn.captcha':
    'Bitte schalten Sie JavaScript ein, um zu bestätigen, dass Sie ein Mensch sind, und laden Sie diese Seite dann neu.',
  'signIn.nothing': 'Hier gibt es noch keine Möglichkeit, sich anzumelden.',
  'signIn.required': 'Bitte melden Sie sich an, um diese Seite zu sehen.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Sie sind bereits angemeldet.',
  'signIn.replaces': 'Wenn Sie sich hier anmelden, beginnt anstelle dieser Sitzung eine neue.',
  'signIn.addsPasskey': 'Wenn Sie einen neuen Passkey wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.addsService': 'Wenn Sie einen Dienst wie {provider} wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.addsBoth':
    'Wenn Sie einen neuen Passkey oder einen Dienst wie {provider} wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.othersReplace': 'Bei jeder anderen Anmeldung beginnt anstelle dieser Sitzung eine neue.',
  'signIn.failed':
    'Die Anmeldung hat nicht geklappt. Bitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  'signIn.notCreated':
    'Für Sie konnte kein Konto angelegt werden. Bitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  'signIn.mailFailed':
    'Die E-Mail konnte nicht gesendet werden. Bitte prüfen Sie die Adresse, und versuchen Sie es in ein paar Minuten noch einmal.',
  'signIn.unavailable':
    'Diese Website hat ein Problem, darum ist die Anmeldung gerade nicht möglich. Bitte versuchen Sie es später noch einmal.',
  'passkey.signIn': 'Mit einem Passkey anmelden',
  'passkey.create': 'Konto mit einem Passkey anlegen',
  'passkey.newHere': 'neu hier?',
  'passkey.needsScript': 'Für die Anmeldung mit einem Passkey wird JavaScript gebraucht.',
  'passkey.insecurePage': 'Passkeys gibt es nur auf sicheren Seiten (https), und diese Seite ist keine.',
  'passkey.unsupportedBrowser': 'Dieser Browser kann keine Passkeys verwenden.',
  'passkey.cancelled':
    'Sie sind nicht angemeldet: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder es fand sich kein Passkey für diese Website. Bitte versuchen Sie es noch einmal.',
  'passkey.cancelledNew':
    'Es wurde kein Passkey erstellt: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder dieses Gerät kann keinen aufbewahren. Bitte versuchen Sie es noch einmal.',
  'passkey.notAllowed': 'Diese Seite darf keine Passkeys verwenden.',
  'passkey.alreadyRegistered':
    'Dieses Gerät hat für dieses Konto bereits einen Passkey. Bitte melden Sie sich damit an.',
  'passkey.unsupported': 'Dieser Browser oder dieses Gerät kann keine Passkeys verwenden.',
  'passkey.unsupportedNew':
    'Dieser Browser oder dieses Gerät kann die Art von Passkey nicht erstellen, die diese Website verlangt.',
  'passkey.insecure':
    'Unter dieser Adresse gibt es keine Passkeys. Bitte öffnen Sie die Website unter ihrer eigenen Adresse, die mit https beginnt.',
  'passkey.refused': 'Die Website hat die Antwort Ihres Passkeys nicht angenommen. Bitte versuchen Sie es noch einmal.',
  'passkey.refusedNew': 'Die Website hat diesen Passkey nicht angenommen. Bitte versuchen Sie es noch einmal.',
  'passkey.network':
    'Die Website ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung, und versuchen Sie es dann noch einmal.',
  'passkey.failed': 'Ihr Browser oder Gerät konnte das nicht ausführen. Bitte versuchen Sie es noch einmal.',
  'signOut.title': 'Abmelden',
  'signOut.question': 'Möchten Sie sich von {site} abmelden?',
  'signOut.button': 'Abmelden',
  'signOut.also': 'Auch von {provider} abmelden',
  'signOut.alsoDone': 'Sie werden auch von {provider} abgemeldet.',
  'signOut.nobody': 'Sie sind in diesem Browser nicht bei {site} angemeldet.',
  'signOut.outOfDate':
    'Sie sind noch nicht abgemeldet: Diese Seite war veraltet. Bitte drücken Sie den Knopf noch einmal.',

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

  'page.cancel': 'Abbrechen',
  'page.home': 'Zu {site}',
  'verifyRequest.title': 'Sehen Sie in Ihre E-Mails',
  'verifyRequest.text':
    'Wir haben Ihnen einen Link zum Anmelden geschickt. Bitte öffnen Sie ihn in diesem Browser: In einem anderen werden Sie erst um eine Bestätigung gebeten.',
  'verifyRequest.help':
    'Nach ein paar Minuten ist nichts da? Sehen Sie im Spam-Ordner nach, oder gehen Sie zurück, prüfen Sie die Adresse und fordern Sie einen neuen Link an. Nur der neueste gilt.',
  'confirmEmail.title': 'Anmeldung bestätigen',
  'confirmEmail.lead': 'Sie haben einen Link geöffnet, der Sie bei {site} als {address} anmeldet.',
  'confirmEmail.advice':
    'Fahren Sie nur fort, wenn Sie diesen Link selbst angefordert haben und in diesem Browser bei diesem Konto angemeldet sein möchten.',
  'confirmEmail.button': 'Als {address} anmelden',
  'confirmEmail.prove':
    'Sie sind bei diesem Konto angemeldet. Wenn Sie fortfahren, ist bewiesen, dass die Adresse Ihnen gehört.',
  'confirmEmail.otherUser':
    'Sie sind hier als {person} angemeldet. Wenn Sie fortfahren, werden Sie stattdessen als die Person angemeldet, der diese Adresse gehört.',
  'confirmEmail.newUser':
    'Sie sind hier als {person} angemeldet. Wenn Sie fortfahren, wird für diese Adresse ein neues Konto angelegt, und Sie werden stattdessen dort angemeldet.',
  'confirmEmail.somebody': 'jemand anderes',
  'changeEmail.title': 'Adresse ändern',
  'changeEmail.lead': 'Die Adresse Ihres Kontos bei {site} wird {address}.',
  'changeEmail.before': 'Bisher war es {address}. Links, mit denen Sie sich anmelden, gehen dann an die neue Adresse.',
  'changeEmail.hadNone': 'Bisher hatte es keine. Links, mit denen Sie sich anmelden, gehen dann an die neue Adresse.',
  'changeEmail.signedIn':
    'Sie sind als {person} angemeldet. Fahren Sie nur fort, wenn das Ihr Konto ist und Sie die Änderung gewünscht haben.',
  'changeEmail.button': 'Adresse ändern',
  'changeEmail.about': 'Dieser Link macht {address} zur Adresse eines Kontos bei {site}.',
  'changeEmail.signOutFirst':
    'Sie sind als {person} angemeldet. Melden Sie sich ab, melden Sie sich dann mit dem Konto an, das die Änderung gewünscht hat, und öffnen Sie den Link in der E-Mail noch einmal.',
  'changeEmail.signInFirst':
    'Sie sind in diesem Browser nicht angemeldet. Melden Sie sich mit dem Konto an, das die Änderung gewünscht hat, und öffnen Sie den Link in der E-Mail noch einmal.',
  'changeEmail.notYours': 'Sie haben das nicht gewünscht? Dann schließen Sie diese Seite: Es hat sich nichts geändert.',
  'connect.title': '{provider} verbinden',
  'connect.heading': 'Ihr Konto bei {provider} verbinden?',
  'connect.lead': 'Ihr Konto dort wird mit {site} verbunden.',
  'connect.leadAs': 'Ihr Konto dort wird mit {site} verbunden, wo Sie als {person} angemeldet sind.',
  'connect.advice':
    'Von da an meldet es Sie hier an. Fahren Sie nur fort, wenn Sie das möchten, und achten Sie bei {provider} darauf, dass das Konto Ihres ist.',
  'connect.button': 'Weiter zu {provider}',
  'continue.title': 'Weiter',
  'continue.heading': 'Einen Moment …',
  'continue.lead': 'Sie werden zu {host} weitergeleitet …',
  'continue.help': 'Wenn nichts geschieht, geht es hier {link}.',
  'continue.link': 'weiter zu {host}',
  'mail.signIn': 'Bei {site} anmelden',
  'mail.signInOpen': 'Öffnen Sie diesen Link, um sich anzumelden:',
  'mail.signInOpenAs': 'Öffnen Sie diesen Link, um sich als {address} anzumelden:',
  'mail.signInPress': 'Drücken Sie auf den Knopf, um sich anzumelden.',
  'mail.signInPressAs': 'Drücken Sie auf den Knopf, um sich als {address} anzumelden.',
  'mail.signInButton': 'Anmelden',
  'mail.signInBrowser':
    'Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben. In jedem anderen werden Sie erst um eine Bestätigung gebeten.',
  'mail.signInIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link kommt niemand hinein. Bitte leiten Sie sie nicht weiter.',
  'mail.change': 'Neue Adresse für {site} bestätigen',
  'mail.changeOpen': 'Öffnen Sie diesen Link, um dies zur Adresse Ihres Kontos zu machen:',
  'mail.changePress': 'Drücken Sie auf den Knopf, um dies zur Adresse Ihres Kontos zu machen.',
  'mail.changeButton': 'Adresse bestätigen',
  'mail.changeBrowser':
    'Öffnen Sie ihn in einem Browser, in dem Sie bei Ihrem Konto angemeldet sind. Sie werden erst um eine Bestätigung gebeten.',
  'mail.changeIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link ändert sich nichts. Bitte leiten Sie sie nicht weiter.',
  'mail.validity': 'Der Link gilt einmal. Gültigkeit: {lifetime}.',
  'mail.copy': 'Der Knopf geht nicht? Dann kopieren Sie diesen Link in den Browser:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Ihre Adresse bei {site} wurde geändert',
  'mail.changedFacts':
    'Dies ist nicht mehr die Adresse Ihres Kontos bei {site}: Es hat jetzt eine andere. Links zum Anmelden kommen hier nicht mehr an.',
  'mail.changedAdvice':
    'Sie waren das nicht? Dann war jemand anderes in Ihrem Konto. Bitte sagen Sie es sofort den Betreibern der Website.',
  'error.title': 'Fehler',
  'error.reference': 'Kennung: {reference}',
  'error.Configuration.heading': 'Diese Website hat ein Problem',
  'error.Configuration.text':
    'Die Anmeldung ist gerade nicht möglich. Sie haben nichts falsch gemacht; bitte versuchen Sie es später noch einmal.\nDie Betreiber der Website finden den Grund in ihrem Serverprotokoll.',
  'error.unknown.heading': 'Etwas ist schiefgegangen',
  'error.unknown.text': 'Bitte gehen Sie zur Website zurück, und versuchen Sie es noch einmal.',
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
  'error.AccessDenied.heading': 'Zugriff verweigert',
  'error.AccessDenied.text':
    'Mit diesem Konto können Sie sich hier nicht anmelden.\nWenn Sie ein anderes Konto haben, melden Sie sich damit an, oder bitten Sie die Betreiber der Website um Zugang.',
  'error.AccountNotLinked.text':
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto, oder dieser Anmeldeweg gehört zu einem anderen Konto. Bitte melden Sie sich so an wie beim ersten Mal.',
  'error.CaptchaRequired.text':
    'Bitte bestätigen Sie, dass Sie ein Mensch sind, und versuchen Sie es dann noch einmal.',
  'error.CaptchaUnavailable.heading': 'Bitte versuchen Sie es später noch einmal',
  'error.CaptchaUnavailable.text':
    'Es ließ sich nicht prüfen, ob Sie ein Mensch sind. Nichts hat sich geändert, und mit Ihrem Konto ist alles in Ordnung.',
  'error.ConsentRequired.heading': 'Ihr Konto wurde nicht verbunden',
  'error.ConsentRequired.text':
    'Sie oder der Dienst haben nicht zugestimmt, oder Sie haben dort ein anderes Konto gewählt als das, das hier verbunden ist.\nBitte gehen Sie dorthin zurück, wo Sie begonnen haben, und verbinden Sie Ihr Konto noch einmal.',
  'error.CredentialsSignin.text':
    'Diese Anmeldedaten stimmen nicht. Bitte prüfen Sie Ihre Eingabe, und versuchen Sie es noch einmal.',
  'error.EmailSignInError.text':
    'An diese Adresse können wir keinen Link senden. Bitte prüfen Sie sie, und versuchen Sie es noch einmal.',
  'error.InvalidCheck.heading': 'Bitte beginnen Sie noch einmal',
  'error.InvalidCheck.text':
    'Die Anmeldung hat zu lange gedauert, wurde in einem anderen Browser geöffnet oder war schon verbraucht. Nichts hat sich geändert.',
  'error.InvalidProvider.heading': 'Unbekannter Anmeldeweg',
  'error.InvalidProvider.text':
    'Diese Website bietet den Anmeldeweg nicht an, zu dem Sie geschickt wurden. Bitte wählen Sie einen anderen.',
  'error.InvalidRequest.heading': 'Diese Anfrage wurde nicht verstanden',
  'error.InvalidRequest.text':
    'Bitte gehen Sie zurück, und versuchen Sie es noch einmal. Wenn es weiter geschieht, sagen Sie es den Betreibern der Website.',
  'error.MissingCSRF.text':
    'Diese Seite war veraltet: Sie war zu lange offen, oder Sie haben sich in einem anderen Tab an- oder abgemeldet. Bitte versuchen Sie es noch einmal.',
  'error.NotConnected.heading': 'Es ist kein Konto verbunden',
  'error.NotConnected.text': 'Verbinden Sie zuerst ein Konto des Dienstes.',
  'error.OAuthAccountNotLinked.text':
    'Sie haben mit dieser E-Mail-Adresse schon ein Konto, haben sich aber auf einem anderen Weg angemeldet. Bitte melden Sie sich so an wie beim ersten Mal.',
  'error.OAuthCallbackError.text':
    'Die Anmeldung wurde nicht abgeschlossen: Sie wurde abgebrochen, oder der Dienst hat sie nicht bestätigt. Bitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  'error.OAuthSignInError.text':
    'Die Anmeldung konnte nicht begonnen werden. Bitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'Der Dienst ist nicht erreichbar',
  'error.RefreshError.text': 'Bitte versuchen Sie es in einer Weile noch einmal.',
  'error.SignOutError.heading': 'Sie sind nur in diesem Browser abgemeldet',
  'error.SignOutError.text':
    'Die Sitzung konnte auf dem Server nicht beendet werden. Das wird von selbst noch einmal versucht.\nWenn jemand anderes eine Kopie davon haben könnte, melden Sie sich in einer Weile an und wieder ab.',
  'error.TooManyRequests.heading': 'Zu viele Versuche',
  'error.TooManyRequests.text':
    'Bitte warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal. Mit Ihrem Konto ist alles in Ordnung.',
  'error.Verification.heading': 'Dieser Link gilt nicht mehr',
  'error.Verification.text':
    'Er wurde schon benutzt, ist zu alt, oder es wurde ein neuerer gesendet. Wenn Sie ihn kopiert haben, fehlt vielleicht ein Stück.\nMelden Sie sich noch einmal an, um einen neuen Link zu bekommen.',
  'error.WebAuthnVerificationError.heading': 'Ihr Passkey wurde nicht angenommen',
  'error.WebAuthnVerificationError.text':
    'Es hat zu lange gedauert, er wurde für eine andere Website oder ein anderes Konto erstellt, oder diese Website kennt ihn nicht mehr. Nichts hat sich geändert.\nBitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
}

export default de
