/** The pages on which users add and remove second factors. Only passkeys need a script. */

import { type Html, html, raw } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderHiddenInputs, renderMarked } from '../../pages/parts.js'
import { renderPasskeyForm, renderPasskeyScript } from '../../pages/passkey-form.js'
import { translate, translateHtml } from '../../pages/texts.js'
import { renderAlert, renderCodeInput } from './page-challenge.js'
import type { EnrolledFactor, FactorType } from './types.js'

interface SetupPage {
  readonly frame: PageFrame
  readonly csrfToken: string
  readonly callbackUrl: string
  readonly error?: string | undefined
}

/** The content of the list. */
export interface FactorListPage extends SetupPage {
  /** The URL that buttons are posted to. */
  readonly action: string
  readonly factors: readonly EnrolledFactor[]
  /** The kinds that can be added. */
  readonly addable: ReadonlyArray<{ readonly type: FactorType; readonly url: string }>
  /** The factor that users without one should add. Absent if there is no choice. */
  readonly recommended?: FactorType | undefined
  /** The URL that creates recovery codes. Absent without recovery codes. */
  readonly codesUrl?: string | undefined
  /** True if the user has to add a factor to continue. */
  readonly mustEnrol: boolean
  /** The target of "Cancel" if a guard requires a factor. Its page would redirect back here at once. */
  readonly cancelUrl?: string | undefined
}

export function renderFactorList(page: FactorListPage): string {
  const { frame, factors, addable, mustEnrol, callbackUrl } = page
  const { language } = frame
  const shown = factors.filter(({ type }) => type !== 'recovery')
  return renderLayout(frame, {
    name: 'two-factor-setup',
    title: translate(language, 'factors.title'),
    main: html`<h1>${translate(language, 'factors.title')}</h1>
<p class="lead">${translateHtml(language, mustEnrol ? 'factors.required' : 'factors.lead', { site: renderSite(frame) })}</p>
${renderAlert(language, page)}${shown.length > 0 && html`<ul class="plain factors">${shown.map((factor) => renderFactor(page, factor))}</ul>\n`}<div class="entries">
${addable.map((each) => renderAddable(page, each))}${renderRecovery(page)}</div>
<div class="actions plain">
<a href="${toHref(page.cancelUrl ?? callbackUrl)}">${translate(language, page.cancelUrl === undefined ? 'factors.done' : 'page.cancel')}</a>
</div>`,
  })
}

/** Renders the button that adds a factor. The recommended one is filled, and says why. */
function renderAddable(
  { frame: { language }, factors, recommended }: FactorListPage,
  { type, url }: FactorListPage['addable'][number],
): Html {
  const label = translate(language, addKeys[type])
  const isQuiet = recommended !== undefined || factors.some((each) => each.type !== 'recovery')
  if (type !== recommended) return html`<a class="button${isQuiet && ' quiet'}" href="${toHref(url)}">${label}</a>\n`
  const reason = type === 'passkey' ? 'factors.whyPasskey' : 'factors.whyTotp'
  const button = html`<a class="button" href="${toHref(url)}" aria-describedby="recommended recommended-why">${label}</a>`
  return html`${renderMarked(button, 'recommended', translate(language, 'factors.recommended'))}
<p class="hint" id="recommended-why">${translate(language, reason)}</p>
`
}

const addKeys = {
  totp: 'factors.addTotp',
  email: 'factors.addEmail',
  passkey: 'factors.addPasskey',
  recovery: 'factors.newCodes',
} as const

const nameKeys = {
  totp: 'factors.totp',
  email: 'factors.email',
  passkey: 'factors.passkey',
  recovery: 'factors.recovery',
} as const

function renderFactor({ frame, action, csrfToken, callbackUrl }: FactorListPage, factor: EnrolledFactor): Html {
  const { language } = frame
  const title = translate(language, nameKeys[factor.type])
  const added = new Intl.DateTimeFormat(language.locale, { dateStyle: 'medium' }).format(factor.createdAt)
  return html`<li><form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
<input type="hidden" name="intent" value="remove"><input type="hidden" name="id" value="${factor.id}">
<p><strong>${title}</strong>${factor.name !== null && html` <bdi>${factor.name}</bdi>`}<br><span>${translate(language, 'factors.added', { date: added })}</span></p>
<button type="submit" class="button quiet" aria-label="${translate(language, 'factors.removeThis', { factor: title })}">${translate(language, 'factors.remove')}</button>
</form></li>`
}

function renderRecovery({
  frame: { language },
  factors,
  codesUrl,
  csrfToken,
  callbackUrl,
}: FactorListPage): Html | false {
  if (codesUrl === undefined || factors.length === 0) return false
  const left = factors.find(({ type }) => type === 'recovery')?.left ?? 0
  return html`<form method="post" action="${toHref(codesUrl)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
<input type="hidden" name="intent" value="codes">
<p class="text">${translate(language, 'factors.left', { count: new Intl.NumberFormat(language.locale).format(left) })}</p>
<button type="submit" class="button quiet">${translate(language, 'factors.newCodes')}</button>
</form>\n`
}

/** The content of the page that adds a factor. */
export interface AddFactorPage extends SetupPage {
  readonly type: 'totp' | 'email' | 'passkey'
  /** The URL that the form is posted to. */
  readonly action: string
  /** The sealed state of the setup. */
  readonly setup?: string
  /** The key of an authenticator app. */
  readonly totp?: { readonly secret: string; readonly uri: string; readonly qr?: QrCode | undefined }
  readonly isSent: boolean
  /** The URL of the list. */
  readonly cancelUrl: string
}

/** The modules of a QR code by row; `true` is dark. */
export type QrCode = ReadonlyArray<readonly boolean[]>

export function renderAddFactor(page: AddFactorPage): string {
  const { frame, type, cancelUrl } = page
  const { language } = frame
  return renderLayout(frame, {
    name: 'two-factor-setup',
    title: translate(language, addKeys[type]),
    main: html`<h1>${translate(language, addKeys[type])}</h1>
${renderAlert(language, page)}${page.totp && renderSecret(page, page.totp)}${type === 'email' && html`<p class="text">${translate(language, page.isSent ? 'factors.emailSent' : 'factors.emailLead')}</p>\n`}${type === 'passkey' && html`<p class="text">${translate(language, 'factors.passkeyLead')}</p>\n`}<div class="entries">
${type === 'passkey' ? renderPasskeySetup(page) : renderAddForm(page)}
</div>
<div class="actions plain">
<a href="${toHref(cancelUrl)}">${translate(language, 'page.cancel')}</a>
</div>${type === 'passkey' && renderPasskeyScript(frame.nonce)}`,
  })
}

function renderAddForm(page: AddFactorPage): Html {
  const { frame, type, action, csrfToken, callbackUrl, setup, isSent } = page
  const { language } = frame
  const hidden = renderHiddenInputs(csrfToken, callbackUrl)
  if (type === 'email' && !isSent) {
    return html`<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="setup-send">
<button type="submit" class="button">${translate(language, 'factor.send')}</button>
</form>`
  }
  const name =
    type === 'totp' &&
    html`<div><label for="name">${translate(language, 'factors.name')}</label><input id="name" name="name" type="text" maxlength="64" autocomplete="off"></div>\n`
  return html`<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="setup">${setup !== undefined && html`<input type="hidden" name="setup" value="${setup}">`}
<div class="fields">
${renderCodeInput(language, type)}
${name}<button type="submit" class="button" id="submitButton">${translate(language, 'factors.add')}</button>
</div>
</form>`
}

function renderSecret(
  { frame: { language } }: AddFactorPage,
  { secret, uri, qr }: NonNullable<AddFactorPage['totp']>,
): Html {
  return html`<p class="text">${translate(language, qr ? 'factors.scan' : 'factors.type')}</p>
${qr && html`<p class="qr">${renderQr(qr, translate(language, 'factors.qr'))}</p>\n<p class="text">${translate(language, 'factors.orType')}</p>\n`}<p class="factor-key"><code dir="ltr">${secret}</code></p>
<p class="text"><a href="${uri}">${translate(language, 'factors.open')}</a></p>
`
}

/** Returns the QR code as SVG text, for custom pages. */
export function qrSvg(rows: QrCode, label: string): string {
  return renderQr(rows, label).toString()
}

/**
 * Draws dark on white, also on a dark page, with the quiet zone of four modules that scanners need (ISO/IEC 18004
 * §6.3.8).
 */
function renderQr(rows: QrCode, label: string): Html {
  const border = 4
  const size = rows.length + 2 * border
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + border} ${y + border}h1v1h-1z`] : [])))
    .join('')
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="208" height="208" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${raw(path)}"/></svg>`
}

function renderPasskeySetup({ frame, action, csrfToken, callbackUrl }: AddFactorPage): Html {
  const form = {
    id: 'passkey',
    name: '',
    action,
    optionsUrl: `${action}?setup`,
    inputs: {},
    conditional: false,
    sendsEmail: false,
  }
  const rest = { language: frame.language, csrfToken, callbackUrl, isAlone: true, isPrimary: true }
  return renderPasskeyForm(form, { ...rest, fields: { intent: 'setup' } })
}
