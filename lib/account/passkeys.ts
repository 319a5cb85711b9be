/** A user's passkeys: their names, and their removal. */

import { emit } from '../callbacks/index.js'
import { MissingAdapterMethods } from '../errors.js'
import { needsPasskey } from '../features/factors/calls-any-user.js'
import type { RequestCall } from '../functions/run.js'
import type { LinkedPasskey } from '../types/account.js'
import type { AdapterAuthenticator } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import { isPasskeyAccount } from '../users/records.js'
import { inTurn, letsIn, managerOf, type Person, readWays, type WaysIn } from './person.js'

/** The result of a removal. */
type Removed = Outcome<'unknown' | 'last'>

/** Characters of a passkey's name. */
const maxNameLength = 64

/** Names a passkey of the user. */
export async function renamePasskey(call: RequestCall, id: string, name: string): Promise<Outcome<'unknown' | 'name'>> {
  const person = await managerOf(call)
  const found = person && find(await readWays(person), id)
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (!found) return { ok: false, reason: 'unknown' }
  if (!isName(trimmed)) return { ok: false, reason: 'name' }
  await person.store.renameAuthenticator(found.credentialID, trimmed)
  return { ok: true }
}

function isName(text: string): boolean {
  const { length } = [...text]
  return length > 0 && length <= maxNameLength && !/\p{Cc}/u.test(text)
}

/** Removes a passkey of the user, and ends pending sign-ins with it. */
export async function removePasskey(call: RequestCall, id: string): Promise<Removed> {
  const person = await managerOf(call)
  if (!person) return { ok: false, reason: 'unknown' }
  if (!person.store.can.deletePasskeys) {
    throw new MissingAdapterMethods('The adapter has no method `deleteAuthenticator`: passkeys cannot be removed.')
  }
  const { resolved, user, facts } = person
  // Before the transaction, because the database may have only one connection.
  const keepsOne = await needsPasskey(resolved, user.id)
  const removed = await inTurn(person, (locked) => remove(locked, id, keepsOne))
  if (removed.ok) {
    await resolved.session.stamps?.changeMethod({ credentialID: id })
    await emit(resolved, 'passkeyRemoved', { user, credentialID: id, ...facts })
  }
  return removed
}

/** Removes a passkey. @param keepsOne Whether the last passkey is kept, as a second factor. */
async function remove(person: Person, id: string, keepsOne: boolean): Promise<Removed> {
  const { store } = person
  const ways = await readWays(person)
  const found = find(ways, id)
  if (!found) return { ok: false, reason: 'unknown' }
  const left = without(ways, found)
  // A user with passkeys as second factor could not sign in without one.
  if (!letsIn(person, left) || (keepsOne && left.passkeys.length === 0)) return { ok: false, reason: 'last' }
  await store.deleteAuthenticator(found.credentialID)
  // An account without a passkey is no sign-in method.
  const isOfAnother = left.passkeys.some(({ providerAccountId }) => providerAccountId === found.providerAccountId)
  if (isOfAnother || !store.can.unlinkAccounts) return { ok: true }
  for (const { provider, providerAccountId } of ways.accounts.filter(isPasskeyAccount)) {
    if (providerAccountId === found.providerAccountId) await store.unlinkAccount({ provider, providerAccountId })
  }
  return { ok: true }
}

/** Returns the passkeys for an account page, the newest first. */
export function linkedPasskeys(person: Person, ways: WaysIn): LinkedPasskey[] {
  const timeOf = ({ createdAt }: AdapterAuthenticator) => createdAt?.getTime() ?? 0
  return [...ways.passkeys]
    .sort((a, b) => timeOf(b) - timeOf(a))
    .map((passkey) => ({
      id: passkey.credentialID,
      name: passkey.name ?? null,
      createdAt: passkey.createdAt ?? null,
      lastUsedAt: passkey.lastUsedAt ?? null,
      deviceType: passkey.credentialDeviceType,
      backedUp: passkey.credentialBackedUp,
      transports: passkey.transports?.split(',').filter(Boolean) ?? [],
      isLast: !letsIn(person, without(ways, passkey)),
    }))
}

function find({ passkeys }: WaysIn, id: string): AdapterAuthenticator | undefined {
  return passkeys.find(({ credentialID }) => credentialID === id)
}

function without({ accounts, passkeys }: WaysIn, { credentialID }: AdapterAuthenticator): WaysIn {
  return { accounts, passkeys: passkeys.filter((other) => other.credentialID !== credentialID) }
}
