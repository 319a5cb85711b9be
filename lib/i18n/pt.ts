/** Portuguese. */
import type { Messages } from './en.js'

const pt: Messages = {
  direction: 'ltr',
  'signIn.title': 'Entrar',
  'signIn.titleOf': 'Entrar em {site}',
  'signIn.lead': 'para continuar em {site}',
  'signIn.with': 'Entrar com {provider}',
  'signIn.button': 'Entrar',
  'signIn.sendLink': 'Receber um link',
  'signIn.sendLinkWith': 'Receber um link via {provider}',
  'signIn.address': 'Endereço de e-mail',
  'signIn.addressExample': 'nome@example.com',
  'signIn.username': 'Nome de usuário',
  'signIn.password': 'Senha',
  'signIn.code': 'Código',
  'signIn.continue': 'Continuar',
  'signIn.otherAddress': 'Usar outro endereço',
  'signIn.more': 'Outras formas de entrar',
  'signIn.showPassword': 'Mostrar senha',
  'signIn.hidePassword': 'Ocultar senha',
  'signIn.or': 'ou',
  'signIn.remember': 'Manter a sessão iniciada',
  'signIn.captcha': 'Ative o JavaScript para confirmar que você não é um robô e recarregue esta página.',
  'signIn.nothing': 'Ainda não há nenhuma forma de entrar aqui.',
  'signIn.required': 'Entre para ver esta página.',
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'Você já entrou.',
  'signIn.replaces': 'Se você entrar aqui, uma nova sessão começará no lugar desta.',
  'signIn.addsPasskey': 'Se você escolher uma nova chave de acesso, ela será adicionada à sua conta.',
  'signIn.addsService': 'Se você escolher um serviço como {provider}, ele será adicionado à sua conta.',
  'signIn.addsBoth':
    'Se você escolher uma nova chave de acesso ou um serviço como {provider}, essa opção será adicionada à sua conta.',
  'signIn.othersReplace': 'Com qualquer outra forma de entrar, uma nova sessão começará no lugar desta.',
  'signIn.failed': 'Não foi possível entrar. Tente novamente ou escolha outra forma de entrar.',
  'signIn.notCreated': 'Não foi possível criar uma conta para você. Tente novamente ou escolha outra forma de entrar.',
  'signIn.mailFailed': 'Não foi possível enviar o e-mail. Verifique o endereço e tente novamente em alguns minutos.',
  'signIn.unavailable':
    'Este site está com um problema e não é possível entrar no momento. Tente novamente mais tarde.',
  'passkey.signIn': 'Entrar com uma chave de acesso',
  'passkey.create': 'Criar uma conta com uma chave de acesso',
  'passkey.newHere': 'é sua primeira vez aqui?',
  'passkey.needsScript': 'Para entrar com uma chave de acesso, é necessário o JavaScript.',
  'passkey.insecurePage': 'As chaves de acesso só funcionam em páginas seguras (https), e esta página não é segura.',
  'passkey.unsupportedBrowser': 'Este navegador não é compatível com chaves de acesso.',
  'passkey.cancelled':
    'Você não entrou: a operação foi cancelada, demorou demais ou não encontrou nenhuma chave de acesso para este site. Tente novamente.',
  'passkey.cancelledNew':
    'Nenhuma chave de acesso foi criada: a operação foi cancelada, demorou demais ou este dispositivo não pode guardar uma. Tente novamente.',
  'passkey.notAllowed': 'Esta página não tem permissão para usar chaves de acesso.',
  'passkey.alreadyRegistered': 'Este dispositivo já tem uma chave de acesso para esta conta. Use-a para entrar.',
  'passkey.unsupported': 'Este navegador ou dispositivo não é compatível com chaves de acesso.',
  'passkey.unsupportedNew':
    'Este navegador ou dispositivo não consegue criar o tipo de chave de acesso exigido por este site.',
  'passkey.insecure':
    'As chaves de acesso não funcionam neste endereço. Abra o site no endereço próprio dele, que começa com https.',
  'passkey.refused': 'O site não aceitou a resposta da sua chave de acesso. Tente novamente.',
  'passkey.refusedNew': 'O site não aceitou esta chave de acesso. Tente novamente.',
  'passkey.network': 'Não foi possível acessar o site. Verifique sua conexão e tente novamente.',
  'passkey.failed': 'Seu navegador ou dispositivo não conseguiu concluir esta operação. Tente novamente.',
  'signOut.title': 'Sair',
  'signOut.question': 'Você quer sair de {site}?',
  'signOut.button': 'Sair',
  'signOut.also': 'Sair também de {provider}',
  'signOut.alsoDone': 'Você também sairá de {provider}.',
  'signOut.nobody': 'Você não tem uma sessão iniciada em {site} neste navegador.',
  'signOut.outOfDate': 'Você ainda não saiu: esta página estava desatualizada. Pressione o botão novamente.',

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
  'page.home': 'Ir para {site}',
  'verifyRequest.title': 'Verifique seu e-mail',
  'verifyRequest.text':
    'Enviamos um link para você entrar. Abra-o neste navegador: em outro, será preciso confirmar primeiro.',
  'verifyRequest.help':
    'Nada chegou depois de alguns minutos? Procure na pasta de spam ou volte, verifique o endereço e peça outro link. Só o mais recente funciona.',
  'confirmEmail.title': 'Confirme seu login',
  'confirmEmail.lead': 'Você abriu um link para entrar em {site} como {address}.',
  'confirmEmail.advice':
    'Continue somente se foi você quem pediu este link e se quer entrar nesta conta neste navegador.',
  'confirmEmail.button': 'Entrar como {address}',
  'confirmEmail.prove': 'Você entrou nesta conta. Ao continuar, você comprova que o endereço é seu.',
  'confirmEmail.otherUser':
    'Aqui, você entrou como {person}. Se continuar, você passará a usar a conta da pessoa a quem este endereço pertence, no lugar da atual.',
  'confirmEmail.newUser':
    'Aqui, você entrou como {person}. Se continuar, uma nova conta será criada para este endereço e você passará a usá-la no lugar da atual.',
  'confirmEmail.somebody': 'outra pessoa',
  'changeEmail.title': 'Altere seu endereço de e-mail',
  'changeEmail.lead': 'O endereço de e-mail da sua conta em {site} passará a ser {address}.',
  'changeEmail.before':
    'Até agora, era {address}. A partir da alteração, os links para entrar serão enviados ao novo endereço.',
  'changeEmail.hadNone':
    'Até agora, não havia nenhum. A partir da alteração, os links para entrar serão enviados ao novo endereço.',
  'changeEmail.signedIn':
    'Você entrou como {person}. Continue somente se esta é a sua conta e se foi você quem pediu a alteração.',
  'changeEmail.button': 'Alterar o endereço',
  'changeEmail.about': 'Com este link, {address} passa a ser o endereço de uma conta em {site}.',
  'changeEmail.signOutFirst':
    'Você entrou como {person}. Saia, entre com a conta que pediu a alteração e abra novamente o link do e-mail.',
  'changeEmail.signInFirst':
    'Você não tem uma sessão iniciada neste navegador. Entre com a conta que pediu a alteração e abra novamente o link do e-mail.',
  'changeEmail.notYours': 'Não foi você quem pediu? Então feche esta página: nada mudou.',
  'connect.title': 'Conectar {provider}',
  'connect.heading': 'Conectar sua conta {provider}?',
  'connect.lead': 'Sua conta nesse serviço será conectada a {site}.',
  'connect.leadAs': 'Sua conta nesse serviço será conectada a {site}, onde você entrou como {person}.',
  'connect.advice':
    'A partir de então, ela servirá para você entrar aqui. Continue somente se for isso que você quer e verifique em {provider} se a conta é sua.',
  'connect.button': 'Continuar para {provider}',
  'continue.title': 'Continuar',
  'continue.heading': 'Um momento…',
  'continue.lead': 'Redirecionando você para {host}…',
  'continue.help': 'Se nada acontecer, {link}.',
  'continue.link': 'continue para {host}',
  'mail.signIn': 'Entrar em {site}',
  'mail.signInOpen': 'Abra este link para entrar:',
  'mail.signInOpenAs': 'Abra este link para entrar como {address}:',
  'mail.signInPress': 'Pressione o botão para entrar.',
  'mail.signInPressAs': 'Pressione o botão para entrar como {address}.',
  'mail.signInButton': 'Entrar',
  'mail.signInBrowser':
    'Abra-o no navegador em que você o pediu. Em qualquer outro navegador, será preciso confirmar primeiro.',
  'mail.signInIgnore':
    'Não foi você quem pediu este e-mail? Então pode ignorá-lo: sem o link, ninguém entra. Não o encaminhe.',
  'mail.change': 'Confirme seu novo endereço de e-mail para {site}',
  'mail.changeOpen': 'Abra este link para que este seja o endereço da sua conta:',
  'mail.changePress': 'Pressione o botão para que este seja o endereço da sua conta.',
  'mail.changeButton': 'Confirmar o endereço',
  'mail.changeBrowser':
    'Abra-o em um navegador em que você tenha entrado na sua conta. Será preciso confirmar primeiro.',
  'mail.changeIgnore':
    'Não foi você quem pediu este e-mail? Então pode ignorá-lo: sem o link, nada muda. Não o encaminhe.',
  'mail.validity': 'O link funciona uma única vez. Validade: {lifetime}.',
  'mail.copy': 'O botão não funciona? Então copie este link para o navegador:',
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Seu endereço de e-mail em {site} foi alterado',
  'mail.changedFacts':
    'Este não é mais o endereço da sua conta em {site}: agora ela tem outro. Os links para entrar não chegam mais aqui.',
  'mail.changedAdvice':
    'Não foi você? Então outra pessoa entrou na sua conta. Avise imediatamente os responsáveis pelo site.',
  'error.title': 'Erro',
  'error.reference': 'Referência: {reference}',
  'error.Configuration.heading': 'Este site está com um problema',
  'error.Configuration.text':
    'Não é possível entrar no momento. Você não fez nada de errado; tente novamente mais tarde.\nOs responsáveis pelo site encontrarão o motivo no log do servidor.',
  'error.unknown.heading': 'Algo deu errado',
  'error.unknown.text': 'Volte ao site e tente novamente.',
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
  'error.AccessDenied.heading': 'Acesso negado',
  'error.AccessDenied.text':
    'Esta conta não tem permissão para entrar aqui.\nSe você tem outra conta, entre com ela ou peça acesso aos responsáveis pelo site.',
  'error.AccountNotLinked.text':
    'Já existe uma conta com este endereço de e-mail, ou esta forma de entrar pertence a outra conta. Entre da mesma forma que na primeira vez.',
  'error.CaptchaRequired.text': 'Confirme que você não é um robô e tente novamente.',
  'error.CaptchaUnavailable.heading': 'Tente novamente mais tarde',
  'error.CaptchaUnavailable.text':
    'Não foi possível verificar que você não é um robô. Nada mudou, e não há nada de errado com sua conta.',
  'error.ConsentRequired.heading': 'Sua conta não foi conectada',
  'error.ConsentRequired.text':
    'Você ou o serviço não autorizou a conexão, ou você escolheu lá uma conta diferente da que está conectada aqui.\nVolte para onde começou e conecte sua conta novamente.',
  'error.CredentialsSignin.text':
    'Esses dados de acesso estão incorretos. Verifique o que você digitou e tente novamente.',
  'error.EmailSignInError.text': 'Não podemos enviar um link para esse endereço. Verifique-o e tente novamente.',
  'error.InvalidCheck.heading': 'Comece novamente',
  'error.InvalidCheck.text':
    'O login demorou demais, foi aberto em outro navegador ou já tinha sido usado. Nada mudou.',
  'error.InvalidProvider.heading': 'Forma de entrar desconhecida',
  'error.InvalidProvider.text': 'Este site não oferece a forma de entrar solicitada. Escolha outra.',
  'error.InvalidRequest.heading': 'Não foi possível entender esta solicitação',
  'error.InvalidRequest.text': 'Volte e tente novamente. Se o problema continuar, avise os responsáveis pelo site.',
  'error.MissingCSRF.text':
    'Esta página estava desatualizada: ficou aberta por tempo demais, ou você entrou ou saiu em outra aba. Tente novamente.',
  'error.NotConnected.heading': 'Nenhuma conta conectada',
  'error.NotConnected.text': 'Conecte primeiro uma conta do serviço.',
  'error.OAuthAccountNotLinked.text':
    'Você já tem uma conta com este endereço de e-mail, mas entrou nela de outra forma. Entre da mesma forma que na primeira vez.',
  'error.OAuthCallbackError.text':
    'O login não foi concluído: foi cancelado ou o serviço não o confirmou. Tente novamente ou escolha outra forma de entrar.',
  'error.OAuthSignInError.text': 'Não foi possível iniciar o login. Tente novamente ou escolha outra forma de entrar.',
  'error.PasswordsBusy.heading': 'Please try again in a moment',
  'error.PasswordsBusy.text':
    'Many people are signing in just now. Nothing has changed, and nothing is wrong with your account.',
  'error.RefreshError.heading': 'Não foi possível acessar o serviço',
  'error.RefreshError.text': 'Tente novamente daqui a pouco.',
  'error.SignOutError.heading': 'Você saiu somente neste navegador',
  'error.SignOutError.text':
    'Não foi possível encerrar a sessão no servidor. Uma nova tentativa será feita automaticamente.\nSe outra pessoa puder ter uma cópia dela, entre e saia novamente daqui a pouco.',
  'error.TooManyRequests.heading': 'Muitas tentativas',
  'error.TooManyRequests.text': 'Aguarde alguns minutos e tente novamente. Não há nada de errado com sua conta.',
  'error.Verification.heading': 'Este link não funciona mais',
  'error.Verification.text':
    'Ele já foi usado, é antigo demais ou um mais recente foi enviado. Se você o copiou, pode estar faltando uma parte.\nEntre novamente para receber um novo link.',
  'error.WebAuthnVerificationError.heading': 'Sua chave de acesso não foi aceita',
  'error.WebAuthnVerificationError.text':
    'A operação demorou demais, a chave foi criada para outro site ou outra conta, ou este site não a reconhece mais. Nada mudou.\nTente novamente ou entre de outra forma.',
}

export default pt
