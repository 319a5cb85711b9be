/**
 * The page between our form and a provider. Chromium holds `form-action` against the whole redirect chain of a form, so a
 * form never redirects off the site: it gets this page with a `Refresh` header.
 */
import { html, shorten } from './html.js'
import { hostName, type PageFrame, renderLayout } from './layout.js'
import { hostOf, toHref } from './links.js'

/** The page "You are being sent to …", with a link for browsers that do not follow the `Refresh` header. */
export function renderContinue({ frame, to }: { readonly frame: PageFrame; readonly to: string }): string {
  const host = shorten(hostOf(to) ?? hostName(frame), 255)
  return renderLayout(frame, {
    name: 'continue',
    title: 'Continue',
    main: html`<h1>One moment…</h1>
<p class="lead">You are being sent to <strong>${host}</strong>…</p>
<p class="text">If nothing happens, <a href="${toHref(to)}">continue to ${host}</a>.</p>`,
  })
}
