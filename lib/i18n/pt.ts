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
  'signIn.addressOrUsername': 'Endereço de e-mail ou nome de usuário',
  'signIn.password': 'Senha',
  'signIn.code': 'Código',
  'signIn.continue': 'Continuar',
  'signIn.otherAddress': 'Usar outro endereço',
  'signIn.more': 'Outras formas de entrar',
  'signIn.showPassword': 'Mostrar senha',
  'signIn.hidePassword': 'Ocultar senha',
  'signIn.or': 'ou',
  'signIn.lastUsed': 'Usado da última vez',
  'signIn.remember': 'Manter a sessão iniciada',
  'signIn.captcha': 'Ative o JavaScript para confirmar que você não é um robô e recarregue esta página.',
  'signIn.nothing': 'Ainda não há nenhuma forma de entrar aqui.',
  'signIn.required': 'Entre para ver esta página.',
  'signIn.again': 'Entre novamente para confirmar que é você.',
  'signIn.already': 'Você já tem uma sessão iniciada.',
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
  'passkey.offerTitle': 'Entrar sem senha',
  'passkey.offerText':
    'Com uma chave de acesso, você entra em {site} com sua impressão digital, seu rosto ou o bloqueio da tela. É mais rápida que uma senha, e nenhum site falso pode usá-la.',
  'passkey.offerButton': 'Criar uma chave de acesso',
  'passkey.notNow': 'Agora não',
  'signOut.title': 'Sair',
  'signOut.question': 'Você quer sair de {site}?',
  'signOut.button': 'Sair',
  'signOut.also': 'Sair também de {provider}',
  'signOut.alsoDone': 'Você também sairá de {provider}.',
  'signOut.nobody': 'Você não tem uma sessão iniciada em {site} neste navegador.',
  'signOut.outOfDate': 'Você ainda não saiu: esta página estava desatualizada. Pressione o botão novamente.',

  'factor.title': 'Confirme que é você',
  'factor.totp': 'Digite o código que seu aplicativo autenticador mostra para {site}.',
  'factor.recovery': 'Digite um dos seus códigos de recuperação de {site}. Cada código funciona uma única vez.',
  'factor.passkey': 'Use sua chave de acesso para continuar em {site}.',
  'factor.email': 'Para continuar em {site}, receba um código no endereço da sua conta.',
  'factor.emailSent': 'Digite o código que {site} acabou de enviar ao endereço da sua conta.',
  'factor.send': 'Receber um código',
  'factor.sendAgain': 'Receber um novo código',
  'factor.recoveryCode': 'Código de recuperação',
  'factor.remember': 'Não pedir isto novamente neste navegador durante {lifetime}',
  'factor.useTotp': 'Usar um aplicativo autenticador',
  'factor.useEmail': 'Receber um código por e-mail',
  'factor.useRecovery': 'Usar um código de recuperação',
  'factor.usePasskey': 'Usar uma chave de acesso',

  'factors.title': 'Login em duas etapas',
  'factors.lead': 'Além da sua forma habitual de entrar, {site} pede uma destas segundas etapas.',
  'factors.required': '{site} pede uma segunda etapa em cada login. Adicione uma para continuar.',
  'factors.totp': 'Aplicativo autenticador',
  'factors.email': 'Código por e-mail',
  'factors.passkey': 'Chave de acesso',
  'factors.recovery': 'Códigos de recuperação',
  'factors.addTotp': 'Adicionar um aplicativo autenticador',
  'factors.addEmail': 'Adicionar um código por e-mail',
  'factors.addPasskey': 'Usar minhas chaves de acesso como segunda etapa',
  'factors.recommended': 'Recomendado',
  'factors.whyPasskey': 'Uma chave de acesso é rápida, e nenhum site falso pode usá-la.',
  'factors.whyTotp': 'Um aplicativo funciona sem rede, e mesmo se você não tiver acesso ao seu e-mail.',
  'factors.added': 'Data de adição: {date}',
  'factors.remove': 'Remover',
  'factors.removeThis': 'Remover: {factor}',
  'factors.done': 'Concluir',
  'factors.newCodes': 'Criar novos códigos de recuperação',
  'factors.left': 'Códigos de recuperação restantes: {count}',
  'factors.scan':
    'Leia este código com seu aplicativo autenticador e digite os seis algarismos que o aplicativo mostra.',
  'factors.type':
    'Digite esta chave no seu aplicativo autenticador e depois digite aqui os seis algarismos que o aplicativo mostra.',
  'factors.orType': 'Se não puder lê-lo, digite esta chave no aplicativo:',
  'factors.qr': 'Código QR para seu aplicativo autenticador',
  'factors.open': 'Abrir em um aplicativo neste dispositivo',
  'factors.name': 'Nome do dispositivo (opcional)',
  'factors.add': 'Adicionar',
  'factors.emailLead': 'Enviamos um código ao endereço da sua conta para verificar se ele chega.',
  'factors.emailSent': 'Digite o código que acabamos de enviar ao endereço da sua conta.',
  'factors.passkeyLead':
    'Use agora uma das suas chaves de acesso. A partir de então, ela será pedida quando você entrar de outra forma.',
  'factors.codes': 'Seus códigos de recuperação',
  'factors.codesLead':
    'Guarde estes códigos onde possa encontrá-los sem seu telefone, por exemplo em papel ou em um gerenciador de senhas. Cada um permite entrar uma vez, no lugar da sua segunda etapa.',
  'factors.codesOnce': 'Eles são mostrados somente agora. Os códigos anteriores não funcionam mais.',
  'factors.codesFor': 'Códigos de recuperação para {site}',
  'factors.copy': 'Copiar',
  'factors.copied': 'Copiado.',
  'factors.download': 'Baixar',
  'factors.print': 'Imprimir',
  'factors.kept': 'Guardo estes códigos em um lugar seguro.',

  'page.cancel': 'Cancelar',
  'page.home': 'Ir para {site}',
  'verifyRequest.title': 'Verifique seu e-mail',
  'verifyRequest.text':
    'Enviamos um link para você entrar. Abra-o neste navegador: em outro, será preciso confirmar primeiro.',
  'verifyRequest.textTo':
    'Enviamos para {address} um link para você entrar. Abra-o neste navegador: em outro, será preciso confirmar primeiro.',
  'verifyRequest.help':
    'Nada chegou depois de alguns minutos? Procure na pasta de spam ou volte, verifique o endereço e peça outro link. Só o mais recente funciona.',
  'verifyRequest.wait':
    'Nada chegou depois de alguns minutos? Procure na pasta de spam ou peça outro e-mail. Só o link mais recente funciona.',
  'verifyRequest.again': 'Enviar outro e-mail',
  'verifyRequest.limited': 'Ainda não é possível enviar outro e-mail. Aguarde {wait} e tente novamente.',
  'verifyRequest.sentAgain': 'Outro e-mail está a caminho.',
  'verifyRequest.otherMethod': 'Usar outra forma de entrar',
  'verifyRequest.signUp':
    'Enviamos um e-mail ao endereço que você digitou. Para continuar, abra neste navegador o link que está nele.',
  'verifyRequest.signUpTo':
    'Enviamos um e-mail para {address}. Para continuar, abra neste navegador o link que está nele.',
  'verifyRequest.reset':
    'Se existe uma conta com o endereço que você digitou, enviamos um e-mail para ele. Abra o link que está nesse e-mail para escolher uma nova senha.',
  'verifyRequest.resetTo':
    'Se existe uma conta com o endereço {address}, enviamos um e-mail para ele. Abra o link que está nesse e-mail para escolher uma nova senha.',
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

  'password.forgotLink': 'Esqueceu sua senha?',
  'password.signUpLink': 'Criar uma conta',
  'password.signInLink': 'Tenho uma conta: entrar',
  'password.new': 'Nova senha',
  'password.current': 'Senha atual',
  'password.length':
    'Pelo menos {count} caracteres. Algumas palavras seguidas são fáceis de lembrar e difíceis de adivinhar.',
  'password.signUpTitle': 'Criar uma conta',
  'password.signUpLead': 'para {site}',
  'password.signUpButton': 'Criar a conta',
  'password.forgotTitle': 'Esqueceu sua senha?',
  'password.forgotText': 'Digite o endereço da sua conta. Enviaremos um link para você escolher uma nova senha.',
  'password.resetTitle': 'Escolha uma nova senha',
  'password.resetLead': 'para sua conta {address} em {site}',
  'password.resetText': 'Depois disso, sua sessão será iniciada aqui e encerrada em todos os outros lugares.',
  'password.saveButton': 'Salvar a senha',
  'password.verifyTitle': 'Confirme seu endereço',
  'password.verifyLead': 'Sua conta em {site} recebe o endereço {address}.',
  'password.verifyAdvice': 'Continue somente se foi você quem começou a criar esta conta.',
  'password.verifyAnew':
    'Você começou em outro navegador, ou outra pessoa fez isso. Por isso, escolha a senha aqui: a que foi digitada lá não conta.',
  'password.changeTitle': 'Altere sua senha',
  'password.changeLead': 'para sua conta {address} em {site}',
  'password.changeText': 'Sua sessão continuará iniciada aqui e será encerrada em todos os outros lugares.',
  'password.firstTitle': 'Defina uma senha',
  'password.signInFirst': 'Você não tem uma sessão iniciada neste navegador. Entre primeiro.',
  'password.signInAgain':
    'Para definir uma senha para esta conta, entre nela novamente e volte a esta página em até cinco minutos.',
  'password.proveFirst':
    'O endereço da sua conta ainda não foi confirmado. Confirme-o primeiro: entre com um link enviado para ele.',

  'deleteAccount.title': 'Excluir sua conta',
  'deleteAccount.lead': 'Isto exclui sua conta {address} em {site}, com tudo o que pertence a ela.',
  'deleteAccount.grace': 'A conta será excluída em {time}. Até lá, os responsáveis pelo site podem restaurá-la.',
  'deleteAccount.button': 'Excluir minha conta',
  'deleteAccount.signInAgain':
    'Para excluir esta conta, entre nela novamente e volte a esta página em até cinco minutos.',
  'deleteAccount.refused':
    'Esta conta não pode ser excluída aqui no momento. Entre em contato com os responsáveis pelo site.',
  'deleteAccount.done': 'Sua conta foi excluída.',
  'deleteAccount.scheduled':
    'Sua conta será excluída em {time}. Para mantê-la, entre em contato com os responsáveis pelo site.',
  'password.short': 'Esta senha é curta demais.',
  'password.long': 'Esta senha é longa demais.',
  'password.common': 'Muitas pessoas têm esta senha, por isso ela é adivinhada na hora. Escolha outra.',
  'password.breached':
    'Esta senha é conhecida por invasores, devido a uma invasão em outro site. Escolha outra e altere-a em todos os lugares onde você a usa.',
  'password.contextual':
    'Esta senha é formada pelo seu endereço ou pelo nome deste site, por isso é fácil de adivinhar. Escolha outra.',
  'password.unavailable': 'Não foi possível verificar se esta senha é segura. Tente novamente em alguns minutos.',
  'password.wrong': 'A senha atual está incorreta. Tente novamente.',
  'connect.title': 'Conectar {provider}',
  'connect.heading': 'Conectar sua conta {provider}?',
  'connect.lead': 'Sua conta nesse serviço será conectada a {site}.',
  'connect.leadAs': 'Sua conta nesse serviço será conectada a {site}, onde você entrou como {person}.',
  'connect.advice':
    'A partir de então, ela servirá para você entrar aqui. Continue somente se for isso que você quer e verifique em {provider} se a conta é sua.',
  'connect.button': 'Continuar para {provider}',
  'guard.csrfHeading': 'Esta página estava desatualizada',
  'guard.csrfText': 'O que você enviou não foi salvo. Abra a página novamente e envie outra vez.',
  'guard.signInHeading': 'Você não tem uma sessão iniciada',
  'guard.signInText': 'O que você enviou não foi salvo. Entre primeiro e depois envie novamente.',
  'guard.confirmText': 'O que você enviou não foi salvo. Confirme primeiro que é você e depois envie novamente.',
  'guard.forbiddenHeading': 'Você não tem acesso',
  'guard.forbiddenText':
    'Sua conta não tem acesso a isto. Se você enviou um formulário, ele não foi salvo. Peça acesso aos responsáveis pelo site.',
  'guard.connectText':
    'O que você enviou não foi salvo. Conecte primeiro uma conta do serviço e depois envie novamente.',
  'continue.title': 'Continuar',
  'continue.heading': 'Um momento…',
  'continue.lead': 'Redirecionando você para {host}…',
  'continue.help': 'Se nada acontecer, {link}.',
  'continue.link': 'continue para {host}',
  'account.device': '{browser} no {system}',
  'account.support': 'Suporte',
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
  'mail.code': 'Seu código para {site}',
  'mail.codeEnter': 'Digite este código onde você está entrando:',
  'mail.codeValidity': 'O código funciona uma única vez. Validade: {lifetime}.',
  'mail.codeIgnore':
    'Você não está tentando entrar? Então alguém pode saber como você entra: a primeira etapa já foi vencida. Altere sua senha e não informe este código a ninguém.',
  'mail.factors': 'O login em duas etapas em {site} foi alterado',
  'mail.factorsFacts': 'As segundas etapas da sua conta em {site} foram alteradas.',
  'mail.factorsAdvice': 'Se não foi você, avise os responsáveis pelo site.',
  'mail.changed': 'Seu endereço de e-mail em {site} foi alterado',
  'mail.changedFacts':
    'Este não é mais o endereço da sua conta em {site}: agora ela tem outro. Os links para entrar não chegam mais aqui.',
  'mail.changedAdvice':
    'Não foi você? Então outra pessoa entrou na sua conta. Avise imediatamente os responsáveis pelo site.',
  'mail.signUp': 'Confirme seu endereço de e-mail para {site}',
  'mail.signUpOpen': 'Abra este link para terminar de criar sua conta:',
  'mail.signUpPress': 'Pressione o botão para terminar de criar sua conta.',
  'mail.signUpButton': 'Confirmar o endereço',
  'mail.signUpBrowser':
    'Abra-o no navegador em que você começou. Em qualquer outro navegador, será preciso escolher uma senha novamente.',
  'mail.signUpIgnore':
    'Não foi você quem pediu este e-mail? Então pode ignorá-lo: sem o link, não há conta. Não o encaminhe.',
  'mail.reset': 'Escolha uma nova senha para {site}',
  'mail.resetOpen': 'Abra este link para escolher uma nova senha:',
  'mail.resetPress': 'Pressione o botão para escolher uma nova senha.',
  'mail.resetButton': 'Escolher uma senha',
  'mail.resetBrowser':
    'Sua sessão será iniciada no navegador em que você abrir o link e encerrada em todos os outros lugares.',
  'mail.resetIgnore':
    'Não foi você quem pediu este e-mail? Então pode ignorá-lo: sem o link, sua senha continua a mesma. Não o encaminhe.',
  'mail.haveAccount': 'Você já tem uma conta em {site}',
  'mail.haveAccountOpen':
    'Alguém, provavelmente você, tentou criar uma conta com seu endereço ou substituir a senha dela. Sua conta já existe: entre da mesma forma que antes.',
  'mail.haveAccountReset': 'Se você esqueceu a senha dela, escolha uma nova:',
  'mail.haveAccountIgnore': 'Não foi você? Então pode ignorar este e-mail: nada mudou.',
  'mail.passwordChanged': 'Sua senha em {site} foi alterada',
  'mail.passwordChangedFacts': 'Sua conta em {site} tem uma nova senha.',
  'mail.passwordChangedAdvice':
    'Não foi você? Então outra pessoa entrou na sua conta ou na sua caixa de e-mail. Escolha imediatamente uma nova senha e avise os responsáveis pelo site.',
  'error.title': 'Erro',
  'error.reference': 'Referência: {reference}',
  'error.tryAgain': 'Tentar novamente',
  'error.Configuration.heading': 'Este site está com um problema',
  'error.Configuration.text':
    'Isto não funciona no momento, e não é culpa sua.\nTente novamente em alguns minutos. Se continuar acontecendo, avise os responsáveis pelo site.',
  'error.unknown.heading': 'Algo deu errado',
  'error.unknown.text': 'Volte ao site e tente novamente.',
  'error.AccountMismatch.heading': 'Essa é outra conta',
  'error.AccountMismatch.text':
    'Era preciso confirmar que é você, mas você entrou em outra conta. Nada mudou. Para trocar de conta, saia primeiro.',
  'error.InvalidCode.heading': 'O código está incorreto',
  'error.InvalidCode.text':
    'Este código está incorreto, já foi usado ou é antigo demais. Verifique-o ou aguarde o próximo.',
  'error.ReauthenticationRequired.heading': 'Confirme que é você',
  'error.ReauthenticationRequired.text':
    'Já faz algum tempo que você entrou. Entre novamente e repita o que queria fazer.',
  'error.SecondFactorFailed.text':
    'O login não foi concluído a tempo, ou houve códigos incorretos demais. Entre novamente.',
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
    'Estes dados de login estão incorretos. Verifique o que você digitou e tente novamente.',
  'error.EmailSignInError.text': 'Não podemos enviar um link para esse endereço. Verifique-o e tente novamente.',
  'error.ImpersonatedSession.heading': 'Não permitido nesta sessão',
  'error.ImpersonatedSession.text':
    'Você está usando a sessão de outra pessoa, na qual isso não é permitido. Nada foi alterado. Encerre esta sessão primeiro.',
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
  'error.PasswordRejected.heading': 'Esta senha não pode ser usada',
  'error.PasswordRejected.text': 'Volte e escolha outra senha.',
  'error.PasswordsBusy.heading': 'Tente novamente daqui a um instante',
  'error.PasswordsBusy.text':
    'Muitas pessoas estão entrando neste momento. Nada mudou, e não há nada de errado com sua conta.',
  'error.RefreshError.heading': 'Não foi possível acessar o serviço',
  'error.RefreshError.text': 'Tente novamente daqui a pouco.',
  'error.SignOutError.heading': 'Você saiu somente neste navegador',
  'error.SignOutError.text':
    'Não foi possível encerrar a sessão no servidor. Uma nova tentativa será feita automaticamente.\nSe outra pessoa puder ter uma cópia dela, entre e saia novamente daqui a pouco.',
  'error.TooManyCookies.heading': 'Não há espaço para os cookies deste site',
  'error.TooManyCookies.text':
    'Este site não pode guardar mais nada no seu navegador, por isso nada foi alterado.\nExclua os cookies deste site no navegador e tente novamente.',
  'error.TooManyRequests.heading': 'Muitas tentativas',
  'error.TooManyRequests.text': 'Aguarde alguns minutos e tente novamente. Não há nada de errado com sua conta.',
  'error.Verification.heading': 'Este link não funciona mais',
  'error.Verification.text':
    'Ele já foi usado, é antigo demais ou um mais recente foi enviado. Se você o copiou, pode estar faltando uma parte.\nEntre novamente para receber um novo link.',
  'error.WebAuthnVerificationError.heading': 'Sua chave de acesso não foi aceita',
  'error.WebAuthnVerificationError.text':
    'A operação demorou demais, a chave de acesso foi criada para outro site ou outra conta, ou este site não a reconhece mais. Nada mudou.\nTente novamente ou entre de outra forma.',
  /* Tenants. */
  'error.TenantUnavailable.heading': 'Este site não está disponível',
  'error.TenantUnavailable.text': 'Tente novamente em alguns segundos. Não há nada de errado com sua conta.',
  'error.UnknownTenant.heading': 'Não há nenhum site aqui',
  'error.UnknownTenant.text': 'Verifique o endereço.',

  'organization.title': 'Escolha uma organização',
  'organization.lead': 'com a qual continuar em {site}',
  'organization.none':
    'Você não faz parte de nenhuma organização em {site}. Peça acesso à administração da sua organização.',
  'organization.active': 'Ativa',
  'guard.notFoundHeading': 'Esta página não existe',
  'guard.notFoundText': 'Esta página não existe. Se você enviou um formulário, ele não foi salvo.',
  'guard.organizationText':
    'Escolha primeiro uma organização e tente novamente. Se você enviou um formulário, ele não foi salvo.',
  'app.title': 'Continuar para {app}?',
  'app.lead': 'O aplicativo entrará na sua conta em {site}.',
  'app.advice':
    'Continue somente se você acabou de abrir o aplicativo. Você pode desconectá-lo a qualquer momento na lista das suas sessões.',
  'app.otherAccount': 'Usar outra conta',
  'invitation.title': 'Aceitar um convite',
  'invitation.lead': 'Recebeu um convite para entrar em {organization} em {site}.',
  'invitation.address': 'O convite é para {address}.',
  'invitation.button': 'Aceitar o convite',
  'invitation.other':
    'A sessão foi iniciada com outra conta, ou o endereço dela não está confirmado. Termine a sessão e abra o link novamente.',
  'mail.invitation': 'Convite para {site}',
  'mail.invitationOpen': 'Recebeu um convite para entrar em {organization}. Abra este link para aceitar:',
  'mail.invitationPress': 'Recebeu um convite para entrar em {organization}. Prima o botão para aceitar.',
  'mail.invitationButton': 'Ver o convite',
  'mail.invitationIgnore': 'Não conhece o remetente? Pode ignorar este e-mail: sem si, nada acontece.',
}

export default pt
