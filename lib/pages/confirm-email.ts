/**
 * The page behind a mailed link in a browser that did not ask for it. A program that looks at links sees it too, so
 * nothing has happened yet: the button signs in.
 */
import type { ConfirmEffect } from '../contracts/index.js'
import { type Html, html, shorten } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { type RememberBox, renderName, renderQuestion } from './parts.js'

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
  readonly remember?: RememberBox | undefined
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
  remember,
  who: other = 'somebody else',
}: ConfirmEmailPage): string {
  // What every form of ours carries anyway, a link cannot say.
  const { callbackUrl, csrfToken: _token, navigation: _mark, ...rest } = fields
  const button = html`<span>Sign in as <bdi>${shorten(address, 254)}</bdi></span>`
  return renderLayout(frame, {
    name: 'confirm-email',
    title: 'Confirm your sign-in',
    main: html`<h1>Confirm your sign-in</h1>
<p class="lead">You opened a link that signs you in to <strong>${siteName(frame)}</strong> as ${renderName(address)}.</p>
<p class="text">Go on only if you asked for this link yourself, and want to be signed in to this account in this browser.</p>
${renderWarning(effect, other)}${renderQuestion({ action, csrfToken, callbackUrl, fields: rest, remember, button })}`,
  })
}

function renderWarning(effect: ConfirmEffect, other: string): Html | false {
  const [before, after] = warnings[effect] ?? []
  if (before === undefined) return false
  const who = after !== undefined && html`${renderName(other)}${after}`
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
