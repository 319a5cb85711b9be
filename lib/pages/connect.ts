/** The page before an account at a provider becomes the user's, where no page of the site has led there. */
import { html, shorten } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { renderName, renderQuestion } from './parts.js'

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

export function renderConnect({ frame, action, csrfToken, callbackUrl, sealed, provider, who }: ConnectPage): string {
  const name = shorten(provider, 60)
  return renderLayout(frame, {
    name: 'connect',
    title: `Connect ${name}`,
    main: html`<h1>Connect your account at <bdi>${name}</bdi>?</h1>
<p class="lead">Your account there is going to be connected with <strong>${siteName(frame)}</strong>${
      who !== undefined && html`, where you are signed in as ${renderName(who)}`
    }.</p>
<p class="text">From then on it signs you in here. Go on only if you want that, and check at <bdi>${name}</bdi> that the account is yours.</p>
${renderQuestion({ action, csrfToken, callbackUrl, fields: { connect: sealed }, button: html`<span>Continue to <bdi>${name}</bdi></span>` })}`,
  })
}
