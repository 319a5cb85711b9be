/**
 * The page between our form and a provider. Chromium holds `form-action` against the whole redirect chain of a form, so a
 * form never redirects off the site: it gets this page with a `Refresh` header.
 */
import { html, shorten } from './html.js'
import { hostName, type PageFrame, renderLayout } from './layout.js'
import { hostOf, toHref } from './links.js'
import { htmlOf, textOf } from './words.js'

/** The page "You are being sent to …", with a link for browsers that do not follow the `Refresh` header. */
export function renderContinue({ frame, to }: { readonly frame: PageFrame; readonly to: string }): string {
  const { language } = frame
  const host = shorten(hostOf(to) ?? hostName(frame), 255)
  const link = html`<a href="${toHref(to)}">${textOf(language, 'continue.link', { host })}</a>`
  return renderLayout(frame, {
    name: 'continue',
    title: textOf(language, 'continue.title'),
    main: html`<h1>${textOf(language, 'continue.heading')}</h1>
<p class="lead">${htmlOf(language, 'continue.lead', { host: html`<strong>${host}</strong>` })}</p>
<p class="text">${htmlOf(language, 'continue.help', { link })}</p>`,
  })
}
