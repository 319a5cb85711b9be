/** The page that asks for a second factor. Only passkeys need a script. */
import type { Language } from '../../contracts/index.js'
import { errorSentence } from '../../pages/error-texts.js'
import { type Html, html } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderHiddenInputs } from '../../pages/parts.js'
import { renderPasskeyForm, renderPasskeyScript } from '../../pages/passkey-form.js'
import { formatDuration, translate, translateHtml } from '../../pages/texts.js'
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
  /** True if a code was emailed. */
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
    title: translate(language, 'factor.title'),
    main: html`<h1>${translate(language, 'factor.title')}</h1>
<p class="lead">${renderLead(page)}</p>
${renderAlert(language, page)}<div class="entries">
${type === 'passkey' ? renderPasskeyChallenge(page) : renderCodeForm(page)}
</div>
${others.length > 0 && html`<p class="or">${translate(language, 'signIn.or')}</p>\n<ul class="plain">${others.map((other) => html`<li><a href="${toHref(other.url)}">${translate(language, otherFactorKeys[other.type])}</a></li>`)}</ul>\n`}<div class="actions plain">
<a href="${toHref(cancelUrl)}">${translate(language, 'page.cancel')}</a>
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
  const sentence = isPasskey ? translate(language, 'passkey.refused') : errorSentence(language, error)
  const text = sentence ?? translate(language, 'signIn.failed')
  return html`<div class="error" role="alert"><p>${text}</p></div>\n`
}

/** The texts of the links to other factors. */
const otherFactorKeys = {
  totp: 'factor.useTotp',
  email: 'factor.useEmail',
  recovery: 'factor.useRecovery',
  passkey: 'factor.usePasskey',
} as const

function renderLead({ frame, type, isSent }: TwoFactorPage): Html {
  const { language } = frame
  const site = renderSite(frame)
  if (type === 'totp') return translateHtml(language, 'factor.totp', { site })
  if (type === 'recovery') return translateHtml(language, 'factor.recovery', { site })
  if (type === 'passkey') return translateHtml(language, 'factor.passkey', { site })
  return isSent
    ? translateHtml(language, 'factor.emailSent', { site })
    : translateHtml(language, 'factor.email', { site })
}

function renderCodeForm(page: TwoFactorPage): Html {
  const { frame, type, action, csrfToken, callbackUrl, isSent } = page
  const { language } = frame
  const hidden = renderHiddenInputs(csrfToken, callbackUrl)
  if (type === 'email' && !isSent) {
    return html`<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="send">
<button type="submit" class="button">${translate(language, 'factor.send')}</button>
</form>`
  }
  return html`<form method="post" action="${toHref(action)}">
${hidden}
<div class="fields">
${renderCodeInput(language, type)}
${renderTrustCheckbox(page)}<button type="submit" class="button" id="submitButton">${translate(language, 'signIn.continue')}</button>
</div>
</form>${
    type === 'email' &&
    html`
<form method="post" action="${toHref(action)}">
${hidden}
<input type="hidden" name="intent" value="send">
<button type="submit" class="button quiet">${translate(language, 'factor.sendAgain')}</button>
</form>`
  }`
}

/** Renders the input of a code. The attributes let phones offer the emailed code, and show a numeric keyboard. */
export function renderCodeInput(language: Language, type: FactorType): Html {
  const kind =
    type === 'recovery'
      ? html`autocapitalize="characters" autocomplete="off" maxlength="64"`
      : html`inputmode="numeric" autocomplete="one-time-code" maxlength="32"`
  return html`<div><label for="code">${translate(language, type === 'recovery' ? 'factor.recoveryCode' : 'signIn.code')}</label><input id="code" name="code" type="text" dir="ltr" ${kind} autocorrect="off" spellcheck="false" required autofocus></div>`
}

function renderTrustCheckbox({ frame: { language }, remember }: TwoFactorPage): Html | false {
  if (remember === undefined) return false
  const text = translate(language, 'factor.remember', { lifetime: formatDuration(language, remember) })
  return html`<label class="check" for="rememberDevice"><input type="checkbox" name="rememberDevice" value="1" id="rememberDevice"><span>${text}</span></label>\n`
}

function renderPasskeyChallenge({ frame, action, csrfToken, callbackUrl }: TwoFactorPage): Html {
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
