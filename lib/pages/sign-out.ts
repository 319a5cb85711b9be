/** The page that asks before it signs a person out: a GET never does. */
import type { User } from '../types/identity.js'
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, renderSite, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderName, renderPerson, renderQuestion } from './parts.js'
import { htmlOf, textOf } from './words.js'

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
  const title = textOf(page.frame.language, 'signOut.title')
  return renderLayout(page.frame, {
    name: 'sign-out',
    title,
    main: html`<h1>${title}</h1>\n${page.user === null ? renderNobody(page) : renderSomebody(page)}`,
  })
}

function renderSomebody({ frame, homeUrl, user, provider, error, ...form }: SignOutPage): Html {
  const { language } = frame
  const isOptional = provider?.isOptional === true
  const second = isOptional
    ? { name: 'federated', value: 'true', text: textOf(language, 'signOut.also', { provider: provider.name }) }
    : undefined
  const button = textOf(language, 'signOut.button')
  return html`<p class="lead">${htmlOf(language, 'signOut.question', { site: renderSite(frame) })}</p>
${error === 'MissingCSRF' && renderOutOfDate(frame)}${user && renderPerson(user)}${
  provider &&
  !isOptional &&
  html`<p class="text">${htmlOf(language, 'signOut.alsoDone', { provider: renderName(provider.name) })}</p>\n`
}${renderQuestion({ ...form, language, button, second, cancelUrl: homeUrl })}`
}

function renderNobody({ frame, signInUrl, homeUrl }: SignOutPage): Html {
  const { language } = frame
  return html`<p class="lead">${htmlOf(language, 'signOut.nobody', { site: renderSite(frame) })}</p>
<div class="actions">
<a class="button" href="${toHref(signInUrl)}">${textOf(language, 'signIn.button')}</a>
<a href="${toHref(homeUrl)}">${htmlOf(language, 'page.home', { site: siteName(frame) })}</a>
</div>`
}

/** The one error that leads here. Anything else in the query is nothing that we said. */
function renderOutOfDate({ language }: PageFrame): Html {
  return html`<div class="error" role="alert"><p>${textOf(language, 'signOut.outOfDate')}</p></div>\n`
}
