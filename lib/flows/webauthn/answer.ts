/** What a browser posts after a ceremony. Anybody can post anything here: nothing of it is verified yet. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isRecord } from '../../base/guards.js'
import { parseJson } from '../../base/json.js'
import type { AuthContext, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { WebAuthnVerificationError } from '../../errors.js'
import type { Ceremony } from './challenge.js'
import { textOf } from './encoding.js'

/** Bytes of a credential's id (WebAuthn Level 3 §4, "Credential ID"). */
const maxIdLength = 1023

interface AnswerOf<C extends Ceremony, Response> {
  readonly ceremony: C
  readonly response: Response
  readonly challenge: string
  readonly origin: string
}

/** The answer of a person who signs in. */
export type Assertion = AnswerOf<'authenticate', AuthenticationResponseJSON>
/** The answer of a person who makes a passkey. */
export type Attestation = AnswerOf<'register', RegistrationResponseJSON>

/**
 * Reads `action` and `data` of the form, and what the browser itself says about where it was (`clientDataJSON`).
 *
 * @throws {@link WebAuthnVerificationError} for what no browser answers, or for an answer from another place.
 */
export function readAnswer({ request }: AuthContext, provider: ResolvedWebAuthnProvider): Assertion | Attestation {
  const { action, data } = request.body
  if (action !== 'authenticate' && action !== 'register') {
    throw new WebAuthnVerificationError('`action` must be "authenticate" or "register".')
  }
  const response = parse(data)
  // The rest of its shape is checked by the library that verifies it.
  return { ceremony: action, response, ...readClientData(provider, action, response) } as Assertion | Attestation
}

/** What both answers have. */
interface Credential {
  readonly response: { readonly clientDataJSON: string }
}

function parse(data: unknown): Credential {
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
  const data = parseJson(textOf(response.clientDataJSON))
  if (!isRecord(data) || typeof data.challenge !== 'string' || typeof data.origin !== 'string') {
    throw new WebAuthnVerificationError('`clientDataJSON` is not what browsers make.')
  }
  const { challenge, origin } = data
  if (data.type !== (ceremony === 'register' ? 'webauthn.create' : 'webauthn.get')) {
    throw new WebAuthnVerificationError('The answer is of another ceremony.')
  }
  // §7.1 steps 9 to 11, §7.2 steps 12 to 14. The library's pages are never framed, so a frame is an attacker's (clickjacking).
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
