/** What the sign-in page says about what brought the person there. */
import { errorClasses } from '../errors.js'
import { type Html, html } from './html.js'

const tryAgain = 'Please try again, or choose another way to sign in.'
const notCreated = `An account could not be created for you. ${tryAgain}`

/** Words that are no types of ours. A map, not an object: what a query says must not find `constructor`. */
const messages: ReadonlyMap<string, string> = new Map([
  ['Configuration', 'This site has a problem, so signing in does not work right now. Please try again later.'],
  // Of Auth.js, which applications and bookmarks may still have.
  ['EmailSignin', 'The email could not be sent. Please check the address, then try again in a few minutes.'],
  ['OAuthCreateAccount', notCreated],
  ['EmailCreateAccount', notCreated],
])

/** Words of Auth.js for types of ours. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['Signin', 'OAuthSignInError'],
  ['OAuthSignin', 'OAuthSignInError'],
  ['Callback', 'OAuthCallbackError'],
])

/** What is said for a type of error, out of the query. */
export function renderMessage(error: string): Html {
  if (error === 'SessionRequired') {
    return html`<div class="note" role="status"><p>Please sign in to see this page.</p></div>\n`
  }
  const known = errorClasses.get(synonyms.get(error) ?? error)
  const text = known?.kind === 'signIn' ? known.shown?.text : messages.get(error)
  return html`<div class="error" role="alert"><p>${text ?? `Signing in did not work. ${tryAgain}`}</p></div>\n`
}
