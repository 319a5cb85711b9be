/** The page before an account at a provider becomes the user's, where no page of the site has led there. */
import { html, shorten } from './html.js'
import { type PageFrame, renderLayout, renderSite } from './layout.js'
import { renderName, renderQuestion } from './parts.js'
import { htmlOf, textOf } from './words.js'

/** What the page shows. */
export interface ConnectPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl: string
  /** The connection, as the URL had it. */
  readonly sealed: string
  /** The provider's name. */
  readonly provider: string
  /** Who is signed in. */
  readonly who: string | undefined
}

export function renderConnect(page: ConnectPage): string {
  const { frame, action, csrfToken, callbackUrl, sealed, who } = page
  const { language } = frame
  const provider = shorten(page.provider, 60)
  const named = html`<bdi>${provider}</bdi>`
  const site = renderSite(frame)
  const lead =
    who === undefined
      ? htmlOf(language, 'connect.lead', { site })
      : htmlOf(language, 'connect.leadAs', { site, person: renderName(who) })
  const button = html`<span>${htmlOf(language, 'connect.button', { provider: named })}</span>`
  return renderLayout(frame, {
    name: 'connect',
    title: textOf(language, 'connect.title', { provider }),
    main: html`<h1>${htmlOf(language, 'connect.heading', { provider: named })}</h1>
<p class="lead">${lead}</p>
<p class="text">${htmlOf(language, 'connect.advice', { provider: named })}</p>
${renderQuestion({ language, action, csrfToken, callbackUrl, fields: { connect: sealed }, button })}`,
  })
}
