/**
 * The page behind an email link in a browser that did not request it. Link checkers see it too, so nothing has happened
 * yet: the button signs in.
 */
import type { AddressChange, ConfirmEffect } from '../contracts/index.js'
import { type Html, html, shorten } from './html.js'
import { hostName, type PageFrame, renderLayout, renderSite } from './layout.js'
import { foreignHost, toHref } from './links.js'
import { type RememberCheckbox, renderConfirmationForm, renderName } from './parts.js'
import { translate, translateHtml } from './texts.js'

/** The content of the confirmation page. */
export interface ConfirmEmailPage {
  readonly frame: PageFrame
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  /** The values of the link, posted unchanged: `token`, `email`, `callbackUrl` … */
  readonly fields: Readonly<Record<string, string>>
  /** The email address of the user that the link signs in. */
  readonly address: string
  /** The effect of the link on the current session. Default: it signs in. */
  readonly effect?: ConfirmEffect
  readonly remember?: RememberCheckbox | undefined
  /** The signed-in user, if it is another one. */
  readonly userLabel?: string
}

/** Renders the confirmation page. */
export function renderConfirmEmail(page: ConfirmEmailPage): string {
  const { frame, action, csrfToken, fields, address, remember } = page
  const { language } = frame
  // A link cannot set the fields that all our own forms contain.
  const { callbackUrl, csrfToken: _token, navigation: _mark, ...rest } = fields
  const title = translate(language, 'confirmEmail.title')
  const named = html`<bdi>${shorten(address, 254)}</bdi>`
  const button = html`<span>${translateHtml(language, 'confirmEmail.button', { address: named })}</span>`
  return renderLayout(frame, {
    name: 'confirm-email',
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${translateHtml(language, 'confirmEmail.lead', { site: renderSite(frame), address: renderName(address) })}</p>
<p class="text">${translate(language, 'confirmEmail.advice')}</p>
${renderWarning(page)}${renderConfirmationForm({ language, action, csrfToken, callbackUrl, fields: rest, remember, button })}`,
  })
}

/** Renders a warning about the effect of the link. */
function renderWarning({ frame: { language }, effect = 'sign-in', userLabel }: ConfirmEmailPage): Html | false {
  if (effect === 'sign-in') return false
  const person = renderName(userLabel ?? translate(language, 'confirmEmail.somebody'))
  const text =
    effect === 'prove'
      ? translate(language, 'confirmEmail.prove')
      : translateHtml(language, effect === 'other-user' ? 'confirmEmail.otherUser' : 'confirmEmail.newUser', { person })
  return html`<div class="error" role="note"><p>${text}</p></div>\n`
}

/* ---- change email ------------------------------------------------------------------------------------------------ */

// The page behind a link that changes a user's email address. Nothing has happened yet: the button changes it.

/** The content of the page. */
export interface ChangeEmailPage {
  readonly frame: PageFrame
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly signInUrl: string
  readonly signOutUrl: string
  readonly change: AddressChange
  /** The signed-in user, if known. */
  readonly userLabel?: string
}

/** Renders the page: a confirmation for the user whose address changes, and for all others the advice to sign in. */
export function renderChangeEmail(page: ChangeEmailPage): string {
  const title = translate(page.frame.language, 'changeEmail.title')
  return renderLayout(page.frame, {
    name: 'change-email',
    title,
    main: html`<h1>${title}</h1>\n${page.change.ask ? renderChange(page, page.change.ask) : renderAdvice(page)}`,
  })
}

function renderChange(
  { frame, action, csrfToken, change, userLabel }: ChangeEmailPage,
  { from, fields }: NonNullable<AddressChange['ask']>,
): Html {
  const { language } = frame
  const before =
    from === null
      ? translate(language, 'changeEmail.hadNone')
      : translateHtml(language, 'changeEmail.before', { address: renderName(from) })
  const button = translate(language, 'changeEmail.button')
  return html`<p class="lead">${translateHtml(language, 'changeEmail.lead', { site: renderSite(frame), address: renderName(change.to) })}</p>
<p class="text">${before}</p>
${userLabel !== undefined && html`<p class="text">${translateHtml(language, 'changeEmail.signedIn', { person: renderName(userLabel) })}</p>\n`}${renderConfirmationForm({ language, action, csrfToken, fields, button })}`
}

/** Renders the advice. A signed-in user signs out first, because another sign-in would be linked to their account. */
function renderAdvice({ frame, change, signInUrl, signOutUrl, userLabel }: ChangeEmailPage): Html {
  const { language } = frame
  const about = translateHtml(language, 'changeEmail.about', {
    address: renderName(change.to),
    site: renderSite(frame),
  })
  const advice =
    userLabel === undefined
      ? translate(language, 'changeEmail.signInFirst')
      : translateHtml(language, 'changeEmail.signOutFirst', { person: renderName(userLabel) })
  const [url, key] =
    userLabel === undefined ? ([signInUrl, 'signIn.button'] as const) : ([signOutUrl, 'signOut.button'] as const)
  return html`<p class="lead">${about}</p>
<p class="text">${advice}</p>
<p class="text">${translate(language, 'changeEmail.notYours')}</p>
<div class="actions">
<a href="${toHref(url)}">${translate(language, key)}</a>
</div>`
}

/* ---- connect ----------------------------------------------------------------------------------------------------- */

// The page before an account at a provider is connected, if no page of the site has led there.

/** The content of the page. */
export interface ConnectPage {
  readonly frame: PageFrame
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl: string
  /** The sealed connection from the URL. */
  readonly sealedConnection: string
  /** The provider's name. */
  readonly provider: string
  /** The signed-in user. */
  readonly userLabel: string | undefined
}

export function renderConnect(page: ConnectPage): string {
  const { frame, action, csrfToken, callbackUrl, sealedConnection, userLabel } = page
  const { language } = frame
  const provider = shorten(page.provider, 60)
  const named = html`<bdi>${provider}</bdi>`
  const site = renderSite(frame)
  const lead =
    userLabel === undefined
      ? translateHtml(language, 'connect.lead', { site })
      : translateHtml(language, 'connect.leadAs', { site, person: renderName(userLabel) })
  const button = html`<span>${translateHtml(language, 'connect.button', { provider: named })}</span>`
  return renderLayout(frame, {
    name: 'connect',
    title: translate(language, 'connect.title', { provider }),
    main: html`<h1>${translateHtml(language, 'connect.heading', { provider: named })}</h1>
<p class="lead">${lead}</p>
<p class="text">${translateHtml(language, 'connect.advice', { provider: named })}</p>
${renderConfirmationForm({ language, action, csrfToken, callbackUrl, fields: { connect: sealedConnection }, button })}`,
  })
}

/* ---- continue ---------------------------------------------------------------------------------------------------- */

// The page between our form and a provider. Chromium applies `form-action` to the whole redirect chain of a form, so a
// form never redirects to another site: it gets this page with a `Refresh` header.

/** Renders the page "You are being sent to …", with a link for browsers that ignore the `Refresh` header. */
export function renderContinue({ frame, to }: { readonly frame: PageFrame; readonly to: string }): string {
  const { language } = frame
  const host = shorten(foreignHost(to) ?? hostName(frame), 255)
  const link = html`<a href="${toHref(to)}">${translate(language, 'continue.link', { host })}</a>`
  return renderLayout(frame, {
    name: 'continue',
    title: translate(language, 'continue.title'),
    main: html`<h1>${translate(language, 'continue.heading')}</h1>
<p class="lead">${translateHtml(language, 'continue.lead', { host: html`<strong>${host}</strong>` })}</p>
<p class="text">${translateHtml(language, 'continue.help', { link })}</p>`,
  })
}
