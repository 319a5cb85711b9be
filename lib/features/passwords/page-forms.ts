/** The pages of passwords: sign-up, forgotten password, new password, and password change. Forms without scripts. */
import type { Language } from '../../contracts/index.js'
import type { PasswordRejectionReason } from '../../errors.js'
import { type Html, html } from '../../pages/html.js'
import { type InputExtras, renderInput } from '../../pages/input.js'
import { type PageFrame, renderLayout } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { type CaptchaWidget, renderCaptcha, renderCaptchaScript, renderHiddenInputs } from '../../pages/parts.js'
import { renderRevealScript, showsPasswords } from '../../pages/reveal-script.js'
import { translate } from '../../pages/texts.js'
import type { CredentialInput } from '../../types/provider-parts.js'

/** The content of one of these pages. */
export interface PasswordPage {
  readonly frame: PageFrame
  readonly name: 'sign-up' | 'password'
  readonly title: string
  /** The continuation of the title, below it. */
  readonly lead?: Html | undefined
  readonly texts: readonly string[]
  /** The error of the previous try. */
  readonly error?: string | undefined
  readonly form?: PasswordForm | undefined
  /** Links below the form. */
  readonly links: ReadonlyArray<{ readonly href: string; readonly text: string }>
}

/** The form of the page. */
export interface PasswordForm {
  /** The URL that it is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string | undefined
  /** The email link that the form belongs to. */
  readonly link?: string | undefined
  readonly fields: readonly PasswordField[]
  readonly button: string
  readonly captcha?: CaptchaWidget | undefined
}

/** A field of the form. */
export type PasswordField =
  | { readonly kind: 'email'; readonly typed?: string | undefined }
  /** The known email address, for password managers. */
  | { readonly kind: 'known'; readonly email: string }
  | { readonly kind: 'current' }
  /** `hint`: the rule for its length. */
  | { readonly kind: 'new'; readonly minLength: number; readonly hint: string }

/** Renders the page. */
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
${isSecret && showsPasswords(theme) && renderRevealScript(frame.nonce)}`
}

/** The prefix of the inputs' ids. */
const formName = 'password'

function renderField({ language, theme }: PageFrame, field: PasswordField, autofocus: boolean): Html {
  const render = (
    name: string,
    input: CredentialInput,
    extras: Pick<InputExtras, 'typed' | 'fixedValue' | 'hint'> = {},
  ) =>
    renderInput(language, name, input, formName, {
      ...{ required: true, canReveal: showsPasswords(theme), autofocus },
      ...extras,
    })
  switch (field.kind) {
    case 'email':
      return render('email', { ...addressInput, label: translate(language, 'signIn.address') }, { typed: field.typed })
    case 'known':
      return render('email', addressInput, { fixedValue: field.email })
    case 'current': {
      const label = translate(language, 'password.current')
      return render('current', { label, type: 'password', autocomplete: 'current-password' })
    }
    case 'new': {
      const label = translate(language, 'password.new')
      const input = { label, type: 'password', autocomplete: 'new-password', minlength: field.minLength }
      return render('password', input, { hint: field.hint })
    }
  }
}

/** 254: the longest email address that a mail server accepts (RFC 5321 §4.5.3.1.3). */
const addressInput = { type: 'email', inputmode: 'email', autocomplete: 'username', maxlength: 254 }

/** Returns the sentence for a rejected password, or a wrong current one. */
export function passwordSentence(language: Language, code: PasswordRejectionReason | 'wrong'): string {
  return translate(language, `password.${code}`)
}
