/** The pages of passwords: signing up, a forgotten password, a new one, and another one. Forms of ours, which need no script. */
import type { Language } from '../../contracts/index.js'
import type { PasswordFault } from '../../errors.js'
import { type Html, html } from '../../pages/html.js'
import { renderInput } from '../../pages/input.js'
import { type PageFrame, renderLayout } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { type CaptchaWidget, renderCaptcha, renderCaptchaScript, renderHiddenInputs } from '../../pages/parts.js'
import { renderRevealScript } from '../../pages/reveal-script.js'
import { textOf } from '../../pages/words.js'
import type { CredentialInput } from '../../types/provider-parts.js'

/** What one of these pages shows. */
export interface PasswordPage {
  readonly frame: PageFrame
  readonly name: 'sign-up' | 'password'
  readonly title: string
  /** Below the title, as the rest of its sentence. */
  readonly lead?: Html | undefined
  readonly texts: readonly string[]
  /** What was wrong with what was typed. */
  readonly error?: string | undefined
  readonly form?: PasswordForm | undefined
  /** Below the form. */
  readonly links: ReadonlyArray<{ readonly href: string; readonly text: string }>
}

/** Its form. */
export interface PasswordForm {
  /** URL that it is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string | undefined
  /** The mailed link that the form belongs to. */
  readonly link?: string | undefined
  readonly fields: readonly PasswordField[]
  readonly button: string
  readonly captcha?: CaptchaWidget | undefined
}

/** One of its fields. */
export type PasswordField =
  | { readonly kind: 'email'; readonly typed?: string | undefined }
  /** The address is known, and there for password managers. */
  | { readonly kind: 'known'; readonly email: string }
  | { readonly kind: 'current' }
  | { readonly kind: 'new'; readonly minLength: number }

/** The page. */
export function renderPassword({ frame, name, title, lead, texts, error, form, links }: PasswordPage): string {
  return renderLayout(frame, {
    name,
    title,
    main: html`<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>\n`}${texts.map((text) => html`<p class="text">${text}</p>\n`)}${
  error !== undefined && html`<div class="error" role="alert"><p>${error}</p></div>\n`
}${form && renderForm(frame, form)}${
  links.length > 0 &&
  html`<div class="actions">${links.map(({ href, text }) => html`<a href="${toHref(href)}">${text}</a>\n`)}</div>`
}${form?.captcha && renderCaptchaScript(form.captcha, frame.nonce)}`,
  })
}

function renderForm(frame: PageFrame, form: PasswordForm): Html {
  const { action, csrfToken, callbackUrl, link, fields, button, captcha } = form
  const { language, theme } = frame
  const isSecret = fields.some(({ kind }) => kind === 'new' || kind === 'current')
  const first = fields.find((field) => field.kind !== 'known' && !(field.kind === 'email' && field.typed))
  return html`<div class="entries">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${link !== undefined && html`<input type="hidden" name="link" value="${link}">\n`}<div class="fields">
${fields.map((field) => [renderField(frame, field, field === first), '\n'])}${captcha && html`${renderCaptcha(language, captcha)}\n`}<button type="submit" class="button" id="submitButton">${button}</button>
</div>
</form>
</div>
${isSecret && theme.showPassword === true && renderRevealScript(frame.nonce)}`
}

/** What tells these inputs from those of other forms. */
const formName = 'password'

function renderField({ language, theme }: PageFrame, field: PasswordField, autofocus: boolean): Html {
  const render = (name: string, input: CredentialInput, extras: { typed?: string | undefined; known?: string } = {}) =>
    renderInput(language, name, input, formName, {
      ...{ required: true, canReveal: theme.showPassword === true, autofocus },
      ...extras,
    })
  switch (field.kind) {
    case 'email':
      return render('email', { ...addressInput, label: textOf(language, 'signIn.address') }, { typed: field.typed })
    case 'known':
      return render('email', addressInput, { known: field.email })
    case 'current': {
      const label = textOf(language, 'password.current')
      return render('current', { label, type: 'password', autocomplete: 'current-password' })
    }
    case 'new': {
      const label = textOf(language, 'password.new')
      return render('password', { label, type: 'password', autocomplete: 'new-password', minlength: field.minLength })
    }
  }
}

/** 254: the longest address that a mail server takes (RFC 5321 §4.5.3.1.3). */
const addressInput = { type: 'email', inputmode: 'email', autocomplete: 'username', maxlength: 254 }

/** Why a password is not taken, or that the current one is another. */
export function passwordSentence(language: Language, code: PasswordFault | 'wrong'): string {
  return textOf(language, `password.${code}`)
}
