/** `auth.users.create`: a new user, without a session. */
import { emitEvent } from '../callbacks/index.js'
import { randomUuid } from '../crypto/random.js'
import type { AnyCall } from '../functions/run.js'
import type { AdapterUser } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import type { NewUser } from '../types/users.js'
import { findByAddress, noAddress } from '../users/records.js'
import { addressLockName, removeDeletedUserData, runSerialized } from '../users/resolve-user.js'
import { actorOf, administrationContextOf } from './actor.js'
import { assertColumnsStored, readUserValues, requireUserStore, storableAddress } from './user-columns.js'

/** Stores a user. */
export async function createUser(
  call: AnyCall,
  given: NewUser,
): Promise<Outcome<'email' | 'taken', { readonly user: AdapterUser }>> {
  const { config } = call.auth
  const store = requireUserStore(config, 'users.create')
  const { email, emailVerified, columns } = readUserValues('users.create', given)
  if (email === undefined || emailVerified === undefined)
    throw new TypeError('users.create needs `email` and `emailVerified`. Pass both; `email` may be `null`.')
  const address = email === null ? null : storableAddress(config, email)
  if (address === undefined || (address === null && emailVerified)) return { ok: false, reason: 'email' }
  const by = await actorOf(call)
  const id = randomUuid()
  const isTaken = async () => address !== null && (await findByAddress(config, store, address)).status !== 'nobody'
  const names = address === null ? [] : [addressLockName(address)]
  const user = await runSerialized(config, names, async () => {
    if (await isTaken()) return null
    try {
      return await store.transaction(async (tx) => {
        const made = await tx.createUser({
          name: null,
          image: null,
          ...columns,
          id,
          email: address ?? noAddress,
          emailVerified: emailVerified ? new Date() : null,
        })
        assertColumnsStored(columns, made)
        return made
      })
    } catch (error) {
      // Another process may have stored the address in the meantime.
      if (await isTaken()) return null
      throw error
    }
  })
  if (!user) return { ok: false, reason: 'taken' }
  // The database chose the id: a deleted user may have had it.
  if (user.id !== id) await removeDeletedUserData(config, user.id)
  await emitEvent(config, 'createUser', { user, administered: true, ...administrationContextOf(by) })
  return { ok: true, user }
}
