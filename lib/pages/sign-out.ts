/** The page that asks before it signs a person out: a GET never does (`wire-contract.md` §3). */
import type { User } from '../types.js'
import { renderBadge } from './badge.js'
import { renderHiddenInputs } from './form.js'
import type { Html } from './html.js'
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { hostName, renderLayout } from './layout.js'
import { toHref } from './links.js'

/** What the sign-out page shows. */
export interface SignOutPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string
  /** Who is signed in; shown if given. */
  readonly user?: User
  /** Type of the error that brought the person here, as the query says it. */
  readonly error?: string
}

/** The sign-out page. */
export function renderSignOut({ frame, action, csrfToken, callbackUrl, user, error }: SignOutPage): string {
  return renderLayout(frame, {
    name: 'sign-out',
    title: 'Sign out',
    main: html`<h1>Sign out</h1>
<p class="lead">Do you want to sign out of <strong>${hostName(frame)}</strong>?</p>
${error !== undefined && renderMessage(error)}${user && renderUser(user)}<div class="actions">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
<button type="submit" class="button" id="submitButton">Sign out</button>
</form>
<a href="/">Cancel</a>
</div>`,
  })
}

/** Anything else in the query is nothing that we said. */
function renderMessage(error: string): Html | undefined {
  if (error !== 'MissingCSRF') return undefined
  return html`<div class="error" role="alert"><p>You are not signed out yet: this page was out of date. Please press the button again.</p></div>\n`
}

/** Name and address, isolated (`bdi`) from the text around; the picture would come from a third party. */
function renderUser(user: User): Html | undefined {
  const name = readText(user.name)
  const email = readText(user.email)
  const title = name ?? email
  if (title === undefined) return undefined
  return html`<div class="user">${renderBadge(title)}<p><strong><bdi>${title}</bdi></strong>${
    name !== undefined && email !== undefined && html`<span><bdi>${email}</bdi></span>`
  }</p></div>\n`
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? shorten(value.trim(), 100) : undefined
}
