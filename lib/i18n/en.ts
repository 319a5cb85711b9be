/**
 * English: all texts of the built-in pages and emails, and the template of every other language. A placeholder such as
 * `{name}` is replaced by a value, and every translation must contain it. `{site}` is the site's name or host,
 * `{provider}` the name of a provider, `{address}` a user's email address.
 */
import { errorTexts } from './en-errors.js'

const en = {
  /** The direction of writing: `ltr` or `rtl`. */
  direction: 'ltr',

  /* The sign-in page. */

  /** The title, and the heading if the site has no name. */
  'signIn.title': 'Sign in',
  /** The heading if the site has a name. */
  'signIn.titleOf': 'Sign in to {site}',
  /** The text below the heading `signIn.title`, as the rest of its sentence. */
  'signIn.lead': 'to continue to {site}',
  /** The button for a provider. */
  'signIn.with': 'Sign in with {provider}',
  /** The button of a form, such as one for a password; also a link to the sign-in page. */
  'signIn.button': 'Sign in',
  /** The button of the form for an email link. */
  'signIn.sendLink': 'Send me a link',
  /** The button if there are several such forms. */
  'signIn.sendLinkWith': 'Send me a link with {provider}',
  /** Labels of inputs without their own label. */
  'signIn.address': 'Email address',
  'signIn.addressExample': 'you@example.com',
  'signIn.username': 'Username',
  /** The label if some sign-in methods need an email address, and others a user name. */
  'signIn.addressOrUsername': 'Email address or username',
  'signIn.password': 'Password',
  'signIn.code': 'Code',
  /** The button below the address if it is asked for first, and the link back to it. */
  'signIn.continue': 'Continue',
  'signIn.otherAddress': 'Use another address',
  /** The summary of a long list's hidden providers. */
  'signIn.more': 'More sign-in methods',
  /** The button beside a password. */
  'signIn.showPassword': 'Show password',
  'signIn.hidePassword': 'Hide password',
  /** The divider between two sign-in methods. */
  'signIn.or': 'or',
  /** The mark of the sign-in method that was used last in this browser. */
  'signIn.lastUsed': 'Last used',
  'signIn.remember': 'Keep me signed in',
  'signIn.captcha': 'Please turn on JavaScript to confirm that you are human, then load this page again.',
  'signIn.nothing': 'There is no sign-in method here yet.',
  /** The message for visitors of a page that requires a session. */
  'signIn.required': 'Please sign in to see this page.',
  /** The message for a signed-in user who has to reauthenticate. */
  'signIn.again': 'Please sign in again, to confirm that it is you.',
  'signIn.already': 'You are already signed in.',
  'signIn.replaces': 'Signing in here begins a new session in place of this one.',
  'signIn.addsPasskey': 'If you choose a new passkey, it is added to your account.',
  'signIn.addsService': 'If you choose a service such as {provider}, it is added to your account.',
  'signIn.addsBoth': 'If you choose a new passkey or a service such as {provider}, it is added to your account.',
  /** The sentence after one of the three before. */
  'signIn.othersReplace': 'Any other sign-in method starts a new session instead of this one.',
  /** The message for all other errors. */
  'signIn.failed': 'Signing in did not work. Please try again, or choose another sign-in method.',
  'signIn.notCreated': 'An account could not be created for you. Please try again, or choose another sign-in method.',
  'signIn.mailFailed': 'The email could not be sent. Please check the address, then try again in a few minutes.',
  'signIn.unavailable': 'This site has a problem, so signing in does not work right now. Please try again later.',

  /* Passkeys. */

  'passkey.signIn': 'Sign in with a passkey',
  'passkey.create': 'Create an account with a passkey',
  /** The text above the fields for a new account. */
  'passkey.newHere': 'new here?',
  'passkey.needsScript': 'Signing in with a passkey needs JavaScript.',
  'passkey.insecurePage': 'Passkeys work on secure pages only (https), and this page is not one.',
  'passkey.unsupportedBrowser': 'This browser does not support passkeys.',
  /** The errors of a sign-in, and (`New`) of the creation of a passkey. */
  'passkey.cancelled':
    'You are not signed in: this was cancelled, took too long, or found no passkey for this site. Please try again.',
  'passkey.cancelledNew':
    'No passkey was made: this was cancelled, took too long, or this device cannot keep one. Please try again.',
  'passkey.notAllowed': 'This page is not allowed to use passkeys.',
  'passkey.alreadyRegistered': 'This device already has a passkey for this account. Please sign in with it.',
  'passkey.unsupported': 'This browser or device does not support passkeys.',
  'passkey.unsupportedNew': 'This browser or device cannot make the kind of passkey that this site needs.',
  'passkey.insecure':
    'Passkeys do not work at this address. Please open the site at its own address, beginning with https.',
  'passkey.refused': 'The site did not accept the answer of your passkey. Please try again.',
  'passkey.refusedNew': 'The site did not accept this passkey. Please try again.',
  'passkey.network': 'The site could not be reached. Please check your connection, then try again.',
  'passkey.failed': 'Your browser or device could not do this. Please try again.',
  /** The page after a sign-in with a password, once in each browser. */
  'passkey.offerTitle': 'Sign in without a password',
  'passkey.offerText':
    'With a passkey you sign in to {site} by your fingerprint, your face or the lock of your screen. It is quicker than a password, and no false site can use it.',
  'passkey.offerButton': 'Create a passkey',
  'passkey.notNow': 'Not now',

  /* The sign-out page. */

  'signOut.title': 'Sign out',
  'signOut.question': 'Do you want to sign out of {site}?',
  'signOut.button': 'Sign out',
  /** The second button, which also signs out at the provider. */
  'signOut.also': 'Also sign out of {provider}',
  /** The text if the provider always signs the user out too. */
  'signOut.alsoDone': 'You will be signed out of {provider}, too.',
  'signOut.nobody': 'You are not signed in to {site} in this browser.',
  'signOut.outOfDate': 'You are not signed out yet: this page was out of date. Please press the button again.',

  /* The second factor, at a sign-in. */

  'factor.title': 'Confirm that it is you',
  'factor.totp': 'Enter the code that your authenticator app shows for {site}.',
  'factor.recovery': 'Enter one of your recovery codes for {site}. Each code works once.',
  'factor.passkey': 'Use your passkey to go on to {site}.',
  'factor.email': 'To go on to {site}, get a code at the address of your account.',
  'factor.emailSent': 'Enter the code that {site} has just sent to the address of your account.',
  'factor.send': 'Send me a code',
  'factor.sendAgain': 'Send a new code',
  'factor.recoveryCode': 'Recovery code',
  /** `{lifetime}`: such as “30 days”. */
  'factor.remember': 'Do not ask for this again in this browser for {lifetime}',
  /** Links to the other factors. */
  'factor.useTotp': 'Use an authenticator app',
  'factor.useEmail': 'Get a code by email',
  'factor.useRecovery': 'Use a recovery code',
  'factor.usePasskey': 'Use a passkey',

  /* The page on which users add and remove second factors. */

  'factors.title': 'Two-step sign-in',
  'factors.lead': 'Besides your usual sign-in method, {site} asks for one of these.',
  'factors.required': '{site} asks for a second step at each sign-in. Add one to continue.',
  'factors.totp': 'Authenticator app',
  'factors.email': 'Code by email',
  'factors.passkey': 'Passkey',
  'factors.recovery': 'Recovery codes',
  'factors.addTotp': 'Add an authenticator app',
  'factors.addEmail': 'Add a code by email',
  'factors.addPasskey': 'Use my passkeys as a second step',
  /** The mark of one factor, and the reason for it. */
  'factors.recommended': 'Recommended',
  'factors.whyPasskey': 'A passkey is quick, and no false site can use it.',
  'factors.whyTotp': 'An app works without a network, and even if you cannot reach your email.',
  /** `{date}`: such as “Nov 23, 2026”. */
  'factors.added': 'Added on {date}',
  'factors.remove': 'Remove',
  /** For screen readers. `{factor}`: one of the names above. */
  'factors.removeThis': 'Remove: {factor}',
  /** The link that leaves the list. */
  'factors.done': 'Done',
  'factors.newCodes': 'Make new recovery codes',
  /** `{count}`: a number. */
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
  /** The first line of the file with the codes. */
  'factors.codesFor': 'Recovery codes for {site}',
  'factors.copy': 'Copy',
  'factors.copied': 'Copied.',
  'factors.download': 'Download',
  'factors.print': 'Print',
  /** The checkbox. */
  'factors.kept': 'I keep these codes in a safe place.',

  /* Texts of several pages. */

  'page.cancel': 'Cancel',
  /** A link to the site's home page. */
  'page.home': 'Go to {site}',

  /* After a request for an email. */

  'verifyRequest.title': 'Check your email',
  'verifyRequest.text':
    'We sent you a link to sign in. Please open it in this browser: in another one, you are asked to confirm first.',
  /** The texts with the address, if this browser has asked for the email. */
  'verifyRequest.textTo':
    'We sent a link to sign in to {address}. Please open it in this browser: in another one, you are asked to confirm first.',
  'verifyRequest.help':
    'Nothing there after a few minutes? Look in your spam folder, or go back, check the address and ask for another link. Only the newest one works.',
  'verifyRequest.wait':
    'Nothing there after a few minutes? Look in your spam folder, or ask for another email. Only the newest link works.',
  'verifyRequest.again': 'Send another email',
  /** `{wait}`: such as “5 minutes”. */
  'verifyRequest.limited': 'No other email can be sent yet. Please wait {wait}, then try again.',
  'verifyRequest.sentAgain': 'Another email is on its way.',
  'verifyRequest.otherMethod': 'Use another sign-in method',
  /** After a sign-up, and after a request to reset a password. */
  'verifyRequest.signUp':
    'We sent an email to the address that you entered. Please open the link in it, in this browser, to continue.',
  'verifyRequest.signUpTo': 'We sent an email to {address}. Please open the link in it, in this browser, to continue.',
  'verifyRequest.reset':
    'If there is an account with the address that you entered, we sent an email to it. Please open the link in it to choose a new password.',
  'verifyRequest.resetTo':
    'If there is an account with the address {address}, we sent an email to it. Please open the link in it to choose a new password.',

  /* Behind an email link, in a browser that did not request it. */

  'confirmEmail.title': 'Confirm your sign-in',
  'confirmEmail.lead': 'You opened a link that signs you in to {site} as {address}.',
  'confirmEmail.advice':
    'Continue only if you asked for this link yourself, and want to be signed in to this account in this browser.',
  'confirmEmail.button': 'Sign in as {address}',
  'confirmEmail.prove': 'You are signed in to this account. Going on proves that the address is yours.',
  /** `{person}`: the name or address of the signed-in user, or `confirmEmail.somebody`. */
  'confirmEmail.otherUser':
    'You are signed in as {person} here. Going on signs you in as the owner of this address instead.',
  'confirmEmail.newUser':
    'You are signed in as {person} here. Going on makes a new account for this address, and signs you in to it instead.',
  'confirmEmail.somebody': 'somebody else',

  /* Behind an email link that changes the address of an account. */

  'changeEmail.title': 'Change your address',
  'changeEmail.lead': 'The address of your account at {site} becomes {address}.',
  'changeEmail.before': 'It was {address}. Links that sign you in go to the new address from then on.',
  'changeEmail.hadNone': 'It had none. Links that sign you in go to the new address from then on.',
  'changeEmail.signedIn':
    'You are signed in as {person}. Continue only if this is your account, and you asked for the change.',
  'changeEmail.button': 'Change the address',
  /** The texts without a session, and for another user. */
  'changeEmail.about': 'This link makes {address} the address of an account at {site}.',
  'changeEmail.signOutFirst':
    'You are signed in as {person}. Sign out, then sign in with the account that asked for the change, and open the link in the mail again.',
  'changeEmail.signInFirst':
    'You are not signed in in this browser. Sign in with the account that asked for the change, and open the link in the mail again.',
  'changeEmail.notYours': 'You did not ask for it? Then close this page: nothing has changed.',

  /* Passwords that this site stores. */

  /** On the sign-in page, below the form. */
  'password.forgotLink': 'Forgot your password?',
  'password.signUpLink': 'Create an account',
  'password.signInLink': 'I have an account: sign in',
  'password.new': 'New password',
  'password.current': 'Current password',
  /** `{count}`: a number, 8 or more. */
  'password.length': 'At least {count} characters. A few words in a row are easy to remember, and hard to guess.',
  'password.signUpTitle': 'Create an account',
  'password.signUpLead': 'for {site}',
  'password.signUpButton': 'Create the account',
  'password.forgotTitle': 'Forgot your password?',
  'password.forgotText': 'Enter the address of your account. We send you a link by which you choose a new password.',
  'password.resetTitle': 'Choose a new password',
  'password.resetLead': 'for your account {address} at {site}',
  'password.resetText': 'You are signed in here then, and signed out everywhere else.',
  'password.saveButton': 'Save the password',
  'password.verifyTitle': 'Confirm your address',
  'password.verifyLead': 'Your account at {site} gets the address {address}.',
  'password.verifyAdvice': 'Continue only if you began to create this account yourself.',
  /** The text if the link was opened in another browser. */
  'password.verifyAnew':
    'You began in another browser, or somebody else did. So choose the password here: the one that was typed there does not count.',
  'password.changeTitle': 'Change your password',
  'password.changeLead': 'for your account {address} at {site}',
  'password.changeText': 'You stay signed in here, and are signed out everywhere else.',
  'password.firstTitle': 'Set a password',
  'password.signInFirst': 'You are not signed in in this browser. Please sign in first.',
  'password.signInAgain':
    'To set a password for this account, sign in to it again, and then come back to this page within five minutes.',
  'password.proveFirst':
    'The address of your account is not confirmed yet. Please confirm it first: sign in by a link that is mailed to it.',

  /** The page on which users delete their account. `{time}`: a number of days. */
  'deleteAccount.title': 'Delete your account',
  'deleteAccount.lead': 'This deletes your account {address} at {site} and all of its data.',
  'deleteAccount.grace': 'It is deleted in {time}. Until then, the people who run the site can bring it back.',
  'deleteAccount.button': 'Delete my account',
  'deleteAccount.signInAgain': 'To delete this account, sign in to it again, and come back within five minutes.',
  'deleteAccount.refused': 'This account cannot be deleted here now. Please contact the people who run the site.',
  'deleteAccount.done': 'Your account has been deleted.',
  'deleteAccount.scheduled': 'Your account is deleted in {time}. To keep it, contact the people who run the site.',
  /** The reasons why a password is rejected. */
  'password.short': 'This password is too short.',
  'password.long': 'This password is too long.',
  'password.common': 'Very many people have this password, so it is guessed at once. Please choose another one.',
  'password.breached':
    'This password is known to attackers, from a break-in at some other site. Please choose another one, and change it wherever you use it.',
  'password.contextual':
    'This password is made of your address or of the name of this site, so it is easily guessed. Please choose another one.',
  'password.unavailable': 'It could not be checked whether this password is safe. Please try again in a few minutes.',
  'password.wrong': 'The current password is not correct. Please try again.',

  /* Before an account at a provider is connected. */

  'connect.title': 'Connect {provider}',
  'connect.heading': 'Connect your account at {provider}?',
  'connect.lead': 'Your account there is going to be connected with {site}.',
  'connect.leadAs': 'Your account there is going to be connected with {site}, where you are signed in as {person}.',
  'connect.advice':
    'From then on it signs you in here. Continue only if you want that, and check at {provider} that the account is yours.',
  'connect.button': 'Continue to {provider}',

  /* On the way to another site. */

  'guard.csrfHeading': 'This page was out of date',
  'guard.csrfText': 'Your form was not saved. Open the page again, then send the form again.',
  'guard.signInHeading': 'You are not signed in',
  'guard.signInText': 'Your form was not saved. Sign in first, then send it again.',
  'guard.confirmText': 'Your form was not saved. Confirm first that it is you, then send it again.',
  'guard.forbiddenHeading': 'You have no access',
  'guard.forbiddenText':
    'Your account has no access to this. If you sent a form, it was not saved. Ask the people who run the site for access.',
  'guard.connectText': 'Your form was not saved. Connect an account of the service first, then send it again.',
  'continue.title': 'Continue',
  'continue.heading': 'One moment…',
  'continue.lead': 'You are being sent to {host}…',
  /** `{link}`: the text of `continue.link`, as a link. */
  'continue.help': 'If nothing happens, {link}.',
  'continue.link': 'continue to {host}',

  /* Account pages of the application. */

  /** The device of a session, for account pages: “Chrome on Windows”. The values are the names of products. */
  'account.device': '{browser} on {system}',
  /** The mark of a session that support uses in place of the user, for account pages. */
  'account.support': 'Support',

  /* Emails. */

  'mail.signIn': 'Sign in to {site}',
  /** The text before the link, in a plain text email. */
  'mail.signInOpen': 'Open this link to sign in:',
  'mail.signInOpenAs': 'Open this link to sign in as {address}:',
  /** The text before the button. */
  'mail.signInPress': 'Press the button to sign in.',
  'mail.signInPressAs': 'Press the button to sign in as {address}.',
  'mail.signInButton': 'Sign in',
  'mail.signInBrowser':
    'Open it in the browser in which you asked for it. In any other browser, you are asked to confirm first.',
  'mail.signInIgnore':
    'You did not ask for this email? Then you can ignore it: without the link, nobody can sign in. Please do not forward it.',
  'mail.change': 'Confirm your new address for {site}',
  'mail.changeOpen': 'Open this link to make this the address of your account:',
  'mail.changePress': 'Press the button to make this the address of your account.',
  'mail.changeButton': 'Confirm the address',
  'mail.changeBrowser':
    'Open it in a browser in which you are signed in to your account. You are asked to confirm first.',
  'mail.changeIgnore':
    'You did not ask for this email? Then you can ignore it: without the link, nothing changes. Please do not forward it.',
  /** `{lifetime}`: a number with its unit, in the first case: `24 hours`, `15 minutes`. */
  'mail.validity': 'The link works once, within {lifetime}.',
  'mail.copy': 'The button does not work? Then copy this link into the browser:',
  /** A code as second factor. */
  'mail.code': 'Your code for {site}',
  'mail.codeEnter': 'Enter this code where you are signing in:',
  'mail.codeValidity': 'The code works once, within {lifetime}.',
  'mail.codeIgnore':
    'If you are not signing in, somebody may know how you do: they have got past the first step. Change your password, and tell nobody this code.',
  /** Notices about second factors. */
  'mail.factors': 'Two-step sign-in was changed at {site}',
  'mail.factorsFacts': 'The second steps of your account at {site} were changed.',
  'mail.factorsAdvice': 'If you did not do this, tell the people who run the site.',
  'mail.changed': 'Your address at {site} was changed',
  'mail.changedFacts':
    'This is no longer the address of your account at {site}: it has another one now. Links that sign in do not go here any more.',
  'mail.changedAdvice':
    'It was not you? Then somebody else was in your account. Please tell the people behind the site at once.',
  'mail.signUp': 'Confirm your address for {site}',
  'mail.signUpOpen': 'Open this link to finish creating your account:',
  'mail.signUpPress': 'Press the button to finish creating your account.',
  'mail.signUpButton': 'Confirm the address',
  'mail.signUpBrowser':
    'Open it in the browser in which you began. In any other browser, you are asked to choose a password again.',
  'mail.signUpIgnore':
    'You did not ask for this email? Then you can ignore it: without the link, there is no account. Please do not forward it.',
  'mail.reset': 'Choose a new password for {site}',
  'mail.resetOpen': 'Open this link to choose a new password:',
  'mail.resetPress': 'Press the button to choose a new password.',
  'mail.resetButton': 'Choose a password',
  'mail.resetBrowser': 'You are signed in by it in the browser in which you open it, and signed out everywhere else.',
  'mail.resetIgnore':
    'You did not ask for this email? Then you can ignore it: without the link, your password stays as it is. Please do not forward it.',
  /** The email after a sign-up with the address of an existing account. */
  'mail.haveAccount': 'You already have an account at {site}',
  'mail.haveAccountOpen':
    'Somebody, probably you, tried to create an account with your address, or to replace its password. Your account is there already: sign in the way you did before.',
  'mail.haveAccountReset': 'If you have forgotten its password, choose a new one:',
  'mail.haveAccountIgnore': 'It was not you? Then you can ignore this email: nothing has changed.',
  'mail.passwordChanged': 'Your password at {site} was changed',
  'mail.passwordChangedFacts': 'Your account at {site} has a new password.',
  'mail.passwordChangedAdvice':
    'It was not you? Then somebody else was in your account, or in your mailbox. Choose a new password at once, and tell the people behind the site.',

  ...errorTexts,

  /* The page on which users choose an organization, and the responses of guards that need one. */

  /** The heading. It is also the heading of `guard.organizationText`. */
  'organization.title': 'Choose an organization',
  /** The text below the heading, as the rest of its sentence. */
  'organization.lead': 'to continue to {site}',
  /** The text for users without an organization. */
  'organization.none':
    'You are not a member of any organization on {site}. Ask an administrator of your organization for access.',
  /** The mark of the organization that is active now. */
  'organization.active': 'Active',
  /** The texts after a form was sent to an organization of which the user is no member. */
  'guard.notFoundHeading': 'There is no such page',
  'guard.notFoundText': 'This page does not exist. If you sent a form, it was not saved.',
  /** The text without an active organization. */
  'guard.organizationText': 'Choose an organization first, then try again. If you sent a form, it was not saved.',

  /* The page on which users allow an app to use their account. */

  /** The heading: the name of the app. */
  'app.title': 'Continue to {app}?',
  /** The text below the heading. */
  'app.lead': 'It will be signed in to your account on {site}.',
  /** The warning about a page that another program opened. */
  'app.advice':
    'Continue only if you opened the app yourself a moment ago. You can sign it out at any time in the list of your sessions.',
  /** The link that signs the user out and returns to the page. */
  'app.otherAccount': 'Use another account',

  /* An invitation to an organization: its page and its email. */
  'invitation.title': 'Accept an invitation',
  'invitation.lead': 'You are invited to join {organization} at {site}.',
  'invitation.address': 'The invitation is for {address}.',
  'invitation.button': 'Accept the invitation',
  'invitation.other':
    'You are signed in with another account, or its address is not confirmed. Sign out, then open the link again.',
  'mail.invitation': 'Invitation to {site}',
  'mail.invitationOpen': 'You are invited to join {organization}. Open this link to accept:',
  'mail.invitationPress': 'You are invited to join {organization}. Press the button to accept.',
  'mail.invitationButton': 'See the invitation',
  'mail.invitationIgnore': 'You do not know the sender? Then you can ignore this email: without you, nothing happens.',
} as const

export default en

/** The English texts. */
type English = typeof en

/** The key of a text. */
export type MessageKey = Exclude<keyof English, 'direction'>

/** The names in the braces of a text. */
export type PlaceholdersIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never

/** Any text that has these names in braces. */
type TextWith<Name extends string> = [Name] extends [never]
  ? string
  : (Name extends string ? (text: `${string}{${Name}}${string}`) => void : never) extends (text: infer Text) => void
    ? Text
    : never

/**
 * All texts of one language. A missing key, or a missing placeholder such as `{site}`, is a compile error.
 *
 * @example
 * ```ts
 * import en from 'server-auth/i18n/en'
 *
 * const own: Messages = { ...en, 'signIn.title': 'Log in' }
 * ```
 */
export type Messages = {
  readonly [Key in keyof English]: Key extends 'direction' ? 'ltr' | 'rtl' : TextWith<PlaceholdersIn<English[Key]>>
}
