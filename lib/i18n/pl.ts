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
  'signIn.addressOrUsername': 'Adres e-mail lub nazwa użytkownika',
  'signIn.password': 'Hasło',
  'signIn.code': 'Kod',
  'signIn.continue': 'Dalej',
  'signIn.otherAddress': 'Użyj innego adresu',
  'signIn.more': 'Więcej sposobów logowania',
  'signIn.showPassword': 'Pokaż hasło',
  'signIn.hidePassword': 'Ukryj hasło',
  'signIn.or': 'lub',
  'signIn.lastUsed': 'Ostatnio używane',
  'signIn.remember': 'Nie wylogowuj mnie',
  'signIn.captcha': 'Włącz JavaScript, aby potwierdzić, że nie jesteś robotem, a następnie odśwież tę stronę.',
  'signIn.nothing': 'Nie ma tu jeszcze żadnego sposobu logowania.',
  'signIn.required': 'Zaloguj się, aby zobaczyć tę stronę.',
  'signIn.again': 'Zaloguj się ponownie, aby potwierdzić, że to Ty.',
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
  'passkey.offerTitle': 'Zaloguj się bez hasła',
  'passkey.offerText':
    'Klucz dostępu pozwala logować się do {site} odciskiem palca, twarzą lub blokadą ekranu. Jest szybszy niż hasło, a żaden fałszywy serwis nie może go użyć.',
  'passkey.offerButton': 'Utwórz klucz dostępu',
  'passkey.notNow': 'Nie teraz',
  'signOut.title': 'Wyloguj się',
  'signOut.question': 'Czy chcesz wylogować się z serwisu {site}?',
  'signOut.button': 'Wyloguj się',
  'signOut.also': 'Wyloguj się też z usługi {provider}',
  'signOut.alsoDone': 'Nastąpi też wylogowanie z usługi {provider}.',
  'signOut.nobody': 'W tej przeglądarce nie masz otwartej sesji w serwisie {site}.',
  'signOut.outOfDate': 'Wylogowanie jeszcze nie nastąpiło: ta strona była nieaktualna. Naciśnij przycisk ponownie.',

  'factor.title': 'Potwierdź, że to Ty',
  'factor.totp': 'Wpisz kod, który aplikacja uwierzytelniająca pokazuje dla serwisu {site}.',
  'factor.recovery': 'Wpisz jeden ze swoich kodów odzyskiwania do serwisu {site}. Każdy kod działa tylko raz.',
  'factor.passkey': 'Użyj klucza dostępu, aby przejść do serwisu {site}.',
  'factor.email': 'Aby przejść do serwisu {site}, odbierz kod wysłany na adres swojego konta.',
  'factor.emailSent': 'Wpisz kod, który serwis {site} właśnie wysłał na adres Twojego konta.',
  'factor.send': 'Wyślij mi kod',
  'factor.sendAgain': 'Wyślij nowy kod',
  'factor.recoveryCode': 'Kod odzyskiwania',
  'factor.remember': 'Nie pytaj o to ponownie w tej przeglądarce. Okres: {lifetime}',
  'factor.useTotp': 'Użyj aplikacji uwierzytelniającej',
  'factor.useEmail': 'Odbierz kod e-mailem',
  'factor.useRecovery': 'Użyj kodu odzyskiwania',
  'factor.usePasskey': 'Użyj klucza dostępu',

  'factors.title': 'Logowanie dwuetapowe',
  'factors.lead': 'Oprócz zwykłego sposobu logowania serwis {site} prosi o jeden z tych drugich etapów.',
  'factors.required': 'Serwis {site} wymaga drugiego etapu przy każdym logowaniu. Dodaj go, aby kontynuować.',
  'factors.totp': 'Aplikacja uwierzytelniająca',
  'factors.email': 'Kod e-mailem',
  'factors.passkey': 'Klucz dostępu',
  'factors.recovery': 'Kody odzyskiwania',
  'factors.addTotp': 'Dodaj aplikację uwierzytelniającą',
  'factors.addEmail': 'Dodaj kod e-mailem',
  'factors.addPasskey': 'Używaj moich kluczy dostępu jako drugiego etapu',
  'factors.recommended': 'Zalecane',
  'factors.whyPasskey': 'Klucz dostępu jest szybki, a żaden fałszywy serwis nie może go użyć.',
  'factors.whyTotp': 'Aplikacja działa bez sieci, nawet jeśli nie masz dostępu do poczty.',
  'factors.added': 'Dodano: {date}',
  'factors.remove': 'Usuń',
  'factors.removeThis': 'Usuń: {factor}',
  'factors.done': 'Gotowe',
  'factors.newCodes': 'Utwórz nowe kody odzyskiwania',
  'factors.left': 'Pozostałe kody odzyskiwania: {count}',
  'factors.scan': 'Zeskanuj ten kod aplikacją uwierzytelniającą, a następnie wpisz sześć cyfr, które pokaże aplikacja.',
  'factors.type':
    'Wpisz ten klucz w aplikacji uwierzytelniającej, a następnie wpisz tutaj sześć cyfr, które pokaże aplikacja.',
  'factors.orType': 'Jeśli nie możesz go zeskanować, wpisz ten klucz w aplikacji:',
  'factors.qr': 'Kod QR dla aplikacji uwierzytelniającej',
  'factors.open': 'Otwórz w aplikacji na tym urządzeniu',
  'factors.name': 'Nazwa urządzenia (opcjonalnie)',
  'factors.add': 'Dodaj',
  'factors.emailLead': 'Wyślemy kod na adres Twojego konta, aby sprawdzić, czy dochodzi.',
  'factors.emailSent': 'Wpisz kod, który właśnie wysłaliśmy na adres Twojego konta.',
  'factors.passkeyLead':
    'Użyj teraz jednego ze swoich kluczy dostępu. Od tej pory będzie on wymagany przy logowaniu w inny sposób.',
  'factors.codes': 'Twoje kody odzyskiwania',
  'factors.codesLead':
    'Przechowuj te kody tam, gdzie znajdziesz je bez telefonu, na przykład na papierze lub w menedżerze haseł. Każdy z nich pozwala zalogować się raz, zamiast drugiego etapu.',
  'factors.codesOnce': 'Są pokazywane tylko teraz. Wcześniejsze kody już nie działają.',
  'factors.codesFor': 'Kody odzyskiwania do {site}',
  'factors.copy': 'Kopiuj',
  'factors.copied': 'Skopiowano.',
  'factors.download': 'Pobierz',
  'factors.print': 'Drukuj',
  'factors.kept': 'Przechowuję te kody w bezpiecznym miejscu.',

  'page.cancel': 'Anuluj',
  'page.home': 'Przejdź do serwisu {site}',
  'verifyRequest.title': 'Sprawdź pocztę',
  'verifyRequest.text':
    'Wysłaliśmy Ci link do logowania. Otwórz go w tej przeglądarce: w innej trzeba będzie najpierw potwierdzić logowanie.',
  'verifyRequest.textTo':
    'Wysłaliśmy link do logowania na adres {address}. Otwórz go w tej przeglądarce: w innej trzeba będzie najpierw potwierdzić logowanie.',
  'verifyRequest.help':
    'Po kilku minutach nadal nic nie ma? Zajrzyj do folderu ze spamem albo wróć, sprawdź adres i poproś o nowy link. Działa tylko najnowszy.',
  'verifyRequest.wait':
    'Po kilku minutach nadal nic nie ma? Zajrzyj do folderu ze spamem albo poproś o nowy e-mail. Działa tylko najnowszy link.',
  'verifyRequest.again': 'Wyślij nowy e-mail',
  'verifyRequest.limited':
    'Nie można jeszcze wysłać nowego e-maila. Spróbuj ponownie później. Czas oczekiwania: {wait}',
  'verifyRequest.sentAgain': 'Nowy e-mail jest w drodze.',
  'verifyRequest.otherMethod': 'Użyj innego sposobu logowania',
  'verifyRequest.signUp':
    'Wysłaliśmy e-mail na podany adres. Aby kontynuować, otwórz zawarty w nim link w tej przeglądarce.',
  'verifyRequest.signUpTo':
    'Wysłaliśmy e-mail na adres {address}. Aby kontynuować, otwórz zawarty w nim link w tej przeglądarce.',
  'verifyRequest.reset':
    'Jeśli istnieje konto z podanym adresem, wysłaliśmy na niego e-mail. Otwórz zawarty w nim link, aby wybrać nowe hasło.',
  'verifyRequest.resetTo':
    'Jeśli istnieje konto z adresem {address}, wysłaliśmy na niego e-mail. Otwórz zawarty w nim link, aby wybrać nowe hasło.',
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

  'password.forgotLink': 'Nie pamiętasz hasła?',
  'password.signUpLink': 'Utwórz konto',
  'password.signInLink': 'Mam konto: zaloguj się',
  'password.new': 'Nowe hasło',
  'password.current': 'Obecne hasło',
  'password.length': 'Co najmniej {count} znaków. Kilka słów z rzędu łatwo zapamiętać, a trudno odgadnąć.',
  'password.signUpTitle': 'Utwórz konto',
  'password.signUpLead': 'w serwisie {site}',
  'password.signUpButton': 'Utwórz konto',
  'password.forgotTitle': 'Nie pamiętasz hasła?',
  'password.forgotText': 'Wpisz adres swojego konta. Wyślemy Ci link, za pomocą którego wybierzesz nowe hasło.',
  'password.resetTitle': 'Wybierz nowe hasło',
  'password.resetLead': 'do konta {address} w serwisie {site}',
  'password.resetText': 'Nastąpi wtedy zalogowanie tutaj i wylogowanie wszędzie indziej.',
  'password.saveButton': 'Zapisz hasło',
  'password.verifyTitle': 'Potwierdź adres',
  'password.verifyLead': 'Twoje konto w serwisie {site} otrzyma adres {address}.',
  'password.verifyAdvice': 'Kontynuuj tylko wtedy, gdy tworzenie tego konta rozpoczęto z Twojej inicjatywy.',
  'password.verifyAnew':
    'Tworzenie konta rozpoczęto w innej przeglądarce, być może zrobił to ktoś inny. Dlatego wybierz hasło tutaj: hasło wpisane tam się nie liczy.',
  'password.changeTitle': 'Zmień hasło',
  'password.changeLead': 'do konta {address} w serwisie {site}',
  'password.changeText': 'Tutaj sesja pozostanie otwarta, a wszędzie indziej nastąpi wylogowanie.',
  'password.firstTitle': 'Ustaw hasło',
  'password.signInFirst': 'W tej przeglądarce nie masz otwartej sesji. Najpierw się zaloguj.',
  'password.signInAgain':
    'Aby ustawić hasło do tego konta, zaloguj się na nie ponownie i wróć na tę stronę w ciągu pięciu minut.',
  'password.proveFirst':
    'Adres Twojego konta nie jest jeszcze potwierdzony. Najpierw go potwierdź: zaloguj się za pomocą linku wysłanego na ten adres.',

  'deleteAccount.title': 'Usuń swoje konto',
  'deleteAccount.lead': 'To usunie konto {address} w serwisie {site} wraz ze wszystkim, co do niego należy.',
  'deleteAccount.grace': 'Czas do usunięcia konta: {time}. Do tego momentu administratorzy serwisu mogą je przywrócić.',
  'deleteAccount.button': 'Usuń moje konto',
  'deleteAccount.signInAgain':
    'Aby usunąć to konto, zaloguj się na nie ponownie, a potem wróć na tę stronę w ciągu pięciu minut.',
  'deleteAccount.refused': 'Tego konta nie można teraz tutaj usunąć. Skontaktuj się z administratorami serwisu.',
  'deleteAccount.done': 'Twoje konto zostało usunięte.',
  'deleteAccount.scheduled':
    'Czas do usunięcia konta: {time}. Aby je zachować, skontaktuj się z administratorami serwisu.',
  'password.short': 'To hasło jest za krótkie.',
  'password.long': 'To hasło jest za długie.',
  'password.common': 'Bardzo wiele osób ma to hasło, więc można je od razu odgadnąć. Wybierz inne.',
  'password.breached':
    'To hasło jest znane atakującym z włamania do innego serwisu. Wybierz inne i zmień je wszędzie tam, gdzie go używasz.',
  'password.contextual':
    'To hasło składa się z Twojego adresu lub nazwy tego serwisu, więc łatwo je odgadnąć. Wybierz inne.',
  'password.unavailable': 'Nie udało się sprawdzić, czy to hasło jest bezpieczne. Spróbuj ponownie za kilka minut.',
  'password.wrong': 'Obecne hasło jest nieprawidłowe. Spróbuj ponownie.',
  'connect.title': 'Połącz konto {provider}',
  'connect.heading': 'Połączyć Twoje konto {provider}?',
  'connect.lead': 'Twoje konto w tej usłudze zostanie połączone z serwisem {site}.',
  'connect.leadAs': 'Twoje konto w tej usłudze zostanie połączone z serwisem {site}. Zalogowane tam konto: {person}.',
  'connect.advice':
    'Od tej pory będzie Cię tutaj logować. Kontynuuj tylko, jeśli tego chcesz, i sprawdź w usłudze {provider}, czy to konto należy do Ciebie.',
  'connect.button': 'Przejdź do usługi {provider}',
  'guard.csrfHeading': 'Ta strona była nieaktualna',
  'guard.csrfText': 'Wysłane dane nie zostały zapisane. Otwórz stronę ponownie, a potem wyślij je jeszcze raz.',
  'guard.signInHeading': 'Nie masz otwartej sesji',
  'guard.signInText': 'Wysłane dane nie zostały zapisane. Najpierw zaloguj się, a potem wyślij je ponownie.',
  'guard.confirmText': 'Wysłane dane nie zostały zapisane. Najpierw potwierdź, że to Ty, a potem wyślij je ponownie.',
  'guard.forbiddenHeading': 'Brak dostępu',
  'guard.forbiddenText':
    'Twoje konto nie ma do tego dostępu. Jeśli wysłano formularz, nie został zapisany. Poproś administratorów serwisu o dostęp.',
  'guard.connectText':
    'Wysłane dane nie zostały zapisane. Najpierw połącz konto w tej usłudze, a potem wyślij je ponownie.',
  'continue.title': 'Dalej',
  'continue.heading': 'Chwileczkę…',
  'continue.lead': 'Przekierowujemy Cię na stronę {host}…',
  'continue.help': 'Jeśli nic się nie dzieje, {link}.',
  'continue.link': 'przejdź na stronę {host}',
  'account.device': '{browser} w systemie {system}',
  'account.support': 'Pomoc techniczna',
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
  'mail.code': 'Twój kod do serwisu {site}',
  'mail.codeEnter': 'Wpisz ten kod tam, gdzie się logujesz:',
  'mail.codeValidity': 'Kod działa tylko raz. Ważność: {lifetime}.',
  'mail.codeIgnore':
    'Nie logujesz się teraz? W takim razie ktoś może wiedzieć, jak to robisz: pierwszy etap ma już za sobą. Zmień hasło i nikomu nie podawaj tego kodu.',
  'mail.factors': 'Logowanie dwuetapowe w serwisie {site} zostało zmienione',
  'mail.factorsFacts': 'Drugie etapy logowania na Twoje konto w serwisie {site} zostały zmienione.',
  'mail.factorsAdvice': 'Jeśli to nie Ty, powiadom administratorów serwisu.',
  'mail.changed': 'Twój adres e-mail w serwisie {site} został zmieniony',
  'mail.changedFacts':
    'To już nie jest adres Twojego konta w serwisie {site}: konto ma teraz inny. Linki do logowania nie będą tu już przychodzić.',
  'mail.changedAdvice':
    'To nie Ty? W takim razie ktoś inny miał dostęp do Twojego konta. Natychmiast powiadom administratorów serwisu.',
  'mail.signUp': 'Potwierdź adres e-mail w serwisie {site}',
  'mail.signUpOpen': 'Otwórz ten link, aby dokończyć tworzenie konta:',
  'mail.signUpPress': 'Naciśnij przycisk, aby dokończyć tworzenie konta.',
  'mail.signUpButton': 'Potwierdź adres',
  'mail.signUpBrowser':
    'Otwórz go w przeglądarce, w której rozpoczęto tworzenie konta. W każdej innej trzeba będzie ponownie wybrać hasło.',
  'mail.signUpIgnore':
    'To nie była Twoja prośba? Możesz zignorować tę wiadomość: bez linku konto nie powstanie. Nie przesyłaj jej dalej.',
  'mail.reset': 'Wybierz nowe hasło do serwisu {site}',
  'mail.resetOpen': 'Otwórz ten link, aby wybrać nowe hasło:',
  'mail.resetPress': 'Naciśnij przycisk, aby wybrać nowe hasło.',
  'mail.resetButton': 'Wybierz hasło',
  'mail.resetBrowser': 'Nastąpi zalogowanie w przeglądarce, w której otworzysz link, i wylogowanie wszędzie indziej.',
  'mail.resetIgnore':
    'To nie była Twoja prośba? Możesz zignorować tę wiadomość: bez linku hasło pozostanie bez zmian. Nie przesyłaj jej dalej.',
  'mail.haveAccount': 'Masz już konto w serwisie {site}',
  'mail.haveAccountOpen':
    'Ktoś, prawdopodobnie Ty, próbował utworzyć konto z Twoim adresem lub zastąpić hasło do niego. Twoje konto już istnieje: zaloguj się tak jak dotychczas.',
  'mail.haveAccountReset': 'Jeśli nie pamiętasz hasła, wybierz nowe:',
  'mail.haveAccountIgnore': 'To nie Ty? Możesz zignorować tę wiadomość: nic się nie zmieniło.',
  'mail.passwordChanged': 'Twoje hasło w serwisie {site} zostało zmienione',
  'mail.passwordChangedFacts': 'Twoje konto w serwisie {site} ma nowe hasło.',
  'mail.passwordChangedAdvice':
    'To nie Ty? W takim razie ktoś inny miał dostęp do Twojego konta lub Twojej skrzynki. Natychmiast wybierz nowe hasło i powiadom administratorów serwisu.',
  'error.title': 'Błąd',
  'error.reference': 'Numer referencyjny: {reference}',
  'error.tryAgain': 'Spróbuj ponownie',
  'error.Configuration.heading': 'W tym serwisie wystąpił problem',
  'error.Configuration.text':
    'To teraz nie działa i nie jest to Twoja wina.\nSpróbuj ponownie za kilka minut. Jeśli to się powtarza, powiadom administratorów serwisu.',
  'error.unknown.heading': 'Coś poszło nie tak',
  'error.unknown.text': 'Wróć do serwisu i spróbuj ponownie.',
  'error.AccountMismatch.heading': 'To jest inne konto',
  'error.AccountMismatch.text':
    'Trzeba było potwierdzić, że to Ty, a nastąpiło zalogowanie na inne konto. Nic się nie zmieniło. Aby zmienić konto, najpierw się wyloguj.',
  'error.InvalidCode.heading': 'Kod jest nieprawidłowy',
  'error.InvalidCode.text':
    'Ten kod jest nieprawidłowy, był już użyty lub jest zbyt stary. Sprawdź go albo poczekaj na następny.',
  'error.ReauthenticationRequired.heading': 'Potwierdź, że to Ty',
  'error.ReauthenticationRequired.text':
    'Od ostatniego logowania minęło trochę czasu. Zaloguj się ponownie i powtórz to, co chcesz zrobić.',
  'error.SecondFactorFailed.text':
    'Logowanie nie zostało ukończone na czas lub było zbyt wiele błędnych kodów. Zaloguj się ponownie.',
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
  'error.ImpersonatedSession.heading': 'Niedozwolone w tej sesji',
  'error.ImpersonatedSession.text':
    'Korzystasz z sesji innej osoby, w której nie jest to dozwolone. Nic się nie zmieniło. Najpierw zakończ tę sesję.',
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
  'error.PasswordRejected.heading': 'Tego hasła nie można użyć',
  'error.PasswordRejected.text': 'Wróć i wybierz inne hasło.',
  'error.PasswordsBusy.heading': 'Spróbuj ponownie za chwilę',
  'error.PasswordsBusy.text':
    'Właśnie loguje się wiele osób. Nic się nie zmieniło, a z Twoim kontem wszystko jest w porządku.',
  'error.RefreshError.heading': 'Nie można połączyć się z usługą',
  'error.RefreshError.text': 'Spróbuj ponownie za jakiś czas.',
  'error.SignOutError.heading': 'Wylogowanie nastąpiło tylko w tej przeglądarce',
  'error.SignOutError.text':
    'Nie udało się zakończyć sesji na serwerze. Kolejna próba nastąpi automatycznie.\nJeśli ktoś inny może mieć jej kopię, za jakiś czas zaloguj się i wyloguj ponownie.',
  'error.TooManyCookies.heading': 'Brak miejsca na pliki cookie tego serwisu',
  'error.TooManyCookies.text':
    'Ten serwis nie może zapisać nic więcej w Twojej przeglądarce, więc nic nie zostało zmienione.\nUsuń w przeglądarce pliki cookie tego serwisu i spróbuj ponownie.',
  'error.TooManyRequests.heading': 'Zbyt wiele prób',
  'error.TooManyRequests.text': 'Odczekaj kilka minut i spróbuj ponownie. Z Twoim kontem wszystko jest w porządku.',
  'error.Verification.heading': 'Ten link już nie działa',
  'error.Verification.text':
    'Został już użyty, jest zbyt stary albo wysłano nowszy. Jeśli link był kopiowany, może brakować jego części.\nZaloguj się ponownie, aby otrzymać nowy link.',
  'error.WebAuthnVerificationError.heading': 'Twój klucz dostępu nie został przyjęty',
  'error.WebAuthnVerificationError.text':
    'Trwało to zbyt długo, klucz dostępu utworzono dla innego serwisu lub konta albo ten serwis już go nie rozpoznaje. Nic się nie zmieniło.\nSpróbuj ponownie lub zaloguj się w inny sposób.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Ta strona jest niedostępna',
  'error.TenantUnavailable.text': 'Spróbuj ponownie za kilka sekund. Z Twoim kontem wszystko jest w porządku.',
  'error.UnknownTenant.heading': 'Tu nie ma żadnej strony',
  'error.UnknownTenant.text': 'Sprawdź adres.',

  'organization.title': 'Wybierz organizację',
  'organization.lead': 'z którą przejdziesz do serwisu {site}',
  'organization.none':
    'Nie należysz do żadnej organizacji w serwisie {site}. Poproś administratorów swojej organizacji o dostęp.',
  'organization.active': 'Aktywna',
  'guard.notFoundHeading': 'Ta strona nie istnieje',
  'guard.notFoundText': 'Ta strona nie istnieje. Jeśli wysłano formularz, nie został zapisany.',
  'guard.organizationText':
    'Najpierw wybierz organizację, a potem spróbuj ponownie. Jeśli wysłano formularz, nie został zapisany.',
  'app.title': 'Przejść do {app}?',
  'app.lead': 'Aplikacja zostanie zalogowana na Twoje konto w serwisie {site}.',
  'app.advice':
    'Kontynuuj tylko wtedy, gdy przed chwilą samodzielnie otwarto aplikację. W każdej chwili możesz ją wylogować na liście swoich sesji.',
  'app.otherAccount': 'Użyj innego konta',
  'invitation.title': 'Przyjmij zaproszenie',
  'invitation.lead': 'Masz zaproszenie do {organization} w {site}.',
  'invitation.address': 'Zaproszenie jest dla {address}.',
  'invitation.button': 'Przyjmij zaproszenie',
  'invitation.other':
    'Korzystasz z innego konta albo jego adres nie jest potwierdzony. Wyloguj się i otwórz link ponownie.',
  'mail.invitation': 'Zaproszenie do {site}',
  'mail.invitationOpen': 'Masz zaproszenie do {organization}. Otwórz ten link, aby je przyjąć:',
  'mail.invitationPress': 'Masz zaproszenie do {organization}. Naciśnij przycisk, aby je przyjąć.',
  'mail.invitationButton': 'Zobacz zaproszenie',
  'mail.invitationIgnore': 'Nie znasz nadawcy? Możesz zignorować tę wiadomość: bez Ciebie nic się nie stanie.',
}

export default pl
