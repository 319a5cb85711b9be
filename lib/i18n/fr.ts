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
  'signIn.password': 'Mot de passe',
  'signIn.code': 'Code',
  'signIn.continue': 'Continuer',
  'signIn.otherAddress': 'Utiliser une autre adresse',
  'signIn.more': 'Autres moyens de connexion',
  'signIn.showPassword': 'Afficher le mot de passe',
  'signIn.hidePassword': 'Masquer le mot de passe',
  'signIn.or': 'ou',
  'signIn.remember': 'Garder ma session ouverte',
  'signIn.captcha':
    'Veuillez activer JavaScript pour confirmer que vous n’êtes pas un robot, puis actualisez cette page.',
  'signIn.nothing': 'Aucun moyen de connexion n’est encore proposé ici.',
  'signIn.required': 'Veuillez vous connecter pour voir cette page.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
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
  'signOut.title': 'Se déconnecter',
  'signOut.question': 'Voulez-vous fermer votre session sur {site} ?',
  'signOut.button': 'Se déconnecter',
  'signOut.also': 'Se déconnecter aussi du compte {provider}',
  'signOut.alsoDone': 'La session de votre compte {provider} sera également fermée.',
  'signOut.nobody': 'Vous n’avez pas de session ouverte sur {site} dans ce navigateur.',
  'signOut.outOfDate':
    'La déconnexion n’a pas encore eu lieu : cette page avait expiré. Veuillez appuyer de nouveau sur le bouton.',

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

  'page.cancel': 'Annuler',
  'page.home': 'Aller sur {site}',
  'verifyRequest.title': 'Consultez vos e-mails',
  'verifyRequest.text':
    'Nous vous avons envoyé un lien de connexion. Veuillez l’ouvrir dans ce navigateur : dans un autre, une confirmation vous sera d’abord demandée.',
  'verifyRequest.help':
    'Toujours rien après quelques minutes ? Regardez dans votre dossier de courrier indésirable, ou revenez en arrière, vérifiez l’adresse et demandez un nouveau lien. Seul le plus récent fonctionne.',
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
  'connect.title': 'Associer {provider}',
  'connect.heading': 'Associer votre compte {provider} ?',
  'connect.lead': 'Votre compte auprès de ce service va être associé à {site}.',
  'connect.leadAs':
    'Votre compte auprès de ce service va être associé à {site}. Compte actuellement connecté sur ce site : {person}.',
  'connect.advice':
    'Il vous permettra ensuite de vous connecter ici. Ne continuez que si c’est ce que vous voulez, et vérifiez sur {provider} que le compte est bien le vôtre.',
  'connect.button': 'Continuer vers {provider}',
  'continue.title': 'Continuer',
  'continue.heading': 'Un instant…',
  'continue.lead': 'Redirection vers {host}…',
  'continue.help': 'Si rien ne se passe, {link}.',
  'continue.link': 'continuez vers {host}',
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
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Votre adresse e-mail sur {site} a été modifiée',
  'mail.changedFacts':
    'Cette adresse n’est plus celle de votre compte sur {site} : il en a maintenant une autre. Les liens de connexion n’arrivent plus ici.',
  'mail.changedAdvice':
    'Ce n’était pas vous ? Alors quelqu’un d’autre a accédé à votre compte. Veuillez prévenir immédiatement les responsables du site.',
  'error.title': 'Erreur',
  'error.reference': 'Référence : {reference}',
  'error.Configuration.heading': 'Ce site rencontre un problème',
  'error.Configuration.text':
    'La connexion est impossible pour le moment. Vous n’y êtes pour rien ; veuillez réessayer plus tard.\nLes responsables du site en trouveront la raison dans le journal du serveur.',
  'error.unknown.heading': 'Une erreur s’est produite',
  'error.unknown.text': 'Veuillez retourner sur le site et réessayer.',
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
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'Le service est injoignable',
  'error.RefreshError.text': 'Veuillez réessayer dans un moment.',
  'error.SignOutError.heading': 'La déconnexion n’a eu lieu que dans ce navigateur',
  'error.SignOutError.text':
    'La session n’a pas pu être fermée sur le serveur. Une nouvelle tentative aura lieu automatiquement.\nSi quelqu’un d’autre est susceptible d’en avoir une copie, connectez-vous puis déconnectez-vous de nouveau dans un moment.',
  'error.TooManyRequests.heading': 'Trop de tentatives',
  'error.TooManyRequests.text': 'Veuillez patienter quelques minutes, puis réessayer. Votre compte n’a aucun problème.',
  'error.Verification.heading': 'Ce lien ne fonctionne plus',
  'error.Verification.text':
    'Il a déjà été utilisé, il est trop ancien, ou un plus récent a été envoyé. Si vous l’avez copié, il en manque peut-être une partie.\nConnectez-vous de nouveau pour recevoir un nouveau lien.',
  'error.WebAuthnVerificationError.heading': 'Votre clé d’accès n’a pas été acceptée',
  'error.WebAuthnVerificationError.text':
    'L’opération a pris trop de temps, la clé a été créée pour un autre site ou un autre compte, ou ce site ne la reconnaît plus. Rien n’a changé.\nVeuillez réessayer ou vous connecter par un autre moyen.',
}

export default fr
