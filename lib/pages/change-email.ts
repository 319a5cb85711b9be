/** The page behind a link that changes a user's address. Nothing has happened yet: the button does it. */
import type { AddressChange } from '../contracts/index.js'
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderName, renderQuestion } from './parts.js'

/** What the page shows. */
export interface ChangeEmailPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly signInUrl: string
  readonly signOutUrl: string
  readonly change: AddressChange
  /** Who is signed in, as far as that is known. */
  readonly who?: string
}

/** The page: a question to the user whose address it is, and to all others the advice to sign in. */
export function renderChangeEmail(page: ChangeEmailPage): string {
  return renderLayout(page.frame, {
    name: 'change-email',
    title: 'Change your address',
    main: html`<h1>Change your address</h1>\n${page.change.ask ? renderChange(page, page.change.ask) : renderAdvice(page)}`,
  })
}

function renderChange(
  { frame, action, csrfToken, change, who }: ChangeEmailPage,
  { from, fields }: NonNullable<AddressChange['ask']>,
): Html {
  return html`<p class="lead">The address of your account at <strong>${siteName(frame)}</strong> becomes ${renderName(change.to)}.</p>
<p class="text">${from === null ? 'It had none.' : html`It was ${renderName(from)}.`} Links that sign you in go to the new address from then on.</p>
${who !== undefined && html`<p class="text">You are signed in as ${renderName(who)}. Go on only if this is your account, and you asked for the change.</p>\n`}${renderQuestion({ action, csrfToken, fields, button: 'Change the address' })}`
}

/** Who is signed in signs out first: another sign-in would be linked to their account. */
function renderAdvice({ frame, change, signInUrl, signOutUrl, who }: ChangeEmailPage): Html {
  const isSignedIn = who !== undefined
  return html`<p class="lead">This link makes ${renderName(change.to)} the address of an account at <strong>${siteName(frame)}</strong>.</p>
<p class="text">${isSignedIn ? html`You are signed in as ${renderName(who)}. Sign out, then sign` : 'You are not signed in in this browser. Sign'} in with the account that asked for the change, and open the link in the mail again.</p>
<p class="text">You did not ask for it? Then close this page: nothing has changed.</p>
<div class="actions">
<a href="${toHref(isSignedIn ? signOutUrl : signInUrl)}">${isSignedIn ? 'Sign out' : 'Sign in'}</a>
</div>`
}
