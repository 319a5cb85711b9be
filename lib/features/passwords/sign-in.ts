/**
 * Sign-in with email address and password. An unknown address, a wrong password and an unverified address get the same
 * work and the same response.
 */
import type { AuthContext, FlowResult, PasswordProvider, ResolvedConfig } from '../../contracts/index.js'
import { CredentialsSignin } from '../../errors.js'
import { knownAddress } from '../../flows/email/address.js'
import { readStamp, requestMark } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { type AddressUser, findByAddress } from '../../users/records.js'
import type { StoredPassword } from './description.js'
import { renewHash, verifyPassword } from './hashes.js'
import { mailResetLink } from './reset-link.js'
import { runAfterResponse } from './set-password.js'

/** The id that is looked up instead of an unknown user. */
const unknownUserId = 'nobody'

/** Answers `POST callback/<id>`. @throws {@link CredentialsSignin} {@link PasswordsBusy} */
export async function signInWithPassword(context: AuthContext, provider: PasswordProvider): Promise<FlowResult> {
  const { config, request } = context
  const { mailer, store } = provider.password
  const password: unknown = Object.hasOwn(request.body, 'password') ? request.body.password : undefined
  const address = knownAddress(mailer, request.body.email)
  if (typeof password !== 'string' || password === '') throw wrongCredentials()
  const { user = null, status } = await findTypedUser(config, address)
  // Before the password is read: a concurrent change of the password changes the stamp.
  const stamp = await readStamp(config, {
    userId: user?.id ?? unknownUserId,
    method: { provider: provider.id, providerAccountId: user?.id ?? unknownUserId },
    mark: requestMark(context),
  })
  const stored = await store.find(user?.id ?? unknownUserId)
  const right = await verifyPassword(context, provider, { stored: user && stored, password })
  if (!right || !user || !stored) throw wrongCredentials()
  if (status === 'claimant') {
    runAfterResponse(context, provider, () => mailResetLink(context, provider, { user, isCounted: true }))
    throw wrongCredentials()
  }
  renewHash(context, provider, { stored, password })
  const settle = () => assertPasswordUnchanged(provider, stored)
  return { kind: 'identity', identity: { ...storedUserIdentity(provider, user), amr: ['pwd'], settle, stamp } }
}

async function findTypedUser(config: ResolvedConfig, address: string | undefined): Promise<AddressUser> {
  return address === undefined ? { status: 'nobody' } : findByAddress(config, requireStore(config), address)
}

/**
 * Checks that the password was not changed, just before the session is created. Hashing and callbacks take time.
 * Another password has ended the existing sessions, so none may begin with the old one. A rehash of the same password
 * is no change.
 */
async function assertPasswordUnchanged(
  { password: { store } }: PasswordProvider,
  before: StoredPassword,
): Promise<void> {
  const found = await store.find(before.userId)
  if (found?.changedAt.getTime() !== before.changedAt.getTime()) throw wrongCredentials()
}

/** Returns the parts of an identity that all proofs of a stored user have. */
export function storedUserIdentity({ id }: PasswordProvider, user: AdapterUser) {
  return {
    user,
    account: { provider: id, type: 'credentials' as const, providerAccountId: user.id },
    stored: true as const,
  }
}

function wrongCredentials(): CredentialsSignin {
  return new CredentialsSignin('The email address is unknown or unverified, or the password is wrong.')
}
