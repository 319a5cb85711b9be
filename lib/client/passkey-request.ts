/** What is asked of the server for a ceremony, and what a refusal says. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { here } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'
import { fetchJson, fieldsOf, type Question, timeLimit } from './request.js'

/** Asks an endpoint for JSON. @param action What it is for: it words the failure. @throws {@link PasskeyError} */
export async function requestJson(url: string | URL, action: PasskeyAction, { body, signal }: Question = {}) {
  const headers = body === undefined ? undefined : { 'x-auth-return-redirect': '1' }
  const [{ ok, status }, data] = await fetchJson(url, { body, headers, signal: signal && withTimeLimit(signal) }).catch(
    (cause: unknown) => {
      throw new PasskeyError(signal?.aborted ? 'aborted' : 'network', action, { cause })
    },
  )
  const answer = fieldsOf(data)
  if (ok) return answer
  const message = textOf(answer.message) ?? (status >= 500 ? outage : undefined)
  throw new PasskeyError('refused', action, { error: textOf(answer.error), message, status })
}

/** The next ceremony waits for this one, so that a request must come to an end. Not every browser that has passkeys can join signals. */
function withTimeLimit(signal: AbortSignal): AbortSignal {
  return (AbortSignal as Partial<typeof AbortSignal>).any?.([signal, timeLimit()]) ?? signal
}

/** A proxy that answers in place of the site has no sentence for people. */
const outage = 'The site has a problem, so this does not work right now. Please try again later.'

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

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
  const { action: answered, options } = await requestJson(url, action, { signal })
  if (answered === action) {
    if (action === 'register' && isCreation(options)) return { action, options }
    if (action === 'authenticate' && isRequest(options)) return { action, options }
  }
  throw new PasskeyError('refused', action)
}

function isRequest(options: unknown): options is PublicKeyCredentialRequestOptionsJSON {
  return typeof fieldsOf(options).challenge === 'string'
}

function isCreation(options: unknown): options is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(options) && typeof fieldsOf(fieldsOf(options).user).id === 'string'
}
