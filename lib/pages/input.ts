/** One input of a credentials form, as declared by the developer. */
import type { Language } from '../contracts/index.js'
import { forLanguage } from '../http/accept-language.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { attributes, type Html, html } from './html.js'
import { toHref } from './links.js'
import { isEnglish, translate } from './texts.js'

/** The additions of a page to an input. */
export interface InputExtras {
  /** Our own attributes. */
  readonly own?: Readonly<Record<string, true>>
  /** True if the browser may suggest passkeys among user names. */
  readonly offersPasskeys?: boolean
  /** True if it is required, unless the input has its own `required`. Never applies to a checkbox. */
  readonly required?: boolean
  /** The value that the user typed before. */
  readonly typed?: string | undefined
  /** The value from the page before; the input is then hidden. */
  readonly fixedValue?: string | undefined
  /** True if a password can be shown. */
  readonly canReveal?: boolean
  /** True if the input has the initial focus. */
  readonly autofocus?: boolean
  /** A sentence below the input, which screen readers read with it. */
  readonly hint?: string | undefined
  /** A link beside the label. The keyboard reaches it after the input. */
  readonly link?: { readonly href: string; readonly text: string } | undefined
}

/** Renders the input with its label. Attributes that are not on our list are left out. */
export function renderInput(
  language: Language,
  field: string,
  input: CredentialInput,
  providerId: string,
  {
    own = {},
    offersPasskeys = false,
    required = false,
    typed,
    fixedValue,
    canReveal = false,
    autofocus = false,
    hint,
    link,
  }: InputExtras = {},
): Html {
  const id = `input-${field}-for-${providerId}-provider`
  const type = inputType(field, input)
  const read = inputAttributes(field, type, input)
  if (fixedValue !== undefined)
    return renderFixedValue({ ...own, id, name: field, autocomplete: read.autocomplete ?? 'username' }, fixedValue)
  if (required && input.required === undefined && type !== 'checkbox' && type !== 'hidden') read.required = true
  if (typed !== undefined && mayShowAgain(field, input)) read.value = typed
  if (offersPasskeys && (read.autocomplete === 'username' || read.autocomplete === 'email')) {
    read.autocomplete += ' webauthn'
  }
  if (autofocus) read.autofocus = true
  if (hint !== undefined) read['aria-describedby'] = `${id}-hint`
  const revealable = canReveal && type === 'password'
  const control = html`<input${attributes({ ...own, id, name: field, type, ...read, ...(revealable && revealTexts(language)) })}>`
  const label = ownLabel(language, input) ?? defaultLabel(language, field, read.autocomplete, type)
  if (type === 'hidden') return control
  if (type === 'checkbox') return html`<label class="check" for="${id}">${control}<span>${label}</span></label>`
  const shown = revealable ? html`<div class="concealed">${control}</div>` : control
  return html`<div${link && html` class="with-link"`}><label for="${id}">${label}</label>${shown}${
    link && html`<a href="${toHref(link.href)}">${link.text}</a>`
  }${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`
}

/** Renders a hidden input for password managers, which store a password with the name beside it. */
function renderFixedValue(own: Readonly<Record<string, string | true>>, value: string): Html {
  return html`<input${attributes({ ...own, type: 'text', value, class: 'unseen', readonly: true, tabindex: '-1', 'aria-hidden': 'true' })}>`
}

/** Returns the labels of the button beside a password (`reveal-script.ts`). */
function revealTexts(language: Language): Record<string, string> {
  return {
    'data-show': translate(language, 'signIn.showPassword'),
    'data-hide': translate(language, 'signIn.hidePassword'),
  }
}

/** Checks whether a field hides its value. */
export function isPassword(field: string, input: CredentialInput): boolean {
  return inputType(field, input) === 'password'
}

/** Returns the field that identifies the user: the first that browsers fill with a user name or an address. */
export function identifyingField(inputs: Readonly<Record<string, CredentialInput>>): string | undefined {
  return Object.keys(inputs).find((field) => {
    const input = inputs[field] ?? {}
    const type = inputType(field, input)
    const { autocomplete } = inputAttributes(field, type, input)
    return type !== 'hidden' && /^(username|email)\b/.test(String(autocomplete))
  })
}

/**
 * Checks whether a typed value may be shown again after a failed sign-in: an identifier, never a secret. Values that
 * are not known to be harmless by type or name are not kept.
 */
export function mayShowAgain(field: string, input: CredentialInput): boolean {
  const type = inputType(field, input)
  const { autocomplete = '', readonly } = inputAttributes(field, type, input)
  if (!shownAgainTypes.has(type) || readonly) return false
  return !secretFields.test(field) && !/password|one-time-code|^off$|^cc-/i.test(String(autocomplete))
}

const shownAgainTypes: ReadonlySet<string> = new Set(['text', 'email', 'tel'])

const secretFields = /pin|secret|token|code|otp|card|cvc|cvv|ssn|answer|key/i

type Attributes = Record<string, string | true>

/** The input types that work with one label and a plain value. A button or a file would need another form. */
const types: ReadonlySet<string> = new Set(
  'checkbox date datetime-local email hidden month number password search tel text time url week'.split(' '),
)

const textAttributes: ReadonlySet<string> = new Set(
  (
    'autocapitalize autocomplete autocorrect dir enterkeyhint inputmode lang max maxlength min minlength pattern ' +
    'placeholder size spellcheck step title value'
  ).split(' '),
)

const booleanAttributes: ReadonlySet<string> = new Set('autofocus checked readonly required'.split(' '))

/** Returns the type. A field that is named like a password is hidden even if its type is missing. */
function inputType(field: string, input: CredentialInput): string {
  const type = typeof input.type === 'string' ? input.type.toLowerCase() : undefined
  if (type !== undefined) return types.has(type) ? type : 'text'
  return /passw|passphrase|pwd/i.test(field) ? 'password' : 'text'
}

function inputAttributes(field: string, type: string, input: CredentialInput): Attributes {
  const read: Attributes = { ...defaultAttributes(field, type) }
  for (const [key, value] of Object.entries(input)) {
    const name = key.toLowerCase()
    // Caches and histories keep the source of a page, so it must not contain a password.
    if (name === 'value' && type === 'password') continue
    if (booleanAttributes.has(name) && (value === true || value === '' || value === name)) read[name] = true
    if (textAttributes.has(name) && isAttributeValue(value)) read[name] = String(value)
  }
  return read
}

/** Returns the attributes for password managers and phone keyboards (HTML, "autofill field names"). */
function defaultAttributes(field: string, type: string): Attributes {
  if (type === 'password') return { autocomplete: 'current-password' }
  if (type === 'email' || /^(user([-_]?(name|id))?|login|e?-?mail([-_]?address)?)$/i.test(field)) {
    return { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' }
  }
  return /^(otp|totp|code|one[-_]?time[-_]?code)$/i.test(field) ? { autocomplete: 'one-time-code' } : {}
}

function isAttributeValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Returns the developer's label, in the language of the page if available. */
function ownLabel({ locale }: Language, { label, labels = {} }: CredentialInput): string | undefined {
  return forLanguage(locale, labels) ?? label
}

/** Returns a label: in English the field's name; in other languages a text for the known purposes of fields. */
function defaultLabel(
  language: Language,
  field: string,
  autocomplete: string | true | undefined,
  type: string,
): string {
  if (isEnglish(language)) return capitalise(field)
  if (type === 'password') return translate(language, 'signIn.password')
  if (autocomplete === 'one-time-code') return translate(language, 'signIn.code')
  if (type === 'email' || /mail/i.test(field)) return translate(language, 'signIn.address')
  return String(autocomplete).startsWith('username') ? translate(language, 'signIn.username') : capitalise(field)
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
