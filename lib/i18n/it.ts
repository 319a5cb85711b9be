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
  'signIn.addressOrUsername': 'Indirizzo email o nome utente',
  'signIn.password': 'Password',
  'signIn.code': 'Codice',
  'signIn.continue': 'Continua',
  'signIn.otherAddress': 'Usa un altro indirizzo',
  'signIn.more': 'Altri modi di accedere',
  'signIn.showPassword': 'Mostra password',
  'signIn.hidePassword': 'Nascondi password',
  'signIn.or': 'oppure',
  'signIn.lastUsed': 'Usato l’ultima volta',
  'signIn.remember': 'Mantieni l’accesso',
  'signIn.captcha': 'Attiva JavaScript per confermare che non sei un robot, poi ricarica questa pagina.',
  'signIn.nothing': 'Qui non c’è ancora nessun modo di accedere.',
  'signIn.required': 'Accedi per vedere questa pagina.',
  'signIn.again': 'Accedi di nuovo per confermare che sei tu.',
  'signIn.already': 'Hai già eseguito l’accesso.',
  'signIn.replaces': 'Se accedi qui, inizia una nuova sessione al posto di questa.',
  'signIn.addsPasskey': 'Se scegli una nuova passkey, viene aggiunta al tuo account.',
  'signIn.addsService': 'Se scegli un servizio come {provider}, viene aggiunto al tuo account.',
  'signIn.addsBoth':
    'Se scegli una nuova passkey o un servizio come {provider}, la tua scelta viene aggiunta al tuo account.',
  'signIn.othersReplace': 'Con qualsiasi altro modo di accedere, inizia una nuova sessione al posto di questa.',
  'signIn.failed': 'Accesso non riuscito. Riprova o scegli un altro modo di accedere.',
  'signIn.notCreated': 'Non è stato possibile creare il tuo account. Riprova o scegli un altro modo di accedere.',
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
  'passkey.offerTitle': 'Accedi senza password',
  'passkey.offerText':
    'Con una passkey accedi a {site} con l’impronta, il volto o il blocco dello schermo. È più veloce di una password, e nessun sito falso può usarla.',
  'passkey.offerButton': 'Crea una passkey',
  'passkey.notNow': 'Non ora',
  'signOut.title': 'Esci',
  'signOut.question': 'Vuoi uscire da {site}?',
  'signOut.button': 'Esci',
  'signOut.also': 'Esci anche da {provider}',
  'signOut.alsoDone': 'Uscirai anche da {provider}.',
  'signOut.nobody': 'In questo browser non hai eseguito l’accesso a {site}.',
  'signOut.outOfDate':
    'La disconnessione non è ancora avvenuta: questa pagina era scaduta. Premi di nuovo il pulsante.',

  'factor.title': 'Conferma che sei tu',
  'factor.totp': 'Inserisci il codice che la tua app di autenticazione mostra per {site}.',
  'factor.recovery': 'Inserisci uno dei tuoi codici di recupero per {site}. Ogni codice funziona una sola volta.',
  'factor.passkey': 'Usa la tua passkey per continuare su {site}.',
  'factor.email': 'Per continuare su {site}, ricevi un codice all’indirizzo del tuo account.',
  'factor.emailSent': 'Inserisci il codice che {site} ha appena inviato all’indirizzo del tuo account.',
  'factor.send': 'Inviami un codice',
  'factor.sendAgain': 'Invia un nuovo codice',
  'factor.recoveryCode': 'Codice di recupero',
  'factor.remember': 'Non chiederlo più in questo browser per {lifetime}',
  'factor.useTotp': 'Usa un’app di autenticazione',
  'factor.useEmail': 'Ricevi un codice via email',
  'factor.useRecovery': 'Usa un codice di recupero',
  'factor.usePasskey': 'Usa una passkey',

  'factors.title': 'Accesso in due passaggi',
  'factors.lead': 'Oltre al tuo modo abituale di accedere, {site} chiede uno di questi secondi passaggi.',
  'factors.required': '{site} chiede un secondo passaggio a ogni accesso. Aggiungine uno per continuare.',
  'factors.totp': 'App di autenticazione',
  'factors.email': 'Codice via email',
  'factors.passkey': 'Passkey',
  'factors.recovery': 'Codici di recupero',
  'factors.addTotp': 'Aggiungi un’app di autenticazione',
  'factors.addEmail': 'Aggiungi un codice via email',
  'factors.addPasskey': 'Usa le mie passkey come secondo passaggio',
  'factors.recommended': 'Consigliato',
  'factors.whyPasskey': 'Una passkey è veloce, e nessun sito falso può usarla.',
  'factors.whyTotp': 'Un’app funziona senza rete, e anche se non puoi leggere la posta.',
  'factors.added': 'Data di aggiunta: {date}',
  'factors.remove': 'Rimuovi',
  'factors.removeThis': 'Rimuovi: {factor}',
  'factors.done': 'Fine',
  'factors.newCodes': 'Crea nuovi codici di recupero',
  'factors.left': 'Codici di recupero rimasti: {count}',
  'factors.scan':
    'Scansiona questo codice con la tua app di autenticazione, poi inserisci le sei cifre mostrate dall’app.',
  'factors.type':
    'Inserisci questa chiave nella tua app di autenticazione, poi inserisci le sei cifre mostrate dall’app.',
  'factors.orType': 'Se non puoi scansionarlo, inserisci questa chiave nell’app:',
  'factors.qr': 'Codice QR per la tua app di autenticazione',
  'factors.open': 'Apri in un’app su questo dispositivo',
  'factors.name': 'Nome del dispositivo (facoltativo)',
  'factors.add': 'Aggiungi',
  'factors.emailLead': 'Inviamo un codice all’indirizzo del tuo account per verificare che arrivi.',
  'factors.emailSent': 'Inserisci il codice che abbiamo appena inviato all’indirizzo del tuo account.',
  'factors.passkeyLead':
    'Usa ora una delle tue passkey. Da quel momento ti verrà chiesta quando accedi in un altro modo.',
  'factors.codes': 'I tuoi codici di recupero',
  'factors.codesLead':
    'Conserva questi codici dove puoi trovarli anche senza il telefono, per esempio su carta o in un gestore di password. Ognuno permette di accedere una volta, al posto del secondo passaggio.',
  'factors.codesOnce': 'Vengono mostrati solo ora. I codici precedenti non funzionano più.',
  'factors.codesFor': 'Codici di recupero per {site}',
  'factors.copy': 'Copia',
  'factors.copied': 'Copiato.',
  'factors.download': 'Scarica',
  'factors.print': 'Stampa',
  'factors.kept': 'Conservo questi codici in un posto sicuro.',

  'page.cancel': 'Annulla',
  'page.home': 'Vai a {site}',
  'verifyRequest.title': 'Controlla la posta',
  'verifyRequest.text':
    'Ti abbiamo inviato un link per accedere. Aprilo in questo browser: in un altro ti verrà prima chiesta una conferma.',
  'verifyRequest.textTo':
    'Abbiamo inviato un link per accedere a {address}. Aprilo in questo browser: in un altro ti verrà prima chiesta una conferma.',
  'verifyRequest.help':
    'Dopo qualche minuto non è arrivato nulla? Guarda nella cartella dello spam, oppure torna indietro, controlla l’indirizzo e richiedi un altro link. Funziona solo il più recente.',
  'verifyRequest.wait':
    'Dopo qualche minuto non è arrivato nulla? Guarda nella cartella dello spam, oppure richiedi un’altra email. Funziona solo il link più recente.',
  'verifyRequest.again': 'Invia un’altra email',
  'verifyRequest.limited': 'Non è ancora possibile inviare un’altra email. Attendi {wait}, poi riprova.',
  'verifyRequest.sentAgain': 'Un’altra email è in arrivo.',
  'verifyRequest.otherMethod': 'Usa un altro modo di accedere',
  'verifyRequest.signUp':
    'Abbiamo inviato un’email all’indirizzo che hai inserito. Per continuare, apri in questo browser il link che contiene.',
  'verifyRequest.signUpTo':
    'Abbiamo inviato un’email a {address}. Per continuare, apri in questo browser il link che contiene.',
  'verifyRequest.reset':
    'Se esiste un account con l’indirizzo che hai inserito, gli abbiamo inviato un’email. Apri il link che contiene per scegliere una nuova password.',
  'verifyRequest.resetTo':
    'Se esiste un account con l’indirizzo {address}, gli abbiamo inviato un’email. Apri il link che contiene per scegliere una nuova password.',
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

  'password.forgotLink': 'Hai dimenticato la password?',
  'password.signUpLink': 'Crea un account',
  'password.signInLink': 'Ho un account: accedi',
  'password.new': 'Nuova password',
  'password.current': 'Password attuale',
  'password.length':
    'Almeno {count} caratteri. Alcune parole di seguito sono facili da ricordare e difficili da indovinare.',
  'password.signUpTitle': 'Crea un account',
  'password.signUpLead': 'per {site}',
  'password.signUpButton': 'Crea l’account',
  'password.forgotTitle': 'Hai dimenticato la password?',
  'password.forgotText':
    'Inserisci l’indirizzo del tuo account. Ti invieremo un link per scegliere una nuova password.',
  'password.resetTitle': 'Scegli una nuova password',
  'password.resetLead': 'per il tuo account {address} su {site}',
  'password.resetText': 'Poi l’accesso viene eseguito qui e chiuso in ogni altra parte.',
  'password.saveButton': 'Salva la password',
  'password.verifyTitle': 'Conferma il tuo indirizzo',
  'password.verifyLead': 'Il tuo account su {site} riceve l’indirizzo {address}.',
  'password.verifyAdvice': 'Continua solo se hai iniziato tu a creare questo account.',
  'password.verifyAnew':
    'Hai iniziato in un altro browser, oppure l’ha fatto qualcun altro. Scegli quindi la password qui: quella digitata lì non conta.',
  'password.changeTitle': 'Cambia la tua password',
  'password.changeLead': 'per il tuo account {address} su {site}',
  'password.changeText': 'L’accesso resta attivo qui e viene chiuso in ogni altra parte.',
  'password.firstTitle': 'Imposta una password',
  'password.signInFirst': 'In questo browser non hai eseguito l’accesso. Accedi prima.',
  'password.signInAgain':
    'Per impostare una password per questo account, accedi di nuovo e torna a questa pagina entro cinque minuti.',
  'password.proveFirst':
    'L’indirizzo del tuo account non è ancora confermato. Confermalo prima: accedi con un link inviato a quell’indirizzo.',

  'deleteAccount.title': 'Elimina il tuo account',
  'deleteAccount.lead': 'Il tuo account {address} su {site} verrà eliminato, con tutto ciò che gli appartiene.',
  'deleteAccount.grace':
    'L’account sarà eliminato tra {time}. Fino ad allora i gestori del sito possono ripristinarlo.',
  'deleteAccount.button': 'Elimina il mio account',
  'deleteAccount.signInAgain':
    'Per eliminare questo account, accedi di nuovo con esso e torna a questa pagina entro cinque minuti.',
  'deleteAccount.refused': 'Al momento questo account non può essere eliminato qui. Contatta i gestori del sito.',
  'deleteAccount.done': 'Il tuo account è stato eliminato.',
  'deleteAccount.scheduled': 'Il tuo account sarà eliminato tra {time}. Per conservarlo, contatta i gestori del sito.',
  'password.short': 'Questa password è troppo corta.',
  'password.long': 'Questa password è troppo lunga.',
  'password.common': 'Moltissime persone hanno questa password, quindi si indovina subito. Scegline un’altra.',
  'password.breached':
    'Questa password è nota ai malintenzionati, per una violazione di un altro sito. Scegline un’altra e cambiala ovunque la usi.',
  'password.contextual':
    'Questa password è formata dal tuo indirizzo o dal nome di questo sito, quindi è facile da indovinare. Scegline un’altra.',
  'password.unavailable': 'Non è stato possibile verificare se questa password è sicura. Riprova tra qualche minuto.',
  'password.wrong': 'La password attuale non è corretta. Riprova.',
  'connect.title': 'Collega {provider}',
  'connect.heading': 'Vuoi collegare il tuo account {provider}?',
  'connect.lead': 'Il tuo account su quel servizio verrà collegato a {site}.',
  'connect.leadAs':
    'Il tuo account su quel servizio verrà collegato a {site}, dove hai eseguito l’accesso come {person}.',
  'connect.advice':
    'Da quel momento servirà per accedere qui. Continua solo se è quello che vuoi, e controlla su {provider} che l’account sia tuo.',
  'connect.button': 'Continua su {provider}',
  'guard.csrfHeading': 'Questa pagina era scaduta',
  'guard.csrfText': 'Quello che hai inviato non è stato salvato. Riapri la pagina, poi invialo di nuovo.',
  'guard.signInHeading': 'Non hai eseguito l’accesso',
  'guard.signInText': 'Quello che hai inviato non è stato salvato. Prima accedi, poi invialo di nuovo.',
  'guard.confirmText': 'Quello che hai inviato non è stato salvato. Prima conferma che sei tu, poi invialo di nuovo.',
  'guard.forbiddenHeading': 'Non hai accesso',
  'guard.forbiddenText':
    'Il tuo account non ha accesso. Se hai inviato un modulo, non è stato salvato. Chiedi l’accesso a chi gestisce il sito.',
  'guard.connectText':
    'Quello che hai inviato non è stato salvato. Prima collega un account del servizio, poi invialo di nuovo.',
  'continue.title': 'Continua',
  'continue.heading': 'Un momento…',
  'continue.lead': 'Reindirizzamento a {host}…',
  'continue.help': 'Se non succede nulla, {link}.',
  'continue.link': 'continua su {host}',
  'account.device': '{browser} su {system}',
  'account.support': 'Assistenza',
  'mail.signIn': 'Accedi a {site}',
  'mail.signInOpen': 'Apri questo link per accedere:',
  'mail.signInOpenAs': 'Apri questo link per accedere come {address}:',
  'mail.signInPress': 'Premi il pulsante per accedere.',
  'mail.signInPressAs': 'Premi il pulsante per accedere come {address}.',
  'mail.signInButton': 'Accedi',
  'mail.signInBrowser':
    'Aprilo nel browser in cui l’hai richiesto. In qualsiasi altro browser ti verrà prima chiesta una conferma.',
  'mail.signInIgnore':
    'Non hai richiesto tu questa email? Allora puoi ignorarla: senza il link nessuno può accedere. Non inoltrarla.',
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
  'mail.code': 'Il tuo codice per {site}',
  'mail.codeEnter': 'Inserisci questo codice dove stai accedendo:',
  'mail.codeValidity': 'Il codice funziona una sola volta. Validità: {lifetime}.',
  'mail.codeIgnore':
    'Non stai accedendo? Allora qualcuno potrebbe sapere come lo fai: il primo passaggio è già stato superato. Cambia la password e non comunicare questo codice a nessuno.',
  'mail.factors': 'L’accesso in due passaggi su {site} è stato modificato',
  'mail.factorsFacts': 'I secondi passaggi del tuo account su {site} sono stati modificati.',
  'mail.factorsAdvice': 'Se non hai fatto tu questa modifica, avvisa chi gestisce il sito.',
  'mail.changed': 'Il tuo indirizzo email su {site} è stato cambiato',
  'mail.changedFacts':
    'Questo non è più l’indirizzo del tuo account su {site}: ora ne ha un altro. I link per accedere non arrivano più qui.',
  'mail.changedAdvice':
    'Non hai fatto tu questa modifica? Allora qualcun altro è entrato nel tuo account. Avvisa subito chi gestisce il sito.',
  'mail.signUp': 'Conferma il tuo indirizzo email per {site}',
  'mail.signUpOpen': 'Apri questo link per completare la creazione del tuo account:',
  'mail.signUpPress': 'Premi il pulsante per completare la creazione del tuo account.',
  'mail.signUpButton': 'Conferma l’indirizzo',
  'mail.signUpBrowser':
    'Aprilo nel browser in cui hai iniziato. In qualsiasi altro browser ti verrà chiesto di scegliere di nuovo una password.',
  'mail.signUpIgnore':
    'Non hai richiesto tu questa email? Allora puoi ignorarla: senza il link non c’è nessun account. Non inoltrarla.',
  'mail.reset': 'Scegli una nuova password per {site}',
  'mail.resetOpen': 'Apri questo link per scegliere una nuova password:',
  'mail.resetPress': 'Premi il pulsante per scegliere una nuova password.',
  'mail.resetButton': 'Scegli una password',
  'mail.resetBrowser': 'L’accesso viene eseguito nel browser in cui apri il link e chiuso in ogni altra parte.',
  'mail.resetIgnore':
    'Non hai richiesto tu questa email? Allora puoi ignorarla: senza il link la tua password resta com’è. Non inoltrarla.',
  'mail.haveAccount': 'Hai già un account su {site}',
  'mail.haveAccountOpen':
    'Qualcuno, probabilmente tu, ha provato a creare un account con il tuo indirizzo o a sostituirne la password. Il tuo account esiste già: accedi come facevi prima.',
  'mail.haveAccountReset': 'Se ne hai dimenticato la password, scegline una nuova:',
  'mail.haveAccountIgnore': 'Non eri tu? Allora puoi ignorare questa email: non è cambiato nulla.',
  'mail.passwordChanged': 'La tua password su {site} è stata cambiata',
  'mail.passwordChangedFacts': 'Il tuo account su {site} ha una nuova password.',
  'mail.passwordChangedAdvice':
    'Non hai fatto tu questa modifica? Allora qualcun altro è entrato nel tuo account o nella tua casella di posta. Scegli subito una nuova password e avvisa chi gestisce il sito.',
  'error.title': 'Errore',
  'error.reference': 'Riferimento: {reference}',
  'error.tryAgain': 'Riprova',
  'error.Configuration.heading': 'Questo sito ha un problema',
  'error.Configuration.text':
    'Al momento non funziona, e non dipende da te.\nRiprova tra qualche minuto. Se succede ancora, avvisa chi gestisce il sito.',
  'error.unknown.heading': 'Si è verificato un errore',
  'error.unknown.text': 'Torna al sito e riprova.',
  'error.AccountMismatch.heading': 'Questo è un altro account',
  'error.AccountMismatch.text':
    'Dovevi confermare che sei tu, ma hai eseguito l’accesso a un altro account. Non è cambiato nulla. Per cambiare account, prima esci.',
  'error.InvalidCode.heading': 'Il codice non è corretto',
  'error.InvalidCode.text':
    'Questo codice non è corretto, è già stato usato o è troppo vecchio. Controllalo o attendi il prossimo.',
  'error.ReauthenticationRequired.heading': 'Conferma che sei tu',
  'error.ReauthenticationRequired.text':
    'È passato un po’ di tempo dal tuo accesso. Accedi di nuovo, poi ripeti ciò che volevi fare.',
  'error.SecondFactorFailed.text':
    'L’accesso non è stato completato in tempo, oppure ci sono stati troppi codici sbagliati. Accedi di nuovo.',
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
  'error.ImpersonatedSession.heading': 'Non consentito in questa sessione',
  'error.ImpersonatedSession.text':
    'Stai usando la sessione di un’altra persona, in cui questo non è consentito. Non è stato modificato nulla. Prima termina questa sessione.',
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
    'L’accesso non è stato completato: è stato annullato o il servizio non l’ha confermato. Riprova o scegli un altro modo di accedere.',
  'error.OAuthSignInError.text': 'Non è stato possibile avviare l’accesso. Riprova o scegli un altro modo di accedere.',
  'error.PasswordRejected.heading': 'Questa password non può essere usata',
  'error.PasswordRejected.text': 'Torna indietro e scegli un’altra password.',
  'error.PasswordsBusy.heading': 'Riprova tra un momento',
  'error.PasswordsBusy.text':
    'In questo momento stanno accedendo molte persone. Non è cambiato nulla e il tuo account non ha alcun problema.',
  'error.RefreshError.heading': 'Impossibile raggiungere il servizio',
  'error.RefreshError.text': 'Riprova tra un po’.',
  'error.SignOutError.heading': 'La disconnessione è avvenuta solo in questo browser',
  'error.SignOutError.text':
    'Non è stato possibile terminare la sessione sul server. Il tentativo verrà ripetuto automaticamente.\nSe qualcun altro potrebbe averne una copia, tra un po’ accedi ed esci di nuovo.',
  'error.TooManyCookies.heading': 'Non c’è spazio per i cookie di questo sito',
  'error.TooManyCookies.text':
    'Questo sito non può salvare altro nel tuo browser, quindi non è stato modificato nulla.\nElimina i cookie di questo sito nel browser, poi riprova.',
  'error.TooManyRequests.heading': 'Troppi tentativi',
  'error.TooManyRequests.text': 'Attendi qualche minuto, poi riprova. Il tuo account non ha alcun problema.',
  'error.Verification.heading': 'Questo link non funziona più',
  'error.Verification.text':
    'È già stato usato, è troppo vecchio o ne è stato inviato uno più recente. Se l’hai copiato, potrebbe mancarne una parte.\nAccedi di nuovo per ricevere un nuovo link.',
  'error.WebAuthnVerificationError.heading': 'La tua passkey non è stata accettata',
  'error.WebAuthnVerificationError.text':
    'L’operazione ha richiesto troppo tempo, la passkey è stata creata per un altro sito o account, oppure questo sito non la riconosce più. Non è cambiato nulla.\nRiprova o accedi in un altro modo.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Questo sito non è disponibile',
  'error.TenantUnavailable.text': 'Riprova tra qualche secondo. Il tuo account non ha alcun problema.',
  'error.UnknownTenant.heading': 'Qui non c’è nessun sito',
  'error.UnknownTenant.text': 'Controlla l’indirizzo.',

  'organization.title': 'Scegli un’organizzazione',
  'organization.lead': 'con cui continuare su {site}',
  'organization.none':
    'Non fai parte di nessuna organizzazione su {site}. Chiedi l’accesso a chi amministra la tua organizzazione.',
  'organization.active': 'Attiva',
  'guard.notFoundHeading': 'Questa pagina non esiste',
  'guard.notFoundText': 'Questa pagina non esiste. Se hai inviato un modulo, non è stato salvato.',
  'guard.organizationText':
    'Prima scegli un’organizzazione, poi riprova. Se hai inviato un modulo, non è stato salvato.',
  'app.title': 'Continuare con {app}?',
  'app.lead': 'L’app accederà al tuo account su {site}.',
  'app.advice':
    'Continua solo se hai appena aperto tu l’app. Puoi disconnetterla in qualsiasi momento dall’elenco delle tue sessioni.',
  'app.otherAccount': 'Usa un altro account',
  'invitation.title': 'Accetta un invito',
  'invitation.lead': 'Ha ricevuto un invito a unirsi a {organization} su {site}.',
  'invitation.address': 'L’invito è per {address}.',
  'invitation.button': 'Accetta l’invito',
  'invitation.other':
    'Ha effettuato l’accesso con un altro account, o il suo indirizzo non è confermato. Esca e apra di nuovo il link.',
  'mail.invitation': 'Invito a {site}',
  'mail.invitationOpen': 'Ha ricevuto un invito a unirsi a {organization}. Apra questo link per accettare:',
  'mail.invitationPress': 'Ha ricevuto un invito a unirsi a {organization}. Prema il pulsante per accettare.',
  'mail.invitationButton': 'Vedi l’invito',
  'mail.invitationIgnore': 'Non conosce il mittente? Può ignorare questa e-mail: senza di lei non succede nulla.',
}

export default it
