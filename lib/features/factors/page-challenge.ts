/** The page that asks for a second factor. Only passkeys need a script. */
import type { Language } from '../../contracts/index.js'
import { errorSentence } from '../../pages/error-words.js'
import { type Html, html } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderHiddenInputs } from '../../pages/parts.js'
import { renderPasskeyForm, renderPasskeyScript } from '../../pages/passkey-form.js'
import { durationOf, htmlOf, textOf } from '../../pages/words.js'
import type { FactorType } from './types.js'

/** The content of the page. */
export interface TwoFactorPage {
  readonly frame: PageFrame
  readonly type: FactorType
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl: string
  /** The type of the error that led to this page, from the query. */
  readonly error?: string | undefined
  /** Whether a code was emailed. */
  readonly isSent: boolean
  /** Seconds for which the browser can be remembered. Absent if it cannot be. */
  readonly remember?: number | undefined
  /** The user's other factors. */
  readonly others: ReadonlyArray<{ readonly type: FactorType; readonly url: string }>
  readonly cancelUrl: string
}

export function renderTwoFactor(page: TwoFactorPage): string {
  const { frame, type, cancelUrl, others } = page
  const { language } = frame
  return renderLayout(frame, {
    name: 'two-factor',
    title: textOf(language, 'factor.title'),
    main: html`<h1>${textOf(language, 'factor.title')}</h1>
<p class="lead">${leadOf(page)}</p>
${renderAlert(language, page)}<div class="entries">
${type === 'passkey' ? renderPasskey(page) : renderCodeForm(page)}
</div>
${others.length > 0 && html`<p class="or">${textOf(language, 'signIn.or')}</p>\n<ul class="plain">${others.map((other) => html`<li><a href="${toHref(other.url)}">${textOf(language, wayKeys[other.type])}</a></li>`)}</ul>\n`}<div class="actions plain">
<a href="${toHref(cancelUrl)}">${textOf(language, 'page.cancel')}</a>
</div>${type === 'passkey' && renderPasskeyScript(frame.nonce)}`,
  })
}

/** Renders the error of the previous try. A rejected passkey has its own text, because the user typed no code. */
export function renderAlert(
  language: Language,
  { error, type }: { readonly error?: string | undefined; readonly type?: FactorType },
): Html | false {
  if (error === undefined) return false
  const isPasskey = type === 'passkey' && error === 'InvalidCode'
  const sentence = isPasskey ? textOf(language, 'passkey.refused') : errorSentence(language, error)
  const text = sentence ?? textOf(language, 'signIn.failed')
  return html`<div class="error" role="alert"><p>${text}</p></div>\n`
}

/** The texts of the links to other factors. */
const wayKeys = {
  totp: 'factor.useTotp',
  email: 'factor.useEmail',
  recovery: 'factor.useRecovery',
  passkey: 'factor.usePasskey',
} as const

function leadOf({ frame, type, isSent }: TwoFactorPage): Html {
  const { language } = frame
  const site = renderSite(frame)
  if (type === 'totp') return htmlOf(language, 'factor.totp', { site })
  if (type === 'recovery') return htmlOf(language, 'factor.recovery', { site })
  if (type === 'passkey') return htmlOf(language, 'factor.passkey', { site })
  return isSent ? htmlOf(language, 'factor.emailSent', { site }) : htmlOf(language, 'factor.email', { site })
}

function renderCodeForm(page: TwoFactorPage): Html {
  const { frame, type, action, csrfToken, callbackUrl, isSent } = page
  const { language } = frame
  const hidden = renderHiddenInputs(csrfToken, callbackUrl)
  if (type === 'email' && !isSent) {
    return html`<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="send">
<button type="submit" class="button">${textOf(language, 'factor.send')}</button>
</form>`
  }
  return html`<form method="post" action="${toHref(action)}">
${hidden}
<div class="fields">
${renderCodeInput(language, type)}
${renderRemember(page)}<button type="submit" class="button" id="submitButton">${textOf(language, 'signIn.continue')}</button>
</div>
</form>${
    type === 'email' &&
    html`
<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="send">
<button type="submit" class="button quiet">${textOf(language, 'factor.sendAgain')}</button>
</form>`
  }`
}

/** Renders the input of a code. The attributes let phones offer the emailed code, and show a numeric keyboard. */
export function renderCodeInput(language: Language, type: FactorType): Html {
  const kind =
    type === 'recovery'
      ? html`autocapitalize="characters" autocomplete="off" maxlength="64"`
      : html`inputmode="numeric" autocomplete="one-time-code" maxlength="32"`
  return html`<div><label for="code">${textOf(language, type === 'recovery' ? 'factor.recoveryCode' : 'signIn.code')}</label><input id="code" name="code" type="text" dir="ltr" ${kind} autocorrect="off" spellcheck="false" required autofocus></div>`
}

function renderRemember({ frame: { language }, remember }: TwoFactorPage): Html | false {
  if (remember === undefined) return false
  const text = textOf(language, 'factor.remember', { lifetime: durationOf(language, remember) })
  return html`<label class="check" for="rememberDevice"><input type="checkbox" name="rememberDevice" value="1" id="rememberDevice"><span>${text}</span></label>\n`
}

function renderPasskey({ frame, action, csrfToken, callbackUrl }: TwoFactorPage): Html {
  const form = {
    id: 'passkey',
    name: '',
    action,
    optionsUrl: action,
    inputs: {},
    conditional: false,
    sendsEmail: false,
  }
  const rest = { language: frame.language, csrfToken, callbackUrl, isAlone: true, isPrimary: true }
  return renderPasskeyForm(form, rest)
}
