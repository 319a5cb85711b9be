/** Verifies that a user has a passkey (WebAuthn Level 3 §7.2). */
import type { VerifiedAuthenticationResponse } from '@simplewebauthn/server'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AdapterStore, AuthContext, Identity, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { AuthError, toError, WebAuthnVerificationError } from '../../errors.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterAuthenticator, AdapterUser } from '../../types/adapter.js'
import type { Assertion } from './ceremony-response.js'
import { challenges, consumeChallenge, type OpenedChallenge, storeUsedChallenge } from './challenge.js'
import { fromStoredBytes, toBrowserId, toStoredId } from './encoding.js'
import { passkeyMethods } from './methods.js'
import { loadSimpleWebAuthn } from './simplewebauthn.js'
import { isHandleOf } from './user-handle.js'

/** Locks by passkey: two uses at the same time would be compared with the same counter. */
const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/**
 * Returns the identity of the user whose passkey signed.
 *
 * @throws {@link WebAuthnVerificationError} if no known passkey signed; InvalidCheck for an invalid challenge.
 */
export async function authenticate(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  answer: Assertion,
): Promise<Identity> {
  const { config } = context
  const challenge = await consumeChallenge(context, provider, answer)
  const credentialID = toStoredId(answer.response.id)
  const proof: Proof = { store: requireStore(config), provider, answer, challenge, credentialID }
  const owned = await verifyPasskey(proof, (work) =>
    locksOf(config.memory).run(credentialID, work, config.timeout * lockTimeouts),
  )
  challenges.complete(context, challenge.id)
  return {
    user: owned.user,
    account: {
      provider: provider.id,
      type: provider.type,
      providerAccountId: owned.passkey.providerAccountId,
      userId: owned.user.id,
      credentialID,
    },
    amr: passkeyMethods(owned.verified),
    startedBy: challenge.startedBy,
  }
}

/** The number of time-outs that a lock may last: a look-up and a write. */
const lockTimeouts = 2

interface Proof {
  readonly store: AdapterStore
  readonly provider: ResolvedWebAuthnProvider
  readonly answer: Assertion
  readonly challenge: OpenedChallenge
  readonly credentialID: string
}

interface OwnedPasskey {
  readonly passkey: AdapterAuthenticator
  readonly user: AdapterUser
}

/** The verified data of the authenticator's response. */
type Verified = VerifiedAuthenticationResponse['authenticationInfo']

/**
 * Verifies the passkey. `runRemoval` starts after the signature is verified, so that clients without the key cannot make
 * its owner wait.
 */
async function verifyPasskey(
  proof: Proof,
  withLock: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<OwnedPasskey & { readonly verified: Verified }> {
  const { store, provider, answer, credentialID } = proof
  const owned = await findOwner(proof)
  assertExpectedUser(proof, owned)
  const verified = await verifyAssertion(provider, answer, owned.passkey)
  const { newCounter, credentialDeviceType, credentialBackedUp } = verified
  // §7.2 step 19: whether a passkey can be backed up never changes.
  const { credentialDeviceType: stored } = owned.passkey
  if (isDeviceType(stored) && stored !== credentialDeviceType) {
    throw new WebAuthnVerificationError('The passkey changed whether it can be backed up.')
  }
  // It runs before the counter is compared: a response that another process has seen would look like a copied key.
  await storeUsedChallenge(proof.challenge, store)
  await withLock(async () => {
    const passkey = await store.getAuthenticator(credentialID)
    if (!passkey) throw new WebAuthnVerificationError('The passkey was removed.')
    assertCounter({ ...owned, passkey }, newCounter)
    await store.updateAuthenticatorCounter(credentialID, newCounter, { credentialBackedUp, lastUsedAt: new Date() })
  })
  return { ...owned, verified }
}

/** Returns the passkey, its account with this provider, and their user. All three must agree. */
async function findOwner({ store, provider, credentialID }: Proof): Promise<OwnedPasskey> {
  const passkey = await store.getAuthenticator(credentialID)
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider.id))
  const isExact = account?.providerAccountId === passkey?.providerAccountId && account?.provider === provider.id
  const user = account && isExact && account.userId === passkey.userId ? await store.getUser(account.userId) : null
  if (passkey && user) return { passkey, user }
  throw new WebAuthnVerificationError('There is no such passkey with this provider: it was removed, or never stored.')
}

/**
 * Checks that the passkey belongs to the requested user. Without a requested user, the handle in the response must name
 * the owner.
 */
function assertExpectedUser({ challenge, answer }: Proof, { passkey, user }: OwnedPasskey): void {
  const { userHandle } = answer.response.response
  const isNamed = challenge.email !== undefined || challenge.startedBy !== undefined
  if (challenge.email !== undefined && user.email?.toLowerCase() !== challenge.email) {
    throw new WebAuthnVerificationError('The passkey belongs to another user than the requested one.')
  }
  if (userHandle === undefined || userHandle === null || userHandle === '') {
    if (isNamed) return
    throw new WebAuthnVerificationError(
      'The response has no `userHandle`, so it does not name the owner of the passkey.',
    )
  }
  if (typeof userHandle !== 'string' || !isHandleOf(passkey, userHandle)) {
    throw new WebAuthnVerificationError("The user handle is not the one of the passkey's owner.")
  }
}

async function verifyAssertion(
  { relyingParty, authentication }: ResolvedWebAuthnProvider,
  { response, challenge, origin }: Proof['answer'],
  passkey: AdapterAuthenticator,
): Promise<Verified> {
  const { verifyAuthenticationResponse } = await loadSimpleWebAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: authentication.requireUserVerification,
      // The counter 0 is accepted by the library. `assertCounter` compares the real one, with an error that explains a
      // wrong one.
      credential: {
        id: toBrowserId(passkey.credentialID),
        publicKey: fromStoredBytes(passkey.credentialPublicKey),
        counter: 0,
      },
    })
    if (verified) return authenticationInfo
    throw new WebAuthnVerificationError('The signature is not one of the passkey.')
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new WebAuthnVerificationError('The answer of the authenticator is not valid.', toError(error))
  }
}

/**
 * Throws for a counter that does not rise (§7.2 step 22, §6.1.1), because the key was copied. Authenticators without a
 * counter send 0.
 */
function assertCounter({ passkey, user }: OwnedPasskey, counter: number): void {
  if ((counter === 0 && passkey.counter === 0) || counter > passkey.counter) return
  throw new WebAuthnVerificationError(
    'The counter of a passkey went back: it may have been copied. Remove it from the account, and ask its owner to make a new one.',
    {
      reason: 'counter',
      userId: user.id,
      credentialID: passkey.credentialID,
      storedCounter: passkey.counter,
      receivedCounter: counter,
    },
  )
}

function isDeviceType(value: string): boolean {
  return value === 'singleDevice' || value === 'multiDevice'
}
