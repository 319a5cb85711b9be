/** The page that informs a user of an error and its remedy. */
import type { Language } from '../contracts/index.js'
import { errorTexts } from './error-texts.js'
import { type Html, html, shorten } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { translate, translateHtml } from './texts.js'

/** The content of the error page. */
export interface ErrorPage {
  readonly frame: PageFrame
  /** The type of the error in the query. */
  readonly error: string | undefined
  readonly signInUrl: string
  /** The URL at which the user can try again after a fault of the site. It replaces the link to the sign-in page. */
  readonly retryUrl?: string | undefined
  readonly homeUrl: string
  /** The URL at which users request another link to set a password. Absent if the error cannot be about such a link. */
  readonly forgotUrl?: string | undefined
  /** Cause and remedy for the developer, only in development. */
  readonly detail?: string
  /** The reference that connects a user's report with the log. */
  readonly reference?: string
}

/** Renders the error page. Its status is {@link errorStatus}. */
export function renderError(page: ErrorPage): string {
  const { frame, error, homeUrl, forgotUrl, detail, reference } = page
  const { language } = frame
  const { heading, paragraphs, signIn } = errorTexts(language, error)
  const button = renderButton(page, signIn)
  return renderLayout(frame, {
    name: 'error',
    title: translate(language, 'error.title'),
    main: html`<h1>${heading}</h1>
${paragraphs.map((paragraph) => html`<p class="text">${paragraph}</p>\n`)}${reference !== undefined && renderReference(language, reference)}<div class="actions${button === undefined && ' plain'}">
${button}${forgotUrl !== undefined && html`<a href="${toHref(forgotUrl)}">${translate(language, 'password.forgotLink')}</a>\n`}<a href="${toHref(homeUrl)}">${translateHtml(language, 'page.home', { site: siteName(frame) })}</a>
</div>${detail !== undefined && detail !== '' && renderDetail(language, detail)}`,
  })
}

function renderButton({ frame: { language }, signInUrl, retryUrl }: ErrorPage, signIn: boolean): Html | undefined {
  if (retryUrl === undefined && !signIn) return undefined
  const text = translate(language, retryUrl === undefined ? 'signIn.button' : 'error.tryAgain')
  return html`<a class="button" href="${toHref(retryUrl ?? signInUrl)}">${text}</a>\n`
}

function renderReference(language: Language, reference: string): Html {
  const code = html`<code>${shorten(reference, 64)}</code>`
  return html`<p class="text">${translateHtml(language, 'error.reference', { reference: code })}</p>\n`
}

/** Renders the detail, always in English, because it repeats the log. */
function renderDetail({ locale }: Language, detail: string): Html {
  return html`
<section class="detail" aria-labelledby="detail-heading"${locale !== 'en' && html` lang="en" dir="ltr"`}>
<h2 id="detail-heading">For developers</h2>
<pre>${shorten(detail, 4000)}</pre>
</section>`
}
