/** What the sign-in page says about what brought the person there. */
import type { Html } from './html.js'
import { html } from './html.js'

const tryAgain = 'Please try again, or choose another way to sign in.'
const notStarted = `Signing in could not be started. ${tryAgain}`
const notCompleted = `Signing in was not completed: it was cancelled, or the service did not confirm it. ${tryAgain}`
const notCreated = `An account could not be created for you. ${tryAgain}`
const notSent = 'The email could not be sent. Please check the address, then try again in a few minutes.'

/** A map, not an object: a type out of a query must not find `constructor`. */
const messages: ReadonlyMap<string, string> = new Map([
  [
    'OAuthAccountNotLinked',
    'You already have an account with this email address, but signed in to it another way. Please sign in the way you did the first time.',
  ],
  [
    'AccountNotLinked',
    'There is already an account with this email address, or this way to sign in belongs to a different account. Please sign in the way you did the first time.',
  ],
  ['EmailSignin', notSent],
  ['EmailSignInError', 'That is not an address we can send a link to. Please check it, then try again.'],
  ['CredentialsSignin', 'These sign-in details are not correct. Please check what you entered, then try again.'],
  ['Signin', notStarted],
  ['OAuthSignin', notStarted],
  ['OAuthSignInError', notStarted],
  ['OAuthCallbackError', notCompleted],
  ['Callback', notCompleted],
  ['OAuthCreateAccount', notCreated],
  ['EmailCreateAccount', notCreated],
  [
    'MissingCSRF',
    'This page was out of date: it was open for too long, or you signed in or out in another tab. Please try again.',
  ],
  ['Configuration', 'This site has a problem, so signing in does not work right now. Please try again later.'],
])

/** Nothing went wrong. */
const information: ReadonlyMap<string, string> = new Map([['SessionRequired', 'Please sign in to see this page.']])

/** What is said for a type of error, out of the query. */
export function renderMessage(error: string): Html {
  const told = information.get(error)
  if (told !== undefined) return html`<div class="note" role="status"><p>${told}</p></div>\n`
  return html`<div class="error" role="alert"><p>${messages.get(error) ?? `Signing in did not work. ${tryAgain}`}</p></div>\n`
}
