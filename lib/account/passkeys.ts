/** A user's passkeys: their names, and their removal. */

import { emitEvent } from '../callbacks/index.js'
import { MissingAdapterMethods } from '../errors.js'
import { hasPasskeyFactor } from '../features/factors/calls-any-user.js'
import type { RequestCall } from '../functions/run.js'
import type { LinkedPasskey } from '../types/account.js'
import type { AdapterAuthenticator } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import { isPasskeyAccount } from '../users/records.js'
import {
  accountManagerOf,
  canStillSignIn,
  readSignInMethods,
  runRemoval,
  type SignedInUser,
  type SignInMethods,
  type StoredUser,
} from './signed-in-user.js'

/** The result of a removal. */
type Removed = Outcome<'unknown' | 'last'>

/** Characters of a passkey's name. */
const maxNameLength = 64

/** Names a passkey of the user. */
export async function renamePasskey(call: RequestCall, id: string, name: string): Promise<Outcome<'unknown' | 'name'>> {
  const signedIn = await accountManagerOf(call)
  const found = signedIn && findPasskey(await readSignInMethods(signedIn), id)
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (!found) return { ok: false, reason: 'unknown' }
  if (!isPasskeyName(trimmed)) return { ok: false, reason: 'name' }
  await signedIn.store.renameAuthenticator(found.credentialID, trimmed)
  return { ok: true }
}

function isPasskeyName(text: string): boolean {
  const { length } = [...text]
  return length > 0 && length <= maxNameLength && !/\p{Cc}/u.test(text)
}

/** Removes a passkey of the user, and ends pending sign-ins with it. */
export async function removePasskey(call: RequestCall, id: string): Promise<Removed> {
  const signedIn = await accountManagerOf(call)
  if (!signedIn) return { ok: false, reason: 'unknown' }
  if (!signedIn.store.abilities.deletePasskeys) {
    throw new MissingAdapterMethods('The adapter has no method `deleteAuthenticator`: passkeys cannot be removed.')
  }
  const { resolved, user, facts } = signedIn
  // Before the transaction, because the database may have only one connection.
  const keepsOne = await hasPasskeyFactor(resolved, user.id)
  const removed = await runRemoval(signedIn, (locked) => removeLocked(locked, id, keepsOne))
  if (removed.ok) {
    await resolved.session.stamps?.changeMethod({ credentialID: id })
    await emitEvent(resolved, 'passkeyRemoved', { user, credentialID: id, ...facts })
  }
  return removed
}

/** Removes a passkey. @param keepsOne Whether the last passkey is kept, as a second factor. */
async function removeLocked(signedIn: SignedInUser, id: string, keepsOne: boolean): Promise<Removed> {
  const { store } = signedIn
  const methods = await readSignInMethods(signedIn)
  const found = findPasskey(methods, id)
  if (!found) return { ok: false, reason: 'unknown' }
  const left = withoutPasskey(methods, found)
  // A user with passkeys as second factor could not sign in without one.
  if (!canStillSignIn(signedIn, left) || (keepsOne && left.passkeys.length === 0)) return { ok: false, reason: 'last' }
  await store.deleteAuthenticator(found.credentialID)
  // An account without a passkey is no sign-in method.
  const isOfAnother = left.passkeys.some(({ providerAccountId }) => providerAccountId === found.providerAccountId)
  if (isOfAnother || !store.abilities.unlinkAccounts) return { ok: true }
  for (const { provider, providerAccountId } of methods.accounts.filter(isPasskeyAccount)) {
    if (providerAccountId === found.providerAccountId) await store.unlinkAccount({ provider, providerAccountId })
  }
  return { ok: true }
}

/** Returns the passkeys for an account page, the newest first. */
export function toLinkedPasskeys(owner: StoredUser, methods: SignInMethods): LinkedPasskey[] {
  const timeOf = ({ createdAt }: AdapterAuthenticator) => createdAt?.getTime() ?? 0
  return [...methods.passkeys]
    .sort((a, b) => timeOf(b) - timeOf(a))
    .map((passkey) => ({
      id: passkey.credentialID,
      name: passkey.name ?? null,
      createdAt: passkey.createdAt ?? null,
      lastUsedAt: passkey.lastUsedAt ?? null,
      deviceType: passkey.credentialDeviceType,
      backedUp: passkey.credentialBackedUp,
      transports: passkey.transports?.split(',').filter(Boolean) ?? [],
      isLast: !canStillSignIn(owner, withoutPasskey(methods, passkey)),
    }))
}

function findPasskey({ passkeys }: SignInMethods, id: string): AdapterAuthenticator | undefined {
  return passkeys.find(({ credentialID }) => credentialID === id)
}

function withoutPasskey({ accounts, passkeys }: SignInMethods, { credentialID }: AdapterAuthenticator): SignInMethods {
  return { accounts, passkeys: passkeys.filter((other) => other.credentialID !== credentialID) }
}
