/** The confirmation page before a sign-out. A GET never signs a user out. */
import type { User } from '../types/identity.js'
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, renderSite, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderConfirmationForm, renderName, renderUser } from './parts.js'
import { translate, translateHtml } from './texts.js'

/** The content of the sign-out page. */
export interface SignOutPage {
  readonly frame: PageFrame
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string
  readonly signInUrl: string
  readonly homeUrl: string
  /** The signed-in user; `null` without one; absent if unknown. */
  readonly user?: User | null
  /** The provider that can sign the user out too, and whether the user may choose. */
  readonly provider?: { readonly name: string; readonly isOptional: boolean }
  /** The type of the error in the query. */
  readonly error?: string
}

/** Renders the sign-out page. Visitors without a session have nothing to confirm. */
export function renderSignOut(page: SignOutPage): string {
  const title = translate(page.frame.language, 'signOut.title')
  return renderLayout(page.frame, {
    name: 'sign-out',
    title,
    main: html`<h1>${title}</h1>\n${page.user === null ? renderVisitor(page) : renderSignedInUser(page)}`,
  })
}

function renderSignedInUser({ frame, homeUrl, user, provider, error, ...form }: SignOutPage): Html {
  const { language } = frame
  const isOptional = provider?.isOptional === true
  const second = isOptional
    ? { name: 'federated', value: 'true', text: translate(language, 'signOut.also', { provider: provider.name }) }
    : undefined
  const button = translate(language, 'signOut.button')
  return html`<p class="lead">${translateHtml(language, 'signOut.question', { site: renderSite(frame) })}</p>
${error === 'MissingCSRF' && renderExpiredForm(frame)}${user && renderUser(user)}${
  provider &&
  !isOptional &&
  html`<p class="text">${translateHtml(language, 'signOut.alsoDone', { provider: renderName(provider.name) })}</p>\n`
}${renderConfirmationForm({ ...form, language, button, second, cancelUrl: homeUrl })}`
}

function renderVisitor({ frame, signInUrl, homeUrl }: SignOutPage): Html {
  const { language } = frame
  return html`<p class="lead">${translateHtml(language, 'signOut.nobody', { site: renderSite(frame) })}</p>
<div class="actions">
<a class="button" href="${toHref(signInUrl)}">${translate(language, 'signIn.button')}</a>
<a href="${toHref(homeUrl)}">${translateHtml(language, 'page.home', { site: siteName(frame) })}</a>
</div>`
}

/** Renders the only error that leads here. Other values of the query are ignored. */
function renderExpiredForm({ language }: PageFrame): Html {
  return html`<div class="error" role="alert"><p>${translate(language, 'signOut.outOfDate')}</p></div>\n`
}
