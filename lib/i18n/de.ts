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
  'signIn.addressOrUsername': 'E-Mail-Adresse oder Benutzername',
  'signIn.password': 'Passwort',
  'signIn.code': 'Code',
  'signIn.continue': 'Weiter',
  'signIn.otherAddress': 'Andere Adresse verwenden',
  'signIn.more': 'Weitere Anmeldewege',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.hidePassword': 'Passwort verbergen',
  'signIn.or': 'oder',
  'signIn.lastUsed': 'Zuletzt verwendet',
  'signIn.remember': 'Angemeldet bleiben',
  'signIn.captcha':
    'Bitte schalten Sie JavaScript ein, um zu bestätigen, dass Sie ein Mensch sind, und laden Sie diese Seite dann neu.',
  'signIn.nothing': 'Hier gibt es noch keinen Anmeldeweg.',
  'signIn.required': 'Bitte melden Sie sich an, um diese Seite zu sehen.',
  'signIn.again': 'Bitte melden Sie sich noch einmal an, um zu bestätigen, dass Sie es sind.',
  'signIn.already': 'Sie sind bereits angemeldet.',
  'signIn.replaces': 'Wenn Sie sich hier anmelden, beginnt anstelle dieser Sitzung eine neue.',
  'signIn.addsPasskey': 'Wenn Sie einen neuen Passkey wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.addsService': 'Wenn Sie einen Dienst wie {provider} wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.addsBoth':
    'Wenn Sie einen neuen Passkey oder einen Dienst wie {provider} wählen, wird er Ihrem Konto hinzugefügt.',
  'signIn.othersReplace': 'Bei jedem anderen Anmeldeweg beginnt anstelle dieser Sitzung eine neue.',
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
  'passkey.insecurePage': 'Passkeys funktionieren nur auf sicheren Seiten (https), und diese Seite ist keine.',
  'passkey.unsupportedBrowser': 'Dieser Browser unterstützt keine Passkeys.',
  'passkey.cancelled':
    'Sie sind nicht angemeldet: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder es fand sich kein Passkey für diese Website. Bitte versuchen Sie es noch einmal.',
  'passkey.cancelledNew':
    'Es wurde kein Passkey erstellt: Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder dieses Gerät kann keinen aufbewahren. Bitte versuchen Sie es noch einmal.',
  'passkey.notAllowed': 'Diese Seite darf keine Passkeys verwenden.',
  'passkey.alreadyRegistered':
    'Dieses Gerät hat für dieses Konto bereits einen Passkey. Bitte melden Sie sich damit an.',
  'passkey.unsupported': 'Dieser Browser oder dieses Gerät unterstützt keine Passkeys.',
  'passkey.unsupportedNew':
    'Dieser Browser oder dieses Gerät kann die Art von Passkey nicht erstellen, die diese Website verlangt.',
  'passkey.insecure':
    'Unter dieser Adresse funktionieren Passkeys nicht. Bitte öffnen Sie die Website unter ihrer eigenen Adresse, die mit https beginnt.',
  'passkey.refused': 'Die Website hat die Antwort Ihres Passkeys nicht angenommen. Bitte versuchen Sie es noch einmal.',
  'passkey.refusedNew': 'Die Website hat diesen Passkey nicht angenommen. Bitte versuchen Sie es noch einmal.',
  'passkey.network':
    'Die Website ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung, und versuchen Sie es dann noch einmal.',
  'passkey.failed': 'Ihr Browser oder Gerät konnte das nicht ausführen. Bitte versuchen Sie es noch einmal.',
  'passkey.offerTitle': 'Ohne Passwort anmelden',
  'passkey.offerText':
    'Mit einem Passkey melden Sie sich bei {site} mit Ihrem Fingerabdruck, Ihrem Gesicht oder Ihrer Bildschirmsperre an. Das geht schneller als mit einem Passwort, und keine gefälschte Website kann ihn verwenden.',
  'passkey.offerButton': 'Passkey anlegen',
  'passkey.notNow': 'Jetzt nicht',
  'signOut.title': 'Abmelden',
  'signOut.question': 'Möchten Sie sich von {site} abmelden?',
  'signOut.button': 'Abmelden',
  'signOut.also': 'Auch von {provider} abmelden',
  'signOut.alsoDone': 'Sie werden auch von {provider} abgemeldet.',
  'signOut.nobody': 'Sie sind in diesem Browser nicht bei {site} angemeldet.',
  'signOut.outOfDate':
    'Sie sind noch nicht abgemeldet: Diese Seite war veraltet. Bitte drücken Sie den Knopf noch einmal.',

  'factor.title': 'Bestätigen Sie, dass Sie es sind',
  'factor.totp': 'Geben Sie den Code ein, den Ihre Authenticator-App für {site} anzeigt.',
  'factor.recovery': 'Geben Sie einen Ihrer Wiederherstellungscodes für {site} ein. Jeder Code gilt einmal.',
  'factor.passkey': 'Verwenden Sie Ihren Passkey, um mit {site} fortzufahren.',
  'factor.email': 'Um mit {site} fortzufahren, lassen Sie sich einen Code an die Adresse Ihres Kontos senden.',
  'factor.emailSent': 'Geben Sie den Code ein, den {site} gerade an die Adresse Ihres Kontos gesendet hat.',
  'factor.send': 'Code senden',
  'factor.sendAgain': 'Neuen Code senden',
  'factor.recoveryCode': 'Wiederherstellungscode',
  'factor.remember': 'In diesem Browser {lifetime} lang nicht mehr danach fragen',
  'factor.useTotp': 'Authenticator-App verwenden',
  'factor.useEmail': 'Code per E-Mail erhalten',
  'factor.useRecovery': 'Wiederherstellungscode verwenden',
  'factor.usePasskey': 'Passkey verwenden',

  'factors.title': 'Anmeldung in zwei Schritten',
  'factors.lead': 'Zusätzlich zu Ihrem üblichen Anmeldeweg verlangt {site} einen dieser zweiten Schritte.',
  'factors.required':
    '{site} verlangt bei jeder Anmeldung einen zweiten Schritt. Fügen Sie einen hinzu, um fortzufahren.',
  'factors.totp': 'Authenticator-App',
  'factors.email': 'Code per E-Mail',
  'factors.passkey': 'Passkey',
  'factors.recovery': 'Wiederherstellungscodes',
  'factors.addTotp': 'Authenticator-App hinzufügen',
  'factors.addEmail': 'Code per E‑Mail hinzufügen',
  'factors.addPasskey': 'Meine Passkeys als zweiten Schritt verwenden',
  'factors.recommended': 'Empfohlen',
  'factors.whyPasskey': 'Ein Passkey ist schnell, und keine gefälschte Website kann ihn verwenden.',
  'factors.whyTotp': 'Eine App funktioniert ohne Netz, und auch dann, wenn Sie nicht an Ihre E-Mails kommen.',
  'factors.added': 'Hinzugefügt am {date}',
  'factors.remove': 'Entfernen',
  'factors.removeThis': 'Entfernen: {factor}',
  'factors.done': 'Fertig',
  'factors.newCodes': 'Neue Wiederherstellungscodes erstellen',
  'factors.left': 'Übrige Wiederherstellungscodes: {count}',
  'factors.scan':
    'Scannen Sie diesen Code mit Ihrer Authenticator-App, und geben Sie dann die sechs Ziffern ein, die die App anzeigt.',
  'factors.type':
    'Geben Sie diesen Schlüssel in Ihrer Authenticator-App ein, und geben Sie dann die sechs Ziffern ein, die die App anzeigt.',
  'factors.orType': 'Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
  'factors.qr': 'QR-Code für Ihre Authenticator-App',
  'factors.open': 'In einer App auf diesem Gerät öffnen',
  'factors.name': 'Name des Geräts (freiwillig)',
  'factors.add': 'Hinzufügen',
  'factors.emailLead': 'Wir senden einen Code an die Adresse Ihres Kontos, um zu sehen, ob er ankommt.',
  'factors.emailSent': 'Geben Sie den Code ein, den wir gerade an die Adresse Ihres Kontos gesendet haben.',
  'factors.passkeyLead':
    'Verwenden Sie jetzt einen Ihrer Passkeys. Von da an wird danach gefragt, wenn Sie sich auf einem anderen Weg anmelden.',
  'factors.codes': 'Ihre Codes zur Wiederherstellung',
  'factors.codesLead':
    'Bewahren Sie diese Codes dort auf, wo Sie sie auch ohne Ihr Telefon finden, etwa auf Papier oder in einem Passwortmanager. Jeder meldet Sie einmal an, anstelle Ihres zweiten Schritts.',
  'factors.codesOnce': 'Sie werden nur jetzt angezeigt. Frühere Codes gelten nicht mehr.',
  'factors.codesFor': 'Wiederherstellungscodes für {site}',
  'factors.copy': 'Kopieren',
  'factors.copied': 'Kopiert.',
  'factors.download': 'Herunterladen',
  'factors.print': 'Drucken',
  'factors.kept': 'Ich bewahre diese Codes an einem sicheren Ort auf.',

  'page.cancel': 'Abbrechen',
  'page.home': 'Zu {site}',
  'verifyRequest.title': 'Sehen Sie in Ihre E-Mails',
  'verifyRequest.text':
    'Wir haben Ihnen einen Link zum Anmelden geschickt. Bitte öffnen Sie ihn in diesem Browser: In einem anderen werden Sie erst um eine Bestätigung gebeten.',
  'verifyRequest.textTo':
    'Wir haben einen Link zum Anmelden an {address} geschickt. Bitte öffnen Sie ihn in diesem Browser: In einem anderen werden Sie erst um eine Bestätigung gebeten.',
  'verifyRequest.help':
    'Nach ein paar Minuten ist nichts da? Sehen Sie im Spam-Ordner nach, oder gehen Sie zurück, prüfen Sie die Adresse und fordern Sie einen neuen Link an. Nur der neueste gilt.',
  'verifyRequest.wait':
    'Nach ein paar Minuten ist nichts da? Sehen Sie im Spam-Ordner nach, oder fordern Sie eine neue E-Mail an. Nur der neueste Link gilt.',
  'verifyRequest.again': 'Neue E-Mail senden',
  'verifyRequest.limited':
    'Es kann noch keine neue E-Mail gesendet werden. Bitte versuchen Sie es später noch einmal. Wartezeit: {wait}',
  'verifyRequest.sentAgain': 'Eine neue E-Mail ist unterwegs.',
  'verifyRequest.otherMethod': 'Anderen Anmeldeweg verwenden',
  'verifyRequest.signUp':
    'Wir haben eine E-Mail an die Adresse gesendet, die Sie eingegeben haben. Bitte öffnen Sie den Link darin in diesem Browser, um fortzufahren.',
  'verifyRequest.signUpTo':
    'Wir haben eine E-Mail an {address} gesendet. Bitte öffnen Sie den Link darin in diesem Browser, um fortzufahren.',
  'verifyRequest.reset':
    'Wenn es zu der Adresse, die Sie eingegeben haben, ein Konto gibt, haben wir eine E-Mail dorthin gesendet. Bitte öffnen Sie den Link darin, um ein neues Passwort zu wählen.',
  'verifyRequest.resetTo':
    'Wenn es zu der Adresse {address} ein Konto gibt, haben wir eine E-Mail dorthin gesendet. Bitte öffnen Sie den Link darin, um ein neues Passwort zu wählen.',
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

  'password.forgotLink': 'Passwort vergessen?',
  'password.signUpLink': 'Konto anlegen',
  'password.signInLink': 'Ich habe ein Konto: anmelden',
  'password.new': 'Neues Passwort',
  'password.current': 'Aktuelles Passwort',
  'password.length':
    'Mindestens {count} Zeichen. Ein paar Wörter hintereinander sind leicht zu merken und schwer zu erraten.',
  'password.signUpTitle': 'Konto anlegen',
  'password.signUpLead': 'für {site}',
  'password.signUpButton': 'Konto anlegen',
  'password.forgotTitle': 'Passwort vergessen?',
  'password.forgotText':
    'Geben Sie die Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  'password.resetTitle': 'Neues Passwort wählen',
  'password.resetLead': 'für Ihr Konto {address} bei {site}',
  'password.resetText': 'Danach sind Sie hier angemeldet und überall sonst abgemeldet.',
  'password.saveButton': 'Passwort speichern',
  'password.verifyTitle': 'Adresse bestätigen',
  'password.verifyLead': 'Ihr Konto bei {site} erhält die Adresse {address}.',
  'password.verifyAdvice': 'Fahren Sie nur fort, wenn Sie selbst begonnen haben, dieses Konto anzulegen.',
  'password.verifyAnew':
    'Sie haben in einem anderen Browser begonnen, oder jemand anderes hat es getan. Wählen Sie das Passwort darum hier: Das dort eingegebene zählt nicht.',
  'password.changeTitle': 'Passwort ändern',
  'password.changeLead': 'für Ihr Konto {address} bei {site}',
  'password.changeText': 'Sie bleiben hier angemeldet und werden überall sonst abgemeldet.',
  'password.firstTitle': 'Passwort festlegen',
  'password.signInFirst': 'Sie sind in diesem Browser nicht angemeldet. Bitte melden Sie sich zuerst an.',
  'password.signInAgain':
    'Um für dieses Konto ein Passwort festzulegen, melden Sie sich noch einmal bei ihm an, und kommen Sie dann innerhalb von fünf Minuten auf diese Seite zurück.',
  'password.proveFirst':
    'Die Adresse Ihres Kontos ist noch nicht bestätigt. Bitte bestätigen Sie sie zuerst: Melden Sie sich mit einem Link an, der an sie gesendet wird.',

  'deleteAccount.title': 'Konto löschen',
  'deleteAccount.lead': 'Damit löschen Sie Ihr Konto {address} bei {site} mit allen Daten.',
  'deleteAccount.grace':
    'Das Konto bleibt noch {time} erhalten und wird dann gelöscht. Bis dahin können die Betreiber der Website es wiederherstellen.',
  'deleteAccount.button': 'Mein Konto löschen',
  'deleteAccount.signInAgain':
    'Um dieses Konto zu löschen, melden Sie sich noch einmal an und kommen Sie innerhalb von fünf Minuten zurück.',
  'deleteAccount.refused':
    'Dieses Konto kann hier zurzeit nicht gelöscht werden. Bitte wenden Sie sich an die Betreiber der Website.',
  'deleteAccount.done': 'Ihr Konto wurde gelöscht.',
  'deleteAccount.scheduled':
    'Ihr Konto bleibt noch {time} erhalten und wird dann gelöscht. Um es zu behalten, wenden Sie sich an die Betreiber der Website.',
  'password.short': 'Dieses Passwort ist zu kurz.',
  'password.long': 'Dieses Passwort ist zu lang.',
  'password.common':
    'Sehr viele Menschen haben dieses Passwort, darum ist es sofort erraten. Bitte wählen Sie ein anderes.',
  'password.breached':
    'Dieses Passwort ist Angreifern aus einem Einbruch bei einer anderen Website bekannt. Bitte wählen Sie ein anderes, und ändern Sie es überall, wo Sie es verwenden.',
  'password.contextual':
    'Dieses Passwort besteht aus Ihrer Adresse oder dem Namen dieser Website, darum ist es leicht zu erraten. Bitte wählen Sie ein anderes.',
  'password.unavailable':
    'Es ließ sich nicht prüfen, ob dieses Passwort sicher ist. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  'password.wrong': 'Das aktuelle Passwort stimmt nicht. Bitte versuchen Sie es noch einmal.',
  'connect.title': '{provider} verbinden',
  'connect.heading': 'Ihr Konto bei {provider} verbinden?',
  'connect.lead': 'Ihr Konto dort wird mit {site} verbunden.',
  'connect.leadAs': 'Ihr Konto dort wird mit {site} verbunden, wo Sie als {person} angemeldet sind.',
  'connect.advice':
    'Von da an meldet es Sie hier an. Fahren Sie nur fort, wenn Sie das möchten, und achten Sie bei {provider} darauf, dass das Konto Ihnen gehört.',
  'connect.button': 'Weiter zu {provider}',
  'guard.csrfHeading': 'Diese Seite war veraltet',
  'guard.csrfText':
    'Ihre Eingaben wurden nicht gespeichert. Bitte öffnen Sie die Seite noch einmal, und senden Sie Ihre Eingaben erneut.',
  'guard.signInHeading': 'Sie sind nicht angemeldet',
  'guard.signInText':
    'Ihre Eingaben wurden nicht gespeichert. Bitte melden Sie sich zuerst an, und senden Sie sie dann noch einmal.',
  'guard.confirmText':
    'Ihre Eingaben wurden nicht gespeichert. Bitte bestätigen Sie zuerst, dass Sie es sind, und senden Sie sie dann noch einmal.',
  'guard.forbiddenHeading': 'Sie haben keinen Zugriff',
  'guard.forbiddenText':
    'Ihr Konto hat hierauf keinen Zugriff. Falls Sie ein Formular gesendet haben, wurde es nicht gespeichert. Bitten Sie die Betreiber der Website um Zugang.',
  'guard.connectText':
    'Ihre Eingaben wurden nicht gespeichert. Bitte verbinden Sie zuerst ein Konto des Dienstes, und senden Sie sie dann noch einmal.',
  'continue.title': 'Weiter',
  'continue.heading': 'Einen Moment …',
  'continue.lead': 'Sie werden zu {host} weitergeleitet …',
  'continue.help': 'Wenn nichts geschieht, geht es hier {link}.',
  'continue.link': 'weiter zu {host}',
  'account.device': '{browser} auf {system}',
  'account.support': 'Support',
  'mail.signIn': 'Bei {site} anmelden',
  'mail.signInOpen': 'Öffnen Sie diesen Link, um sich anzumelden:',
  'mail.signInOpenAs': 'Öffnen Sie diesen Link, um sich als {address} anzumelden:',
  'mail.signInPress': 'Drücken Sie auf den Knopf, um sich anzumelden.',
  'mail.signInPressAs': 'Drücken Sie auf den Knopf, um sich als {address} anzumelden.',
  'mail.signInButton': 'Anmelden',
  'mail.signInBrowser':
    'Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben. In jedem anderen werden Sie erst um eine Bestätigung gebeten.',
  'mail.signInIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link kann sich niemand anmelden. Bitte leiten Sie sie nicht weiter.',
  'mail.change': 'Neue Adresse für {site} bestätigen',
  'mail.changeOpen': 'Öffnen Sie diesen Link, um dies zur Adresse Ihres Kontos zu machen:',
  'mail.changePress': 'Drücken Sie auf den Knopf, um dies zur Adresse Ihres Kontos zu machen.',
  'mail.changeButton': 'Adresse bestätigen',
  'mail.changeBrowser':
    'Öffnen Sie ihn in einem Browser, in dem Sie bei Ihrem Konto angemeldet sind. Sie werden erst um eine Bestätigung gebeten.',
  'mail.changeIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link ändert sich nichts. Bitte leiten Sie sie nicht weiter.',
  'mail.validity': 'Der Link gilt einmal. Gültigkeit: {lifetime}.',
  'mail.copy': 'Der Knopf funktioniert nicht? Dann kopieren Sie diesen Link in den Browser:',
  'mail.code': 'Ihr Code für {site}',
  'mail.codeEnter': 'Geben Sie diesen Code dort ein, wo Sie sich anmelden:',
  'mail.codeValidity': 'Der Code gilt einmal. Gültigkeit: {lifetime}.',
  'mail.codeIgnore':
    'Sie melden sich gerade nicht an? Dann weiß vielleicht jemand, wie Sie es tun: Der erste Schritt ist schon geschafft. Ändern Sie Ihr Passwort, und sagen Sie niemandem diesen Code.',
  'mail.factors': 'Die Anmeldung in zwei Schritten bei {site} wurde geändert',
  'mail.factorsFacts': 'Die zweiten Schritte Ihres Kontos bei {site} wurden geändert.',
  'mail.factorsAdvice': 'Wenn Sie das nicht waren, sagen Sie es den Betreibern der Website.',
  'mail.changed': 'Ihre Adresse bei {site} wurde geändert',
  'mail.changedFacts':
    'Dies ist nicht mehr die Adresse Ihres Kontos bei {site}: Es hat jetzt eine andere. Links zum Anmelden kommen hier nicht mehr an.',
  'mail.changedAdvice':
    'Sie waren das nicht? Dann war jemand anderes in Ihrem Konto. Bitte sagen Sie es sofort den Betreibern der Website.',
  'mail.signUp': 'Adresse für {site} bestätigen',
  'mail.signUpOpen': 'Öffnen Sie diesen Link, um Ihr Konto fertig anzulegen:',
  'mail.signUpPress': 'Drücken Sie auf den Knopf, um Ihr Konto fertig anzulegen.',
  'mail.signUpButton': 'Adresse bestätigen',
  'mail.signUpBrowser':
    'Öffnen Sie ihn in dem Browser, in dem Sie begonnen haben. In jedem anderen werden Sie noch einmal gebeten, ein Passwort zu wählen.',
  'mail.signUpIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link gibt es kein Konto. Bitte leiten Sie sie nicht weiter.',
  'mail.reset': 'Neues Passwort für {site} wählen',
  'mail.resetOpen': 'Öffnen Sie diesen Link, um ein neues Passwort zu wählen:',
  'mail.resetPress': 'Drücken Sie auf den Knopf, um ein neues Passwort zu wählen.',
  'mail.resetButton': 'Passwort wählen',
  'mail.resetBrowser': 'Der Link meldet Sie in dem Browser an, in dem Sie ihn öffnen, und überall sonst ab.',
  'mail.resetIgnore':
    'Sie haben diese E-Mail nicht angefordert? Dann brauchen Sie nichts zu tun: Ohne den Link bleibt Ihr Passwort, wie es ist. Bitte leiten Sie sie nicht weiter.',
  'mail.haveAccount': 'Sie haben schon ein Konto bei {site}',
  'mail.haveAccountOpen':
    'Jemand, vermutlich Sie, wollte mit Ihrer Adresse ein Konto anlegen oder dessen Passwort ersetzen. Ihr Konto gibt es schon: Melden Sie sich so an wie bisher.',
  'mail.haveAccountReset': 'Wenn Sie das Passwort vergessen haben, wählen Sie ein neues:',
  'mail.haveAccountIgnore': 'Sie waren das nicht? Dann brauchen Sie nichts zu tun: Es hat sich nichts geändert.',
  'mail.passwordChanged': 'Ihr Passwort bei {site} wurde geändert',
  'mail.passwordChangedFacts': 'Ihr Konto bei {site} hat ein neues Passwort.',
  'mail.passwordChangedAdvice':
    'Sie waren das nicht? Dann war jemand anderes in Ihrem Konto oder in Ihrem Postfach. Wählen Sie sofort ein neues Passwort, und sagen Sie es den Betreibern der Website.',
  'error.title': 'Fehler',
  'error.reference': 'Kennung: {reference}',
  'error.tryAgain': 'Noch einmal versuchen',
  'error.Configuration.heading': 'Diese Website hat ein Problem',
  'error.Configuration.text':
    'Das ist gerade nicht möglich, und es liegt nicht an Ihnen.\nBitte versuchen Sie es in ein paar Minuten noch einmal. Wenn es wieder geschieht, informieren Sie bitte die Betreiber der Website.',
  'error.unknown.heading': 'Etwas ist schiefgegangen',
  'error.unknown.text': 'Bitte gehen Sie zur Website zurück, und versuchen Sie es noch einmal.',
  'error.AccountMismatch.heading': 'Das ist ein anderes Konto',
  'error.AccountMismatch.text':
    'Sie sollten bestätigen, dass Sie es sind, und haben sich bei einem anderen Konto angemeldet. Nichts hat sich geändert. Um das Konto zu wechseln, melden Sie sich zuerst ab.',
  'error.InvalidCode.heading': 'Der Code stimmt nicht',
  'error.InvalidCode.text':
    'Dieser Code stimmt nicht, wurde schon benutzt oder ist zu alt. Bitte prüfen Sie ihn, oder warten Sie auf den nächsten.',
  'error.ReauthenticationRequired.heading': 'Bitte bestätigen Sie, dass Sie es sind',
  'error.ReauthenticationRequired.text':
    'Ihre Anmeldung ist schon eine Weile her. Bitte melden Sie sich noch einmal an, und wiederholen Sie dann, was Sie tun wollten.',
  'error.SecondFactorFailed.text':
    'Die Anmeldung wurde nicht rechtzeitig abgeschlossen, oder es gab zu viele falsche Codes. Bitte melden Sie sich noch einmal an.',
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
  'error.ImpersonatedSession.heading': 'In dieser Sitzung nicht erlaubt',
  'error.ImpersonatedSession.text':
    'Sie verwenden die Sitzung einer anderen Person, in der das nicht erlaubt ist. Es wurde nichts geändert. Beenden Sie zuerst diese Sitzung.',
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
  'error.PasswordRejected.heading': 'Dieses Passwort kann nicht verwendet werden',
  'error.PasswordRejected.text': 'Bitte gehen Sie zurück, und wählen Sie ein anderes Passwort.',
  'error.PasswordsBusy.heading': 'Bitte versuchen Sie es gleich noch einmal',
  'error.PasswordsBusy.text':
    'Gerade melden sich viele Menschen an. Nichts hat sich geändert, und mit Ihrem Konto ist alles in Ordnung.',
  'error.RefreshError.heading': 'Der Dienst ist nicht erreichbar',
  'error.RefreshError.text': 'Bitte versuchen Sie es in einer Weile noch einmal.',
  'error.SignOutError.heading': 'Sie sind nur in diesem Browser abgemeldet',
  'error.SignOutError.text':
    'Die Sitzung konnte auf dem Server nicht beendet werden. Das wird von selbst noch einmal versucht.\nWenn jemand anderes eine Kopie davon haben könnte, melden Sie sich in einer Weile an und wieder ab.',
  'error.TooManyCookies.heading': 'Kein Platz für die Cookies dieser Website',
  'error.TooManyCookies.text':
    'Diese Website kann in Ihrem Browser nichts mehr speichern. Es wurde nichts geändert.\nLöschen Sie die Cookies dieser Website in Ihrem Browser, und versuchen Sie es dann noch einmal.',
  'error.TooManyRequests.heading': 'Zu viele Versuche',
  'error.TooManyRequests.text':
    'Bitte warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal. Mit Ihrem Konto ist alles in Ordnung.',
  'error.Verification.heading': 'Dieser Link gilt nicht mehr',
  'error.Verification.text':
    'Er wurde schon benutzt, ist zu alt, oder es wurde ein neuerer gesendet. Wenn Sie ihn kopiert haben, fehlt vielleicht ein Stück.\nMelden Sie sich noch einmal an, um einen neuen Link zu bekommen.',
  'error.WebAuthnVerificationError.heading': 'Ihr Passkey wurde nicht angenommen',
  'error.WebAuthnVerificationError.text':
    'Es hat zu lange gedauert, er wurde für eine andere Website oder ein anderes Konto erstellt, oder diese Website kennt ihn nicht mehr. Nichts hat sich geändert.\nBitte versuchen Sie es noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Diese Seite ist nicht verfügbar',
  'error.TenantUnavailable.text':
    'Bitte versuchen Sie es in ein paar Sekunden noch einmal. Mit Ihrem Konto ist alles in Ordnung.',
  'error.UnknownTenant.heading': 'Hier ist keine Seite',
  'error.UnknownTenant.text': 'Bitte prüfen Sie die Adresse.',

  'organization.title': 'Organisation auswählen',
  'organization.lead': 'mit der Sie auf {site} fortfahren',
  'organization.none':
    'Sie sind auf {site} in keiner Organisation Mitglied. Bitten Sie die Verwaltung Ihrer Organisation um Zugang.',
  'organization.active': 'Aktiv',
  'guard.notFoundHeading': 'Diese Seite gibt es nicht',
  'guard.notFoundText': 'Diese Seite gibt es nicht. Falls Sie ein Formular gesendet haben, wurde es nicht gespeichert.',
  'guard.organizationText':
    'Bitte wählen Sie zuerst eine Organisation aus, und versuchen Sie es dann noch einmal. Falls Sie ein Formular gesendet haben, wurde es nicht gespeichert.',
  'app.title': 'Mit {app} fortfahren?',
  'app.lead': 'Die App wird in Ihrem Konto auf {site} angemeldet.',
  'app.advice':
    'Fahren Sie nur fort, wenn Sie die App gerade selbst geöffnet haben. Sie können sie jederzeit in der Liste Ihrer Sitzungen abmelden.',
  'app.otherAccount': 'Anderes Konto verwenden',
  'invitation.title': 'Einladung annehmen',
  'invitation.lead': 'Sie sind eingeladen, {organization} bei {site} beizutreten.',
  'invitation.address': 'Die Einladung gilt für {address}.',
  'invitation.button': 'Einladung annehmen',
  'invitation.other':
    'Sie sind mit einem anderen Konto angemeldet, oder dessen Adresse ist nicht bestätigt. Melden Sie sich ab und öffnen Sie den Link erneut.',
  'mail.invitation': 'Einladung zu {site}',
  'mail.invitationOpen': 'Sie sind eingeladen, {organization} beizutreten. Öffnen Sie diesen Link, um anzunehmen:',
  'mail.invitationPress': 'Sie sind eingeladen, {organization} beizutreten. Drücken Sie den Knopf, um anzunehmen.',
  'mail.invitationButton': 'Einladung ansehen',
  'mail.invitationIgnore':
    'Sie kennen den Absender nicht? Dann können Sie diese E-Mail ignorieren: Ohne Sie geschieht nichts.',
}

export default de
