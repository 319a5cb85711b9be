/** The page on which a person reads that something failed, and what to do. */
import type { Html } from './html.js'
import { html, shorten } from './html.js'
import type { PageFrame } from './layout.js'
import { renderLayout, siteName } from './layout.js'
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
  const { heading, text, signIn } = describe(error)
  return renderLayout(frame, {
    name: 'error',
    title: 'Error',
    main: html`<h1>${heading}</h1>
${text.map((paragraph) => html`<p class="text">${paragraph}</p>\n`)}${renderReference(reference)}<div class="actions${!signIn && ' plain'}">
${signIn && html`<a class="button" href="${toHref(signInUrl)}">Sign in</a>\n`}<a href="${toHref(homeUrl)}">Go to ${siteName(frame)}</a>
</div>${renderDetail(detail)}`,
  })
}

/** The status of the error page for a type of error. */
export function errorStatus(error: string | undefined): number {
  return describe(error).status
}

interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly text: readonly string[]
  /** Whether signing in again may help. */
  readonly signIn: boolean
}

/** A map, not an object: a type out of a query must not find `constructor`. */
const texts: ReadonlyMap<string, ErrorText> = new Map([
  [
    'Configuration',
    {
      status: 500,
      heading: 'This site has a problem',
      text: [
        'Signing in does not work right now. You did nothing wrong; please try again later.',
        'The people who run the site find the reason in their server log.',
      ],
      signIn: false,
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      heading: 'Access denied',
      text: [
        'This account may not sign in here.',
        'If you have another account, sign in with that one, or ask the people who run the site for access.',
      ],
      signIn: true,
    },
  ],
  [
    'SignOutError',
    {
      status: 503,
      heading: 'You are signed out in this browser only',
      text: [
        'The session could not be ended on the server. That is tried again by itself.',
        'If somebody else may have a copy of it, sign in and out again in a while.',
      ],
      signIn: false,
    },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'This link does not work any more',
      text: [
        'It was already used, it is too old, or a newer one was sent. If you copied it, a part of it may be missing.',
        'Sign in again to get a new link.',
      ],
      signIn: true,
    },
  ],
  [
    'InvalidCheck',
    {
      status: 400,
      heading: 'Please start again',
      text: ['The sign-in took too long, was opened in another browser, or was already used. Nothing has changed.'],
      signIn: true,
    },
  ],
  [
    'WebAuthnVerificationError',
    {
      status: 400,
      heading: 'Your passkey was not accepted',
      text: [
        'It took too long, it was made for another site or account, or this site does not know it any more. Nothing has changed.',
        'Please try again, or sign in another way.',
      ],
      signIn: true,
    },
  ],
  [
    'InvalidProvider',
    {
      status: 404,
      heading: 'Unknown way to sign in',
      text: ['This site does not offer the way to sign in that you were sent to. Please choose another one.'],
      signIn: true,
    },
  ],
  [
    'InvalidRequest',
    {
      status: 400,
      heading: 'This request was not understood',
      text: ['Please go back and try again. If it keeps happening, tell the people who run the site.'],
      signIn: false,
    },
  ],
  [
    'TooManyRequests',
    {
      status: 429,
      heading: 'Too many tries',
      text: ['Please wait a few minutes, then try again. Nothing is wrong with your account.'],
      signIn: true,
    },
  ],
])

const unknown: ErrorText = {
  status: 200,
  heading: 'Something went wrong',
  text: ['Please go back to the site and try again.'],
  signIn: false,
}

function describe(error: string | undefined): ErrorText {
  return (error === undefined ? undefined : texts.get(error)) ?? unknown
}

function renderReference(reference: string | undefined): Html | undefined {
  return reference === undefined
    ? undefined
    : html`<p class="text">Reference: <code>${shorten(reference, 64)}</code></p>\n`
}

function renderDetail(detail: string | undefined): Html | undefined {
  if (detail === undefined || detail === '') return undefined
  return html`
<section class="detail" aria-labelledby="detail-heading">
<h2 id="detail-heading">For developers</h2>
<pre>${shorten(detail, 4000)}</pre>
</section>`
}
