/**
 * The form of a passkey provider, the only part of our pages that needs JavaScript. It is hidden until its script
 * (`client/passkey-page.ts`) shows it; without the script the page shows a sentence instead.
 */
import type { Language } from '../contracts/index.js'
import { passkeyScript } from '../generated/passkey-script.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { type Html, html, raw } from './html.js'
import { renderInput } from './input.js'
import { toHref } from './links.js'
import {
  describedByLastUsed,
  markLastUsed,
  type RememberCheckbox,
  renderFields,
  renderHiddenInputs,
  renderRememberCheckbox,
} from './parts.js'
import { needsPasskeyTexts, passkeyTexts, translate } from './texts.js'

/** The content of the form. */
export interface PasskeyForm {
  readonly id: string
  readonly name: string
  /** The URL of the callback. */
  readonly action: string
  /** The URL of `webauthn-options`. */
  readonly optionsUrl: string
  /** The fields of a new account. Without any, the form creates no accounts. */
  readonly inputs: Readonly<Record<string, CredentialInput>>
  /** True if passkeys are offered in the browser's autofill. */
  readonly conditional: boolean
  /** True if a sign-in may need the email address, because a passkey may not be found without it. */
  readonly sendsEmail: boolean
}

/** The values that the forms of one page share. */
export interface PasskeyFormFrame {
  readonly language: Language
  /** The email address from the page before. */
  readonly knownAddress?: string | undefined
  readonly csrfToken: string
  readonly callbackUrl: string
  readonly isAlone: boolean
  readonly isPrimary: boolean
  readonly remember?: RememberCheckbox | undefined
  /** True if this sign-in method was used last in this browser. */
  readonly isLastUsed?: boolean
  /** The text of the only button, which adds a passkey to the account of the session. Absent in a sign-in. */
  readonly registers?: string
  /** Further hidden inputs. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Renders the form. Errors are shown in its `role="alert"`. */
export function renderPasskeyForm(form: PasskeyForm, frame: PasskeyFormFrame): Html {
  const { language, csrfToken, callbackUrl, fields = {} } = frame
  const { id, conditional, sendsEmail } = form
  const note = `${id}-note`
  return html`<div class="passkey">
<noscript><p class="text">${translate(language, 'passkey.needsScript')}</p></noscript>
<p class="text" id="${note}" hidden></p>
<form method="post" action="${toHref(form.action)}" id="${id}-form" data-passkey="${note}" data-options-url="${toHref(form.optionsUrl)}"${
    conditional && html` data-conditional`
  }${sendsEmail && html` data-sends-email`}${needsPasskeyTexts(language) && html` data-words="${JSON.stringify(passkeyTexts(language))}"`} hidden>
${renderHiddenInputs(csrfToken, callbackUrl)}
${renderFields(fields)}<input type="hidden" name="action">
<input type="hidden" name="data">
<div role="alert" id="${id}-message"></div>
<div class="fields">
${renderControls(form, frame)}
</div>
</form>
</div>`
}

/** Renders the script of all passkey forms of a page. It must follow the last of them. */
export function renderPasskeyScript(nonce: string): Html {
  return html`<script nonce="${nonce}">${raw(passkeyScript)}</script>`
}

/**
 * Renders inputs and buttons. If a passkey is found without an email address, the button comes first, because no field
 * is needed.
 */
function renderControls(
  { id, name, inputs, sendsEmail }: PasskeyForm,
  { language, knownAddress, isAlone, isPrimary, remember, isLastUsed = false, registers }: PasskeyFormFrame,
): Html {
  if (registers !== undefined)
    return html`<button type="submit" class="button" id="registerButton-${id}" data-passkey-action="register">${key}<span>${registers}</span></button>`
  const suffix = isAlone ? '' : ` (${name})`
  const fields = Object.entries(inputs).map(([field, input]) => [
    renderField(language, { field, input, id, known: knownAddress }),
    '\n',
  ])
  // Enter in a field presses the first button that submits.
  const type = sendsEmail && fields.length > 0 ? html`type="submit" formnovalidate` : html`type="button"`
  const button = html`<button ${type} class="button${!isPrimary && ' quiet'}" id="submitButton-${id}" data-passkey-action="authenticate"${isLastUsed && describedByLastUsed}>${key}<span>${translate(language, 'passkey.signIn')}${suffix}</span></button>`
  const signIn = isLastUsed ? markLastUsed(language, button) : button
  const box = remember && html`${renderRememberCheckbox(language, remember, id)}\n`
  if (fields.length === 0) return html`${box}${signIn}`
  const register = html`<button type="submit" class="button quiet" id="registerButton-${id}" data-passkey-action="register">${translate(language, 'passkey.create')}${suffix}</button>`
  return sendsEmail
    ? html`${fields}${box}${signIn}\n${register}`
    : html`${box}${signIn}\n<p class="or">${translate(language, 'passkey.newHere')}</p>\n${fields}${register}`
}

/** Renders a field. An account needs an email address unless the developer disables it. */
function renderField(
  language: Language,
  { field, input, id, known }: { field: string; input: CredentialInput; id: string; known: string | undefined },
): Html {
  // The published page's mark of inputs whose values are sent.
  const address = { label: translate(language, 'signIn.address'), required: true }
  return renderInput(language, field, field === 'email' ? { ...address, ...input } : input, id, {
    own: { 'data-form-field': true },
    fixedValue: field === 'email' ? known : undefined,
  })
}

const key = raw(
  '<svg aria-hidden="true" viewBox="0 0 20 20" width="20" height="20"><path fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" d="M9.5 10.5L17 3m-2.5 2.5L17 8m-5 0l2 2m-3.5 3.25a4 4 0 1 1-8 0 4 4 0 0 1 8 0z"/></svg>',
)
