/** The page behind a link that changes a user's address. Nothing has happened yet: the button does it. */
import type { AddressChange } from '../contracts/index.js'
import { renderHiddenInputs } from './form.js'
import type { Html } from './html.js'
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'

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
    main: html`<h1>Change your address</h1>\n${page.change.ask ? renderQuestion(page, page.change.ask) : renderAdvice(page)}`,
  })
}

function renderQuestion(
  { frame, action, csrfToken, change, who }: ChangeEmailPage,
  { from, fields }: NonNullable<AddressChange['ask']>,
): Html {
  return html`<p class="lead">The address of your account at <strong>${siteName(frame)}</strong> becomes ${renderAddress(change.to)}.</p>
<p class="text">${from === null ? 'It had none.' : html`It was ${renderAddress(from)}.`} Links that sign you in go to the new address from then on.</p>
${who !== undefined && html`<p class="text">You are signed in as <strong><bdi>${shorten(who, 254)}</bdi></strong>. Go on only if this is your account, and you asked for the change.</p>\n`}<div class="actions">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, undefined)}
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button type="submit" class="button" id="submitButton">Change the address</button>
</form>
<a href="/">Cancel</a>
</div>`
}

/** Who is signed in signs out first: another sign-in would be linked to their account. */
function renderAdvice({ frame, change, signInUrl, signOutUrl, who }: ChangeEmailPage): Html {
  const isSignedIn = who !== undefined
  return html`<p class="lead">This link makes ${renderAddress(change.to)} the address of an account at <strong>${siteName(frame)}</strong>.</p>
<p class="text">${isSignedIn ? html`You are signed in as <strong><bdi>${shorten(who, 254)}</bdi></strong>. Sign out, then sign` : 'You are not signed in in this browser. Sign'} in with the account that asked for the change, and open the link in the mail again.</p>
<p class="text">You did not ask for it? Then close this page: nothing has changed.</p>
<div class="actions">
<a href="${toHref(isSignedIn ? signOutUrl : signInUrl)}">${isSignedIn ? 'Sign out' : 'Sign in'}</a>
</div>`
}

function renderAddress(address: string): Html {
  return html`<strong><bdi>${shorten(address, 254)}</bdi></strong>`
}
