/**
 * The page behind a mailed link in a browser that did not ask for it. A program that looks at links sees it too, so
 * nothing has happened yet: the button signs in.
 */
import type { ConfirmEffect } from '../contracts/index.js'
import { renderHiddenInputs } from './form.js'
import type { Html } from './html.js'
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'

/** What the confirm page shows. */
export interface ConfirmEmailPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  /** What the link said, to be posted as it is: `token`, `email`, `callbackUrl` … */
  readonly fields: Readonly<Record<string, string>>
  /** Whom the link signs in. */
  readonly address: string
  /** What it does to who is signed in here. Default: it signs in. */
  readonly effect?: ConfirmEffect
  /** Who is signed in here, where that is somebody else. */
  readonly who?: string
}

/** The confirm page. */
export function renderConfirmEmail({
  frame,
  action,
  csrfToken,
  fields,
  address,
  effect = 'sign-in',
  who: other = 'somebody else',
}: ConfirmEmailPage): string {
  const { callbackUrl, ...rest } = fields
  const who = shorten(address, 254)
  return renderLayout(frame, {
    name: 'confirm-email',
    title: 'Confirm your sign-in',
    main: html`<h1>Confirm your sign-in</h1>
<p class="lead">You opened a link that signs you in to <strong>${siteName(frame)}</strong> as <strong><bdi>${who}</bdi></strong>.</p>
<p class="text">Go on only if you asked for this link yourself, and want to be signed in to this account in this browser.</p>
${renderWarning(effect, other)}<div class="actions">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${Object.entries(rest).map(([name, value]) => !ours.has(name) && html`<input type="hidden" name="${name}" value="${value}">\n`)}<button type="submit" class="button" id="submitButton"><span>Sign in as <bdi>${who}</bdi></span></button>
</form>
<a href="/">Cancel</a>
</div>`,
  })
}

function renderWarning(effect: ConfirmEffect, other: string): Html | false {
  const [before, after] = warnings[effect] ?? []
  if (before === undefined) return false
  const who = after !== undefined && html`<strong><bdi>${shorten(other, 254)}</bdi></strong>${after}`
  return html`<div class="error" role="note"><p>${before}${who}</p></div>\n`
}

/** What a person should know before they go on: before, and after the name of who is signed in. */
const warnings: Readonly<Partial<Record<ConfirmEffect, readonly [before: string, after?: string]>>> = {
  prove: ['You are signed in to this account. Going on proves that the address is yours.'],
  'other-user': ['You are signed in as ', ' here. Going on signs you in as the owner of this address instead.'],
  'new-user': [
    'You are signed in as ',
    ' here. Going on makes a new account for this address, and signs you in to it instead.',
  ],
}

/** What every form of ours carries anyway: a link cannot say it. */
const ours: ReadonlySet<string> = new Set(['csrfToken', 'navigation'])
