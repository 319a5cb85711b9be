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
  'signIn.addressOrUsername': 'E-mailadres of gebruikersnaam',
  'signIn.password': 'Wachtwoord',
  'signIn.code': 'Code',
  'signIn.continue': 'Doorgaan',
  'signIn.otherAddress': 'Ander adres gebruiken',
  'signIn.more': 'Meer manieren om in te loggen',
  'signIn.showPassword': 'Wachtwoord tonen',
  'signIn.hidePassword': 'Wachtwoord verbergen',
  'signIn.or': 'of',
  'signIn.lastUsed': 'Laatst gebruikt',
  'signIn.remember': 'Ingelogd blijven',
  'signIn.captcha': 'Zet JavaScript aan om te bevestigen dat je geen robot bent en laad deze pagina opnieuw.',
  'signIn.nothing': 'Je kunt hier nog op geen enkele manier inloggen.',
  'signIn.required': 'Log in om deze pagina te bekijken.',
  'signIn.again': 'Log opnieuw in om te bevestigen dat jij het bent.',
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
  'passkey.offerTitle': 'Inloggen zonder wachtwoord',
  'passkey.offerText':
    'Met een toegangssleutel log je in bij {site} met je vingerafdruk, je gezicht of je schermvergrendeling. Dat gaat sneller dan met een wachtwoord, en geen valse site kan hem gebruiken.',
  'passkey.offerButton': 'Toegangssleutel maken',
  'passkey.notNow': 'Niet nu',
  'signOut.title': 'Uitloggen',
  'signOut.question': 'Wil je uitloggen bij {site}?',
  'signOut.button': 'Uitloggen',
  'signOut.also': 'Ook uitloggen bij {provider}',
  'signOut.alsoDone': 'Je wordt ook uitgelogd bij {provider}.',
  'signOut.nobody': 'Je bent in deze browser niet ingelogd bij {site}.',
  'signOut.outOfDate': 'Je bent nog niet uitgelogd: deze pagina was verouderd. Druk nog een keer op de knop.',

  'factor.title': 'Bevestig dat jij het bent',
  'factor.totp': 'Vul de code in die je authenticator-app voor {site} toont.',
  'factor.recovery': 'Vul een van je herstelcodes voor {site} in. Elke code werkt één keer.',
  'factor.passkey': 'Gebruik je toegangssleutel om door te gaan naar {site}.',
  'factor.email': 'Vraag een code aan op het adres van je account om door te gaan naar {site}.',
  'factor.emailSent': 'Vul de code in die {site} zojuist naar het adres van je account heeft gestuurd.',
  'factor.send': 'Stuur me een code',
  'factor.sendAgain': 'Nieuwe code sturen',
  'factor.recoveryCode': 'Herstelcode',
  'factor.remember': 'In deze browser {lifetime} lang niet meer hierom vragen',
  'factor.useTotp': 'Authenticator-app gebruiken',
  'factor.useEmail': 'Code per e-mail ontvangen',
  'factor.useRecovery': 'Herstelcode gebruiken',
  'factor.usePasskey': 'Toegangssleutel gebruiken',

  'factors.title': 'Inloggen in twee stappen',
  'factors.lead': 'Naast je gewone manier van inloggen vraagt {site} om een van deze tweede stappen.',
  'factors.required': '{site} vraagt bij elke keer inloggen om een tweede stap. Voeg er een toe om door te gaan.',
  'factors.totp': 'Authenticator-app',
  'factors.email': 'Code per e-mail',
  'factors.passkey': 'Toegangssleutel',
  'factors.recovery': 'Herstelcodes',
  'factors.addTotp': 'Authenticator-app toevoegen',
  'factors.addEmail': 'Code per e-mail toevoegen',
  'factors.addPasskey': 'Mijn toegangssleutels als tweede stap gebruiken',
  'factors.recommended': 'Aanbevolen',
  'factors.whyPasskey': 'Een toegangssleutel is snel, en geen valse site kan hem gebruiken.',
  'factors.whyTotp': 'Een app werkt zonder netwerk, en ook als je niet bij je e-mail kunt.',
  'factors.added': 'Toegevoegd op {date}',
  'factors.remove': 'Verwijderen',
  'factors.removeThis': 'Verwijderen: {factor}',
  'factors.done': 'Klaar',
  'factors.newCodes': 'Nieuwe herstelcodes maken',
  'factors.left': 'Resterende herstelcodes: {count}',
  'factors.scan': 'Scan deze code met je authenticator-app en vul daarna de zes cijfers in die de app toont.',
  'factors.type': 'Vul deze sleutel in je authenticator-app in en vul daarna hier de zes cijfers in die de app toont.',
  'factors.orType': 'Kun je hem niet scannen, vul dan deze sleutel in de app in:',
  'factors.qr': 'QR-code voor je authenticator-app',
  'factors.open': 'Openen in een app op dit apparaat',
  'factors.name': 'Naam van het apparaat (optioneel)',
  'factors.add': 'Toevoegen',
  'factors.emailLead': 'We sturen een code naar het adres van je account om te zien of die aankomt.',
  'factors.emailSent': 'Vul de code in die we zojuist naar het adres van je account hebben gestuurd.',
  'factors.passkeyLead':
    'Gebruik nu een van je toegangssleutels. Daarna wordt erom gevraagd als je op een andere manier inlogt.',
  'factors.codes': 'Je herstelcodes',
  'factors.codesLead':
    'Bewaar deze codes waar je ze zonder je telefoon kunt vinden, bijvoorbeeld op papier of in een wachtwoordmanager. Met elke code kun je één keer inloggen, in plaats van met je tweede stap.',
  'factors.codesOnce': 'Ze worden alleen nu getoond. Eerdere codes werken niet meer.',
  'factors.codesFor': 'Herstelcodes voor {site}',
  'factors.copy': 'Kopiëren',
  'factors.copied': 'Gekopieerd.',
  'factors.download': 'Downloaden',
  'factors.print': 'Afdrukken',
  'factors.kept': 'Ik bewaar deze codes op een veilige plek.',

  'page.cancel': 'Annuleren',
  'page.home': 'Naar {site}',
  'verifyRequest.title': 'Controleer je e-mail',
  'verifyRequest.text':
    'We hebben je een link gestuurd om in te loggen. Open die in deze browser: in een andere browser moet je eerst bevestigen.',
  'verifyRequest.textTo':
    'We hebben een link om in te loggen gestuurd naar {address}. Open die in deze browser: in een andere browser moet je eerst bevestigen.',
  'verifyRequest.help':
    'Na een paar minuten nog niets? Kijk in je spammap, of ga terug, controleer het adres en vraag een nieuwe link aan. Alleen de nieuwste werkt.',
  'verifyRequest.wait':
    'Na een paar minuten nog niets? Kijk in je spammap, of vraag een nieuwe e-mail aan. Alleen de nieuwste link werkt.',
  'verifyRequest.again': 'Nieuwe e-mail sturen',
  'verifyRequest.limited': 'Er kan nog geen nieuwe e-mail worden gestuurd. Wacht {wait} en probeer het dan opnieuw.',
  'verifyRequest.sentAgain': 'Er is een nieuwe e-mail onderweg.',
  'verifyRequest.otherMethod': 'Op een andere manier inloggen',
  'verifyRequest.signUp':
    'We hebben een e-mail gestuurd naar het adres dat je hebt ingevuld. Open de link daarin in deze browser om door te gaan.',
  'verifyRequest.signUpTo':
    'We hebben een e-mail gestuurd naar {address}. Open de link daarin in deze browser om door te gaan.',
  'verifyRequest.reset':
    'Als er een account is met het adres dat je hebt ingevuld, hebben we er een e-mail naartoe gestuurd. Open de link daarin om een nieuw wachtwoord te kiezen.',
  'verifyRequest.resetTo':
    'Als er een account is met het adres {address}, hebben we er een e-mail naartoe gestuurd. Open de link daarin om een nieuw wachtwoord te kiezen.',
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

  'password.forgotLink': 'Wachtwoord vergeten?',
  'password.signUpLink': 'Account maken',
  'password.signInLink': 'Ik heb een account: inloggen',
  'password.new': 'Nieuw wachtwoord',
  'password.current': 'Huidig wachtwoord',
  'password.length':
    'Minstens {count} tekens. Een paar woorden achter elkaar zijn makkelijk te onthouden en moeilijk te raden.',
  'password.signUpTitle': 'Account maken',
  'password.signUpLead': 'voor {site}',
  'password.signUpButton': 'Account maken',
  'password.forgotTitle': 'Wachtwoord vergeten?',
  'password.forgotText':
    'Vul het adres van je account in. We sturen je een link waarmee je een nieuw wachtwoord kiest.',
  'password.resetTitle': 'Kies een nieuw wachtwoord',
  'password.resetLead': 'voor je account {address} bij {site}',
  'password.resetText': 'Daarna ben je hier ingelogd en overal elders uitgelogd.',
  'password.saveButton': 'Wachtwoord opslaan',
  'password.verifyTitle': 'Bevestig je adres',
  'password.verifyLead': 'Je account bij {site} krijgt het adres {address}.',
  'password.verifyAdvice': 'Ga alleen door als je zelf bent begonnen dit account te maken.',
  'password.verifyAnew':
    'Je bent in een andere browser begonnen, of iemand anders heeft dat gedaan. Kies het wachtwoord daarom hier: het wachtwoord dat daar is ingevuld, telt niet.',
  'password.changeTitle': 'Je wachtwoord wijzigen',
  'password.changeLead': 'voor je account {address} bij {site}',
  'password.changeText': 'Je blijft hier ingelogd en wordt overal elders uitgelogd.',
  'password.firstTitle': 'Wachtwoord instellen',
  'password.signInFirst': 'Je bent in deze browser niet ingelogd. Log eerst in.',
  'password.signInAgain':
    'Om een wachtwoord voor dit account in te stellen, log je er opnieuw bij in en kom je binnen vijf minuten terug naar deze pagina.',
  'password.proveFirst':
    'Het adres van je account is nog niet bevestigd. Bevestig het eerst: log in met een link die ernaartoe wordt gestuurd.',

  'deleteAccount.title': 'Je account verwijderen',
  'deleteAccount.lead': 'Hiermee verwijder je je account {address} bij {site}, met alles wat erbij hoort.',
  'deleteAccount.grace':
    'Het account wordt over {time} verwijderd. Tot die tijd kunnen de beheerders van de site het herstellen.',
  'deleteAccount.button': 'Mijn account verwijderen',
  'deleteAccount.signInAgain':
    'Log opnieuw in op dit account om het te verwijderen, en kom daarna binnen vijf minuten terug naar deze pagina.',
  'deleteAccount.refused':
    'Dit account kan hier op dit moment niet worden verwijderd. Neem contact op met de beheerders van de site.',
  'deleteAccount.done': 'Je account is verwijderd.',
  'deleteAccount.scheduled':
    'Je account wordt over {time} verwijderd. Neem contact op met de beheerders van de site als je het wilt behouden.',
  'password.short': 'Dit wachtwoord is te kort.',
  'password.long': 'Dit wachtwoord is te lang.',
  'password.common': 'Heel veel mensen hebben dit wachtwoord, dus het wordt meteen geraden. Kies een ander.',
  'password.breached':
    'Dit wachtwoord is bij aanvallers bekend door een inbraak bij een andere site. Kies een ander, en wijzig het overal waar je het gebruikt.',
  'password.contextual':
    'Dit wachtwoord bestaat uit je adres of de naam van deze site, dus het is makkelijk te raden. Kies een ander.',
  'password.unavailable':
    'We konden niet controleren of dit wachtwoord veilig is. Probeer het over een paar minuten opnieuw.',
  'password.wrong': 'Het huidige wachtwoord klopt niet. Probeer het opnieuw.',
  'connect.title': '{provider} koppelen',
  'connect.heading': 'Je account bij {provider} koppelen?',
  'connect.lead': 'Je account daar wordt gekoppeld aan {site}.',
  'connect.leadAs': 'Je account daar wordt gekoppeld aan {site}, waar je bent ingelogd als {person}.',
  'connect.advice':
    'Daarna kun je hier met dat account inloggen. Ga alleen door als je dat wilt, en controleer bij {provider} of het account van jou is.',
  'connect.button': 'Doorgaan naar {provider}',
  'guard.csrfHeading': 'Deze pagina was verouderd',
  'guard.csrfText':
    'Wat je hebt verzonden, is niet opgeslagen. Open de pagina opnieuw en verzend het dan nog een keer.',
  'guard.signInHeading': 'Je bent niet ingelogd',
  'guard.signInText': 'Wat je hebt verzonden, is niet opgeslagen. Log eerst in en verzend het dan opnieuw.',
  'guard.confirmText':
    'Wat je hebt verzonden, is niet opgeslagen. Bevestig eerst dat jij het bent en verzend het dan opnieuw.',
  'guard.forbiddenHeading': 'Je hebt geen toegang',
  'guard.forbiddenText':
    'Je account heeft hier geen toegang toe. Als je een formulier hebt verzonden, is het niet opgeslagen. Vraag de beheerders van de site om toegang.',
  'guard.connectText':
    'Wat je hebt verzonden, is niet opgeslagen. Koppel eerst een account van de dienst en verzend het dan opnieuw.',
  'continue.title': 'Doorgaan',
  'continue.heading': 'Een ogenblik…',
  'continue.lead': 'Je wordt doorgestuurd naar {host}…',
  'continue.help': 'Als er niets gebeurt, kun je {link}.',
  'continue.link': 'doorgaan naar {host}',
  'account.device': '{browser} op {system}',
  'account.support': 'Ondersteuning',
  'mail.signIn': 'Inloggen bij {site}',
  'mail.signInOpen': 'Open deze link om in te loggen:',
  'mail.signInOpenAs': 'Open deze link om in te loggen als {address}:',
  'mail.signInPress': 'Druk op de knop om in te loggen.',
  'mail.signInPressAs': 'Druk op de knop om in te loggen als {address}.',
  'mail.signInButton': 'Inloggen',
  'mail.signInBrowser':
    'Open de link in de browser waarin je hem hebt aangevraagd. In elke andere browser moet je eerst bevestigen.',
  'mail.signInIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link kan niemand inloggen. Stuur hem niet door.',
  'mail.change': 'Bevestig je nieuwe e-mailadres voor {site}',
  'mail.changeOpen': 'Open deze link om dit het adres van je account te maken:',
  'mail.changePress': 'Druk op de knop om dit het adres van je account te maken.',
  'mail.changeButton': 'Adres bevestigen',
  'mail.changeBrowser': 'Open de link in een browser waarin je bij je account bent ingelogd. Je moet eerst bevestigen.',
  'mail.changeIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link verandert er niets. Stuur hem niet door.',
  'mail.validity': 'De link werkt één keer. Geldigheid: {lifetime}.',
  'mail.copy': 'Werkt de knop niet? Kopieer dan deze link naar de browser:',
  'mail.code': 'Je code voor {site}',
  'mail.codeEnter': 'Vul deze code in waar je aan het inloggen bent:',
  'mail.codeValidity': 'De code werkt één keer. Geldigheid: {lifetime}.',
  'mail.codeIgnore':
    'Ben je niet aan het inloggen? Dan weet iemand misschien hoe je dat doet: de eerste stap is al gelukt. Wijzig je wachtwoord en geef deze code aan niemand.',
  'mail.factors': 'Inloggen in twee stappen is gewijzigd bij {site}',
  'mail.factorsFacts': 'De tweede stappen van je account bij {site} zijn gewijzigd.',
  'mail.factorsAdvice': 'Was jij dit niet, laat het dan weten aan de beheerders van de site.',
  'mail.changed': 'Je e-mailadres bij {site} is gewijzigd',
  'mail.changedFacts':
    'Dit is niet meer het adres van je account bij {site}: het heeft nu een ander adres. Links om in te loggen komen hier niet meer aan.',
  'mail.changedAdvice':
    'Was jij dit niet? Dan heeft iemand anders toegang gehad tot je account. Laat het meteen weten aan de beheerders van de site.',
  'mail.signUp': 'Bevestig je e-mailadres voor {site}',
  'mail.signUpOpen': 'Open deze link om het maken van je account af te ronden:',
  'mail.signUpPress': 'Druk op de knop om het maken van je account af te ronden.',
  'mail.signUpButton': 'Adres bevestigen',
  'mail.signUpBrowser':
    'Open de link in de browser waarin je bent begonnen. In elke andere browser moet je opnieuw een wachtwoord kiezen.',
  'mail.signUpIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link is er geen account. Stuur hem niet door.',
  'mail.reset': 'Kies een nieuw wachtwoord voor {site}',
  'mail.resetOpen': 'Open deze link om een nieuw wachtwoord te kiezen:',
  'mail.resetPress': 'Druk op de knop om een nieuw wachtwoord te kiezen.',
  'mail.resetButton': 'Wachtwoord kiezen',
  'mail.resetBrowser': 'Je wordt ingelogd in de browser waarin je de link opent, en overal elders uitgelogd.',
  'mail.resetIgnore':
    'Heb je deze e-mail niet aangevraagd? Dan kun je hem negeren: zonder de link blijft je wachtwoord zoals het is. Stuur hem niet door.',
  'mail.haveAccount': 'Je hebt al een account bij {site}',
  'mail.haveAccountOpen':
    'Iemand, waarschijnlijk jij, heeft geprobeerd een account met je adres te maken of het wachtwoord ervan te vervangen. Je account bestaat al: log in zoals je eerder deed.',
  'mail.haveAccountReset': 'Ben je het wachtwoord ervan vergeten, kies dan een nieuw:',
  'mail.haveAccountIgnore': 'Was jij dit niet? Dan kun je deze e-mail negeren: er is niets veranderd.',
  'mail.passwordChanged': 'Je wachtwoord bij {site} is gewijzigd',
  'mail.passwordChangedFacts': 'Je account bij {site} heeft een nieuw wachtwoord.',
  'mail.passwordChangedAdvice':
    'Was jij dit niet? Dan heeft iemand anders toegang gehad tot je account of tot je mailbox. Kies meteen een nieuw wachtwoord en laat het weten aan de beheerders van de site.',
  'error.title': 'Fout',
  'error.reference': 'Referentie: {reference}',
  'error.tryAgain': 'Opnieuw proberen',
  'error.Configuration.heading': 'Deze site heeft een probleem',
  'error.Configuration.text':
    'Dit lukt nu niet, en dat ligt niet aan jou.\nProbeer het over een paar minuten opnieuw. Als het blijft gebeuren, meld het dan aan de beheerders van de site.',
  'error.unknown.heading': 'Er is iets misgegaan',
  'error.unknown.text': 'Ga terug naar de site en probeer het opnieuw.',
  'error.AccountMismatch.heading': 'Dat is een ander account',
  'error.AccountMismatch.text':
    'Je moest bevestigen dat jij het bent, maar hebt bij een ander account ingelogd. Er is niets veranderd. Log eerst uit om van account te wisselen.',
  'error.InvalidCode.heading': 'De code klopt niet',
  'error.InvalidCode.text':
    'Deze code klopt niet, is al gebruikt of is te oud. Controleer hem of wacht op de volgende.',
  'error.ReauthenticationRequired.heading': 'Bevestig dat jij het bent',
  'error.ReauthenticationRequired.text':
    'Het is een tijdje geleden dat je hebt ingelogd. Log opnieuw in en herhaal dan wat je wilde doen.',
  'error.SecondFactorFailed.text':
    'Het inloggen is niet op tijd voltooid, of er waren te veel verkeerde codes. Log opnieuw in.',
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
  'error.ImpersonatedSession.heading': 'Niet toegestaan in deze sessie',
  'error.ImpersonatedSession.text':
    'Je gebruikt de sessie van iemand anders, waarin dit niet is toegestaan. Er is niets gewijzigd. Beëindig eerst deze sessie.',
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
  'error.PasswordRejected.heading': 'Dit wachtwoord kan niet worden gebruikt',
  'error.PasswordRejected.text': 'Ga terug en kies een ander wachtwoord.',
  'error.PasswordsBusy.heading': 'Probeer het zo meteen opnieuw',
  'error.PasswordsBusy.text': 'Er loggen nu veel mensen in. Er is niets veranderd en er is niets mis met je account.',
  'error.RefreshError.heading': 'De dienst is niet bereikbaar',
  'error.RefreshError.text': 'Probeer het over een tijdje opnieuw.',
  'error.SignOutError.heading': 'Je bent alleen in deze browser uitgelogd',
  'error.SignOutError.text':
    'De sessie kon op de server niet worden beëindigd. Dat wordt vanzelf opnieuw geprobeerd.\nHeeft iemand anders er misschien een kopie van, log dan over een tijdje in en weer uit.',
  'error.TooManyCookies.heading': 'Geen ruimte voor de cookies van deze site',
  'error.TooManyCookies.text':
    'Deze site kan niets meer in je browser bewaren. Er is niets gewijzigd.\nVerwijder de cookies van deze site in je browser en probeer het dan opnieuw.',
  'error.TooManyRequests.heading': 'Te veel pogingen',
  'error.TooManyRequests.text': 'Wacht een paar minuten en probeer het dan opnieuw. Er is niets mis met je account.',
  'error.Verification.heading': 'Deze link werkt niet meer',
  'error.Verification.text':
    'Hij is al gebruikt, is te oud, of er is een nieuwere gestuurd. Als je hem hebt gekopieerd, ontbreekt er misschien een stuk.\nLog opnieuw in om een nieuwe link te krijgen.',
  'error.WebAuthnVerificationError.heading': 'Je toegangssleutel is niet geaccepteerd',
  'error.WebAuthnVerificationError.text':
    'Het duurde te lang, de toegangssleutel is voor een andere site of een ander account gemaakt, of deze site kent hem niet meer. Er is niets veranderd.\nProbeer het opnieuw of log op een andere manier in.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Deze site is niet beschikbaar',
  'error.TenantUnavailable.text': 'Probeer het over een paar seconden opnieuw. Er is niets mis met je account.',
  'error.UnknownTenant.heading': 'Hier is geen site',
  'error.UnknownTenant.text': 'Controleer het adres.',

  'organization.title': 'Kies een organisatie',
  'organization.lead': 'waarmee je doorgaat naar {site}',
  'organization.none':
    'Je bent op {site} van geen enkele organisatie lid. Vraag de beheerders van je organisatie om toegang.',
  'organization.active': 'Actief',
  'guard.notFoundHeading': 'Deze pagina bestaat niet',
  'guard.notFoundText': 'Deze pagina bestaat niet. Als je een formulier hebt verzonden, is het niet opgeslagen.',
  'guard.organizationText':
    'Kies eerst een organisatie en probeer het dan opnieuw. Als je een formulier hebt verzonden, is het niet opgeslagen.',
  'app.title': 'Doorgaan naar {app}?',
  'app.lead': 'De app wordt aangemeld bij je account op {site}.',
  'app.advice':
    'Ga alleen door als je de app zojuist zelf hebt geopend. Je kunt de app op elk moment afmelden in de lijst met je sessies.',
  'app.otherAccount': 'Een ander account gebruiken',
  'invitation.title': 'Een uitnodiging accepteren',
  'invitation.lead': 'U bent uitgenodigd voor {organization} op {site}.',
  'invitation.address': 'De uitnodiging is voor {address}.',
  'invitation.button': 'De uitnodiging accepteren',
  'invitation.other':
    'U bent aangemeld met een ander account, of het adres ervan is niet bevestigd. Meld u af en open de link opnieuw.',
  'mail.invitation': 'Uitnodiging voor {site}',
  'mail.invitationOpen': 'U bent uitgenodigd voor {organization}. Open deze link om te accepteren:',
  'mail.invitationPress': 'U bent uitgenodigd voor {organization}. Druk op de knop om te accepteren.',
  'mail.invitationButton': 'De uitnodiging bekijken',
  'mail.invitationIgnore': 'Kent u de afzender niet? Dan kunt u deze e-mail negeren: zonder u gebeurt er niets.',
}

export default nl
