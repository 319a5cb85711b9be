/** A person's passkeys: what they are called, and which of them go. */

import { emit } from '../callbacks/events.js'
import { MissingAdapterMethods } from '../errors.js'
import type { SessionRequest } from '../get-session.js'
import type { AdapterAuthenticator } from '../types/adapter.js'
import type { ServerAuthConfig } from '../types/config.js'
import { isPasskeyAccount } from '../users/accounts.js'
import { needsPasskey } from './factors.js'
import { factsOf, inTurn, letsIn, managerOf, type Person, readWays, type WaysIn } from './person.js'

/** A passkey of the person. */
export interface LinkedPasskey {
  /** Names the passkey in {@link renamePasskey} and {@link deletePasskey}. */
  readonly id: string
  /** What its owner calls it, else what made it, such as `Google Password Manager`; `null` where neither is known. */
  readonly name: string | null
  /** `null` where the adapter does not store it. */
  readonly createdAt: Date | null
  /** `null` where it was never used, or the adapter does not store it. */
  readonly lastUsedAt: Date | null
  /** `multiDevice`: it can be copied to the person's other devices. */
  readonly deviceType: string
  /** It is in a backup: a lost device does not lose it. */
  readonly backedUp: boolean
  /** How it is reached, such as `internal`, `hybrid` or `usb`. */
  readonly transports: readonly string[]
  /** The only way in: {@link deletePasskey} refuses it. */
  readonly isLast: boolean
}

/** Characters of a passkey's name. */
const maxNameLength = 64

/**
 * Gives a passkey of the person who is signed in a name; of nobody else. Check the form with {@link hasCsrfToken} before.
 *
 * @param id Of {@link getAccount}.
 * @param name 1 to 64 characters on one line, after spaces at both ends are cut off.
 * @returns `false` when the person has no such passkey, nobody is signed in, or the name is none.
 * @throws {@link MissingAdapterMethods} where the adapter stores no names; {@link ReauthenticationRequired} in a session with an end of its
 * own, or that did not begin in this browser.
 *
 * @example
 * ```ts
 * if (hasCsrfToken(req, config)) await renamePasskey(req, config, String(req.body.id), String(req.body.name))
 * ```
 */
export async function renamePasskey(
  req: SessionRequest,
  config: ServerAuthConfig,
  id: string,
  name: string,
): Promise<boolean> {
  const person = await managerOf(req, config)
  const found = person && find(await readWays(person), id)
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (!found || !isName(trimmed)) return false
  await person.store.renameAuthenticator(found.credentialID, trimmed)
  return true
}

function isName(text: string): boolean {
  const { length } = [...text]
  return length > 0 && length <= maxNameLength && !/\p{Cc}/u.test(text)
}

/**
 * Removes a passkey of the person who is signed in; of nobody else, and never the last way in. Sessions that were begun
 * with it go on: see {@link endOtherSessions}.
 *
 * @param id Of {@link getAccount}.
 * @returns `deleted`; `unknown` when the person has no such passkey, or nobody is signed in; `last` when there would be no
 * way left to sign in, or none to prove a second factor that the person has.
 * @throws {@link MissingAdapterMethods} where the adapter cannot delete passkeys; {@link ReauthenticationRequired} as in {@link renamePasskey}.
 */
export async function deletePasskey(
  req: SessionRequest,
  config: ServerAuthConfig,
  id: string,
): Promise<'deleted' | 'unknown' | 'last'> {
  const person = await managerOf(req, config)
  if (!person) return 'unknown'
  if (!person.store.can.deletePasskeys) {
    throw new MissingAdapterMethods('The adapter has no method `deleteAuthenticator`: passkeys cannot be removed.')
  }
  // Before the transaction, whose database may have one connection only.
  const keepsOne = await needsPasskey(person.resolved, person.user.id)
  const outcome = await inTurn(person, (locked) => remove(locked, id, keepsOne))
  if (outcome === 'deleted') {
    const { resolved, user } = person
    // Sign-ins with the passkey that are under way end.
    await resolved.session.stamps?.changeMethod({ credentialID: id })
    await emit(resolved, 'passkeyRemoved', { user, credentialID: id, ...factsOf(req, person) })
  }
  return outcome
}

/** @param keepsOne Whether the last passkey stays, as a second factor. */
async function remove(person: Person, id: string, keepsOne: boolean): Promise<'deleted' | 'unknown' | 'last'> {
  const { store } = person
  const ways = await readWays(person)
  const found = find(ways, id)
  if (!found) return 'unknown'
  const left = without(ways, found)
  if (!letsIn(person, left)) return 'last'
  // Who is asked for a passkey, and has none, could not come in any more.
  if (keepsOne && left.passkeys.length === 0) return 'last'
  await store.deleteAuthenticator(found.credentialID)
  // An account without a passkey is no way in.
  if (left.passkeys.some(({ providerAccountId }) => providerAccountId === found.providerAccountId)) return 'deleted'
  if (!store.can.unlinkAccounts) return 'deleted'
  for (const { provider, providerAccountId } of ways.accounts.filter(isPasskeyAccount)) {
    if (providerAccountId === found.providerAccountId) await store.unlinkAccount({ provider, providerAccountId })
  }
  return 'deleted'
}

/** The passkeys of {@link getAccount}, the newest first. */
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
