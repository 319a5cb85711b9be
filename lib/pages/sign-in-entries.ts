/** The sign-in methods on a page: buttons of providers, forms, passkeys. */
import type { Language } from '../contracts/index.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { type Html, html } from './html.js'
import { addressField } from './identifier-first.js'
import { type InputExtras, isPassword, renderInput } from './input.js'
import type { PageFrame } from './layout.js'
import { readLogo, toHref } from './links.js'
import {
  type CaptchaWidget,
  describedByLastUsed,
  markLastUsed,
  type RememberCheckbox,
  renderBadge,
  renderCaptcha,
  renderHiddenInputs,
  renderRememberCheckbox,
} from './parts.js'
import { renderPasskeyForm } from './passkey-form.js'
import { showsPasswords } from './reveal-script.js'
import type { SignInEntry } from './sign-in-methods.js'
import { translate, translateHtml } from './texts.js'

/** The values that all sign-in methods of a page share. */
export interface EntriesFrame {
  readonly frame: PageFrame
  readonly csrfToken: string
  readonly callbackUrl: string
  /** Present if it is offered. */
  readonly remember?: RememberCheckbox | undefined
  /** The email address or user name from the page before, and the URL to change it. */
  readonly identifier?: { readonly value: string; readonly changeUrl: string } | undefined
  /** The id of the sign-in method that was used last in this browser. */
  readonly lastUsed?: string | undefined
  /** Present if it is required. */
  readonly captcha?: CaptchaWidget | undefined
}

type FormEntry = Extract<SignInEntry, { kind: 'credentials' | 'email' | 'address' }>

/** Renders one sign-in method. */
export function renderEntry(entry: SignInEntry, entries: readonly SignInEntry[], page: EntriesFrame): Html {
  const { csrfToken, callbackUrl, frame } = page
  if (entry.kind === 'passkey') {
    const { language } = frame
    return renderPasskeyForm(entry, {
      language,
      knownAddress: page.identifier?.value,
      csrfToken,
      callbackUrl,
      remember: page.remember,
      isLastUsed: page.lastUsed === entry.id,
      ...entryPosition(entry, entries),
    })
  }
  return html`<form method="post" action="${toHref(entry.action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${entry.kind === 'redirect' ? renderButton(entry, entries.indexOf(entry), page) : renderForm(entry, entries, page)}
</form>`
}

type ProviderEntry = Extract<SignInEntry, { kind: 'redirect' }>

/** Renders a form for each button; with a checkbox one form for all of them, so that the checkbox appears once. */
export function renderButtons(
  group: readonly ProviderEntry[],
  entries: readonly SignInEntry[],
  page: EntriesFrame,
): Html {
  const { csrfToken, callbackUrl, remember, frame } = page
  const [first] = group
  if (!remember || !first) return html`${group.map((entry) => [renderEntry(entry, entries, page), '\n'])}`
  return html`<form method="post" action="${toHref(first.action)}" class="entries">
${renderHiddenInputs(csrfToken, callbackUrl)}
${renderRememberCheckbox(frame.language, remember, first.id)}
${group.map((entry) => [renderButton(entry, entries.indexOf(entry), page, entry.action), '\n'])}</form>
`
}

/**
 * Returns the position of an entry. The only entry of a kind needs no name. The first one on the page is filled, the
 * others are outlined.
 */
function entryPosition(entry: SignInEntry, entries: readonly SignInEntry[]) {
  return {
    isAlone: entries.every(({ id, kind }) => kind !== entry.kind || id === entry.id),
    isPrimary: entry === entries[0],
  }
}

/** Checks whether an entry is a form with fields. */
export function isFormEntry(entry: SignInEntry): entry is FormEntry {
  return entry.kind === 'credentials' || entry.kind === 'email' || entry.kind === 'address'
}

/** Checks whether a divider precedes an entry. Buttons are grouped; a form is separated from its neighbours. */
export function needsDivider(before: SignInEntry | undefined, entry: SignInEntry): boolean {
  return before !== undefined && !(before.kind === 'redirect' && entry.kind === 'redirect')
}

function renderButton(
  entry: Extract<SignInEntry, { kind: 'redirect' }>,
  place: number,
  { frame, lastUsed }: EntriesFrame,
  action?: string,
): Html {
  const { mark } = entry.style
  const badge = renderBadge(entry.name, { logo: readLogo(entry.style.logo, frame.host), mark })
  const isLast = lastUsed === entry.id
  const button = html`<button type="submit" class="provider${place === 0 && ' primary'} provider-${place}"${
    action !== undefined && html` formaction="${toHref(action)}"`
  }${isLast && describedByLastUsed}>${badge}<span>${translateHtml(frame.language, 'signIn.with', { provider: entry.name })}</span></button>`
  return isLast ? markLastUsed(frame.language, button) : button
}

/** Checks whether the browser may suggest passkeys in the inputs for an address or a user name. */
function suggestsPasskeys(entries: readonly SignInEntry[]): boolean {
  return entries.some((entry) => entry.kind === 'passkey' && entry.conditional)
}

function renderForm(entry: FormEntry, entries: readonly SignInEntry[], page: EntriesFrame): Html {
  const { language } = page.frame
  const { isAlone, isPrimary } = entryPosition(entry, entries)
  // The id of the published pages' button must be unique.
  const isFirst = entry === entries.find(isFormEntry)
  const { captcha, remember } = entry.kind === 'address' ? {} : page
  const isLast = page.lastUsed === entry.id
  const button = html`<button type="submit" class="button${!isPrimary && ' quiet'}"${isFirst && html` id="submitButton"`}${isLast && describedByLastUsed}>${formButton(language, entry, isAlone)}</button>`
  return html`<div class="fields">
${renderInputs(entry, entries, page)}${remember && html`${renderRememberCheckbox(language, remember, entry.id)}\n`}${captcha && html`${renderCaptcha(language, captcha)}\n`}${isLast ? markLastUsed(language, button) : button}${renderSignUpLink(language, entry)}
</div>`
}

/** Renders the link to sign up. */
function renderSignUpLink(language: Language, entry: FormEntry): Html | false {
  if (entry.kind !== 'credentials' || entry.signUpUrl === undefined) return false
  return html`\n<p class="more-links"><a href="${toHref(entry.signUpUrl)}">${translate(language, 'password.signUpLink')}</a></p>`
}

function renderInputs(entry: FormEntry, entries: readonly SignInEntry[], { frame, identifier }: EntriesFrame): Html {
  const { language } = frame
  const offersPasskeys = suggestsPasskeys(entries)
  const inputs = Object.entries(entryInputs(language, entry))
  const typed = (entry.kind === 'credentials' || entry.kind === 'email' ? entry.typed : undefined) ?? {}
  const isKnown = (field: string) => identifier !== undefined && field === addressField(entry)
  const isEmpty = (field: string) => !isKnown(field) && !Object.hasOwn(typed, field)
  // If a page starts with a form, its first empty field has the focus. Otherwise a screen reader would skip the text
  // above.
  const [focused] = (entry === entries[0] ? inputs.find(([field]) => isEmpty(field)) : undefined) ?? []
  return html`${inputs.map(([field, input]) => {
    const fixedValue = isKnown(field) ? identifier?.value : undefined
    const kept = Object.hasOwn(typed, field) ? typed[field] : undefined
    const extras = {
      offersPasskeys,
      required: true,
      typed: kept,
      fixedValue,
      canReveal: showsPasswords(frame.theme),
      autofocus: field === focused,
      link: isPassword(field, input) ? forgotLink(language, entry) : undefined,
    }
    return [renderInput(language, field, input, entry.id, extras), '\n']
  })}`
}

/** Returns the link for users who have forgotten their password. */
function forgotLink(language: Language, entry: FormEntry): InputExtras['link'] {
  if (entry.kind !== 'credentials' || entry.forgotUrl === undefined) return undefined
  return { href: entry.forgotUrl, text: translate(language, 'password.forgotLink') }
}

function entryInputs(language: Language, entry: FormEntry): Readonly<Record<string, CredentialInput>> {
  if (entry.kind === 'credentials') return entry.inputs
  if (entry.kind === 'email' || !entry.input)
    return addressInput(language, entry.kind === 'email' ? 'email' : 'identifier')
  const { isMixed, ...input } = entry.input
  return {
    identifier: {
      ...(isMixed ? { label: translate(language, 'signIn.addressOrUsername') } : input),
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 254,
    },
  }
}

function formButton(language: Language, { kind, name }: FormEntry, isAlone: boolean): Html | string {
  if (kind === 'address') return translate(language, 'signIn.continue')
  if (isAlone) return translate(language, kind === 'email' ? 'signIn.sendLink' : 'signIn.button')
  return translateHtml(language, kind === 'email' ? 'signIn.sendLinkWith' : 'signIn.with', { provider: name })
}

/** Returns the input for an email address. 254: the longest address (RFC 5321 §4.5.3.1.3). */
const addressInput = (
  language: Language,
  field: 'email' | 'identifier',
): Readonly<Record<string, CredentialInput>> => ({
  [field]: {
    label: translate(language, 'signIn.address'),
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    placeholder: translate(language, 'signIn.addressExample'),
    maxlength: 254,
    required: true,
  },
})
