/** Polish. */
import type { Messages } from './en.js'

const pl: Messages = {
  direction: 'ltr',
  'signIn.title': 'Zaloguj się',
  'signIn.titleOf': 'Zaloguj się w serwisie {site}',
  'signIn.lead': 'aby przejść do serwisu {site}',
  'signIn.with': 'Zaloguj się przez {provider}',
  'signIn.button': 'Zaloguj się',
  'signIn.sendLink': 'Wyślij mi link',
  'signIn.sendLinkWith': 'Wyślij mi link przez {provider}',
  'signIn.address': 'Adres e-mail',
  'signIn.addressExample': 'nazwa@example.com',
  'signIn.username': 'Nazwa użytkownika',
  'signIn.password': 'Hasło',
  'signIn.code': 'Kod',
  'signIn.continue': 'Dalej',
  'signIn.otherAddress': 'Użyj innego adresu',
  'signIn.more': 'Więcej sposobów logowania',
  'signIn.showPassword': 'Pokaż hasło',
  'signIn.hidePassword': 'Ukryj hasło',
  'signIn.or': 'lub',
  'signIn.remember': 'Nie wylogowuj mnie',
  'signIn.captcha': 'Włącz JavaScript, aby potwierdzić, że nie jesteś robotem, a następnie odśwież tę stronę.',
  'signIn.nothing': 'Nie ma tu jeszcze żadnego sposobu logowania.',
  'signIn.required': 'Zaloguj się, aby zobaczyć tę stronę.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Masz już otwartą sesję.',
  'signIn.replaces': 'Zalogowanie się tutaj rozpocznie nową sesję zamiast obecnej.',
  'signIn.addsPasskey': 'Jeśli wybierzesz nowy klucz dostępu, zostanie on dodany do Twojego konta.',
  'signIn.addsService': 'Jeśli wybierzesz usługę taką jak {provider}, zostanie ona dodana do Twojego konta.',
  'signIn.addsBoth':
    'Jeśli wybierzesz nowy klucz dostępu lub usługę taką jak {provider}, ten sposób logowania zostanie dodany do Twojego konta.',
  'signIn.othersReplace': 'Każdy inny sposób logowania rozpocznie nową sesję zamiast obecnej.',
  'signIn.failed': 'Nie udało się zalogować. Spróbuj ponownie lub wybierz inny sposób logowania.',
  'signIn.notCreated': 'Nie udało się utworzyć konta. Spróbuj ponownie lub wybierz inny sposób logowania.',
  'signIn.mailFailed': 'Nie udało się wysłać e-maila. Sprawdź adres i spróbuj ponownie za kilka minut.',
  'signIn.unavailable': 'W tym serwisie wystąpił problem i logowanie teraz nie działa. Spróbuj ponownie później.',
  'passkey.signIn': 'Zaloguj się kluczem dostępu',
  'passkey.create': 'Utwórz konto z kluczem dostępu',
  'passkey.newHere': 'pierwszy raz tutaj?',
  'passkey.needsScript': 'Logowanie kluczem dostępu wymaga JavaScriptu.',
  'passkey.insecurePage': 'Klucze dostępu działają tylko na bezpiecznych stronach (https), a ta strona taka nie jest.',
  'passkey.unsupportedBrowser': 'Ta przeglądarka nie obsługuje kluczy dostępu.',
  'passkey.cancelled':
    'Nie udało się zalogować: operacja została anulowana, trwała zbyt długo lub nie znaleziono klucza dostępu do tego serwisu. Spróbuj ponownie.',
  'passkey.cancelledNew':
    'Nie utworzono klucza dostępu: operacja została anulowana, trwała zbyt długo lub to urządzenie nie może go przechowywać. Spróbuj ponownie.',
  'passkey.notAllowed': 'Ta strona nie ma pozwolenia na używanie kluczy dostępu.',
  'passkey.alreadyRegistered': 'Na tym urządzeniu jest już klucz dostępu do tego konta. Zaloguj się za jego pomocą.',
  'passkey.unsupported': 'Ta przeglądarka lub to urządzenie nie obsługuje kluczy dostępu.',
  'passkey.unsupportedNew':
    'Ta przeglądarka lub to urządzenie nie może utworzyć klucza dostępu takiego rodzaju, jakiego wymaga ten serwis.',
  'passkey.insecure':
    'Klucze dostępu nie działają pod tym adresem. Otwórz serwis pod jego własnym adresem, zaczynającym się od https.',
  'passkey.refused': 'Serwis nie przyjął odpowiedzi Twojego klucza dostępu. Spróbuj ponownie.',
  'passkey.refusedNew': 'Serwis nie przyjął tego klucza dostępu. Spróbuj ponownie.',
  'passkey.network': 'Nie można połączyć się z serwisem. Sprawdź połączenie i spróbuj ponownie.',
  'passkey.failed': 'Przeglądarka lub urządzenie nie mogło wykonać tej operacji. Spróbuj ponownie.',
  'signOut.title': 'Wyloguj się',
  'signOut.question': 'Czy chcesz wylogować się z serwisu {site}?',
  'signOut.button': 'Wyloguj się',
  'signOut.also': 'Wyloguj się też z usługi {provider}',
  'signOut.alsoDone': 'Nastąpi też wylogowanie z usługi {provider}.',
  'signOut.nobody': 'W tej przeglądarce nie masz otwartej sesji w serwisie {site}.',
  'signOut.outOfDate': 'Wylogowanie jeszcze nie nastąpiło: ta strona była nieaktualna. Naciśnij przycisk ponownie.',

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

  'page.cancel': 'Anuluj',
  'page.home': 'Przejdź do serwisu {site}',
  'verifyRequest.title': 'Sprawdź pocztę',
  'verifyRequest.text':
    'Wysłaliśmy Ci link do logowania. Otwórz go w tej przeglądarce: w innej trzeba będzie najpierw potwierdzić logowanie.',
  'verifyRequest.help':
    'Po kilku minutach nadal nic nie ma? Zajrzyj do folderu ze spamem albo wróć, sprawdź adres i poproś o nowy link. Działa tylko najnowszy.',
  'confirmEmail.title': 'Potwierdź logowanie',
  'confirmEmail.lead': 'Otwarto link, który loguje Cię w serwisie {site} jako {address}.',
  'confirmEmail.advice':
    'Kontynuuj tylko wtedy, gdy prośba o ten link pochodzi od Ciebie i chcesz zalogować się na to konto w tej przeglądarce.',
  'confirmEmail.button': 'Zaloguj się jako {address}',
  'confirmEmail.prove': 'To konto jest już zalogowane. Kontynuując, udowadniasz, że ten adres należy do Ciebie.',
  'confirmEmail.otherUser':
    'Konto zalogowane w tej przeglądarce: {person}. Jeśli będziesz kontynuować, zamiast niego zostanie zalogowane konto osoby, do której należy ten adres.',
  'confirmEmail.newUser':
    'Konto zalogowane w tej przeglądarce: {person}. Jeśli będziesz kontynuować, dla tego adresu powstanie nowe konto i to ono zostanie zalogowane zamiast obecnego.',
  'confirmEmail.somebody': 'konto innej osoby',
  'changeEmail.title': 'Zmień adres e-mail',
  'changeEmail.lead': 'Adresem e-mail Twojego konta w serwisie {site} będzie {address}.',
  'changeEmail.before': 'Dotychczasowy adres: {address}. Po zmianie linki do logowania będą przychodzić na nowy adres.',
  'changeEmail.hadNone':
    'Dotychczas konto nie miało adresu. Po zmianie linki do logowania będą przychodzić na nowy adres.',
  'changeEmail.signedIn':
    'Zalogowane konto: {person}. Kontynuuj tylko wtedy, gdy to Twoje konto i prośba o zmianę pochodzi od Ciebie.',
  'changeEmail.button': 'Zmień adres',
  'changeEmail.about': 'Ten link ustawia {address} jako adres konta w serwisie {site}.',
  'changeEmail.signOutFirst':
    'Zalogowane konto: {person}. Wyloguj się, zaloguj się na konto, z którego poproszono o zmianę, i ponownie otwórz link z e-maila.',
  'changeEmail.signInFirst':
    'W tej przeglądarce nie masz otwartej sesji. Zaloguj się na konto, z którego poproszono o zmianę, i ponownie otwórz link z e-maila.',
  'changeEmail.notYours': 'To nie była Twoja prośba? Zamknij tę stronę: nic się nie zmieniło.',
  'connect.title': 'Połącz konto {provider}',
  'connect.heading': 'Połączyć Twoje konto {provider}?',
  'connect.lead': 'Twoje konto w tej usłudze zostanie połączone z serwisem {site}.',
  'connect.leadAs': 'Twoje konto w tej usłudze zostanie połączone z serwisem {site}. Zalogowane tam konto: {person}.',
  'connect.advice':
    'Od tej pory będzie Cię tutaj logować. Kontynuuj tylko, jeśli tego chcesz, i sprawdź w usłudze {provider}, czy to konto należy do Ciebie.',
  'connect.button': 'Przejdź do usługi {provider}',
  'continue.title': 'Dalej',
  'continue.heading': 'Chwileczkę…',
  'continue.lead': 'Przekierowujemy Cię na stronę {host}…',
  'continue.help': 'Jeśli nic się nie dzieje, {link}.',
  'continue.link': 'przejdź na stronę {host}',
  'mail.signIn': 'Logowanie w serwisie {site}',
  'mail.signInOpen': 'Otwórz ten link, aby się zalogować:',
  'mail.signInOpenAs': 'Otwórz ten link, aby zalogować się jako {address}:',
  'mail.signInPress': 'Naciśnij przycisk, aby się zalogować.',
  'mail.signInPressAs': 'Naciśnij przycisk, aby zalogować się jako {address}.',
  'mail.signInButton': 'Zaloguj się',
  'mail.signInBrowser':
    'Otwórz go w przeglądarce, w której poproszono o link. W każdej innej trzeba będzie najpierw potwierdzić logowanie.',
  'mail.signInIgnore':
    'To nie była Twoja prośba? Możesz zignorować tę wiadomość: bez linku nikt się nie zaloguje. Nie przesyłaj jej dalej.',
  'mail.change': 'Potwierdź nowy adres e-mail w serwisie {site}',
  'mail.changeOpen': 'Otwórz ten link, aby ustawić ten adres jako adres swojego konta:',
  'mail.changePress': 'Naciśnij przycisk, aby ustawić ten adres jako adres swojego konta.',
  'mail.changeButton': 'Potwierdź adres',
  'mail.changeBrowser':
    'Otwórz go w przeglądarce, w której Twoje konto jest zalogowane. Najpierw trzeba będzie potwierdzić zmianę.',
  'mail.changeIgnore':
    'To nie była Twoja prośba? Możesz zignorować tę wiadomość: bez linku nic się nie zmieni. Nie przesyłaj jej dalej.',
  'mail.validity': 'Link działa tylko raz. Ważność: {lifetime}.',
  'mail.copy': 'Przycisk nie działa? Skopiuj ten link do przeglądarki:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Twój adres e-mail w serwisie {site} został zmieniony',
  'mail.changedFacts':
    'To już nie jest adres Twojego konta w serwisie {site}: konto ma teraz inny. Linki do logowania nie będą tu już przychodzić.',
  'mail.changedAdvice':
    'To nie Ty? W takim razie ktoś inny miał dostęp do Twojego konta. Natychmiast powiadom administratorów serwisu.',
  'error.title': 'Błąd',
  'error.reference': 'Numer referencyjny: {reference}',
  'error.Configuration.heading': 'W tym serwisie wystąpił problem',
  'error.Configuration.text':
    'Logowanie teraz nie działa. To nie Twoja wina; spróbuj ponownie później.\nAdministratorzy serwisu znajdą przyczynę w dzienniku serwera.',
  'error.unknown.heading': 'Coś poszło nie tak',
  'error.unknown.text': 'Wróć do serwisu i spróbuj ponownie.',
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
  'error.AccessDenied.heading': 'Odmowa dostępu',
  'error.AccessDenied.text':
    'Na to konto nie można się tutaj zalogować.\nJeśli masz inne konto, zaloguj się na nie lub poproś administratorów serwisu o dostęp.',
  'error.AccountNotLinked.text':
    'Istnieje już konto z tym adresem e-mail lub ten sposób logowania należy do innego konta. Zaloguj się tak jak za pierwszym razem.',
  'error.CaptchaRequired.text': 'Potwierdź, że nie jesteś robotem, i spróbuj ponownie.',
  'error.CaptchaUnavailable.heading': 'Spróbuj ponownie później',
  'error.CaptchaUnavailable.text':
    'Nie udało się sprawdzić, czy nie jesteś robotem. Nic się nie zmieniło, a z Twoim kontem wszystko jest w porządku.',
  'error.ConsentRequired.heading': 'Twoje konto nie zostało połączone',
  'error.ConsentRequired.text':
    'Zabrakło zgody z Twojej strony lub ze strony usługi albo wybrano tam inne konto niż to, które jest tutaj połączone.\nWróć do początku i połącz konto jeszcze raz.',
  'error.CredentialsSignin.text': 'Te dane logowania są nieprawidłowe. Sprawdź je i spróbuj ponownie.',
  'error.EmailSignInError.text': 'Na ten adres nie możemy wysłać linku. Sprawdź go i spróbuj ponownie.',
  'error.InvalidCheck.heading': 'Zacznij od nowa',
  'error.InvalidCheck.text':
    'Logowanie trwało zbyt długo, zostało otwarte w innej przeglądarce lub było już wykorzystane. Nic się nie zmieniło.',
  'error.InvalidProvider.heading': 'Nieznany sposób logowania',
  'error.InvalidProvider.text': 'Ten serwis nie oferuje wskazanego sposobu logowania. Wybierz inny.',
  'error.InvalidRequest.heading': 'Serwis nie zrozumiał tego żądania',
  'error.InvalidRequest.text':
    'Wróć i spróbuj ponownie. Jeśli problem będzie się powtarzać, powiadom administratorów serwisu.',
  'error.MissingCSRF.text':
    'Ta strona była nieaktualna: była otwarta zbyt długo albo w innej karcie nastąpiło zalogowanie lub wylogowanie. Spróbuj ponownie.',
  'error.NotConnected.heading': 'Żadne konto nie jest połączone',
  'error.NotConnected.text': 'Najpierw połącz konto w tej usłudze.',
  'error.OAuthAccountNotLinked.text':
    'Masz już konto z tym adresem e-mail, ale z innym sposobem logowania. Zaloguj się tak jak za pierwszym razem.',
  'error.OAuthCallbackError.text':
    'Logowanie nie zostało ukończone: zostało anulowane lub usługa go nie potwierdziła. Spróbuj ponownie lub wybierz inny sposób logowania.',
  'error.OAuthSignInError.text':
    'Nie udało się rozpocząć logowania. Spróbuj ponownie lub wybierz inny sposób logowania.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'Nie można połączyć się z usługą',
  'error.RefreshError.text': 'Spróbuj ponownie za jakiś czas.',
  'error.SignOutError.heading': 'Wylogowanie nastąpiło tylko w tej przeglądarce',
  'error.SignOutError.text':
    'Nie udało się zakończyć sesji na serwerze. Kolejna próba nastąpi automatycznie.\nJeśli ktoś inny może mieć jej kopię, za jakiś czas zaloguj się i wyloguj ponownie.',
  'error.TooManyRequests.heading': 'Zbyt wiele prób',
  'error.TooManyRequests.text': 'Odczekaj kilka minut i spróbuj ponownie. Z Twoim kontem wszystko jest w porządku.',
  'error.Verification.heading': 'Ten link już nie działa',
  'error.Verification.text':
    'Został już użyty, jest zbyt stary albo wysłano nowszy. Jeśli link był kopiowany, może brakować jego części.\nZaloguj się ponownie, aby otrzymać nowy link.',
  'error.WebAuthnVerificationError.heading': 'Twój klucz dostępu nie został przyjęty',
  'error.WebAuthnVerificationError.text':
    'Trwało to zbyt długo, klucz utworzono dla innego serwisu lub konta albo ten serwis już go nie rozpoznaje. Nic się nie zmieniło.\nSpróbuj ponownie lub zaloguj się w inny sposób.',
}

export default pl
