/** The page for a request that a guard has rejected: the reason, and the next step. */
import type { Language } from '../contracts/index.js'
import { html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { translate, translateHtml } from './texts.js'

/** The reason for which a guard rejected a request. */
export type GuardReason =
  | 'signIn'
  | 'confirm'
  | 'connect'
  | 'csrf'
  | 'forbidden'
  | 'impersonated'
  | 'notFound'
  | 'organization'

/** The content of the page. */
export interface GuardPage {
  readonly frame: PageFrame
  readonly reason: GuardReason
  /** The URL at which the user can continue. Absent if there is none. */
  readonly href?: string | undefined
  readonly homeUrl: string
}

const headings = {
  signIn: 'guard.signInHeading',
  confirm: 'error.ReauthenticationRequired.heading',
  connect: 'error.NotConnected.heading',
  csrf: 'guard.csrfHeading',
  forbidden: 'guard.forbiddenHeading',
  impersonated: 'error.ImpersonatedSession.heading',
  notFound: 'guard.notFoundHeading',
  organization: 'organization.title',
} as const

/** Renders the page. */
export function renderGuard({ frame, reason, href, homeUrl }: GuardPage): string {
  const { language } = frame
  const heading = translate(language, headings[reason])
  return renderLayout(frame, {
    name: 'error',
    title: heading,
    main: html`<h1>${heading}</h1>
<p class="text">${translate(language, reason === 'impersonated' ? 'error.ImpersonatedSession.text' : `guard.${reason}Text`)}</p>
<div class="actions${href === undefined && ' plain'}">
${href !== undefined && html`<a class="button" href="${toHref(href)}">${guardButton(language, reason)}</a>\n`}<a href="${toHref(homeUrl)}">${translateHtml(language, 'page.home', { site: siteName(frame) })}</a>
</div>`,
  })
}

function guardButton(language: Language, reason: GuardReason): string {
  return translate(language, reason === 'signIn' ? 'signIn.button' : 'signIn.continue')
}
