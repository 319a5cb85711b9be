/**
 * The page between our form and a provider. Chromium holds `form-action` against the whole redirect chain of a form, so a
 * form never redirects off the site: it gets this page with a `Refresh` header.
 */
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { hostName, renderLayout } from './layout.js'
import { hostOf, toHref } from './links.js'

/** What the page shows. */
export interface ContinuePage {
  readonly frame: PageFrame
  /** The URL that the `Refresh` header names too. */
  readonly to: string
}

/** The page "You are being sent to …", with a link for browsers that do not follow. */
export function renderContinue({ frame, to }: ContinuePage): string {
  const host = shorten(hostOf(to) ?? hostName(frame), 255)
  return renderLayout(frame, {
    name: 'continue',
    title: 'Continue',
    main: html`<h1>One moment…</h1>
<p class="lead">You are being sent to <strong>${host}</strong>…</p>
<p class="text">If nothing happens, <a href="${toHref(to)}">continue to ${host}</a>.</p>`,
  })
}
