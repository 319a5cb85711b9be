/** French. */
import type { Messages } from './en.js'

const fr: Messages = {
  direction: 'ltr',
  'signIn.title': 'Connectez-vous',
  'signIn.titleOf': 'Connectez-vous à {site}',
  'signIn.lead': 'pour continuer sur {site}',
  'signIn.with': 'Se connecter avec {provider}',
  'signIn.button': 'Se connecter',
  'signIn.sendLink': 'M’envoyer un lien',
  'signIn.sendLinkWith': 'M’envoyer un lien via {provider}',
  'signIn.address': 'Adresse e-mail',
  'signIn.addressExample': 'vous@example.com',
  'signIn.username': 'Nom d’utilisateur',
  'signIn.addressOrUsername': 'Adresse e-mail ou nom d’utilisateur',
  'signIn.password': 'Mot de passe',
  'signIn.code': 'Code',
  'signIn.continue': 'Continuer',
  'signIn.otherAddress': 'Utiliser une autre adresse',
  'signIn.more': 'Autres moyens de connexion',
  'signIn.showPassword': 'Afficher le mot de passe',
  'signIn.hidePassword': 'Masquer le mot de passe',
  'signIn.or': 'ou',
  'signIn.lastUsed': 'Dernière utilisation',
  'signIn.remember': 'Garder ma session ouverte',
  'signIn.captcha':
    'Veuillez activer JavaScript pour confirmer que vous n’êtes pas un robot, puis actualisez cette page.',
  'signIn.nothing': 'Aucun moyen de connexion n’est encore proposé ici.',
  'signIn.required': 'Veuillez vous connecter pour voir cette page.',
  'signIn.again': 'Veuillez vous connecter de nouveau pour confirmer que c’est bien vous.',
  'signIn.already': 'Votre session est déjà ouverte.',
  'signIn.replaces': 'Si vous vous connectez ici, une nouvelle session remplacera celle-ci.',
  'signIn.addsPasskey': 'Si vous choisissez une nouvelle clé d’accès, elle sera ajoutée à votre compte.',
  'signIn.addsService': 'Si vous choisissez un service comme {provider}, il sera ajouté à votre compte.',
  'signIn.addsBoth':
    'Si vous choisissez une nouvelle clé d’accès ou un service comme {provider}, ce moyen de connexion sera ajouté à votre compte.',
  'signIn.othersReplace': 'Avec tout autre moyen de connexion, une nouvelle session remplacera celle-ci.',
  'signIn.failed': 'La connexion a échoué. Veuillez réessayer ou choisir un autre moyen de connexion.',
  'signIn.notCreated': 'Votre compte n’a pas pu être créé. Veuillez réessayer ou choisir un autre moyen de connexion.',
  'signIn.mailFailed':
    'L’e-mail n’a pas pu être envoyé. Veuillez vérifier l’adresse, puis réessayer dans quelques minutes.',
  'signIn.unavailable':
    'Ce site rencontre un problème : la connexion est impossible pour le moment. Veuillez réessayer plus tard.',
  'passkey.signIn': 'Se connecter avec une clé d’accès',
  'passkey.create': 'Créer un compte avec une clé d’accès',
  'passkey.newHere': 'première visite ?',
  'passkey.needsScript': 'La connexion avec une clé d’accès nécessite JavaScript.',
  'passkey.insecurePage':
    'Les clés d’accès ne fonctionnent que sur les pages sécurisées (https), et cette page n’en est pas une.',
  'passkey.unsupportedBrowser': 'Ce navigateur ne prend pas en charge les clés d’accès.',
  'passkey.cancelled':
    'La connexion n’a pas eu lieu : l’opération a été annulée, a pris trop de temps ou n’a trouvé aucune clé d’accès pour ce site. Veuillez réessayer.',
  'passkey.cancelledNew':
    'Aucune clé d’accès n’a été créée : l’opération a été annulée, a pris trop de temps ou cet appareil ne peut pas en conserver. Veuillez réessayer.',
  'passkey.notAllowed': 'Cette page n’est pas autorisée à utiliser des clés d’accès.',
  'passkey.alreadyRegistered':
    'Cet appareil possède déjà une clé d’accès pour ce compte. Veuillez l’utiliser pour vous connecter.',
  'passkey.unsupported': 'Ce navigateur ou cet appareil ne prend pas en charge les clés d’accès.',
  'passkey.unsupportedNew': 'Ce navigateur ou cet appareil ne peut pas créer le type de clé d’accès exigé par ce site.',
  'passkey.insecure':
    'Les clés d’accès ne fonctionnent pas à cette adresse. Veuillez ouvrir le site à sa propre adresse, qui commence par https.',
  'passkey.refused': 'Le site n’a pas accepté la réponse de votre clé d’accès. Veuillez réessayer.',
  'passkey.refusedNew': 'Le site n’a pas accepté cette clé d’accès. Veuillez réessayer.',
  'passkey.network': 'Le site est injoignable. Veuillez vérifier votre connexion Internet, puis réessayer.',
  'passkey.failed': 'Votre navigateur ou votre appareil n’a pas pu effectuer cette opération. Veuillez réessayer.',
  'passkey.offerTitle': 'Se connecter sans mot de passe',
  'passkey.offerText':
    'Avec une clé d’accès, vous vous connectez à {site} par votre empreinte, votre visage ou le verrouillage de votre écran. C’est plus rapide qu’un mot de passe, et aucun faux site ne peut l’utiliser.',
  'passkey.offerButton': 'Créer une clé d’accès',
  'passkey.notNow': 'Pas maintenant',
  'signOut.title': 'Se déconnecter',
  'signOut.question': 'Voulez-vous fermer votre session sur {site} ?',
  'signOut.button': 'Se déconnecter',
  'signOut.also': 'Se déconnecter aussi du compte {provider}',
  'signOut.alsoDone': 'La session de votre compte {provider} sera également fermée.',
  'signOut.nobody': 'Vous n’avez pas de session ouverte sur {site} dans ce navigateur.',
  'signOut.outOfDate':
    'La déconnexion n’a pas encore eu lieu : cette page avait expiré. Veuillez appuyer de nouveau sur le bouton.',

  'factor.title': 'Confirmez que c’est bien vous',
  'factor.totp': 'Saisissez le code que votre application d’authentification affiche pour {site}.',
  'factor.recovery': 'Saisissez l’un de vos codes de récupération pour {site}. Chaque code ne fonctionne qu’une fois.',
  'factor.passkey': 'Utilisez votre clé d’accès pour continuer sur {site}.',
  'factor.email': 'Pour continuer sur {site}, recevez un code à l’adresse de votre compte.',
  'factor.emailSent': 'Saisissez le code que {site} vient d’envoyer à l’adresse de votre compte.',
  'factor.send': 'M’envoyer un code',
  'factor.sendAgain': 'Envoyer un nouveau code',
  'factor.recoveryCode': 'Code de récupération',
  'factor.remember': 'Ne plus me le demander dans ce navigateur pendant {lifetime}',
  'factor.useTotp': 'Utiliser une application d’authentification',
  'factor.useEmail': 'Recevoir un code par e-mail',
  'factor.useRecovery': 'Utiliser un code de récupération',
  'factor.usePasskey': 'Utiliser une clé d’accès',

  'factors.title': 'Connexion en deux étapes',
  'factors.lead': 'En plus de votre moyen de connexion habituel, {site} vous demande l’une de ces secondes étapes.',
  'factors.required': '{site} demande une seconde étape à chaque connexion. Ajoutez-en une pour continuer.',
  'factors.totp': 'Application d’authentification',
  'factors.email': 'Code par e-mail',
  'factors.passkey': 'Clé d’accès',
  'factors.recovery': 'Codes de récupération',
  'factors.addTotp': 'Ajouter une application d’authentification',
  'factors.addEmail': 'Ajouter un code par e-mail',
  'factors.addPasskey': 'Utiliser mes clés d’accès comme seconde étape',
  'factors.recommended': 'Recommandé',
  'factors.whyPasskey': 'Une clé d’accès est rapide, et aucun faux site ne peut l’utiliser.',
  'factors.whyTotp': 'Une application fonctionne sans réseau, et même si vous n’avez pas accès à vos e-mails.',
  'factors.added': 'Date d’ajout : {date}',
  'factors.remove': 'Supprimer',
  'factors.removeThis': 'Supprimer : {factor}',
  'factors.done': 'Terminé',
  'factors.newCodes': 'Créer de nouveaux codes de récupération',
  'factors.left': 'Codes de récupération restants : {count}',
  'factors.scan':
    'Scannez ce code avec votre application d’authentification, puis saisissez les six chiffres qu’elle affiche.',
  'factors.type':
    'Saisissez cette clé dans votre application d’authentification, puis saisissez ici les six chiffres qu’elle affiche.',
  'factors.orType': 'Si vous ne pouvez pas le scanner, saisissez cette clé dans l’application :',
  'factors.qr': 'Code QR pour votre application d’authentification',
  'factors.open': 'Ouvrir dans une application sur cet appareil',
  'factors.name': 'Nom de l’appareil (facultatif)',
  'factors.add': 'Ajouter',
  'factors.emailLead': 'Nous envoyons un code à l’adresse de votre compte pour vérifier qu’il arrive bien.',
  'factors.emailSent': 'Saisissez le code que nous venons d’envoyer à l’adresse de votre compte.',
  'factors.passkeyLead':
    'Utilisez maintenant l’une de vos clés d’accès. Elle vous sera ensuite demandée quand vous vous connecterez par un autre moyen.',
  'factors.codes': 'Vos codes de récupération',
  'factors.codesLead':
    'Conservez ces codes là où vous les retrouverez sans votre téléphone, par exemple sur papier ou dans un gestionnaire de mots de passe. Chacun vous permet de vous connecter une fois, à la place de votre seconde étape.',
  'factors.codesOnce': 'Ils ne sont affichés que maintenant. Les codes précédents ne fonctionnent plus.',
  'factors.codesFor': 'Codes de récupération pour {site}',
  'factors.copy': 'Copier',
  'factors.copied': 'Copié.',
  'factors.download': 'Télécharger',
  'factors.print': 'Imprimer',
  'factors.kept': 'Je conserve ces codes en lieu sûr.',

  'page.cancel': 'Annuler',
  'page.home': 'Aller sur {site}',
  'verifyRequest.title': 'Consultez vos e-mails',
  'verifyRequest.text':
    'Nous vous avons envoyé un lien de connexion. Veuillez l’ouvrir dans ce navigateur : dans un autre, une confirmation vous sera d’abord demandée.',
  'verifyRequest.textTo':
    'Nous avons envoyé un lien de connexion à {address}. Veuillez l’ouvrir dans ce navigateur : dans un autre, une confirmation vous sera d’abord demandée.',
  'verifyRequest.help':
    'Toujours rien après quelques minutes ? Regardez dans votre dossier de courrier indésirable, ou revenez en arrière, vérifiez l’adresse et demandez un nouveau lien. Seul le plus récent fonctionne.',
  'verifyRequest.wait':
    'Toujours rien après quelques minutes ? Regardez dans votre dossier de courrier indésirable, ou demandez un nouvel e-mail. Seul le lien le plus récent fonctionne.',
  'verifyRequest.again': 'Envoyer un nouvel e-mail',
  'verifyRequest.limited':
    'Aucun autre e-mail ne peut être envoyé pour l’instant. Veuillez patienter {wait}, puis réessayer.',
  'verifyRequest.sentAgain': 'Un nouvel e-mail est en route.',
  'verifyRequest.otherMethod': 'Utiliser un autre moyen de connexion',
  'verifyRequest.signUp':
    'Nous avons envoyé un e-mail à l’adresse que vous avez saisie. Pour continuer, veuillez ouvrir dans ce navigateur le lien qu’il contient.',
  'verifyRequest.signUpTo':
    'Nous avons envoyé un e-mail à {address}. Pour continuer, veuillez ouvrir dans ce navigateur le lien qu’il contient.',
  'verifyRequest.reset':
    'S’il existe un compte avec l’adresse que vous avez saisie, nous y avons envoyé un e-mail. Veuillez ouvrir le lien qu’il contient pour choisir un nouveau mot de passe.',
  'verifyRequest.resetTo':
    'S’il existe un compte avec l’adresse {address}, nous y avons envoyé un e-mail. Veuillez ouvrir le lien qu’il contient pour choisir un nouveau mot de passe.',
  'confirmEmail.title': 'Confirmez votre connexion',
  'confirmEmail.lead': 'Vous avez ouvert un lien qui vous connecte à {site} avec l’adresse {address}.',
  'confirmEmail.advice':
    'Ne continuez que si vous avez vous-même demandé ce lien et que vous souhaitez vous connecter à ce compte dans ce navigateur.',
  'confirmEmail.button': 'Se connecter avec {address}',
  'confirmEmail.prove':
    'Votre session est ouverte sur ce compte. En continuant, vous prouvez que l’adresse est la vôtre.',
  'confirmEmail.otherUser':
    'Compte actuellement connecté ici : {person}. Si vous continuez, vous vous connecterez à la place au compte de la personne à qui appartient cette adresse.',
  'confirmEmail.newUser':
    'Compte actuellement connecté ici : {person}. Si vous continuez, un nouveau compte sera créé pour cette adresse, et vous vous y connecterez à la place.',
  'confirmEmail.somebody': 'celui d’une autre personne',
  'changeEmail.title': 'Modifier votre adresse e-mail',
  'changeEmail.lead': 'L’adresse e-mail de votre compte sur {site} devient {address}.',
  'changeEmail.before':
    'Jusqu’ici, c’était {address}. Après la modification, les liens de connexion seront envoyés à la nouvelle adresse.',
  'changeEmail.hadNone':
    'Jusqu’ici, il n’en avait pas. Après la modification, les liens de connexion seront envoyés à la nouvelle adresse.',
  'changeEmail.signedIn':
    'Compte actuellement connecté : {person}. Ne continuez que si ce compte est le vôtre et que vous avez demandé cette modification.',
  'changeEmail.button': 'Modifier l’adresse',
  'changeEmail.about': 'Avec ce lien, {address} devient l’adresse d’un compte sur {site}.',
  'changeEmail.signOutFirst':
    'Compte actuellement connecté : {person}. Déconnectez-vous, connectez-vous au compte depuis lequel la modification a été demandée, puis ouvrez de nouveau le lien reçu par e-mail.',
  'changeEmail.signInFirst':
    'Vous n’avez pas de session ouverte dans ce navigateur. Connectez-vous au compte depuis lequel la modification a été demandée, puis ouvrez de nouveau le lien reçu par e-mail.',
  'changeEmail.notYours': 'Vous n’avez rien demandé ? Alors fermez cette page : rien n’a changé.',

  'password.forgotLink': 'Mot de passe oublié ?',
  'password.signUpLink': 'Créer un compte',
  'password.signInLink': 'J’ai un compte : me connecter',
  'password.new': 'Nouveau mot de passe',
  'password.current': 'Mot de passe actuel',
  'password.length':
    'Au moins {count} caractères. Quelques mots à la suite sont faciles à retenir et difficiles à deviner.',
  'password.signUpTitle': 'Créer un compte',
  'password.signUpLead': 'pour {site}',
  'password.signUpButton': 'Créer le compte',
  'password.forgotTitle': 'Mot de passe oublié ?',
  'password.forgotText':
    'Saisissez l’adresse de votre compte. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  'password.resetTitle': 'Choisissez un nouveau mot de passe',
  'password.resetLead': 'pour votre compte {address} sur {site}',
  'password.resetText': 'Votre session sera alors ouverte ici, et fermée partout ailleurs.',
  'password.saveButton': 'Enregistrer le mot de passe',
  'password.verifyTitle': 'Confirmez votre adresse',
  'password.verifyLead': 'Votre compte sur {site} reçoit l’adresse {address}.',
  'password.verifyAdvice': 'Ne continuez que si vous avez vous-même commencé à créer ce compte.',
  'password.verifyAnew':
    'Vous avez commencé dans un autre navigateur, ou quelqu’un d’autre l’a fait. Choisissez donc le mot de passe ici : celui qui a été saisi là-bas ne compte pas.',
  'password.changeTitle': 'Modifier votre mot de passe',
  'password.changeLead': 'pour votre compte {address} sur {site}',
  'password.changeText': 'Votre session reste ouverte ici, et sera fermée partout ailleurs.',
  'password.firstTitle': 'Définir un mot de passe',
  'password.signInFirst': 'Vous n’avez pas de session ouverte dans ce navigateur. Veuillez d’abord vous connecter.',
  'password.signInAgain':
    'Pour définir un mot de passe pour ce compte, connectez-vous-y de nouveau, puis revenez sur cette page dans les cinq minutes.',
  'password.proveFirst':
    'L’adresse de votre compte n’est pas encore confirmée. Veuillez d’abord la confirmer : connectez-vous avec un lien envoyé à cette adresse.',

  'deleteAccount.title': 'Supprimer votre compte',
  'deleteAccount.lead': 'Cette action supprime votre compte {address} sur {site}, avec tout ce qui s’y rattache.',
  'deleteAccount.grace': 'Le compte sera supprimé dans {time}. D’ici là, les responsables du site peuvent le rétablir.',
  'deleteAccount.button': 'Supprimer mon compte',
  'deleteAccount.signInAgain':
    'Pour supprimer ce compte, connectez-vous à nouveau avec celui-ci, puis revenez sur cette page dans les cinq minutes.',
  'deleteAccount.refused':
    'Ce compte ne peut pas être supprimé ici pour le moment. Veuillez contacter les responsables du site.',
  'deleteAccount.done': 'Votre compte a été supprimé.',
  'deleteAccount.scheduled':
    'Votre compte sera supprimé dans {time}. Pour le conserver, contactez les responsables du site.',
  'password.short': 'Ce mot de passe est trop court.',
  'password.long': 'Ce mot de passe est trop long.',
  'password.common':
    'De très nombreuses personnes ont ce mot de passe : il serait deviné aussitôt. Veuillez en choisir un autre.',
  'password.breached':
    'Ce mot de passe est connu de pirates, à la suite d’une intrusion sur un autre site. Veuillez en choisir un autre, et le modifier partout où vous l’utilisez.',
  'password.contextual':
    'Ce mot de passe est formé de votre adresse ou du nom de ce site : il est facile à deviner. Veuillez en choisir un autre.',
  'password.unavailable':
    'Nous n’avons pas pu vérifier si ce mot de passe est sûr. Veuillez réessayer dans quelques minutes.',
  'password.wrong': 'Le mot de passe actuel est incorrect. Veuillez réessayer.',
  'connect.title': 'Associer {provider}',
  'connect.heading': 'Associer votre compte {provider} ?',
  'connect.lead': 'Votre compte auprès de ce service va être associé à {site}.',
  'connect.leadAs':
    'Votre compte auprès de ce service va être associé à {site}. Compte actuellement connecté sur ce site : {person}.',
  'connect.advice':
    'Il vous permettra ensuite de vous connecter ici. Ne continuez que si c’est ce que vous voulez, et vérifiez sur {provider} que le compte est bien le vôtre.',
  'connect.button': 'Continuer vers {provider}',
  'guard.csrfHeading': 'Cette page avait expiré',
  'guard.csrfText': 'Ce que vous avez envoyé n’a pas été enregistré. Rouvrez la page, puis envoyez-le de nouveau.',
  'guard.signInHeading': 'Vous n’avez pas de session ouverte',
  'guard.signInText':
    'Ce que vous avez envoyé n’a pas été enregistré. Connectez-vous d’abord, puis envoyez-le de nouveau.',
  'guard.confirmText':
    'Ce que vous avez envoyé n’a pas été enregistré. Confirmez d’abord que c’est bien vous, puis envoyez-le de nouveau.',
  'guard.forbiddenHeading': 'Vous n’avez pas accès',
  'guard.forbiddenText':
    'Votre compte n’y a pas accès. Si vous avez envoyé un formulaire, il n’a pas été enregistré. Demandez l’accès aux responsables du site.',
  'guard.connectText':
    'Ce que vous avez envoyé n’a pas été enregistré. Associez d’abord un compte du service, puis envoyez-le de nouveau.',
  'continue.title': 'Continuer',
  'continue.heading': 'Un instant…',
  'continue.lead': 'Redirection vers {host}…',
  'continue.help': 'Si rien ne se passe, {link}.',
  'continue.link': 'continuez vers {host}',
  'account.device': '{browser} sur {system}',
  'account.support': 'Assistance',
  'mail.signIn': 'Connexion à {site}',
  'mail.signInOpen': 'Ouvrez ce lien pour vous connecter :',
  'mail.signInOpenAs': 'Ouvrez ce lien pour vous connecter avec l’adresse {address} :',
  'mail.signInPress': 'Appuyez sur le bouton pour vous connecter.',
  'mail.signInPressAs': 'Appuyez sur le bouton pour vous connecter avec l’adresse {address}.',
  'mail.signInButton': 'Se connecter',
  'mail.signInBrowser':
    'Ouvrez-le dans le navigateur où vous l’avez demandé. Dans tout autre navigateur, une confirmation vous sera d’abord demandée.',
  'mail.signInIgnore':
    'Vous n’avez pas demandé cet e-mail ? Vous pouvez alors l’ignorer : sans le lien, personne ne peut se connecter. Veuillez ne pas le transférer.',
  'mail.change': 'Confirmez votre nouvelle adresse e-mail pour {site}',
  'mail.changeOpen': 'Ouvrez ce lien pour faire de cette adresse celle de votre compte :',
  'mail.changePress': 'Appuyez sur le bouton pour faire de cette adresse celle de votre compte.',
  'mail.changeButton': 'Confirmer l’adresse',
  'mail.changeBrowser':
    'Ouvrez-le dans un navigateur où la session de votre compte est ouverte. Une confirmation vous sera d’abord demandée.',
  'mail.changeIgnore':
    'Vous n’avez pas demandé cet e-mail ? Vous pouvez alors l’ignorer : sans le lien, rien ne change. Veuillez ne pas le transférer.',
  'mail.validity': 'Le lien ne fonctionne qu’une fois. Durée de validité : {lifetime}.',
  'mail.copy': 'Le bouton ne fonctionne pas ? Copiez alors ce lien dans le navigateur :',
  'mail.code': 'Votre code pour {site}',
  'mail.codeEnter': 'Saisissez ce code là où vous vous connectez :',
  'mail.codeValidity': 'Le code ne fonctionne qu’une fois. Durée de validité : {lifetime}.',
  'mail.codeIgnore':
    'Vous n’êtes pas en train de vous connecter ? Alors quelqu’un sait peut-être comment vous le faites : la première étape a été franchie. Modifiez votre mot de passe, et ne communiquez ce code à personne.',
  'mail.factors': 'La connexion en deux étapes a été modifiée sur {site}',
  'mail.factorsFacts': 'Les secondes étapes de votre compte sur {site} ont été modifiées.',
  'mail.factorsAdvice': 'Si ce n’était pas vous, prévenez les responsables du site.',
  'mail.changed': 'Votre adresse e-mail sur {site} a été modifiée',
  'mail.changedFacts':
    'Cette adresse n’est plus celle de votre compte sur {site} : il en a maintenant une autre. Les liens de connexion n’arrivent plus ici.',
  'mail.changedAdvice':
    'Ce n’était pas vous ? Alors quelqu’un d’autre a accédé à votre compte. Veuillez prévenir immédiatement les responsables du site.',
  'mail.signUp': 'Confirmez votre adresse e-mail pour {site}',
  'mail.signUpOpen': 'Ouvrez ce lien pour terminer la création de votre compte :',
  'mail.signUpPress': 'Appuyez sur le bouton pour terminer la création de votre compte.',
  'mail.signUpButton': 'Confirmer l’adresse',
  'mail.signUpBrowser':
    'Ouvrez-le dans le navigateur où vous avez commencé. Dans tout autre navigateur, il vous sera de nouveau demandé de choisir un mot de passe.',
  'mail.signUpIgnore':
    'Vous n’avez pas demandé cet e-mail ? Vous pouvez alors l’ignorer : sans le lien, il n’y a pas de compte. Veuillez ne pas le transférer.',
  'mail.reset': 'Choisissez un nouveau mot de passe pour {site}',
  'mail.resetOpen': 'Ouvrez ce lien pour choisir un nouveau mot de passe :',
  'mail.resetPress': 'Appuyez sur le bouton pour choisir un nouveau mot de passe.',
  'mail.resetButton': 'Choisir un mot de passe',
  'mail.resetBrowser':
    'Votre session sera ouverte dans le navigateur où vous ouvrez le lien, et fermée partout ailleurs.',
  'mail.resetIgnore':
    'Vous n’avez pas demandé cet e-mail ? Vous pouvez alors l’ignorer : sans le lien, votre mot de passe reste le même. Veuillez ne pas le transférer.',
  'mail.haveAccount': 'Vous avez déjà un compte sur {site}',
  'mail.haveAccountOpen':
    'Quelqu’un, probablement vous, a essayé de créer un compte avec votre adresse ou d’en remplacer le mot de passe. Votre compte existe déjà : connectez-vous comme auparavant.',
  'mail.haveAccountReset': 'Si vous en avez oublié le mot de passe, choisissez-en un nouveau :',
  'mail.haveAccountIgnore': 'Ce n’était pas vous ? Vous pouvez alors ignorer cet e-mail : rien n’a changé.',
  'mail.passwordChanged': 'Votre mot de passe sur {site} a été modifié',
  'mail.passwordChangedFacts': 'Votre compte sur {site} a un nouveau mot de passe.',
  'mail.passwordChangedAdvice':
    'Ce n’était pas vous ? Alors quelqu’un d’autre a accédé à votre compte ou à votre messagerie. Choisissez immédiatement un nouveau mot de passe, et prévenez les responsables du site.',
  'error.title': 'Erreur',
  'error.reference': 'Référence : {reference}',
  'error.tryAgain': 'Réessayer',
  'error.Configuration.heading': 'Ce site rencontre un problème',
  'error.Configuration.text':
    'Cette action est impossible pour le moment, et vous n’y êtes pour rien.\nVeuillez réessayer dans quelques minutes. Si le problème persiste, veuillez prévenir les responsables du site.',
  'error.unknown.heading': 'Une erreur s’est produite',
  'error.unknown.text': 'Veuillez retourner sur le site et réessayer.',
  'error.AccountMismatch.heading': 'C’est un autre compte',
  'error.AccountMismatch.text':
    'Vous deviez confirmer que c’est bien vous, mais la connexion a eu lieu avec un autre compte. Rien n’a changé. Pour changer de compte, déconnectez-vous d’abord.',
  'error.InvalidCode.heading': 'Le code est incorrect',
  'error.InvalidCode.text':
    'Ce code est incorrect, a déjà été utilisé ou est trop ancien. Veuillez le vérifier, ou attendre le suivant.',
  'error.ReauthenticationRequired.heading': 'Veuillez confirmer que c’est bien vous',
  'error.ReauthenticationRequired.text':
    'Votre connexion remonte à un certain temps. Veuillez vous connecter de nouveau, puis recommencer ce que vous vouliez faire.',
  'error.SecondFactorFailed.text':
    'La connexion n’a pas été terminée à temps, ou trop de codes incorrects ont été saisis. Veuillez vous connecter de nouveau.',
  'error.AccessDenied.heading': 'Accès refusé',
  'error.AccessDenied.text':
    'Ce compte n’est pas autorisé à se connecter ici.\nSi vous avez un autre compte, utilisez-le pour vous connecter, ou demandez l’accès aux responsables du site.',
  'error.AccountNotLinked.text':
    'Il existe déjà un compte avec cette adresse e-mail, ou ce moyen de connexion appartient à un autre compte. Veuillez vous connecter comme la première fois.',
  'error.CaptchaRequired.text': 'Veuillez confirmer que vous n’êtes pas un robot, puis réessayer.',
  'error.CaptchaUnavailable.heading': 'Veuillez réessayer plus tard',
  'error.CaptchaUnavailable.text':
    'Nous n’avons pas pu vérifier que vous n’êtes pas un robot. Rien n’a changé, et votre compte n’a aucun problème.',
  'error.ConsentRequired.heading': 'Votre compte n’a pas été associé',
  'error.ConsentRequired.text':
    'Vous ou le service n’avez pas donné l’accord nécessaire, ou vous avez choisi auprès du service un autre compte que celui qui est associé ici.\nVeuillez retourner là où vous avez commencé et associer de nouveau votre compte.',
  'error.CredentialsSignin.text': 'Ces identifiants sont incorrects. Veuillez vérifier votre saisie, puis réessayer.',
  'error.EmailSignInError.text':
    'Nous ne pouvons pas envoyer de lien à cette adresse. Veuillez la vérifier, puis réessayer.',
  'error.ImpersonatedSession.heading': 'Non autorisé dans cette session',
  'error.ImpersonatedSession.text':
    'Vous utilisez la session d’une autre personne, dans laquelle ceci n’est pas autorisé. Rien n’a été modifié. Mettez d’abord fin à cette session.',
  'error.InvalidCheck.heading': 'Veuillez recommencer',
  'error.InvalidCheck.text':
    'La connexion a pris trop de temps, a été ouverte dans un autre navigateur ou a déjà été utilisée. Rien n’a changé.',
  'error.InvalidProvider.heading': 'Moyen de connexion inconnu',
  'error.InvalidProvider.text': 'Ce site ne propose pas le moyen de connexion demandé. Veuillez en choisir un autre.',
  'error.InvalidRequest.heading': 'Cette demande n’a pas été comprise',
  'error.InvalidRequest.text':
    'Veuillez revenir en arrière et réessayer. Si le problème persiste, prévenez les responsables du site.',
  'error.MissingCSRF.text':
    'Cette page avait expiré : elle est restée ouverte trop longtemps, ou une connexion ou une déconnexion a eu lieu dans un autre onglet. Veuillez réessayer.',
  'error.NotConnected.heading': 'Aucun compte n’est associé',
  'error.NotConnected.text': 'Associez d’abord un compte de ce service.',
  'error.OAuthAccountNotLinked.text':
    'Vous avez déjà un compte avec cette adresse e-mail, mais vous utilisiez un autre moyen de connexion. Veuillez vous connecter comme la première fois.',
  'error.OAuthCallbackError.text':
    'La connexion n’a pas abouti : elle a été annulée, ou le service ne l’a pas confirmée. Veuillez réessayer ou choisir un autre moyen de connexion.',
  'error.OAuthSignInError.text':
    'La connexion n’a pas pu démarrer. Veuillez réessayer ou choisir un autre moyen de connexion.',
  'error.PasswordRejected.heading': 'Ce mot de passe ne peut pas être utilisé',
  'error.PasswordRejected.text': 'Veuillez revenir en arrière et choisir un autre mot de passe.',
  'error.PasswordsBusy.heading': 'Veuillez réessayer dans un instant',
  'error.PasswordsBusy.text':
    'De nombreuses personnes se connectent en ce moment. Rien n’a changé, et votre compte n’a aucun problème.',
  'error.RefreshError.heading': 'Le service est injoignable',
  'error.RefreshError.text': 'Veuillez réessayer dans un moment.',
  'error.SignOutError.heading': 'La déconnexion n’a eu lieu que dans ce navigateur',
  'error.SignOutError.text':
    'La session n’a pas pu être fermée sur le serveur. Une nouvelle tentative aura lieu automatiquement.\nSi quelqu’un d’autre est susceptible d’en avoir une copie, connectez-vous puis déconnectez-vous de nouveau dans un moment.',
  'error.TooManyCookies.heading': 'Plus de place pour les cookies de ce site',
  'error.TooManyCookies.text':
    'Ce site ne peut plus rien enregistrer dans votre navigateur. Rien n’a été modifié.\nSupprimez les cookies de ce site dans votre navigateur, puis réessayez.',
  'error.TooManyRequests.heading': 'Trop de tentatives',
  'error.TooManyRequests.text': 'Veuillez patienter quelques minutes, puis réessayer. Votre compte n’a aucun problème.',
  'error.Verification.heading': 'Ce lien ne fonctionne plus',
  'error.Verification.text':
    'Il a déjà été utilisé, il est trop ancien, ou un plus récent a été envoyé. Si vous l’avez copié, il en manque peut-être une partie.\nConnectez-vous de nouveau pour recevoir un nouveau lien.',
  'error.WebAuthnVerificationError.heading': 'Votre clé d’accès n’a pas été acceptée',
  'error.WebAuthnVerificationError.text':
    'L’opération a pris trop de temps, la clé d’accès a été créée pour un autre site ou un autre compte, ou ce site ne la reconnaît plus. Rien n’a changé.\nVeuillez réessayer ou vous connecter par un autre moyen.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Ce site n’est pas disponible',
  'error.TenantUnavailable.text': 'Veuillez réessayer dans quelques secondes. Votre compte n’a aucun problème.',
  'error.UnknownTenant.heading': 'Il n’y a pas de site ici',
  'error.UnknownTenant.text': 'Veuillez vérifier l’adresse.',

  'organization.title': 'Choisir une organisation',
  'organization.lead': 'avec laquelle continuer sur {site}',
  'organization.none':
    'Vous n’êtes membre d’aucune organisation sur {site}. Demandez l’accès à l’administration de votre organisation.',
  'organization.active': 'Active',
  'guard.notFoundHeading': 'Cette page n’existe pas',
  'guard.notFoundText': 'Cette page n’existe pas. Si vous avez envoyé un formulaire, il n’a pas été enregistré.',
  'guard.organizationText':
    'Choisissez d’abord une organisation, puis réessayez. Si vous avez envoyé un formulaire, il n’a pas été enregistré.',
  'app.title': 'Continuer avec {app} ?',
  'app.lead': 'L’application sera connectée à votre compte sur {site}.',
  'app.advice':
    'Continuez seulement si vous venez vous-même d’ouvrir l’application. Vous pouvez la déconnecter à tout moment dans la liste de vos sessions.',
  'app.otherAccount': 'Utiliser un autre compte',
  'invitation.title': 'Accepter une invitation',
  'invitation.lead': 'Vous êtes invité à rejoindre {organization} sur {site}.',
  'invitation.address': 'L’invitation est destinée à {address}.',
  'invitation.button': 'Accepter l’invitation',
  'invitation.other':
    'Vous êtes connecté avec un autre compte, ou son adresse n’est pas confirmée. Déconnectez-vous, puis ouvrez à nouveau le lien.',
  'mail.invitation': 'Invitation à {site}',
  'mail.invitationOpen': 'Vous êtes invité à rejoindre {organization}. Ouvrez ce lien pour accepter :',
  'mail.invitationPress': 'Vous êtes invité à rejoindre {organization}. Appuyez sur le bouton pour accepter.',
  'mail.invitationButton': 'Voir l’invitation',
  'mail.invitationIgnore':
    'Vous ne connaissez pas l’expéditeur ? Vous pouvez ignorer cet e-mail : rien ne se passe sans vous.',
}

export default fr
