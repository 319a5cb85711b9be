/** Requests of a ceremony to the server, and their errors. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { currentUrl } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'
import { type ClientRequest, fetchJson, responseFields, timeLimit } from './request.js'

/** Requests JSON from an endpoint. @param action The ceremony, for error messages. @throws {@link PasskeyError} */
export async function requestJson(url: string | URL, action: PasskeyAction, { body, signal }: ClientRequest = {}) {
  const headers = body === undefined ? undefined : { 'x-auth-return-redirect': '1' }
  const [{ ok, status }, data] = await fetchJson(url, { body, headers, signal: signal && withTimeLimit(signal) }).catch(
    (cause: unknown) => {
      throw new PasskeyError(signal?.aborted ? 'aborted' : 'network', action, { cause })
    },
  )
  const answer = responseFields(data)
  if (ok) return answer
  const message = nonEmptyText(answer.message) ?? (status >= 500 ? outageMessage : undefined)
  throw new PasskeyError('refused', action, { error: nonEmptyText(answer.error), message, status })
}

/**
 * Adds a time limit, because the next ceremony waits for this one. Some browsers with passkeys cannot combine signals.
 */
function withTimeLimit(signal: AbortSignal): AbortSignal {
  return (AbortSignal as Partial<typeof AbortSignal>).any?.([signal, timeLimit()]) ?? signal
}

/** A proxy that responds instead of the site has no sentence for users. */
const outageMessage = 'The site has a problem, so this does not work right now. Please try again later.'

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The options by action, as the server returns them. */
export type CeremonyOptions =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/** A request for options. */
export interface OptionsRequest {
  readonly action: PasskeyAction
  /** The URL of `webauthn-options/<provider>`. */
  readonly optionsUrl: string
  /** The values of the user: `email`, `name` and other fields of the provider. Empty values are left out. */
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** Requests options. @throws {@link PasskeyError} */
export async function fetchOptions(question: OptionsRequest, signal: AbortSignal): Promise<CeremonyOptions> {
  const { action, optionsUrl, fields } = question
  const url = new URL(optionsUrl, currentUrl())
  for (const [name, value] of Object.entries(fields)) if (value) url.searchParams.set(name, value)
  url.searchParams.set('action', action)
  const { action: answered, options } = await requestJson(url, action, { signal })
  if (answered === action) {
    if (action === 'register' && isCreationOptions(options)) return { action, options }
    if (action === 'authenticate' && isRequestOptions(options)) return { action, options }
  }
  throw new PasskeyError('refused', action)
}

function isRequestOptions(options: unknown): options is PublicKeyCredentialRequestOptionsJSON {
  return typeof responseFields(options).challenge === 'string'
}

function isCreationOptions(options: unknown): options is PublicKeyCredentialCreationOptionsJSON {
  return isRequestOptions(options) && typeof responseFields(responseFields(options).user).id === 'string'
}
