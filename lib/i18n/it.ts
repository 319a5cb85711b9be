/** Italian. */
import type { Messages } from './en.js'

const it: Messages = {
  direction: 'ltr',
  'signIn.title': 'Accedi',
  'signIn.titleOf': 'Accedi a {site}',
  'signIn.lead': 'per continuare su {site}',
  'signIn.with': 'Accedi con {provider}',
  'signIn.button': 'Accedi',
  'signIn.sendLink': 'Inviami un link',
  'signIn.sendLinkWith': 'Inviami un link tramite {provider}',
  'signIn.address': 'Indirizzo email',
  'signIn.addressExample': 'nome@example.com',
  'signIn.username': 'Nome utente',
  'signIn.password': 'Password',
  'signIn.code': 'Codice',
  'signIn.continue': 'Continua',
  'signIn.otherAddress': 'Usa un altro indirizzo',
  'signIn.more': 'Altri modi per accedere',
  'signIn.showPassword': 'Mostra password',
  'signIn.hidePassword': 'Nascondi password',
  'signIn.or': 'oppure',
  'signIn.remember': 'Mantieni l’accesso',
  'signIn.captcha': 'Attiva JavaScript per confermare che non sei un robot, poi ricarica questa pagina.',
  'signIn.nothing': 'Qui non c’è ancora nessun modo per accedere.',
  'signIn.required': 'Accedi per vedere questa pagina.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Hai già eseguito l’accesso.',
  'signIn.replaces': 'Se accedi qui, inizia una nuova sessione al posto di questa.',
  'signIn.addsPasskey': 'Se scegli una nuova passkey, viene aggiunta al tuo account.',
  'signIn.addsService': 'Se scegli un servizio come {provider}, viene aggiunto al tuo account.',
  'signIn.addsBoth':
    'Se scegli una nuova passkey o un servizio come {provider}, la tua scelta viene aggiunta al tuo account.',
  'signIn.othersReplace': 'Con qualsiasi altro modo di accedere, inizia una nuova sessione al posto di questa.',
  'signIn.failed': 'Accesso non riuscito. Riprova o scegli un altro modo per accedere.',
  'signIn.notCreated': 'Non è stato possibile creare il tuo account. Riprova o scegli un altro modo per accedere.',
  'signIn.mailFailed': 'Non è stato possibile inviare l’email. Controlla l’indirizzo, poi riprova tra qualche minuto.',
  'signIn.unavailable': 'Questo sito ha un problema e al momento non è possibile accedere. Riprova più tardi.',
  'passkey.signIn': 'Accedi con una passkey',
  'passkey.create': 'Crea un account con una passkey',
  'passkey.newHere': 'è la tua prima volta qui?',
  'passkey.needsScript': 'Per accedere con una passkey serve JavaScript.',
  'passkey.insecurePage': 'Le passkey funzionano solo su pagine sicure (https) e questa pagina non lo è.',
  'passkey.unsupportedBrowser': 'Questo browser non supporta le passkey.',
  'passkey.cancelled':
    'Accesso non eseguito: l’operazione è stata annullata, ha richiesto troppo tempo o non ha trovato nessuna passkey per questo sito. Riprova.',
  'passkey.cancelledNew':
    'Nessuna passkey creata: l’operazione è stata annullata, ha richiesto troppo tempo o questo dispositivo non può conservarne una. Riprova.',
  'passkey.notAllowed': 'Questa pagina non è autorizzata a usare le passkey.',
  'passkey.alreadyRegistered': 'Questo dispositivo ha già una passkey per questo account. Usala per accedere.',
  'passkey.unsupported': 'Questo browser o dispositivo non supporta le passkey.',
  'passkey.unsupportedNew': 'Questo browser o dispositivo non può creare il tipo di passkey richiesto da questo sito.',
  'passkey.insecure':
    'Le passkey non funzionano a questo indirizzo. Apri il sito al suo indirizzo, che inizia con https.',
  'passkey.refused': 'Il sito non ha accettato la risposta della tua passkey. Riprova.',
  'passkey.refusedNew': 'Il sito non ha accettato questa passkey. Riprova.',
  'passkey.network': 'Impossibile raggiungere il sito. Controlla la connessione, poi riprova.',
  'passkey.failed': 'Il tuo browser o dispositivo non è riuscito a completare l’operazione. Riprova.',
  'signOut.title': 'Esci',
  'signOut.question': 'Vuoi uscire da {site}?',
  'signOut.button': 'Esci',
  'signOut.also': 'Esci anche da {provider}',
  'signOut.alsoDone': 'Uscirai anche da {provider}.',
  'signOut.nobody': 'In questo browser non hai eseguito l’accesso a {site}.',
  'signOut.outOfDate':
    'La disconnessione non è ancora avvenuta: questa pagina era scaduta. Premi di nuovo il pulsante.',

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

  'page.cancel': 'Annulla',
  'page.home': 'Vai a {site}',
  'verifyRequest.title': 'Controlla la posta',
  'verifyRequest.text':
    'Ti abbiamo inviato un link per accedere. Aprilo in questo browser: in un altro ti verrà prima chiesta una conferma.',
  'verifyRequest.help':
    'Dopo qualche minuto non è arrivato nulla? Guarda nella cartella dello spam, oppure torna indietro, controlla l’indirizzo e richiedi un altro link. Funziona solo il più recente.',
  'confirmEmail.title': 'Conferma l’accesso',
  'confirmEmail.lead': 'Hai aperto un link che ti fa accedere a {site} come {address}.',
  'confirmEmail.advice':
    'Continua solo se hai richiesto tu questo link e vuoi accedere a questo account in questo browser.',
  'confirmEmail.button': 'Accedi come {address}',
  'confirmEmail.prove': 'Hai eseguito l’accesso a questo account. Se continui, dimostri che l’indirizzo è tuo.',
  'confirmEmail.otherUser':
    'Qui hai eseguito l’accesso come {person}. Se continui, accederai invece all’account di chi possiede questo indirizzo.',
  'confirmEmail.newUser':
    'Qui hai eseguito l’accesso come {person}. Se continui, verrà creato un nuovo account per questo indirizzo e accederai invece a quello.',
  'confirmEmail.somebody': 'un’altra persona',
  'changeEmail.title': 'Cambia il tuo indirizzo email',
  'changeEmail.lead': 'L’indirizzo email del tuo account su {site} diventa {address}.',
  'changeEmail.before': 'Finora era {address}. Dopo la modifica, i link per accedere arriveranno al nuovo indirizzo.',
  'changeEmail.hadNone':
    'Finora non ne aveva uno. Dopo la modifica, i link per accedere arriveranno al nuovo indirizzo.',
  'changeEmail.signedIn':
    'Hai eseguito l’accesso come {person}. Continua solo se questo è il tuo account e se hai richiesto tu la modifica.',
  'changeEmail.button': 'Cambia l’indirizzo',
  'changeEmail.about': 'Con questo link, {address} diventa l’indirizzo di un account su {site}.',
  'changeEmail.signOutFirst':
    'Hai eseguito l’accesso come {person}. Esci, accedi con l’account da cui è stata richiesta la modifica e apri di nuovo il link nell’email.',
  'changeEmail.signInFirst':
    'In questo browser non hai eseguito l’accesso. Accedi con l’account da cui è stata richiesta la modifica e apri di nuovo il link nell’email.',
  'changeEmail.notYours': 'Non hai richiesto tu la modifica? Allora chiudi questa pagina: non è cambiato nulla.',
  'connect.title': 'Collega {provider}',
  'connect.heading': 'Vuoi collegare il tuo account {provider}?',
  'connect.lead': 'Il tuo account su quel servizio verrà collegato a {site}.',
  'connect.leadAs':
    'Il tuo account su quel servizio verrà collegato a {site}, dove hai eseguito l’accesso come {person}.',
  'connect.advice':
    'Da quel momento servirà per accedere qui. Continua solo se è quello che vuoi, e controlla su {provider} che l’account sia tuo.',
  'connect.button': 'Continua su {provider}',
  'continue.title': 'Continua',
  'continue.heading': 'Un momento…',
  'continue.lead': 'Reindirizzamento a {host}…',
  'continue.help': 'Se non succede nulla, {link}.',
  'continue.link': 'continua su {host}',
  'mail.signIn': 'Accedi a {site}',
  'mail.signInOpen': 'Apri questo link per accedere:',
  'mail.signInOpenAs': 'Apri questo link per accedere come {address}:',
  'mail.signInPress': 'Premi il pulsante per accedere.',
  'mail.signInPressAs': 'Premi il pulsante per accedere come {address}.',
  'mail.signInButton': 'Accedi',
  'mail.signInBrowser':
    'Aprilo nel browser in cui l’hai richiesto. In qualsiasi altro browser ti verrà prima chiesta una conferma.',
  'mail.signInIgnore':
    'Non hai richiesto tu questa email? Allora puoi ignorarla: senza il link non entra nessuno. Non inoltrarla.',
  'mail.change': 'Conferma il tuo nuovo indirizzo email per {site}',
  'mail.changeOpen': 'Apri questo link per usare questo indirizzo per il tuo account:',
  'mail.changePress': 'Premi il pulsante per usare questo indirizzo per il tuo account.',
  'mail.changeButton': 'Conferma l’indirizzo',
  'mail.changeBrowser':
    'Aprilo in un browser in cui hai eseguito l’accesso al tuo account. Ti verrà prima chiesta una conferma.',
  'mail.changeIgnore':
    'Non hai richiesto tu questa email? Allora puoi ignorarla: senza il link non cambia nulla. Non inoltrarla.',
  'mail.validity': 'Il link funziona una sola volta. Validità: {lifetime}.',
  'mail.copy': 'Il pulsante non funziona? Allora copia questo link nel browser:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Il tuo indirizzo email su {site} è stato cambiato',
  'mail.changedFacts':
    'Questo non è più l’indirizzo del tuo account su {site}: ora ne ha un altro. I link per accedere non arrivano più qui.',
  'mail.changedAdvice':
    'Non hai fatto tu questa modifica? Allora qualcun altro è entrato nel tuo account. Avvisa subito chi gestisce il sito.',
  'error.title': 'Errore',
  'error.reference': 'Riferimento: {reference}',
  'error.Configuration.heading': 'Questo sito ha un problema',
  'error.Configuration.text':
    'Al momento non è possibile accedere. Non hai sbagliato nulla; riprova più tardi.\nChi gestisce il sito può trovare il motivo nel log del server.',
  'error.unknown.heading': 'Si è verificato un errore',
  'error.unknown.text': 'Torna al sito e riprova.',
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
  'error.AccessDenied.heading': 'Accesso negato',
  'error.AccessDenied.text':
    'Con questo account non è possibile accedere qui.\nSe hai un altro account, accedi con quello oppure chiedi l’accesso a chi gestisce il sito.',
  'error.AccountNotLinked.text':
    'Esiste già un account con questo indirizzo email, oppure questo modo di accedere appartiene a un altro account. Accedi come hai fatto la prima volta.',
  'error.CaptchaRequired.text': 'Conferma che non sei un robot, poi riprova.',
  'error.CaptchaUnavailable.heading': 'Riprova più tardi',
  'error.CaptchaUnavailable.text':
    'Non è stato possibile verificare che non sei un robot. Non è cambiato nulla e il tuo account non ha alcun problema.',
  'error.ConsentRequired.heading': 'Il tuo account non è stato collegato',
  'error.ConsentRequired.text':
    'Manca il consenso, tuo o del servizio, oppure hai scelto lì un account diverso da quello collegato qui.\nTorna al punto di partenza e collega di nuovo il tuo account.',
  'error.CredentialsSignin.text':
    'Questi dati di accesso non sono corretti. Controlla ciò che hai inserito, poi riprova.',
  'error.EmailSignInError.text': 'Non possiamo inviare un link a questo indirizzo. Controllalo, poi riprova.',
  'error.InvalidCheck.heading': 'Ricomincia da capo',
  'error.InvalidCheck.text':
    'L’accesso ha richiesto troppo tempo, è stato aperto in un altro browser o era già stato usato. Non è cambiato nulla.',
  'error.InvalidProvider.heading': 'Modo di accedere sconosciuto',
  'error.InvalidProvider.text': 'Questo sito non offre il modo di accedere richiesto. Scegline un altro.',
  'error.InvalidRequest.heading': 'Questa richiesta non è stata compresa',
  'error.InvalidRequest.text': 'Torna indietro e riprova. Se il problema persiste, avvisa chi gestisce il sito.',
  'error.MissingCSRF.text':
    'Questa pagina era scaduta: è rimasta aperta troppo a lungo, oppure l’accesso o la disconnessione sono avvenuti in un’altra scheda. Riprova.',
  'error.NotConnected.heading': 'Nessun account collegato',
  'error.NotConnected.text': 'Collega prima un account del servizio.',
  'error.OAuthAccountNotLinked.text':
    'Hai già un account con questo indirizzo email, ma avevi eseguito l’accesso in un altro modo. Accedi come hai fatto la prima volta.',
  'error.OAuthCallbackError.text':
    'L’accesso non è stato completato: è stato annullato o il servizio non l’ha confermato. Riprova o scegli un altro modo per accedere.',
  'error.OAuthSignInError.text':
    'Non è stato possibile avviare l’accesso. Riprova o scegli un altro modo per accedere.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'Impossibile raggiungere il servizio',
  'error.RefreshError.text': 'Riprova tra un po’.',
  'error.SignOutError.heading': 'La disconnessione è avvenuta solo in questo browser',
  'error.SignOutError.text':
    'Non è stato possibile terminare la sessione sul server. Il tentativo verrà ripetuto automaticamente.\nSe qualcun altro potrebbe averne una copia, tra un po’ accedi ed esci di nuovo.',
  'error.TooManyRequests.heading': 'Troppi tentativi',
  'error.TooManyRequests.text': 'Attendi qualche minuto, poi riprova. Il tuo account non ha alcun problema.',
  'error.Verification.heading': 'Questo link non funziona più',
  'error.Verification.text':
    'È già stato usato, è troppo vecchio o ne è stato inviato uno più recente. Se l’hai copiato, potrebbe mancarne una parte.\nAccedi di nuovo per ricevere un nuovo link.',
  'error.WebAuthnVerificationError.heading': 'La tua passkey non è stata accettata',
  'error.WebAuthnVerificationError.text':
    'L’operazione ha richiesto troppo tempo, la passkey è stata creata per un altro sito o account, oppure questo sito non la riconosce più. Non è cambiato nulla.\nRiprova o accedi in un altro modo.',
}

export default it
