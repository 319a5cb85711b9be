/** The form that a browser posts after a ceremony. Any client can post anything here, and nothing is verified yet. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isRecord } from '../../base/guards.js'
import { parseJson } from '../../base/json.js'
import type { AuthContext, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { WebAuthnVerificationError } from '../../errors.js'
import type { Ceremony } from './challenge.js'
import { decodeBase64UrlText } from './encoding.js'

/** The maximum length of a credential id, in bytes (WebAuthn Level 3 §4, "Credential ID"). */
const maxIdLength = 1023

interface CeremonyResponse<C extends Ceremony, Response> {
  readonly ceremony: C
  readonly response: Response
  readonly challenge: string
  readonly origin: string
}

/** The response of a user who signs in. */
export type Assertion = CeremonyResponse<'authenticate', AuthenticationResponseJSON>
/** The response of a user who creates a passkey. */
export type Attestation = CeremonyResponse<'register', RegistrationResponseJSON>

/**
 * Reads `action` and `data` of the form, and the browser's own report of the origin (`clientDataJSON`).
 *
 * @throws {@link WebAuthnVerificationError} for a malformed response, or one from another origin.
 */
export function readCeremonyResponse(
  { request }: AuthContext,
  provider: ResolvedWebAuthnProvider,
): Assertion | Attestation {
  const { action, data } = request.body
  if (action !== 'authenticate' && action !== 'register') {
    throw new WebAuthnVerificationError('`action` must be "authenticate" or "register".')
  }
  const response = parseCredential(data)
  // The library that verifies the response checks the rest of its shape.
  return { ceremony: action, response, ...readClientData(provider, action, response) } as Assertion | Attestation
}

/** The common part of both responses. */
interface Credential {
  readonly response: { readonly clientDataJSON: string }
}

function parseCredential(data: unknown): Credential {
  const value = typeof data === 'string' ? parseJson(data) : undefined
  if (isRecord(value) && isRecord(value.response)) {
    const { id, rawId, type, response } = value
    const isNamed = typeof id === 'string' && id !== '' && id.length <= (maxIdLength * 4) / 3
    if (isNamed && rawId === id && type === 'public-key' && typeof response.clientDataJSON === 'string') {
      return { ...value, response: { ...response, clientDataJSON: response.clientDataJSON } }
    }
  }
  throw new WebAuthnVerificationError('`data` must be the JSON text of a public key credential.')
}

function readClientData(provider: ResolvedWebAuthnProvider, ceremony: Ceremony, { response }: Credential) {
  const data = parseJson(decodeBase64UrlText(response.clientDataJSON))
  if (!isRecord(data) || typeof data.challenge !== 'string' || typeof data.origin !== 'string') {
    throw new WebAuthnVerificationError('`clientDataJSON` is not valid.')
  }
  const { challenge, origin } = data
  if (data.type !== (ceremony === 'register' ? 'webauthn.create' : 'webauthn.get')) {
    throw new WebAuthnVerificationError('The response belongs to another ceremony.')
  }
  // §7.1 steps 9 to 11, §7.2 steps 12 to 14. The library's pages are never framed, so a frame is an attack
  // (clickjacking).
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
