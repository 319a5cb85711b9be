/** The page on which a person reads that something failed, and what to do. */
import { errorClasses, type ShownText } from '../errors.js'
import { type Html, html, shorten } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'

/** What the error page shows. */
export interface ErrorPage {
  readonly frame: PageFrame
  /** Type of the error, as the query says it. */
  readonly error: string | undefined
  readonly signInUrl: string
  readonly homeUrl: string
  /** Cause and remedy for the developer. In development only. */
  readonly detail?: string
  /** By which a person's report is found in the log. */
  readonly reference?: string
}

/** The error page. Its status is {@link errorStatus}. */
export function renderError({ frame, error, signInUrl, homeUrl, detail, reference }: ErrorPage): string {
  const { heading, text, signIn = true } = describe(error)
  return renderLayout(frame, {
    name: 'error',
    title: 'Error',
    main: html`<h1>${heading}</h1>
${text.split('\n').map((paragraph) => html`<p class="text">${paragraph}</p>\n`)}${reference !== undefined && renderReference(reference)}<div class="actions${!signIn && ' plain'}">
${signIn && html`<a class="button" href="${toHref(signInUrl)}">Sign in</a>\n`}<a href="${toHref(homeUrl)}">Go to ${siteName(frame)}</a>
</div>${detail !== undefined && detail !== '' && renderDetail(detail)}`,
  })
}

/** The status of the error page for a type of error. */
export function errorStatus(error: string | undefined): number {
  return describe(error).status
}

type ErrorText = Pick<ShownText, 'heading' | 'text' | 'signIn'> & { readonly status: number }

/** Whatever the outside may not know the type of. */
const configuration: ErrorText = {
  status: 500,
  heading: 'This site has a problem',
  text: 'Signing in does not work right now. You did nothing wrong; please try again later.\nThe people who run the site find the reason in their server log.',
  signIn: false,
}

const unknown: ErrorText = {
  status: 200,
  heading: 'Something went wrong',
  text: 'Please go back to the site and try again.',
  signIn: false,
}

/** What is said for a type of error. Of those that lead to the sign-in page this one says nothing. */
function describe(error: string | undefined): ErrorText {
  if (error === 'Configuration') return configuration
  const known = errorClasses.get(error ?? '')
  return known?.kind === 'error' && known.shown ? { status: known.status, ...known.shown } : unknown
}

function renderReference(reference: string): Html {
  return html`<p class="text">Reference: <code>${shorten(reference, 64)}</code></p>\n`
}

function renderDetail(detail: string): Html {
  return html`
<section class="detail" aria-labelledby="detail-heading">
<h2 id="detail-heading">For developers</h2>
<pre>${shorten(detail, 4000)}</pre>
</section>`
}
