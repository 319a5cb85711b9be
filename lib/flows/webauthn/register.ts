/** Verifies a passkey that was just made (WebAuthn Level 3 §7.1). It is stored when its user is known. */
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { AuthContext, Identity, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { accountUuid } from '../../crypto/account-id.js'
import { AuthError, InvalidCheck, toError, WebAuthnVerificationError } from '../../errors.js'
import { storeOf } from '../../store/store-of.js'
import type { User } from '../../types/identity.js'
import type { Answer } from './answer.js'
import { completeChallenge, noteChallenge, type OpenedChallenge, useChallenge } from './challenge.js'
import { storedBytes, toBrowser, toStored } from './encoding.js'
import { loadHelpers, loadLibrary } from './library.js'
import { nameOfModel } from './models.js'
import { assertSignUp } from './options.js'

type Registration = ResolvedWebAuthnProvider['registration']
type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

/** Bytes. The largest that there are (ML-DSA-87) have 2592; whatever else stands in a COSE key would be stored too. */
const maxKeySize = 4096

/**
 * The person who made a passkey: the one who is signed in, or somebody new.
 *
 * @throws {@link WebAuthnVerificationError} when the answer is not valid; {@link InvalidCheck} when the challenge is not good.
 */
export async function register(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  answer: Extract<Answer, { ceremony: 'register' }>,
): Promise<Identity> {
  const store = storeOf(context.config)
  const challenge = await useChallenge(context, provider, { ceremony: answer.ceremony, encoded: answer.challenge })
  const { handle, startedBy } = challenge
  if (handle === undefined) throw new InvalidCheck('The challenge names no user handle.')
  // Asked again: the configuration may have changed since.
  if (startedBy === undefined) assertSignUp(provider)
  const registered = await verify(provider, answer)
  const credentialID = toStored(registered.credential.id)
  if (await store.getAuthenticator(credentialID)) {
    throw new WebAuthnVerificationError('The passkey is registered already.')
  }
  // Nothing but the id says whether a passkey has a handle, or is a row of Auth.js that has none.
  if (credentialID === toStored(handle))
    throw new WebAuthnVerificationError('The id of the passkey is its user handle.')
  await noteChallenge(challenge, store)
  completeChallenge(context, challenge)
  const hasOwnColumns = store.can.namePasskeys
  return {
    user: await userOf(context, provider, challenge, handle),
    account: { provider: provider.id, type: provider.type, providerAccountId: handle, credentialID },
    ...(startedBy !== undefined && { startedBy }),
    newPasskey: {
      credentialID,
      credentialPublicKey: storedBytes(registered.credential.publicKey),
      counter: registered.credential.counter,
      credentialBackedUp: registered.credentialBackedUp,
      credentialDeviceType: registered.credentialDeviceType,
      transports: toTransports(registered.credential.transports),
      ...(hasOwnColumns && { name: nameOfModel(registered.aaguid) ?? null, createdAt: new Date(), lastUsedAt: null }),
    },
  }
}

async function verify(
  { relyingParty, registration }: ResolvedWebAuthnProvider,
  { response, challenge, origin }: Extract<Answer, { ceremony: 'register' }>,
): Promise<Registered> {
  const { verifyRegistrationResponse } = await loadLibrary()
  try {
    await assertExpectedFormat(registration, response.response.attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: registration.requireUserVerification,
      supportedAlgorithmIDs: [...registration.supportedAlgorithmIDs],
    })
    // The id that is signed for counts; another one beside it is a lie.
    if (!verified || registrationInfo.credential.id !== toBrowser(response.id)) {
      throw new WebAuthnVerificationError('The attestation is not valid, or is of another passkey.')
    }
    if (registrationInfo.credential.publicKey.length <= maxKeySize) return registrationInfo
    throw new WebAuthnVerificationError(`The public key has more than ${maxKeySize} bytes.`)
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new WebAuthnVerificationError('The answer of the authenticator is not valid.', toError(error))
  }
}

/**
 * The library reads the first item of the attestation, and leaves what is behind it. Where no attestation was asked for there
 * is none, or the passkey's own: for others the library would ask the Internet, at addresses that stand in certificates.
 */
async function assertExpectedFormat({ attestationType = 'none' }: Registration, encoded: string): Promise<void> {
  const { isoBase64URL, isoCBOR } = await loadHelpers()
  const bytes = isoBase64URL.toBuffer(encoded)
  const attestation: unknown = isoCBOR.decodeFirst(bytes)
  if (!(attestation instanceof Map) || isoCBOR.encode(attestation).byteLength !== bytes.byteLength) {
    throw new WebAuthnVerificationError('The attestation is not valid.')
  }
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'))
  if (attestationType !== 'none' || isPlain) return
  throw new WebAuthnVerificationError('The attestation has another format than was asked for.')
}

/** For the `signIn` callback: the signed-in user, or the one to be made. Who it is in the end, the linking rules decide. */
async function userOf(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { startedBy, email, name }: OpenedChallenge,
  handle: string,
): Promise<User> {
  if (startedBy === undefined) {
    return { id: accountUuid(provider.id, handle), email: email ?? null, name: name ?? null }
  }
  const owner = await context.sessions.owner(context)
  const user = owner?.key === startedBy ? await storeOf(context.config).getUser(owner.userId) : null
  if (user) return user
  throw new InvalidCheck('The passkey was asked for in a session that has ended, or is another one by now.')
}

/** How the passkey is reached (§5.8.4): unsigned words of the browser's, kept as hints. */
function toTransports(transports: unknown): string | null {
  if (!Array.isArray(transports)) return null
  const words = transports.filter((word): word is string => typeof word === 'string' && /^[a-z-]{1,16}$/.test(word))
  return [...new Set(words)].slice(0, 8).join(',') || null
}
