/**
 * Sign-in with email address and password. An unknown address, a wrong password and an unverified address get the same
 * work and the same response.
 */
import type { AuthContext, FlowResult, PasswordProvider, ResolvedConfig } from '../../contracts/index.js'
import { CredentialsSignin } from '../../errors.js'
import { knownAddress } from '../../flows/email/address.js'
import { markOf, readStamp } from '../../session/security-stamp.js'
import { storeOf } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { findByAddress, type Namesake } from '../../users/records.js'
import type { StoredPassword } from './description.js'
import { isRight, renewHash } from './hashes.js'
import { mailReset } from './reset-link.js'
import { inBackground } from './set.js'

/** The id that is looked up instead of an unknown user. */
const nobody = 'nobody'

/** Answers `POST callback/<id>`. @throws {@link CredentialsSignin} {@link PasswordsBusy} */
export async function signIn(context: AuthContext, provider: PasswordProvider): Promise<FlowResult> {
  const { config, request } = context
  const { mailer, store } = provider.password
  const password: unknown = Object.hasOwn(request.body, 'password') ? request.body.password : undefined
  const address = knownAddress(mailer, request.body.email)
  if (typeof password !== 'string' || password === '') throw refusal()
  const { user = null, standing } = await findTyped(config, address)
  // Before the password is read: a concurrent change of the password changes the stamp.
  const stamp = await readStamp(config, {
    userId: user?.id ?? nobody,
    method: { provider: provider.id, providerAccountId: user?.id ?? nobody },
    mark: markOf(context),
  })
  const stored = await store.find(user?.id ?? nobody)
  const right = await isRight(context, provider, { stored: user && stored, password })
  if (!right || !user || !stored) throw refusal()
  if (standing === 'claimant') {
    inBackground(context, provider, () => mailReset(context, provider, { user, isCounted: true }))
    throw refusal()
  }
  renewHash(context, provider, { stored, password })
  const settle = () => assertUnchanged(provider, stored)
  return { kind: 'identity', identity: { ...identityOf(provider, user), amr: ['pwd'], settle, stamp } }
}

async function findTyped(config: ResolvedConfig, address: string | undefined): Promise<Namesake> {
  return address === undefined ? { standing: 'nobody' } : findByAddress(config, storeOf(config), address)
}

/**
 * Checks that the password was not changed, just before the session is created. Hashing and callbacks take time.
 * Another password has ended the existing sessions, so none may begin with the old one. A rehash of the same password
 * is no change.
 */
async function assertUnchanged({ password: { store } }: PasswordProvider, before: StoredPassword): Promise<void> {
  const found = await store.find(before.userId)
  if (found?.changedAt.getTime() !== before.changedAt.getTime()) throw refusal()
}

/** Returns the parts of an identity that all proofs of a stored user have. */
export function identityOf({ id }: PasswordProvider, user: AdapterUser) {
  return {
    user,
    account: { provider: id, type: 'credentials' as const, providerAccountId: user.id },
    stored: true as const,
  }
}

function refusal(): CredentialsSignin {
  return new CredentialsSignin('The email address is unknown or unverified, or the password is wrong.')
}
