/** Dutch. */
import type { Messages } from './en.js'

const nl: Messages = {
  direction: 'ltr',
  'signIn.title': 'Inloggen',
  'signIn.titleOf': 'Inloggen bij {site}',
  'signIn.lead': 'om door te gaan naar {site}',
  'signIn.with': 'Inloggen met {provider}',
  'signIn.button': 'Inloggen',
  'signIn.sendLink': 'Stuur me een link',
  'signIn.sendLinkWith': 'Stuur me een link via {provider}',
  'signIn.address': 'E-mailadres',
  'signIn.addressExample': 'naam@example.com',
  'signIn.username': 'Gebruikersnaam',
  'signIn.password': 'Wachtwoord',
  'signIn.code': 'Code',
  'signIn.continue': 'Doorgaan',
  'signIn.otherAddress': 'Ander adres gebruiken',
  'signIn.more': 'Meer manieren om in te loggen',
  'signIn.showPassword': 'Wachtwoord tonen',
  'signIn.hidePassword': 'Wachtwoord verbergen',
  'signIn.or': 'of',
  'signIn.remember': 'Ingelogd blijven',
  'signIn.captcha': 'Zet JavaScript aan om te bevestigen dat je geen robot bent en laad deze pagina opnieuw.',
  'signIn.nothing': 'Je kunt hier nog op geen enkele manier inloggen.',
  'signIn.required': 'Log in om deze pagina te bekijken.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Je bent al ingelogd.',
  'signIn.replaces': 'Als je hier inlogt, begint er een nieuwe sessie in plaats van deze.',
  'signIn.addsPasskey': 'Als je een nieuwe toegangssleutel kiest, wordt die aan je account toegevoegd.',
  'signIn.addsService': 'Als je een dienst zoals {provider} kiest, wordt die aan je account toegevoegd.',
  'signIn.addsBoth':
    'Als je een nieuwe toegangssleutel of een dienst zoals {provider} kiest, wordt die aan je account toegevoegd.',
  'signIn.othersReplace': 'Als je op een andere manier inlogt, begint er een nieuwe sessie in plaats van deze.',
  'signIn.failed': 'Inloggen is niet gelukt. Probeer het opnieuw of log op een andere manier in.',
  'signIn.notCreated':
    'Er kon geen account voor je worden gemaakt. Probeer het opnieuw of log op een andere manier in.',
  'signIn.mailFailed':
    'De e-mail kon niet worden verstuurd. Controleer het adres en probeer het over een paar minuten opnieuw.',
  'signIn.unavailable': 'Deze site heeft een probleem, waardoor je nu niet kunt inloggen. Probeer het later opnieuw.',
  'passkey.signIn': 'Inloggen met een toegangssleutel',
  'passkey.create': 'Account maken met een toegangssleutel',
  'passkey.newHere': 'nieuw hier?',
  'passkey.needsScript': 'Voor inloggen met een toegangssleutel is JavaScript nodig.',
  'passkey.insecurePage':
    'Toegangssleutels werken alleen op beveiligde pagina’s (https), en deze pagina is niet beveiligd.',
  'passkey.unsupportedBrowser': 'Deze browser ondersteunt geen toegangssleutels.',
  'passkey.cancelled':
    'Je bent niet ingelogd: het is geannuleerd, duurde te lang, of er is geen toegangssleutel voor deze site gevonden. Probeer het opnieuw.',
  'passkey.cancelledNew':
    'Er is geen toegangssleutel gemaakt: het is geannuleerd, duurde te lang, of dit apparaat kan er geen bewaren. Probeer het opnieuw.',
  'passkey.notAllowed': 'Deze pagina mag geen toegangssleutels gebruiken.',
  'passkey.alreadyRegistered': 'Dit apparaat heeft al een toegangssleutel voor dit account. Log daarmee in.',
  'passkey.unsupported': 'Deze browser of dit apparaat ondersteunt geen toegangssleutels.',
  'passkey.unsupportedNew':
    'Deze browser of dit apparaat kan het soort toegangssleutel dat deze site nodig heeft niet maken.',
  'passkey.insecure':
    'Toegangssleutels werken niet op dit adres. Open de site op het eigen adres, dat begint met https.',
  'passkey.refused': 'De site heeft het antwoord van je toegangssleutel niet geaccepteerd. Probeer het opnieuw.',
  'passkey.refusedNew': 'De site heeft deze toegangssleutel niet geaccepteerd. Probeer het opnieuw.',
  'passkey.network': 'De site is niet bereikbaar. Controleer je verbinding en probeer het opnieuw.',
  'passkey.failed': 'Je browser of apparaat kon dit niet uitvoeren. Probeer het opnieuw.',
  'signOut.title': 'Uitloggen',
  'signOut.question': 'Wil je uitloggen bij {site}?',
  'signOut.button': 'Uitloggen',
  'signOut.also': 'Ook uitloggen bij {provider}',
  'signOut.alsoDone': 'Je wordt ook uitgelogd bij {provider}.',
  'signOut.nobody': 'Je bent in deze browser niet ingelogd bij {site}.',
  'signOut.outOfDate': 'Je bent nog niet uitgelogd: deze pagina was verouderd. Druk nog een keer op de knop.',

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

  'page.cancel': 'Annuleren',
  'page.home': 'Naar {site}',
  'verifyRequest.title': 'Check je e-mail',
  'verifyRequest.text':
    'We hebben je een link gestuurd om in te loggen. Open die in deze browser: in een andere browser moet je eerst bevestigen.',
  'verifyRequest.help':
    'Na een paar minuten nog niets? Kijk in je spammap, of ga terug, controleer het adres en vraag een nieuwe link aan. Alleen de nieuwste werkt.',
  'confirmEmail.title': 'Bevestig dat je wilt inloggen',
  'confirmEmail.lead': 'Je hebt een link geopend waarmee je bij {site} inlogt als {address}.',
  'confirmEmail.advice':
    'Ga alleen door als je deze link zelf hebt aangevraagd en in deze browser bij dit account ingelogd wilt zijn.',
  'confirmEmail.button': 'Inloggen als {address}',
  'confirmEmail.prove': 'Je bent ingelogd bij dit account. Door verder te gaan bewijs je dat het adres van jou is.',
  'confirmEmail.otherUser':
    'Je bent hier ingelogd als {person}. Als je doorgaat, word je in plaats daarvan ingelogd als de eigenaar van dit adres.',
  'confirmEmail.newUser':
    'Je bent hier ingelogd als {person}. Als je doorgaat, wordt er voor dit adres een nieuw account gemaakt en word je in plaats daarvan daarbij ingelogd.',
  'confirmEmail.somebody': 'iemand anders',
  'changeEmail.title': 'Je e-mailadres wijzigen',
  'changeEmail.lead': 'Het e-mailadres van je account bij {site} wordt {address}.',
  'changeEmail.before': 'Tot nu toe was het {address}. Links om in te loggen gaan daarna naar het nieuwe adres.',
  'changeEmail.hadNone': 'Tot nu toe had het er geen. Links om in te loggen gaan daarna naar het nieuwe adres.',
  'changeEmail.signedIn':
    'Je bent ingelogd als {person}. Ga alleen door als dit jouw account is en je de wijziging zelf hebt aangevraagd.',
  'changeEmail.button': 'Adres wijzigen',
  'changeEmail.about': 'Met deze link wordt {address} het adres van een account bij {site}.',
  'changeEmail.signOutFirst':
    'Je bent ingelogd als {person}. Log uit, log in met het account waarmee de wijziging is aangevraagd en open de link in de e-mail opnieuw.',
  'changeEmail.signInFirst':
    'Je bent in deze browser niet ingelogd. Log in met het account waarmee de wijziging is aangevraagd en open de link in de e-mail opnieuw.',
  'changeEmail.notYours': 'Heb je dit niet aangevraagd? Sluit dan deze pagina: er is niets veranderd.',
  'connect.title': '{provider} koppelen',
  'connect.heading': 'Je account bij {provider} koppelen?',
  'connect.lead': 'Je account daar wordt gekoppeld aan {site}.',
  'connect.leadAs': 'Je account daar wordt gekoppeld aan {site}, waar je bent ingelogd als {person}.',
  'connect.advice':
    'Daarna kun je hier met dat account inloggen. Ga alleen door als je dat wilt, en controleer bij {provider} of het account van jou is.',
  'connect.button': 'Doorgaan naar {provider}',
  'continue.title': 'Doorgaan',
  'continue.heading': 'Een ogenblik…',
  'continue.lead': 'Je wordt doorgestuurd naar {host}…',
  'continue.help': 'Als er niets gebeurt, kun je {link}.',
  'continue.link': 'doorgaan naar {host}',
  'mail.signIn': 'Inloggen bij {site}',
  'mail.signInOpen': 'Open deze link om in te loggen:',
  'mail.signInOpenAs': 'Open deze link om in te loggen als {address}:',
  'mail.signInPress': 'Druk op de knop om in te loggen.',
  'mail.signInPressAs': 'Druk op de knop om in te loggen als {address}.',
  'mail.signInButton': 'Inloggen',
  'mail.signInBrowser':
    'Open de link in de browser waarin je hem hebt aangevraagd. In elke andere browser moet je eerst bevestigen.',
  'mail.signInIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link komt niemand binnen. Stuur hem niet door.',
  'mail.change': 'Bevestig je nieuwe e-mailadres voor {site}',
  'mail.changeOpen': 'Open deze link om dit het adres van je account te maken:',
  'mail.changePress': 'Druk op de knop om dit het adres van je account te maken.',
  'mail.changeButton': 'Adres bevestigen',
  'mail.changeBrowser': 'Open de link in een browser waarin je bij je account bent ingelogd. Je moet eerst bevestigen.',
  'mail.changeIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link verandert er niets. Stuur hem niet door.',
  'mail.validity': 'De link werkt één keer. Geldigheid: {lifetime}.',
  'mail.copy': 'Werkt de knop niet? Kopieer dan deze link naar de browser:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Je e-mailadres bij {site} is gewijzigd',
  'mail.changedFacts':
    'Dit is niet meer het adres van je account bij {site}: het heeft nu een ander adres. Links om in te loggen komen hier niet meer aan.',
  'mail.changedAdvice':
    'Was jij dit niet? Dan heeft iemand anders toegang gehad tot je account. Laat het meteen weten aan de beheerders van de site.',
  'error.title': 'Fout',
  'error.reference': 'Referentie: {reference}',
  'error.Configuration.heading': 'Deze site heeft een probleem',
  'error.Configuration.text':
    'Inloggen lukt nu niet. Je hebt niets verkeerd gedaan; probeer het later opnieuw.\nDe beheerders van de site vinden de oorzaak in hun serverlogboek.',
  'error.unknown.heading': 'Er is iets misgegaan',
  'error.unknown.text': 'Ga terug naar de site en probeer het opnieuw.',
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
  'error.AccessDenied.heading': 'Toegang geweigerd',
  'error.AccessDenied.text':
    'Met dit account mag je hier niet inloggen.\nHeb je een ander account, log dan daarmee in, of vraag de beheerders van de site om toegang.',
  'error.AccountNotLinked.text':
    'Er is al een account met dit e-mailadres, of deze manier van inloggen hoort bij een ander account. Log in zoals je de eerste keer deed.',
  'error.CaptchaRequired.text': 'Bevestig dat je geen robot bent en probeer het opnieuw.',
  'error.CaptchaUnavailable.heading': 'Probeer het later opnieuw',
  'error.CaptchaUnavailable.text':
    'We konden niet controleren of je geen robot bent. Er is niets veranderd en er is niets mis met je account.',
  'error.ConsentRequired.heading': 'Je account is niet gekoppeld',
  'error.ConsentRequired.text':
    'Jij of de dienst heeft geen toestemming gegeven, of je hebt daar een ander account gekozen dan het account dat hier gekoppeld is.\nGa terug naar waar je begon en koppel je account opnieuw.',
  'error.CredentialsSignin.text':
    'Deze inloggegevens kloppen niet. Controleer wat je hebt ingevuld en probeer het opnieuw.',
  'error.EmailSignInError.text': 'Naar dat adres kunnen we geen link sturen. Controleer het en probeer het opnieuw.',
  'error.InvalidCheck.heading': 'Begin opnieuw',
  'error.InvalidCheck.text':
    'Het inloggen duurde te lang, is in een andere browser geopend of was al gebruikt. Er is niets veranderd.',
  'error.InvalidProvider.heading': 'Onbekende manier van inloggen',
  'error.InvalidProvider.text':
    'Deze site biedt de manier van inloggen waar je naartoe bent gestuurd niet aan. Kies een andere.',
  'error.InvalidRequest.heading': 'Dit verzoek is niet begrepen',
  'error.InvalidRequest.text':
    'Ga terug en probeer het opnieuw. Blijft het gebeuren, laat het dan weten aan de beheerders van de site.',
  'error.MissingCSRF.text':
    'Deze pagina was verouderd: hij stond te lang open, of je hebt in een ander tabblad in- of uitgelogd. Probeer het opnieuw.',
  'error.NotConnected.heading': 'Er is geen account gekoppeld',
  'error.NotConnected.text': 'Koppel eerst een account van de dienst.',
  'error.OAuthAccountNotLinked.text':
    'Je hebt al een account met dit e-mailadres, maar logde daar op een andere manier in. Log in zoals je de eerste keer deed.',
  'error.OAuthCallbackError.text':
    'Het inloggen is niet voltooid: het is geannuleerd of de dienst heeft het niet bevestigd. Probeer het opnieuw of log op een andere manier in.',
  'error.OAuthSignInError.text':
    'Het inloggen kon niet worden gestart. Probeer het opnieuw of log op een andere manier in.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'De dienst is niet bereikbaar',
  'error.RefreshError.text': 'Probeer het over een tijdje opnieuw.',
  'error.SignOutError.heading': 'Je bent alleen in deze browser uitgelogd',
  'error.SignOutError.text':
    'De sessie kon op de server niet worden beëindigd. Dat wordt vanzelf opnieuw geprobeerd.\nHeeft iemand anders er misschien een kopie van, log dan over een tijdje in en weer uit.',
  'error.TooManyRequests.heading': 'Te veel pogingen',
  'error.TooManyRequests.text': 'Wacht een paar minuten en probeer het dan opnieuw. Er is niets mis met je account.',
  'error.Verification.heading': 'Deze link werkt niet meer',
  'error.Verification.text':
    'Hij is al gebruikt, is te oud, of er is een nieuwere gestuurd. Als je hem hebt gekopieerd, ontbreekt er misschien een stuk.\nLog opnieuw in om een nieuwe link te krijgen.',
  'error.WebAuthnVerificationError.heading': 'Je toegangssleutel is niet geaccepteerd',
  'error.WebAuthnVerificationError.text':
    'Het duurde te lang, de toegangssleutel is voor een andere site of een ander account gemaakt, of deze site kent hem niet meer. Er is niets veranderd.\nProbeer het opnieuw of log op een andere manier in.',
}

export default nl
