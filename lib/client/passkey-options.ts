/** What the server wants a ceremony to be like, and its challenge. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { here } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'
import { requestJson } from './passkey-request.js'

/** Options by action, as the server answers them. */
export type CeremonyOptions =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/** What is asked for. */
export interface OptionsQuestion {
  readonly action: PasskeyAction
  /** URL of `webauthn-options/<provider>`. */
  readonly optionsUrl: string
  /** Who it is for: `email`, `name` and whatever else the provider wants to know. Empty values are left out. */
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** Asks for options. @throws {@link PasskeyError} */
export async function fetchOptions(question: OptionsQuestion, signal: AbortSignal): Promise<CeremonyOptions> {
  const { action, optionsUrl, fields } = question
  const url = new URL(optionsUrl, here())
  for (const [name, value] of Object.entries(fields)) if (value) url.searchParams.set(name, value)
  url.searchParams.set('action', action)
  const { action: answered, options } = await requestJson(url, { action, signal })
  if (answered === action) {
    if (action === 'register' && isCreation(options)) return { action, options }
    if (action === 'authenticate' && isRequest(options)) return { action, options }
  }
  throw new PasskeyError('refused', action)
}

function isRequest(options: unknown): options is PublicKeyCredentialRequestOptionsJSON {
  return typeof fieldOf(options, 'challenge') === 'string'
}

function isCreation(options: unknown): options is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(options) && typeof fieldOf(fieldOf(options, 'user'), 'id') === 'string'
}

function fieldOf(value: unknown, name: string): unknown {
  return Object(value)[name]
}
