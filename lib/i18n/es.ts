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
  'signIn.addressOrUsername': 'Correo electrónico o nombre de usuario',
  'signIn.password': 'Contraseña',
  'signIn.code': 'Código',
  'signIn.continue': 'Continuar',
  'signIn.otherAddress': 'Usar otra dirección',
  'signIn.more': 'Más formas de iniciar sesión',
  'signIn.showPassword': 'Mostrar contraseña',
  'signIn.hidePassword': 'Ocultar contraseña',
  'signIn.or': 'o',
  'signIn.lastUsed': 'Usado la última vez',
  'signIn.remember': 'Mantener la sesión iniciada',
  'signIn.captcha': 'Activa JavaScript para confirmar que no eres un robot y vuelve a cargar esta página.',
  'signIn.nothing': 'Aquí todavía no hay ninguna forma de iniciar sesión.',
  'signIn.required': 'Inicia sesión para ver esta página.',
  'signIn.again': 'Vuelve a iniciar sesión para confirmar que eres tú.',
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
  'passkey.offerTitle': 'Inicia sesión sin contraseña',
  'passkey.offerText':
    'Con una llave de acceso inicias sesión en {site} con tu huella, tu cara o el bloqueo de pantalla. Es más rápida que una contraseña, y ningún sitio falso puede usarla.',
  'passkey.offerButton': 'Crear una llave de acceso',
  'passkey.notNow': 'Ahora no',
  'signOut.title': 'Cerrar sesión',
  'signOut.question': '¿Quieres cerrar sesión en {site}?',
  'signOut.button': 'Cerrar sesión',
  'signOut.also': 'Cerrar sesión también en {provider}',
  'signOut.alsoDone': 'También se cerrará tu sesión en {provider}.',
  'signOut.nobody': 'No tienes ninguna sesión iniciada en {site} en este navegador.',
  'signOut.outOfDate': 'Tu sesión aún no se ha cerrado: esta página había caducado. Vuelve a pulsar el botón.',

  'factor.title': 'Confirma que eres tú',
  'factor.totp': 'Introduce el código que tu aplicación de autenticación muestra para {site}.',
  'factor.recovery': 'Introduce uno de tus códigos de recuperación de {site}. Cada código funciona una sola vez.',
  'factor.passkey': 'Usa tu llave de acceso para continuar en {site}.',
  'factor.email': 'Para continuar en {site}, recibe un código en la dirección de tu cuenta.',
  'factor.emailSent': 'Introduce el código que {site} acaba de enviar a la dirección de tu cuenta.',
  'factor.send': 'Enviarme un código',
  'factor.sendAgain': 'Enviar un código nuevo',
  'factor.recoveryCode': 'Código de recuperación',
  'factor.remember': 'No volver a pedirlo en este navegador durante {lifetime}',
  'factor.useTotp': 'Usar una aplicación de autenticación',
  'factor.useEmail': 'Recibir un código por correo',
  'factor.useRecovery': 'Usar un código de recuperación',
  'factor.usePasskey': 'Usar una llave de acceso',

  'factors.title': 'Inicio de sesión en dos pasos',
  'factors.lead': 'Además de tu forma habitual de iniciar sesión, {site} te pide uno de estos segundos pasos.',
  'factors.required': '{site} pide un segundo paso en cada inicio de sesión. Añade uno para continuar.',
  'factors.totp': 'Aplicación de autenticación',
  'factors.email': 'Código por correo',
  'factors.passkey': 'Llave de acceso',
  'factors.recovery': 'Códigos de recuperación',
  'factors.addTotp': 'Añadir una aplicación de autenticación',
  'factors.addEmail': 'Añadir un código por correo',
  'factors.addPasskey': 'Usar mis llaves de acceso como segundo paso',
  'factors.recommended': 'Recomendado',
  'factors.whyPasskey': 'Una llave de acceso es rápida, y ningún sitio falso puede usarla.',
  'factors.whyTotp': 'Una aplicación funciona sin conexión, e incluso si no puedes acceder a tu correo.',
  'factors.added': 'Se añadió el {date}',
  'factors.remove': 'Quitar',
  'factors.removeThis': 'Quitar: {factor}',
  'factors.done': 'Listo',
  'factors.newCodes': 'Crear códigos de recuperación nuevos',
  'factors.left': 'Códigos de recuperación restantes: {count}',
  'factors.scan':
    'Escanea este código con tu aplicación de autenticación y, después, introduce las seis cifras que muestra la aplicación.',
  'factors.type':
    'Introduce esta clave en tu aplicación de autenticación y, después, las seis cifras que muestra la aplicación.',
  'factors.orType': 'Si no puedes escanearlo, introduce esta clave en la aplicación:',
  'factors.qr': 'Código QR para tu aplicación de autenticación',
  'factors.open': 'Abrir en una aplicación de este dispositivo',
  'factors.name': 'Nombre del dispositivo (opcional)',
  'factors.add': 'Añadir',
  'factors.emailLead': 'Enviamos un código a la dirección de tu cuenta para comprobar que llega.',
  'factors.emailSent': 'Introduce el código que acabamos de enviar a la dirección de tu cuenta.',
  'factors.passkeyLead':
    'Usa ahora una de tus llaves de acceso. A partir de entonces se te pedirá cuando inicies sesión de otra forma.',
  'factors.codes': 'Tus códigos de recuperación',
  'factors.codesLead':
    'Guarda estos códigos donde los encuentres sin tu teléfono, por ejemplo en papel o en un gestor de contraseñas. Cada uno sirve para iniciar sesión una vez, en lugar de tu segundo paso.',
  'factors.codesOnce': 'Solo se muestran ahora. Los códigos anteriores ya no funcionan.',
  'factors.codesFor': 'Códigos de recuperación para {site}',
  'factors.copy': 'Copiar',
  'factors.copied': 'Copiado.',
  'factors.download': 'Descargar',
  'factors.print': 'Imprimir',
  'factors.kept': 'Guardo estos códigos en un lugar seguro.',

  'page.cancel': 'Cancelar',
  'page.home': 'Ir a {site}',
  'verifyRequest.title': 'Revisa tu correo',
  'verifyRequest.text':
    'Te hemos enviado un enlace para iniciar sesión. Ábrelo en este navegador: en cualquier otro, antes se te pedirá confirmación.',
  'verifyRequest.textTo':
    'Hemos enviado un enlace para iniciar sesión a {address}. Ábrelo en este navegador: en cualquier otro, antes se te pedirá confirmación.',
  'verifyRequest.help':
    '¿No te ha llegado nada después de unos minutos? Mira en la carpeta de spam, o vuelve atrás, comprueba la dirección y pide otro enlace. Solo funciona el más reciente.',
  'verifyRequest.wait':
    '¿No te ha llegado nada después de unos minutos? Mira en la carpeta de spam, o pide otro correo. Solo funciona el enlace más reciente.',
  'verifyRequest.again': 'Enviar otro correo',
  'verifyRequest.limited': 'Todavía no se puede enviar otro correo. Espera {wait} y vuelve a intentarlo.',
  'verifyRequest.sentAgain': 'Otro correo está en camino.',
  'verifyRequest.otherMethod': 'Usar otra forma de iniciar sesión',
  'verifyRequest.signUp':
    'Hemos enviado un correo a la dirección que has introducido. Para continuar, abre el enlace que contiene en este navegador.',
  'verifyRequest.signUpTo':
    'Hemos enviado un correo a {address}. Para continuar, abre el enlace que contiene en este navegador.',
  'verifyRequest.reset':
    'Si existe una cuenta con la dirección que has introducido, hemos enviado un correo a esa dirección. Abre el enlace que contiene para elegir una contraseña nueva.',
  'verifyRequest.resetTo':
    'Si existe una cuenta con la dirección {address}, le hemos enviado un correo. Abre el enlace que contiene para elegir una contraseña nueva.',
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

  'password.forgotLink': '¿Has olvidado tu contraseña?',
  'password.signUpLink': 'Crear una cuenta',
  'password.signInLink': 'Tengo una cuenta: iniciar sesión',
  'password.new': 'Contraseña nueva',
  'password.current': 'Contraseña actual',
  'password.length':
    'Al menos {count} caracteres. Varias palabras seguidas son fáciles de recordar y difíciles de adivinar.',
  'password.signUpTitle': 'Crea una cuenta',
  'password.signUpLead': 'para {site}',
  'password.signUpButton': 'Crear la cuenta',
  'password.forgotTitle': '¿Has olvidado tu contraseña?',
  'password.forgotText':
    'Introduce la dirección de tu cuenta. Te enviaremos un enlace para elegir una contraseña nueva.',
  'password.resetTitle': 'Elige una contraseña nueva',
  'password.resetLead': 'para tu cuenta {address} en {site}',
  'password.resetText': 'Después se iniciará tu sesión aquí y se cerrará en todos los demás lugares.',
  'password.saveButton': 'Guardar la contraseña',
  'password.verifyTitle': 'Confirma tu dirección',
  'password.verifyLead': 'Tu cuenta en {site} recibe la dirección {address}.',
  'password.verifyAdvice': 'Continúa solo si empezaste tú a crear esta cuenta.',
  'password.verifyAnew':
    'Empezaste en otro navegador, o lo hizo otra persona. Por eso, elige la contraseña aquí: la que se escribió allí no cuenta.',
  'password.changeTitle': 'Cambia tu contraseña',
  'password.changeLead': 'para tu cuenta {address} en {site}',
  'password.changeText': 'Tu sesión seguirá iniciada aquí y se cerrará en todos los demás lugares.',
  'password.firstTitle': 'Establece una contraseña',
  'password.signInFirst': 'No tienes ninguna sesión iniciada en este navegador. Inicia sesión primero.',
  'password.signInAgain':
    'Para establecer una contraseña para esta cuenta, vuelve a iniciar sesión en ella y regresa a esta página antes de que pasen cinco minutos.',
  'password.proveFirst':
    'La dirección de tu cuenta aún no está confirmada. Confírmala primero: inicia sesión con un enlace enviado a esa dirección.',

  'deleteAccount.title': 'Eliminar tu cuenta',
  'deleteAccount.lead': 'Se eliminará tu cuenta {address} en {site}, con todo lo que le pertenece.',
  'deleteAccount.grace':
    'La cuenta se eliminará dentro de {time}. Hasta entonces, los responsables del sitio pueden recuperarla.',
  'deleteAccount.button': 'Eliminar mi cuenta',
  'deleteAccount.signInAgain':
    'Para eliminar esta cuenta, inicia sesión de nuevo con ella y vuelve a esta página antes de cinco minutos.',
  'deleteAccount.refused':
    'Esta cuenta no se puede eliminar aquí por el momento. Ponte en contacto con los responsables del sitio.',
  'deleteAccount.done': 'Tu cuenta se ha eliminado.',
  'deleteAccount.scheduled':
    'Tu cuenta se eliminará dentro de {time}. Para conservarla, ponte en contacto con los responsables del sitio.',
  'password.short': 'Esta contraseña es demasiado corta.',
  'password.long': 'Esta contraseña es demasiado larga.',
  'password.common': 'Muchísimas personas tienen esta contraseña, así que se adivina al instante. Elige otra.',
  'password.breached':
    'Los atacantes conocen esta contraseña por una intrusión en otro sitio. Elige otra y cámbiala en todos los sitios donde la uses.',
  'password.contextual':
    'Esta contraseña está formada por tu dirección o por el nombre de este sitio, así que es fácil de adivinar. Elige otra.',
  'password.unavailable': 'No se ha podido comprobar si esta contraseña es segura. Inténtalo de nuevo en unos minutos.',
  'password.wrong': 'La contraseña actual no es correcta. Inténtalo de nuevo.',
  'connect.title': 'Vincular {provider}',
  'connect.heading': '¿Quieres vincular tu cuenta de {provider}?',
  'connect.lead': 'Tu cuenta en ese servicio se vinculará con {site}.',
  'connect.leadAs': 'Tu cuenta en ese servicio se vinculará con {site}, donde has iniciado sesión como {person}.',
  'connect.advice':
    'A partir de entonces servirá para iniciar sesión aquí. Continúa solo si es lo que quieres, y comprueba en {provider} que la cuenta es tuya.',
  'connect.button': 'Continuar a {provider}',
  'guard.csrfHeading': 'Esta página había caducado',
  'guard.csrfText': 'Lo que has enviado no se ha guardado. Vuelve a abrir la página y envíalo de nuevo.',
  'guard.signInHeading': 'No has iniciado sesión',
  'guard.signInText': 'Lo que has enviado no se ha guardado. Inicia sesión primero y después envíalo de nuevo.',
  'guard.confirmText': 'Lo que has enviado no se ha guardado. Confirma primero que eres tú y después envíalo de nuevo.',
  'guard.forbiddenHeading': 'No tienes acceso',
  'guard.forbiddenText':
    'Tu cuenta no tiene acceso a esto. Si has enviado un formulario, no se ha guardado. Pide acceso al equipo responsable del sitio.',
  'guard.connectText':
    'Lo que has enviado no se ha guardado. Vincula primero una cuenta del servicio y después envíalo de nuevo.',
  'continue.title': 'Continuar',
  'continue.heading': 'Un momento…',
  'continue.lead': 'Te estamos redirigiendo a {host}…',
  'continue.help': 'Si no ocurre nada, {link}.',
  'continue.link': 'continúa a {host}',
  'account.device': '{browser} en {system}',
  'account.support': 'Soporte',
  'mail.signIn': 'Inicia sesión en {site}',
  'mail.signInOpen': 'Abre este enlace para iniciar sesión:',
  'mail.signInOpenAs': 'Abre este enlace para iniciar sesión como {address}:',
  'mail.signInPress': 'Pulsa el botón para iniciar sesión.',
  'mail.signInPressAs': 'Pulsa el botón para iniciar sesión como {address}.',
  'mail.signInButton': 'Iniciar sesión',
  'mail.signInBrowser':
    'Ábrelo en el navegador en el que lo has pedido. En cualquier otro, antes se te pedirá confirmación.',
  'mail.signInIgnore':
    '¿No has pedido este correo? Entonces puedes ignorarlo: sin el enlace, nadie puede iniciar sesión. No lo reenvíes.',
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
  'mail.code': 'Tu código para {site}',
  'mail.codeEnter': 'Introduce este código donde estás iniciando sesión:',
  'mail.codeValidity': 'El código solo funciona una vez. Validez: {lifetime}.',
  'mail.codeIgnore':
    '¿No estás iniciando sesión? Entonces puede que alguien sepa cómo lo haces: ya ha superado el primer paso. Cambia tu contraseña y no le digas este código a nadie.',
  'mail.factors': 'Se ha cambiado el inicio de sesión en dos pasos en {site}',
  'mail.factorsFacts': 'Se han cambiado los segundos pasos de tu cuenta en {site}.',
  'mail.factorsAdvice': 'Si no has sido tú, avisa al equipo responsable del sitio.',
  'mail.changed': 'Se ha cambiado tu dirección de correo en {site}',
  'mail.changedFacts':
    'Esta ya no es la dirección de tu cuenta en {site}: ahora tiene otra. Los enlaces para iniciar sesión ya no llegan aquí.',
  'mail.changedAdvice':
    '¿No has sido tú? Entonces otra persona ha entrado en tu cuenta. Avisa de inmediato al equipo responsable del sitio.',
  'mail.signUp': 'Confirma tu dirección de correo para {site}',
  'mail.signUpOpen': 'Abre este enlace para terminar de crear tu cuenta:',
  'mail.signUpPress': 'Pulsa el botón para terminar de crear tu cuenta.',
  'mail.signUpButton': 'Confirmar la dirección',
  'mail.signUpBrowser':
    'Ábrelo en el navegador en el que empezaste. En cualquier otro, se te pedirá que elijas de nuevo una contraseña.',
  'mail.signUpIgnore':
    '¿No has pedido este correo? Entonces puedes ignorarlo: sin el enlace, no hay ninguna cuenta. No lo reenvíes.',
  'mail.reset': 'Elige una contraseña nueva para {site}',
  'mail.resetOpen': 'Abre este enlace para elegir una contraseña nueva:',
  'mail.resetPress': 'Pulsa el botón para elegir una contraseña nueva.',
  'mail.resetButton': 'Elegir una contraseña',
  'mail.resetBrowser':
    'Se iniciará tu sesión en el navegador en el que abras el enlace y se cerrará en todos los demás lugares.',
  'mail.resetIgnore':
    '¿No has pedido este correo? Entonces puedes ignorarlo: sin el enlace, tu contraseña no cambia. No lo reenvíes.',
  'mail.haveAccount': 'Ya tienes una cuenta en {site}',
  'mail.haveAccountOpen':
    'Alguien, probablemente tú, ha intentado crear una cuenta con tu dirección o sustituir su contraseña. Tu cuenta ya existe: inicia sesión como lo hacías antes.',
  'mail.haveAccountReset': 'Si has olvidado su contraseña, elige una nueva:',
  'mail.haveAccountIgnore': '¿No has sido tú? Entonces puedes ignorar este correo: no ha cambiado nada.',
  'mail.passwordChanged': 'Se ha cambiado tu contraseña en {site}',
  'mail.passwordChangedFacts': 'Tu cuenta en {site} tiene una contraseña nueva.',
  'mail.passwordChangedAdvice':
    '¿No has sido tú? Entonces otra persona ha entrado en tu cuenta o en tu buzón de correo. Elige de inmediato una contraseña nueva y avisa al equipo responsable del sitio.',
  'error.title': 'Error',
  'error.reference': 'Referencia: {reference}',
  'error.tryAgain': 'Volver a intentarlo',
  'error.Configuration.heading': 'Este sitio tiene un problema',
  'error.Configuration.text':
    'Esto no funciona en este momento, y no es culpa tuya.\nVuelve a intentarlo dentro de unos minutos. Si sigue ocurriendo, avisa al equipo responsable del sitio.',
  'error.unknown.heading': 'Se ha producido un error',
  'error.unknown.text': 'Vuelve al sitio e inténtalo de nuevo.',
  'error.AccountMismatch.heading': 'Esa es otra cuenta',
  'error.AccountMismatch.text':
    'Tenías que confirmar que eres tú y has iniciado sesión en otra cuenta. No ha cambiado nada. Para cambiar de cuenta, cierra primero la sesión.',
  'error.InvalidCode.heading': 'El código no es correcto',
  'error.InvalidCode.text':
    'Este código no es correcto, ya se ha utilizado o es demasiado antiguo. Compruébalo o espera al siguiente.',
  'error.ReauthenticationRequired.heading': 'Confirma que eres tú',
  'error.ReauthenticationRequired.text':
    'Ha pasado un tiempo desde que iniciaste sesión. Inicia sesión de nuevo y repite lo que querías hacer.',
  'error.SecondFactorFailed.text':
    'El inicio de sesión no se ha completado a tiempo o ha habido demasiados códigos incorrectos. Inicia sesión de nuevo.',
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
    'Estos datos de inicio de sesión no son correctos. Comprueba lo que has introducido e inténtalo de nuevo.',
  'error.EmailSignInError.text': 'No podemos enviar un enlace a esa dirección. Compruébala e inténtalo de nuevo.',
  'error.ImpersonatedSession.heading': 'No se permite en esta sesión',
  'error.ImpersonatedSession.text':
    'Estás usando la sesión de otra persona, en la que esto no se permite. No se ha cambiado nada. Primero termina esta sesión.',
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
  'error.PasswordRejected.heading': 'Esta contraseña no se puede usar',
  'error.PasswordRejected.text': 'Vuelve atrás y elige otra contraseña.',
  'error.PasswordsBusy.heading': 'Inténtalo de nuevo en un momento',
  'error.PasswordsBusy.text':
    'Ahora mismo hay muchas personas iniciando sesión. No ha cambiado nada y tu cuenta no tiene ningún problema.',
  'error.RefreshError.heading': 'No se puede conectar con el servicio',
  'error.RefreshError.text': 'Inténtalo de nuevo dentro de un rato.',
  'error.SignOutError.heading': 'La sesión solo se ha cerrado en este navegador',
  'error.SignOutError.text':
    'La sesión no se ha podido cerrar en el servidor. Se volverá a intentar automáticamente.\nSi es posible que otra persona tenga una copia de ella, inicia sesión y ciérrala de nuevo dentro de un rato.',
  'error.TooManyCookies.heading': 'No hay espacio para las cookies de este sitio',
  'error.TooManyCookies.text':
    'Este sitio no puede guardar nada más en tu navegador, así que no se ha cambiado nada.\nElimina las cookies de este sitio en tu navegador y vuelve a intentarlo.',
  'error.TooManyRequests.heading': 'Demasiados intentos',
  'error.TooManyRequests.text': 'Espera unos minutos y vuelve a intentarlo. Tu cuenta no tiene ningún problema.',
  'error.Verification.heading': 'Este enlace ya no funciona',
  'error.Verification.text':
    'Ya se ha utilizado, es demasiado antiguo o se ha enviado otro más reciente. Si lo has copiado, puede que falte una parte.\nInicia sesión de nuevo para recibir otro enlace.',
  'error.WebAuthnVerificationError.heading': 'No se ha aceptado tu llave de acceso',
  'error.WebAuthnVerificationError.text':
    'Se ha tardado demasiado, la llave de acceso se creó para otro sitio u otra cuenta, o este sitio ya no la reconoce. No ha cambiado nada.\nInténtalo de nuevo o inicia sesión de otra forma.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Este sitio no está disponible',
  'error.TenantUnavailable.text': 'Vuelve a intentarlo en unos segundos. Tu cuenta no tiene ningún problema.',
  'error.UnknownTenant.heading': 'Aquí no hay ningún sitio',
  'error.UnknownTenant.text': 'Comprueba la dirección.',

  'organization.title': 'Elige una organización',
  'organization.lead': 'con la que continuar en {site}',
  'organization.none':
    'No perteneces a ninguna organización en {site}. Pide acceso a la administración de tu organización.',
  'organization.active': 'Activa',
  'guard.notFoundHeading': 'Esta página no existe',
  'guard.notFoundText': 'Esta página no existe. Si has enviado un formulario, no se ha guardado.',
  'guard.organizationText':
    'Elige primero una organización y vuelve a intentarlo. Si has enviado un formulario, no se ha guardado.',
  'app.title': '¿Continuar con {app}?',
  'app.lead': 'La aplicación iniciará sesión en tu cuenta de {site}.',
  'app.advice':
    'Continúa solo si acabas de abrir la aplicación. Puedes cerrar su sesión en cualquier momento desde la lista de tus sesiones.',
  'app.otherAccount': 'Usar otra cuenta',
  'invitation.title': 'Aceptar una invitación',
  'invitation.lead': 'Tiene una invitación para unirse a {organization} en {site}.',
  'invitation.address': 'La invitación es para {address}.',
  'invitation.button': 'Aceptar la invitación',
  'invitation.other':
    'Ha iniciado sesión con otra cuenta, o su dirección no está confirmada. Cierre la sesión y vuelva a abrir el enlace.',
  'mail.invitation': 'Invitación a {site}',
  'mail.invitationOpen': 'Tiene una invitación para unirse a {organization}. Abra este enlace para aceptarla:',
  'mail.invitationPress': 'Tiene una invitación para unirse a {organization}. Pulse el botón para aceptarla.',
  'mail.invitationButton': 'Ver la invitación',
  'mail.invitationIgnore': '¿No conoce al remitente? Puede ignorar este correo: sin usted no ocurre nada.',
}

export default es
