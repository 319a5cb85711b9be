/** `auth.users.update`: changes a user, and notifies the old email address. */
import { foldAddress } from '../base/email-address.js'
import { emitEvent } from '../callbacks/index.js'
import { callSourceOf, ownRequest } from '../calls/call.js'
import type { AdapterStore, ResolvedConfig } from '../contracts/index.js'
import { sendNotice } from '../flows/email/send.js'
import type { AnyCall } from '../functions/run.js'
import type { AdapterUser } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import type { UserChange } from '../types/users.js'
import { findByAddress, hasSecondFactors, lockUser, mayBelongToAttacker, noAddress } from '../users/records.js'
import { addressLockName, runSerialized } from '../users/resolve-user.js'
import { actorOf, administrationContextOf } from './actor.js'
import {
  assertColumnsStored,
  mailerOf,
  readUserValues,
  requireUserStore,
  storableAddress,
  type UserValues,
} from './user-columns.js'

type Reason = 'unknown' | 'email' | 'taken' | 'methods'

/** A change with a normalized email address. */
interface Change extends Pick<UserValues, 'emailVerified' | 'columns'> {
  readonly userId: string
  /** `undefined`: not changed. `null`: removed. */
  readonly address: string | null | undefined
  /** `true` if the application states that the user's sign-in methods belong to the owner of the address. */
  readonly keepSignInMethods: boolean
}

/** The user before and after a change. */
interface Changed {
  readonly before: AdapterUser
  readonly after: AdapterUser
}

/** Changes a user. */
export async function updateUser(
  call: AnyCall,
  { userId, keepSignInMethods = false, ...given }: UserChange,
): Promise<Outcome<Reason, { readonly user: AdapterUser }>> {
  const { config } = call.auth
  const store = requireUserStore(config, 'users.update')
  if (typeof userId !== 'string' || userId === '')
    throw new TypeError('users.update needs the `userId` of the user. Pass it with the changes.')
  if (typeof keepSignInMethods !== 'boolean')
    throw new TypeError('`keepSignInMethods` of users.update is not a boolean. Pass `true`, or remove it.')
  const { email, emailVerified, columns } = readUserValues('users.update', given)
  const address = typeof email === 'string' ? storableAddress(config, email) : email
  if (typeof email === 'string' && address === undefined) return { ok: false, reason: 'email' }
  const by = await actorOf(call)
  // Before the change: the notice needs the URL of the site.
  const notify = email === undefined ? undefined : await createNotifier(call)
  const changed = await changeUser(config, store, { userId, address, emailVerified, keepSignInMethods, columns })
  if (typeof changed === 'string') return { ok: false, reason: changed }
  const { before, after } = changed
  const previousEmail = isSameAddress(before.email, after.email) ? undefined : before.email || undefined
  if (before !== after) {
    const message = { user: after, administered: true, ...(previousEmail !== undefined && { previousEmail }) } as const
    await emitEvent(config, 'updateUser', { ...message, ...administrationContextOf(by) })
  }
  if (previousEmail !== undefined && before.emailVerified) notify?.(previousEmail)
  return { ok: true, user: after }
}

/** Returns a function that notifies an address; `undefined` if the provider sends no notices. */
async function createNotifier({ auth, request }: AnyCall): Promise<((address: string) => void) | undefined> {
  const mailer = mailerOf(auth.config)
  if (!mailer?.sendNotice) return undefined
  const task = { action: 'signin', providerId: mailer.id } as const
  const context = auth.createCallContext(ownRequest(auth.config, callSourceOf(await request()), task))
  return (address) => sendNotice(context, mailer, address)
}

async function changeUser(config: ResolvedConfig, store: AdapterStore, change: Change): Promise<Changed | Reason> {
  const { userId, address } = change
  const isTaken = async (tx: AdapterStore) => {
    const { user } = address ? await findByAddress(config, tx, address) : {}
    return user !== undefined && user.id !== userId
  }
  const isProof = change.emailVerified === true && !change.keepSignInMethods
  return runSerialized(config, address ? [addressLockName(address)] : [], async () => {
    const user = await store.getUser(userId)
    if (!user) return 'unknown'
    // Outside the transaction, because the store of factors may need its own connection.
    const hasFactors = isProof && (await hasSecondFactors(config, user))
    try {
      return await store.transaction(async (tx) => {
        const before = store.abilities.transact ? await lockUser(tx, user) : user
        if (await isTaken(tx)) return 'taken'
        const patch = patchOf(before, change)
        if (patch === 'email') return patch
        // The user may be an attacker who typed the address of a victim and would keep access (pre-hijacking).
        if (isProof && (await mayBelongToAttacker(config, tx, { user: before, hasFactors }))) return 'methods'
        if (Object.keys(patch).length === 0) return { before, after: before }
        const after = await tx.updateUser({ id: userId, ...patch })
        assertColumnsStored(change.columns, after)
        return { before, after }
      })
    } catch (error) {
      // Another process may have stored the address in the meantime, or deleted the user.
      if (await isTaken(store)) return 'taken'
      if (!(await store.getUser(userId))) return 'unknown'
      throw error
    }
  })
}

/** Returns the columns to write; `email` if a missing address would be verified. */
function patchOf(before: AdapterUser, { address, emailVerified, columns }: Change): Partial<AdapterUser> | 'email' {
  const isOther = address !== undefined && !isSameAddress(before.email, address)
  if (emailVerified && !(isOther ? address : before.email)) return 'email'
  if (isOther) return { ...columns, email: address ?? noAddress, emailVerified: emailVerified ? new Date() : null }
  if (emailVerified === undefined || emailVerified === (before.emailVerified !== null)) return columns
  return { ...columns, emailVerified: emailVerified ? new Date() : null }
}

function isSameAddress(one: string | null, other: string | null): boolean {
  return foldAddress(one ?? '') === foldAddress(other ?? '')
}
