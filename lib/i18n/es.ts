/** Spanish. */
import type { Messages } from './en.js'

const es: Messages = {
  direction: 'ltr',
  'signIn.title': 'Inicia sesión',
  'signIn.titleOf': 'Inicia sesión en {site}',
  'signIn.lead': 'para continuar en {site}',
  'signIn.with': 'Iniciar sesión con {provider}',
  'signIn.button': 'Iniciar sesión',
  'signIn.sendLink': 'Enviarme un enlace',
  'signIn.sendLinkWith': 'Enviarme un enlace mediante {provider}',
  'signIn.address': 'Correo electrónico',
  'signIn.addressExample': 'nombre@example.com',
  'signIn.username': 'Nombre de usuario',
  'signIn.password': 'Contraseña',
  'signIn.code': 'Código',
  'signIn.continue': 'Continuar',
  'signIn.otherAddress': 'Usar otra dirección',
  'signIn.more': 'Más formas de iniciar sesión',
  'signIn.showPassword': 'Mostrar contraseña',
  'signIn.hidePassword': 'Ocultar contraseña',
  'signIn.or': 'o',
  'signIn.remember': 'Mantener la sesión iniciada',
  'signIn.captcha': 'Activa JavaScript para confirmar que no eres un robot y vuelve a cargar esta página.',
  'signIn.nothing': 'Aquí todavía no hay ninguna forma de iniciar sesión.',
  'signIn.required': 'Inicia sesión para ver esta página.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Ya has iniciado sesión.',
  'signIn.replaces': 'Si inicias sesión aquí, empezará una sesión nueva que sustituirá a esta.',
  'signIn.addsPasskey': 'Si eliges una llave de acceso nueva, se añadirá a tu cuenta.',
  'signIn.addsService': 'Si eliges un servicio como {provider}, se añadirá a tu cuenta.',
  'signIn.addsBoth': 'Si eliges una llave de acceso nueva o un servicio como {provider}, se añadirá a tu cuenta.',
  'signIn.othersReplace':
    'Con cualquier otra forma de iniciar sesión, empezará una sesión nueva que sustituirá a esta.',
  'signIn.failed': 'No se ha podido iniciar sesión. Inténtalo de nuevo o elige otra forma de iniciar sesión.',
  'signIn.notCreated': 'No se ha podido crear tu cuenta. Inténtalo de nuevo o elige otra forma de iniciar sesión.',
  'signIn.mailFailed':
    'No se ha podido enviar el correo. Comprueba la dirección y vuelve a intentarlo en unos minutos.',
  'signIn.unavailable': 'Este sitio tiene un problema y ahora mismo no se puede iniciar sesión. Inténtalo más tarde.',
  'passkey.signIn': 'Iniciar sesión con una llave de acceso',
  'passkey.create': 'Crear una cuenta con una llave de acceso',
  'passkey.newHere': '¿es tu primera vez aquí?',
  'passkey.needsScript': 'Para iniciar sesión con una llave de acceso se necesita JavaScript.',
  'passkey.insecurePage': 'Las llaves de acceso solo funcionan en páginas seguras (https), y esta no lo es.',
  'passkey.unsupportedBrowser': 'Este navegador no admite llaves de acceso.',
  'passkey.cancelled':
    'No has iniciado sesión: la operación se ha cancelado, ha tardado demasiado o no ha encontrado ninguna llave de acceso para este sitio. Inténtalo de nuevo.',
  'passkey.cancelledNew':
    'No se ha creado ninguna llave de acceso: la operación se ha cancelado, ha tardado demasiado o este dispositivo no puede guardarla. Inténtalo de nuevo.',
  'passkey.notAllowed': 'Esta página no tiene permiso para usar llaves de acceso.',
  'passkey.alreadyRegistered':
    'Este dispositivo ya tiene una llave de acceso para esta cuenta. Inicia sesión con ella.',
  'passkey.unsupported': 'Este navegador o dispositivo no admite llaves de acceso.',
  'passkey.unsupportedNew':
    'Este navegador o dispositivo no puede crear el tipo de llave de acceso que necesita este sitio.',
  'passkey.insecure':
    'Las llaves de acceso no funcionan en esta dirección. Abre el sitio en su propia dirección, que empieza por https.',
  'passkey.refused': 'El sitio no ha aceptado la respuesta de tu llave de acceso. Inténtalo de nuevo.',
  'passkey.refusedNew': 'El sitio no ha aceptado esta llave de acceso. Inténtalo de nuevo.',
  'passkey.network': 'No se ha podido conectar con el sitio. Comprueba tu conexión e inténtalo de nuevo.',
  'passkey.failed': 'Tu navegador o dispositivo no ha podido completar esta operación. Inténtalo de nuevo.',
  'signOut.title': 'Cerrar sesión',
  'signOut.question': '¿Quieres cerrar sesión en {site}?',
  'signOut.button': 'Cerrar sesión',
  'signOut.also': 'Cerrar sesión también en {provider}',
  'signOut.alsoDone': 'También se cerrará tu sesión en {provider}.',
  'signOut.nobody': 'No tienes ninguna sesión iniciada en {site} en este navegador.',
  'signOut.outOfDate': 'Tu sesión aún no se ha cerrado: esta página había caducado. Vuelve a pulsar el botón.',

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

  'page.cancel': 'Cancelar',
  'page.home': 'Ir a {site}',
  'verifyRequest.title': 'Revisa tu correo',
  'verifyRequest.text':
    'Te hemos enviado un enlace para iniciar sesión. Ábrelo en este navegador: en cualquier otro, antes se te pedirá confirmación.',
  'verifyRequest.help':
    '¿No te ha llegado nada después de unos minutos? Mira en la carpeta de spam, o vuelve atrás, comprueba la dirección y pide otro enlace. Solo funciona el más reciente.',
  'confirmEmail.title': 'Confirma el inicio de sesión',
  'confirmEmail.lead': 'Has abierto un enlace para iniciar sesión en {site} como {address}.',
  'confirmEmail.advice':
    'Continúa solo si has pedido tú este enlace y quieres iniciar sesión en esta cuenta en este navegador.',
  'confirmEmail.button': 'Iniciar sesión como {address}',
  'confirmEmail.prove':
    'Has iniciado sesión en esta cuenta. Si continúas, quedará demostrado que la dirección es tuya.',
  'confirmEmail.otherUser':
    'Aquí has iniciado sesión como {person}. Si continúas, pasarás a usar en su lugar la cuenta de la persona a quien pertenece esta dirección.',
  'confirmEmail.newUser':
    'Aquí has iniciado sesión como {person}. Si continúas, se creará una cuenta nueva para esta dirección y pasarás a usar esa cuenta en su lugar.',
  'confirmEmail.somebody': 'otra persona',
  'changeEmail.title': 'Cambia tu dirección de correo',
  'changeEmail.lead': 'La dirección de correo de tu cuenta en {site} pasará a ser {address}.',
  'changeEmail.before':
    'Hasta ahora era {address}. Después del cambio, los enlaces para iniciar sesión se enviarán a la nueva dirección.',
  'changeEmail.hadNone':
    'Hasta ahora no tenía ninguna. Después del cambio, los enlaces para iniciar sesión se enviarán a la nueva dirección.',
  'changeEmail.signedIn':
    'Has iniciado sesión como {person}. Continúa solo si esta es tu cuenta y has pedido tú el cambio.',
  'changeEmail.button': 'Cambiar la dirección',
  'changeEmail.about': 'Este enlace convierte {address} en la dirección de una cuenta en {site}.',
  'changeEmail.signOutFirst':
    'Has iniciado sesión como {person}. Cierra la sesión, inicia sesión con la cuenta desde la que se pidió el cambio y vuelve a abrir el enlace del correo.',
  'changeEmail.signInFirst':
    'No tienes ninguna sesión iniciada en este navegador. Inicia sesión con la cuenta desde la que se pidió el cambio y vuelve a abrir el enlace del correo.',
  'changeEmail.notYours': '¿No lo has pedido tú? Entonces cierra esta página: no ha cambiado nada.',
  'connect.title': 'Vincular {provider}',
  'connect.heading': '¿Quieres vincular tu cuenta de {provider}?',
  'connect.lead': 'Tu cuenta en ese servicio se vinculará con {site}.',
  'connect.leadAs': 'Tu cuenta en ese servicio se vinculará con {site}, donde has iniciado sesión como {person}.',
  'connect.advice':
    'A partir de entonces servirá para iniciar sesión aquí. Continúa solo si es lo que quieres, y comprueba en {provider} que la cuenta es tuya.',
  'connect.button': 'Continuar a {provider}',
  'continue.title': 'Continuar',
  'continue.heading': 'Un momento…',
  'continue.lead': 'Te estamos redirigiendo a {host}…',
  'continue.help': 'Si no ocurre nada, {link}.',
  'continue.link': 'continúa a {host}',
  'mail.signIn': 'Inicia sesión en {site}',
  'mail.signInOpen': 'Abre este enlace para iniciar sesión:',
  'mail.signInOpenAs': 'Abre este enlace para iniciar sesión como {address}:',
  'mail.signInPress': 'Pulsa el botón para iniciar sesión.',
  'mail.signInPressAs': 'Pulsa el botón para iniciar sesión como {address}.',
  'mail.signInButton': 'Iniciar sesión',
  'mail.signInBrowser':
    'Ábrelo en el navegador en el que lo has pedido. En cualquier otro, antes se te pedirá confirmación.',
  'mail.signInIgnore':
    '¿No has pedido este correo? Entonces puedes ignorarlo: sin el enlace, nadie puede entrar. No lo reenvíes.',
  'mail.change': 'Confirma tu nueva dirección de correo para {site}',
  'mail.changeOpen': 'Abre este enlace para que esta sea la dirección de tu cuenta:',
  'mail.changePress': 'Pulsa el botón para que esta sea la dirección de tu cuenta.',
  'mail.changeButton': 'Confirmar la dirección',
  'mail.changeBrowser':
    'Ábrelo en un navegador en el que hayas iniciado sesión en tu cuenta. Antes se te pedirá confirmación.',
  'mail.changeIgnore':
    '¿No has pedido este correo? Entonces puedes ignorarlo: sin el enlace, no cambia nada. No lo reenvíes.',
  'mail.validity': 'El enlace solo funciona una vez. Validez: {lifetime}.',
  'mail.copy': '¿No funciona el botón? Copia este enlace en el navegador:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Se ha cambiado tu dirección de correo en {site}',
  'mail.changedFacts':
    'Esta ya no es la dirección de tu cuenta en {site}: ahora tiene otra. Los enlaces para iniciar sesión ya no llegan aquí.',
  'mail.changedAdvice':
    '¿No has sido tú? Entonces otra persona ha entrado en tu cuenta. Avisa de inmediato al equipo responsable del sitio.',
  'error.title': 'Error',
  'error.reference': 'Referencia: {reference}',
  'error.Configuration.heading': 'Este sitio tiene un problema',
  'error.Configuration.text':
    'Ahora mismo no se puede iniciar sesión. No has hecho nada mal; inténtalo más tarde.\nEl equipo responsable del sitio encontrará el motivo en el registro del servidor.',
  'error.unknown.heading': 'Se ha producido un error',
  'error.unknown.text': 'Vuelve al sitio e inténtalo de nuevo.',
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
  'error.AccessDenied.heading': 'Acceso denegado',
  'error.AccessDenied.text':
    'Esta cuenta no tiene permiso para iniciar sesión aquí.\nSi tienes otra cuenta, inicia sesión con ella o pide acceso al equipo responsable del sitio.',
  'error.AccountNotLinked.text':
    'Ya existe una cuenta con esta dirección de correo, o esta forma de iniciar sesión pertenece a otra cuenta. Inicia sesión como lo hiciste la primera vez.',
  'error.CaptchaRequired.text': 'Confirma que no eres un robot e inténtalo de nuevo.',
  'error.CaptchaUnavailable.heading': 'Inténtalo más tarde',
  'error.CaptchaUnavailable.text':
    'No se ha podido comprobar que no eres un robot. No ha cambiado nada y tu cuenta no tiene ningún problema.',
  'error.ConsentRequired.heading': 'Tu cuenta no se ha vinculado',
  'error.ConsentRequired.text':
    'No se ha dado el permiso, por tu parte o por la del servicio, o bien allí has elegido una cuenta distinta de la que está vinculada aquí.\nVuelve al punto de partida y vincula tu cuenta otra vez.',
  'error.CredentialsSignin.text':
    'Estos datos de acceso no son correctos. Comprueba lo que has introducido e inténtalo de nuevo.',
  'error.EmailSignInError.text': 'No podemos enviar un enlace a esa dirección. Compruébala e inténtalo de nuevo.',
  'error.InvalidCheck.heading': 'Vuelve a empezar',
  'error.InvalidCheck.text':
    'El inicio de sesión ha tardado demasiado, se ha abierto en otro navegador o ya se había utilizado. No ha cambiado nada.',
  'error.InvalidProvider.heading': 'Forma de iniciar sesión desconocida',
  'error.InvalidProvider.text':
    'Este sitio no ofrece la forma de iniciar sesión a la que se te ha dirigido. Elige otra.',
  'error.InvalidRequest.heading': 'No se ha entendido esta solicitud',
  'error.InvalidRequest.text':
    'Vuelve atrás e inténtalo de nuevo. Si sigue ocurriendo, avisa al equipo responsable del sitio.',
  'error.MissingCSRF.text':
    'Esta página había caducado: llevaba demasiado tiempo abierta, o has iniciado o cerrado sesión en otra pestaña. Inténtalo de nuevo.',
  'error.NotConnected.heading': 'No hay ninguna cuenta vinculada',
  'error.NotConnected.text': 'Vincula primero una cuenta del servicio.',
  'error.OAuthAccountNotLinked.text':
    'Ya tienes una cuenta con esta dirección de correo, pero iniciaste sesión de otra forma. Inicia sesión como lo hiciste la primera vez.',
  'error.OAuthCallbackError.text':
    'El inicio de sesión no se ha completado: se ha cancelado o el servicio no lo ha confirmado. Inténtalo de nuevo o elige otra forma de iniciar sesión.',
  'error.OAuthSignInError.text':
    'No se ha podido empezar el inicio de sesión. Inténtalo de nuevo o elige otra forma de iniciar sesión.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'No se puede conectar con el servicio',
  'error.RefreshError.text': 'Inténtalo de nuevo dentro de un rato.',
  'error.SignOutError.heading': 'La sesión solo se ha cerrado en este navegador',
  'error.SignOutError.text':
    'La sesión no se ha podido cerrar en el servidor. Se volverá a intentar automáticamente.\nSi es posible que otra persona tenga una copia de ella, inicia sesión y ciérrala de nuevo dentro de un rato.',
  'error.TooManyRequests.heading': 'Demasiados intentos',
  'error.TooManyRequests.text': 'Espera unos minutos y vuelve a intentarlo. Tu cuenta no tiene ningún problema.',
  'error.Verification.heading': 'Este enlace ya no funciona',
  'error.Verification.text':
    'Ya se ha utilizado, es demasiado antiguo o se ha enviado otro más reciente. Si lo has copiado, puede que falte una parte.\nInicia sesión de nuevo para recibir otro enlace.',
  'error.WebAuthnVerificationError.heading': 'No se ha aceptado tu llave de acceso',
  'error.WebAuthnVerificationError.text':
    'Se ha tardado demasiado, la llave se creó para otro sitio u otra cuenta, o este sitio ya no la reconoce. No ha cambiado nada.\nInténtalo de nuevo o inicia sesión de otra forma.',
}

export default es
