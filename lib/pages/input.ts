/** One input of a credentials form, from what the developer declared. */
import type { Language } from '../contracts/index.js'
import { forLanguage } from '../http/accept-language.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { attributes, type Html, html } from './html.js'
import { isEnglish, textOf } from './words.js'

/** What a page adds to an input. */
export interface InputExtras {
  /** Attributes of ours. */
  readonly own?: Readonly<Record<string, true>>
  /** Whether the browser may suggest passkeys where it suggests who somebody is. */
  readonly offersPasskeys?: boolean
  /** Whether it has to be filled in, unless the input itself says. Never a box to be ticked. */
  readonly required?: boolean
  /** What the person typed before. */
  readonly typed?: string | undefined
  /** Already said on the page before: nobody is asked again. */
  readonly known?: string | undefined
  /** Whether a password can be shown. */
  readonly canReveal?: boolean
  /** Whether the page begins here. */
  readonly autofocus?: boolean
}

/** The input with its label. Attributes that are not on our list are left out. */
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
    known,
    canReveal = false,
    autofocus = false,
  }: InputExtras = {},
): Html {
  const id = `input-${field}-for-${providerId}-provider`
  const type = readType(field, input)
  const read = readAttributes(field, type, input)
  if (known !== undefined)
    return renderKnown({ ...own, id, name: field, autocomplete: read.autocomplete ?? 'username' }, known)
  if (required && input.required === undefined && type !== 'checkbox' && type !== 'hidden') read.required = true
  if (typed !== undefined && keepsTyped(field, input)) read.value = typed
  if (offersPasskeys && (read.autocomplete === 'username' || read.autocomplete === 'email')) {
    read.autocomplete += ' webauthn'
  }
  if (autofocus) read.autofocus = true
  const revealable = canReveal && type === 'password'
  const control = html`<input${attributes({ ...own, id, name: field, type, ...read, ...(revealable && revealWords(language)) })}>`
  const label = ownLabel(language, input) ?? defaultLabel(language, field, read.autocomplete, type)
  if (type === 'hidden') return control
  if (type === 'checkbox') return html`<label class="check" for="${id}">${control}<span>${label}</span></label>`
  if (revealable) return html`<div><label for="${id}">${label}</label><div class="concealed">${control}</div></div>`
  return html`<div><label for="${id}">${label}</label>${control}</div>`
}

/** Out of sight, and there for password managers: they keep a password with the name beside it. */
function renderKnown(own: Readonly<Record<string, string | true>>, value: string): Html {
  return html`<input${attributes({ ...own, type: 'text', value, class: 'unseen', readonly: true, tabindex: '-1', 'aria-hidden': 'true' })}>`
}

/** What the button beside a password says (`reveal-script.ts`). */
function revealWords(language: Language): Record<string, string> {
  return { 'data-show': textOf(language, 'signIn.showPassword'), 'data-hide': textOf(language, 'signIn.hidePassword') }
}

/** Whether a field is typed unseen. */
export function isPassword(field: string, input: CredentialInput): boolean {
  return readType(field, input) === 'password'
}

/** The field by which a form knows who somebody is: the first that browsers fill in with a user name or an address. */
export function identifyingField(inputs: Readonly<Record<string, CredentialInput>>): string | undefined {
  return Object.keys(inputs).find((field) => {
    const input = inputs[field] ?? {}
    const type = readType(field, input)
    const { autocomplete } = readAttributes(field, type, input)
    return type !== 'hidden' && /^(username|email)\b/.test(String(autocomplete))
  })
}

/**
 * Whether what a person typed may be shown again after a sign-in that failed: who they are, and nothing that proves it.
 * What is not known to be harmless by its type or its name is typed again.
 */
export function keepsTyped(field: string, input: CredentialInput): boolean {
  const type = readType(field, input)
  const { autocomplete = '', readonly } = readAttributes(field, type, input)
  if (!keptTypes.has(type) || readonly) return false
  return !secretFields.test(field) && !/password|one-time-code|^off$|^cc-/i.test(String(autocomplete))
}

const keptTypes: ReadonlySet<string> = new Set(['text', 'email', 'tel'])

const secretFields = /pin|secret|token|code|otp|card|cvc|cvv|ssn|answer|key/i

type Attributes = Record<string, string | true>

/** Types whose inputs work with one label and a plain value. A button or a file among them would be another form. */
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

/** A field that is named like a password is never shown in clear because somebody forgot its type. */
function readType(field: string, input: CredentialInput): string {
  const type = typeof input.type === 'string' ? input.type.toLowerCase() : undefined
  if (type !== undefined) return types.has(type) ? type : 'text'
  return /passw|passphrase|pwd/i.test(field) ? 'password' : 'text'
}

function readAttributes(field: string, type: string, input: CredentialInput): Attributes {
  const read: Attributes = { ...defaultAttributes(field, type) }
  for (const [key, value] of Object.entries(input)) {
    const name = key.toLowerCase()
    // The source of a page is kept in caches and histories: no place for a password.
    if (name === 'value' && type === 'password') continue
    if (booleanAttributes.has(name) && (value === true || value === '' || value === name)) read[name] = true
    if (textAttributes.has(name) && isText(value)) read[name] = String(value)
  }
  return read
}

/** What a password manager and a phone's keyboard need to know (HTML, "autofill field names"). */
function defaultAttributes(field: string, type: string): Attributes {
  if (type === 'password') return { autocomplete: 'current-password' }
  if (type === 'email' || /^(user([-_]?(name|id))?|login|e?-?mail([-_]?address)?)$/i.test(field)) {
    return { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' }
  }
  return /^(otp|totp|code|one[-_]?time[-_]?code)$/i.test(field) ? { autocomplete: 'one-time-code' } : {}
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** The developer's label, in the language of the page where there is one. */
function ownLabel({ locale }: Language, { label, labels = {} }: CredentialInput): string | undefined {
  return forLanguage(locale, labels) ?? label
}

/** In English by the field's name; in other languages as far as it is known what the field is for. */
function defaultLabel(
  language: Language,
  field: string,
  autocomplete: string | true | undefined,
  type: string,
): string {
  if (isEnglish(language)) return capitalise(field)
  if (type === 'password') return textOf(language, 'signIn.password')
  if (autocomplete === 'one-time-code') return textOf(language, 'signIn.code')
  if (type === 'email' || /mail/i.test(field)) return textOf(language, 'signIn.address')
  return String(autocomplete).startsWith('username') ? textOf(language, 'signIn.username') : capitalise(field)
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
