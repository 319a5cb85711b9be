/**
 * The page after a request for a sign-in link. It does not contain the email address, and is the same for all users.
 */
import { html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { translate, translateHtml } from './texts.js'

/** Renders the page "Check your email". */
export function renderVerifyRequest({
  frame,
  homeUrl,
  after,
}: {
  readonly frame: PageFrame
  /** The purpose of the email. Default: a link that signs in. */
  readonly after?: 'signUp' | 'reset' | undefined
  readonly homeUrl: string
}): string {
  const { language } = frame
  const title = translate(language, 'verifyRequest.title')
  return renderLayout(frame, {
    name: 'verify-request',
    title,
    main: html`<h1>${title}</h1>
<p class="text">${translate(language, after === undefined ? 'verifyRequest.text' : `verifyRequest.${after}`)}</p>
<p class="text">${translate(language, 'verifyRequest.help')}</p>
<div class="actions plain">
<a href="${toHref(homeUrl)}">${translateHtml(language, 'page.home', { site: siteName(frame) })}</a>
</div>`,
  })
}
