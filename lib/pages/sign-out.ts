/** The page that asks before it signs a person out: a GET never does. */
import type { User } from '../types/identity.js'
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderName, renderPerson, renderQuestion } from './parts.js'

/** What the sign-out page shows. */
export interface SignOutPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string
  readonly signInUrl: string
  readonly homeUrl: string
  /** Who is signed in; `null` when nobody is; left out where that is not known. */
  readonly user?: User | null
  /** Who can sign the person out, too, and whether that is their choice. */
  readonly provider?: { readonly name: string; readonly isOptional: boolean }
  /** Type of the error that brought the person here, as the query says it. */
  readonly error?: string
}

/** The sign-out page. Who is not signed in has nothing to confirm. */
export function renderSignOut(page: SignOutPage): string {
  return renderLayout(page.frame, {
    name: 'sign-out',
    title: 'Sign out',
    main: html`<h1>Sign out</h1>\n${page.user === null ? renderNobody(page) : renderSomebody(page)}`,
  })
}

function renderSomebody({ frame, homeUrl, user, provider, error, ...form }: SignOutPage): Html {
  const isOptional = provider?.isOptional === true
  const second = isOptional
    ? { name: 'federated', value: 'true', text: `Also sign out of ${provider.name}` }
    : undefined
  return html`<p class="lead">Do you want to sign out of <strong>${siteName(frame)}</strong>?</p>
${error === 'MissingCSRF' && outOfDate}${user && renderPerson(user)}${
  provider && !isOptional && html`<p class="text">You will be signed out of ${renderName(provider.name)}, too.</p>\n`
}${renderQuestion({ ...form, button: 'Sign out', second, cancelUrl: homeUrl })}`
}

function renderNobody({ frame, signInUrl, homeUrl }: SignOutPage): Html {
  return html`<p class="lead">You are not signed in to <strong>${siteName(frame)}</strong> in this browser.</p>
<div class="actions">
<a class="button" href="${toHref(signInUrl)}">Sign in</a>
<a href="${toHref(homeUrl)}">Go to ${siteName(frame)}</a>
</div>`
}

/** The one error that leads here. Anything else in the query is nothing that we said. */
const outOfDate = html`<div class="error" role="alert"><p>You are not signed out yet: this page was out of date. Please press the button again.</p></div>\n`
