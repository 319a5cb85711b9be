/**
 * Signing in with address and password. Whether the address is nobody's, the password is wrong, or the address was never proved: the
 * work is the same, and so is the answer.
 */
import type { AuthContext, FlowResult, PasswordProvider, ResolvedConfig } from '../../contracts/index.js'
import { CredentialsSignin } from '../../errors.js'
import { knownAddress } from '../../flows/email/address.js'
import { markOf, readStamp } from '../../session/security-stamp.js'
import { storeOf } from '../../store/guard.js'
import type { StoredPassword } from '../../store/tables.js'
import type { AdapterUser } from '../../types/adapter.js'
import { findByAddress, type Namesake } from '../../users/records.js'
import { isRight, renewHash } from './hashes.js'
import { mailReset } from './reset-link.js'
import { inBackground } from './set.js'

/** Who is looked for in the place of a user that is not there. */
const nobody = 'nobody'

/** `POST callback/<id>`. @throws {@link CredentialsSignin} {@link PasswordsBusy} */
export async function signIn(context: AuthContext, provider: PasswordProvider): Promise<FlowResult> {
  const { config, request } = context
  const { mailer, store } = provider.password
  const password: unknown = Object.hasOwn(request.body, 'password') ? request.body.password : undefined
  const address = knownAddress(mailer, request.body.email)
  if (typeof password !== 'string' || password === '') throw refusal()
  const { user = null, standing } = await findTyped(config, address)
  // Before the password is looked up: one that replaces it changes the stamp.
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
 * Looks again, right before the session: hashing takes its time, and callbacks do. Another password that was set meanwhile has ended the
 * sessions that there were, and this one is not to begin by the old one. A hash that was made anew is of the same password.
 */
async function assertUnchanged({ password: { store } }: PasswordProvider, before: StoredPassword): Promise<void> {
  const found = await store.find(before.userId)
  if (found?.changedAt.getTime() !== before.changedAt.getTime()) throw refusal()
}

/** What every proof of a user of ours has. */
export function identityOf({ id }: PasswordProvider, user: AdapterUser) {
  return {
    user,
    account: { provider: id, type: 'credentials' as const, providerAccountId: user.id },
    stored: true as const,
  }
}

function refusal(): CredentialsSignin {
  return new CredentialsSignin('The address is nobody’s, was never proved, or the password is another one.')
}
