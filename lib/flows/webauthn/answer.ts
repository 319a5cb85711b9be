/** What a browser posts after a ceremony. All of it comes from a stranger. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isRecord } from '../../base/guards.js'
import type { AuthContext, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { WebAuthnVerificationError } from '../../errors.js'
import type { Ceremony } from './challenge.js'
import { textOf } from './encoding.js'

/** Bytes of a credential's id (WebAuthn Level 3 §4, "Credential ID"). */
const maxIdLength = 1023

/** The answer of either ceremony. */
export type Answer =
  | {
      readonly ceremony: 'authenticate'
      readonly response: AuthenticationResponseJSON
      readonly challenge: string
      readonly origin: string
    }
  | {
      readonly ceremony: 'register'
      readonly response: RegistrationResponseJSON
      readonly challenge: string
      readonly origin: string
    }

/**
 * Reads `action` and `data` of the form, and what the browser itself says about where it was (`clientDataJSON`).
 *
 * @throws {@link WebAuthnVerificationError} for what no browser answers, or for an answer from another place.
 */
export function readAnswer({ request }: AuthContext, provider: ResolvedWebAuthnProvider): Answer {
  const { action, data } = request.body
  if (action !== 'authenticate' && action !== 'register') {
    throw new WebAuthnVerificationError('`action` must be "authenticate" or "register".')
  }
  const response = parse(data)
  const { challenge, origin } = readClientData(provider, action, response)
  // Its own shape is checked by the library that verifies it.
  return action === 'authenticate'
    ? { ceremony: action, response: response as AuthenticationResponseJSON, challenge, origin }
    : { ceremony: action, response: response as RegistrationResponseJSON, challenge, origin }
}

/** What both answers have. */
interface Credential {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: { readonly clientDataJSON: string }
  readonly clientExtensionResults: Record<string, never>
}

function parse(data: unknown): Credential & Partial<AuthenticationResponseJSON & RegistrationResponseJSON> {
  const value = typeof data === 'string' ? toJson(data) : undefined
  if (isRecord(value) && isRecord(value.response)) {
    const { id, rawId, type, response } = value
    const isNamed = typeof id === 'string' && id !== '' && id.length <= (maxIdLength * 4) / 3
    if (isNamed && rawId === id && type === 'public-key' && typeof response.clientDataJSON === 'string') {
      return value as never
    }
  }
  throw new WebAuthnVerificationError('`data` must be the JSON text of a public key credential.')
}

function readClientData(provider: ResolvedWebAuthnProvider, ceremony: Ceremony, { response }: Credential) {
  const data = toJson(textOf(response.clientDataJSON))
  if (!isRecord(data) || typeof data.challenge !== 'string' || typeof data.origin !== 'string') {
    throw new WebAuthnVerificationError('`clientDataJSON` is not what browsers make.')
  }
  const { challenge, origin } = data
  if (data.type !== (ceremony === 'register' ? 'webauthn.create' : 'webauthn.get')) {
    throw new WebAuthnVerificationError('The answer is of another ceremony.')
  }
  // §7.1 steps 9 to 11, §7.2 steps 12 to 14: our pages are never framed, so nobody else's page had a part in it.
  if ((data.crossOrigin !== undefined && data.crossOrigin !== false) || data.topOrigin !== undefined) {
    throw new WebAuthnVerificationError('The answer was made in a frame of another site.')
  }
  if (!provider.relyingParty.isOrigin(origin)) {
    throw new WebAuthnVerificationError(
      `The answer was made at the origin ${JSON.stringify(origin.slice(0, 200))}, which is not among those of \`relyingParty.origin\` (provider "${provider.id}").`,
    )
  }
  return { challenge, origin }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
