/** Verifies a new passkey (WebAuthn Level 3 §7.1). It is stored later, when its user is known. */
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { AuthContext, Identity, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { accountUuid } from '../../crypto/account-id.js'
import { AuthError, InvalidCheck, toError, WebAuthnVerificationError } from '../../errors.js'
import { requireStore } from '../../store/guard.js'
import type { User } from '../../types/identity.js'
import { authenticatorName } from './authenticator-names.js'
import type { Attestation } from './ceremony-response.js'
import { challenges, consumeChallenge, type OpenedChallenge, storeUsedChallenge } from './challenge.js'
import { toBrowserId, toStoredBytes, toStoredId } from './encoding.js'
import { passkeyMethods } from './methods.js'
import { assertSignUp } from './options.js'
import { loadSimpleWebAuthn, loadSimpleWebAuthnHelpers } from './simplewebauthn.js'

type Registration = ResolvedWebAuthnProvider['registration']
type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

/**
 * The maximum size in bytes. The largest keys (ML-DSA-87) have 2592; other members of a COSE key would be stored too.
 */
const maxKeySize = 4096

/**
 * Returns the identity of the user who created a passkey: the signed-in user, or a new one.
 *
 * @throws {@link WebAuthnVerificationError} for an invalid response; {@link InvalidCheck} for an invalid challenge.
 */
export async function register(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  answer: Attestation,
): Promise<Identity> {
  const store = requireStore(context.config)
  const challenge = await consumeChallenge(context, provider, answer)
  const { handle, startedBy } = challenge
  if (handle === undefined) throw new InvalidCheck('The challenge names no user handle.')
  // It was checked when the challenge was created; the configuration may have changed since.
  if (startedBy === undefined) assertSignUp(provider)
  const registered = await verifyAttestation(provider, answer)
  const credentialID = toStoredId(registered.credential.id)
  if (await store.getAuthenticator(credentialID)) {
    throw new WebAuthnVerificationError('The passkey is registered already.')
  }
  // Records of Auth.js, which have no handle, are recognised by this equality. A new passkey must not look like one.
  if (credentialID === toStoredId(handle)) {
    throw new WebAuthnVerificationError('The id of the passkey is its user handle.')
  }
  await storeUsedChallenge(challenge, store)
  challenges.complete(context, challenge.id)
  const hasOwnColumns = store.abilities.namePasskeys
  return {
    user: await registeringUser(context, provider, challenge, handle),
    account: { provider: provider.id, type: provider.type, providerAccountId: handle, credentialID },
    amr: passkeyMethods(registered),
    startedBy,
    newPasskey: {
      credentialID,
      credentialPublicKey: toStoredBytes(registered.credential.publicKey),
      counter: registered.credential.counter,
      credentialBackedUp: registered.credentialBackedUp,
      credentialDeviceType: registered.credentialDeviceType,
      transports: toTransports(registered.credential.transports),
      ...(hasOwnColumns && {
        name: authenticatorName(registered.aaguid) ?? null,
        createdAt: new Date(),
        lastUsedAt: null,
      }),
    },
  }
}

async function verifyAttestation(
  { relyingParty, registration }: ResolvedWebAuthnProvider,
  { response, challenge, origin }: Attestation,
): Promise<Registered> {
  const { verifyRegistrationResponse } = await loadSimpleWebAuthn()
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
    // Only the id in the signed data is trusted. A response with another one beside it was changed.
    if (!verified || registrationInfo.credential.id !== toBrowserId(response.id)) {
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
 * Checks the attestation before the library reads it. The library would accept bytes behind the first CBOR item.
 * Without a requested attestation it would accept other formats than `none` and `packed`, and fetch URLs from
 * certificates that a stranger sent.
 */
async function assertExpectedFormat({ attestationType = 'none' }: Registration, encoded: string): Promise<void> {
  const { isoBase64URL, isoCBOR } = await loadSimpleWebAuthnHelpers()
  const bytes = isoBase64URL.toBuffer(encoded)
  const attestation: unknown = isoCBOR.decodeFirst(bytes)
  if (!(attestation instanceof Map) || isoCBOR.encode(attestation).byteLength !== bytes.byteLength) {
    throw new WebAuthnVerificationError('The attestation is not valid.')
  }
  const isPlain = ['none', 'packed'].includes(attestation.get('fmt'))
  if (attestationType !== 'none' || isPlain) return
  throw new WebAuthnVerificationError('The attestation does not have the requested format.')
}

/** Returns the user for the `signIn` callback: the signed-in one, or a new one. */
async function registeringUser(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { startedBy, email, name }: OpenedChallenge,
  handle: string,
): Promise<User> {
  if (startedBy === undefined) {
    return { id: accountUuid(provider.id, handle), email: email ?? null, name: name ?? null }
  }
  const owner = await context.sessions.principal(context)
  const user = owner?.key === startedBy ? await requireStore(context.config).getUser(owner.userId) : null
  if (user) return user
  throw new InvalidCheck('The session in which the passkey was requested has ended or changed.')
}

/** Returns the transports of the passkey (§5.8.4). The browser reports them unsigned; they are stored as a hint. */
function toTransports(transports: unknown): string | null {
  if (!Array.isArray(transports)) return null
  const words = transports.filter((word): word is string => typeof word === 'string' && /^[a-z-]{1,16}$/.test(word))
  return [...new Set(words)].slice(0, 8).join(',') || null
}
