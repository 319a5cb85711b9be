/**
 * The page behind a mailed link in a browser that did not ask for it. A program that looks at links sees it too, so
 * nothing has happened yet: the button signs in (`design.md`, decision 6).
 */
import { renderHiddenInputs } from './form.js'
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { hostName, renderLayout } from './layout.js'
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
  /** Whether somebody else is signed in here. */
  readonly other?: boolean
}

/** The confirm page. */
export function renderConfirmEmail({ frame, action, csrfToken, fields, address, other }: ConfirmEmailPage): string {
  const { callbackUrl, ...rest } = fields
  const who = shorten(address, 254)
  return renderLayout(frame, {
    name: 'confirm-email',
    title: 'Confirm your sign-in',
    main: html`<h1>Confirm your sign-in</h1>
<p class="lead">You opened a link that signs you in to <strong>${hostName(frame)}</strong> as <strong><bdi>${who}</bdi></strong>.</p>
<p class="text">Go on only if you asked for this link yourself, and want to be signed in to this account in this browser.</p>
${other && html`<div class="error" role="note"><p>You are signed in as somebody else here. Going on signs that session out.</p></div>\n`}<div class="actions">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${Object.entries(rest).map(([name, value]) => !ours.has(name) && html`<input type="hidden" name="${name}" value="${value}">\n`)}<button type="submit" class="button" id="submitButton"><span>Sign in as <bdi>${who}</bdi></span></button>
</form>
<a href="/">Cancel</a>
</div>`,
  })
}

/** What every form of ours carries anyway: a link cannot say it. */
const ours: ReadonlySet<string> = new Set(['csrfToken', 'navigation'])
