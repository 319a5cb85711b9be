/** The door for "your account" pages: where a person is signed in, and what they sign in with. */

import { forgetTokens } from '../actions/index.js'
import { emit } from '../callbacks/events.js'
import { passwordProviderOf } from '../config/password-provider.js'
import type { SessionRequest } from '../get-session.js'
import { storedSessionKey } from '../session/database/ending.js'
import { sessionIdOf } from '../session/names.js'
import type { AccountKey, AdapterSession, AdapterUser } from '../types/adapter.js'
import type { ServerAuthConfig, SessionEndReason } from '../types/config.js'
import type { EnrolledFactor } from '../types/factors.js'
import { isPasskeyAccount } from '../users/accounts.js'
import { endRows } from './ended-rows.js'
import { factorsOf } from './factors.js'
import { type LinkedPasskey, linkedPasskeys } from './passkeys.js'
import { factsOf, inTurn, letsIn, managerOf, type Person, personOf, readWays, type WaysIn } from './person.js'
import { type OpenSession, openRows } from './sessions.js'
import { endOtherTokens, endToken, openTokens } from './tokens.js'
import { endAndForget } from './users.js'

export { type BoundPasswords, bindPasswords } from './bound-passwords.js'
export { type ChangeEmailOptions, type ChangeEmailResult, changeEmail } from './change-email.js'
export { resetFactors } from './factors.js'
export { deletePasskey, type LinkedPasskey, renamePasskey } from './passkeys.js'
export {
  type ChangePasswordResult,
  changePassword,
  hasPassword,
  importPassword,
  type LinkReceiver,
  type PasswordChange,
  sendPasswordLink,
  setPassword,
  type UserHash,
  type UserPassword,
} from './passwords.js'
export type { OpenSession, SessionDevice } from './sessions.js'
export { disableUser, enableUser, endSessionsOf, tellsWho } from './users.js'

/** What a person signs in with. */
export interface LinkedAccount {
  /** The id of the provider in the configuration. */
  readonly provider: string
  /** The provider's name, where the configuration still has it. */
  readonly name: string
  /** The person's id at the provider. */
  readonly providerAccountId: string
  /** The only way in: {@link unlinkAccount} refuses it. */
  readonly isLast: boolean
}

/** What belongs to the person who is signed in. */
export interface AccountOverview {
  /** The stored user. */
  readonly user: AdapterUser
  /** This one first, then what was used last. With JWT sessions those that `session.revocation.list` has noted. */
  readonly sessions: readonly OpenSession[]
  /** Without those that only stand for passkeys. */
  readonly accounts: readonly LinkedAccount[]
  /** The newest first. Empty without a provider of passkeys. */
  readonly passkeys: readonly LinkedPasskey[]
  /** Second factors, with recovery codes among them. Empty where none are configured. */
  readonly factors: readonly EnrolledFactor[]
}

/**
 * Where the person is signed in and with what, by the adapter's `listSessionsByUserId`, `listAccountsByUserId` and
 * `listAuthenticatorsByUserId`; a list is empty where the adapter has no such method.
 *
 * @returns `null` when nobody is signed in, or the person is no user of the adapter (credentials with JWT sessions).
 * @throws {@link MissingAdapter} without an adapter, {@link AdapterError} when the database fails.
 *
 * @example
 * ```ts
 * app.get('/account', requireSession(config), async (req, res) => res.render('account', await getAccount(req, config)))
 * ```
 */
export async function getAccount(req: SessionRequest, config: ServerAuthConfig): Promise<AccountOverview | null> {
  const person = await personOf(req, config, 'reads')
  if (!person) return null
  const { user, resolved } = person
  const sessionsOf = resolved.session.strategy === 'jwt' ? openTokens : openRows
  const [sessions, ways, factors] = await Promise.all([
    sessionsOf(person),
    readWays(person),
    factorsOf(resolved, user.id),
  ])
  const accounts = ways.accounts.filter((account) => !isPasskeyAccount(account))
  return {
    user,
    sessions,
    accounts: accounts.map(({ provider, providerAccountId }) => ({
      provider,
      name: resolved.providers.get(provider)?.name ?? provider,
      providerAccountId,
      isLast: !letsIn(person, without(ways, { provider, providerAccountId })),
    })),
    passkeys: linkedPasskeys(person, ways),
    factors,
  }
}

/**
 * Ends a session of the person who is signed in; of nobody else. JWT sessions need `session.revocation` with `list`. Check the form with {@link hasCsrfToken} before, here and
 * below.
 *
 * @param id Of {@link getAccount}.
 * @returns `false` when the person has no such session, or nobody is signed in.
 *
 * @example
 * ```ts
 * if (hasCsrfToken(req, config)) await endSession(req, config, String(req.body.id))
 * ```
 */
export async function endSession(req: SessionRequest, config: ServerAuthConfig, id: string): Promise<boolean> {
  const person = await personOf(req, config, 'changes')
  if (person?.resolved.session.strategy === 'jwt') return endToken(req, { person, id })
  if (!person?.store.can.listSessions) return false
  const isMeant = ({ sessionToken }: AdapterSession) => sessionIdOf(sessionToken) === id
  return (await endRows(person, { isMeant, facts: endedBy('endSession', req, person) })) > 0
}

/**
 * Ends all sessions of the person but that of the request: after a device was lost. JWT sessions need `session.revocation` for
 * it, and go on without.
 *
 * @returns How many there were; with JWT sessions and no `list` 1 where they have been ended, for nobody counts them. 0 when nobody is signed
 * in, and where sessions cannot be ended: without `session.revocation` or without `listSessionsByUserId`.
 * @throws {@link AdapterError} when the database or the store fails.
 */
export async function endOtherSessions(req: SessionRequest, config: ServerAuthConfig): Promise<number> {
  const person = await personOf(req, config, 'changes')
  if (!person) return 0
  return endAndForget(person.resolved, person.user.id, async () => {
    if (person.resolved.session.strategy === 'jwt') return endOtherTokens(req, person)
    if (!person.store.can.listSessions) return 0
    const isMeant = ({ sessionToken }: AdapterSession) => storedSessionKey(sessionToken) !== person.owner.key
    return endRows(person, { isMeant, facts: endedBy('endOtherSessions', req, person), changesStamp: true })
  })
}

function endedBy(reason: SessionEndReason, req: SessionRequest, person: Person) {
  const { sid, request } = factsOf(req, person)
  return { reason, endedBy: sid, request }
}

/**
 * Unlinks an account of the person who is signed in; of nobody else, and never the last way in. Sessions that were begun
 * with it go on: see {@link endOtherSessions}.
 *
 * @returns `unlinked`; `unknown` when the person has no such account, or nobody is signed in; `last` when there would be no
 * way left to sign in.
 * @throws {@link ReauthenticationRequired} in a session with an end of its own, or that did not begin in this browser.
 */
export async function unlinkAccount(
  req: SessionRequest,
  config: ServerAuthConfig,
  account: AccountKey,
): Promise<'unlinked' | 'unknown' | 'last'> {
  const person = await managerOf(req, config)
  if (!person) return 'unknown'
  await removePassword(person, account)
  const unlinked = await inTurn(person, (locked) => unlink(locked, account))
  if (typeof unlinked === 'string') return unlinked
  const { resolved, user } = person
  // Sign-ins with the account that are under way end.
  await resolved.session.stamps?.changeMethod(unlinked)
  await forgetTokens(resolved, { ...unlinked, userId: user.id })
  await emit(resolved, 'unlinkAccount', { user, account: unlinked, ...factsOf(req, person) })
  return 'unlinked'
}

/**
 * With the account of a password goes the password. Before it, since a password without its account would go on, and an account without a
 * password leads to a new one; and before the transaction, which some databases let nothing else go on beside.
 */
async function removePassword(person: Person, account: AccountKey): Promise<void> {
  const provider = passwordProviderOf(person.resolved)
  if (provider?.id !== account.provider) return
  const ways = await readWays(person)
  const isOwn = ways.accounts.some((each) => isSame(each, account))
  if (isOwn && letsIn(person, without(ways, account))) await provider.password.store.remove(person.user.id)
}

async function unlink(person: Person, account: AccountKey): Promise<AccountKey | 'unknown' | 'last'> {
  const ways = await readWays(person)
  // Those of passkeys go with the last passkey.
  const found = ways.accounts.find((each) => isSame(each, account) && !isPasskeyAccount(each))
  if (!found) return 'unknown'
  if (!letsIn(person, without(ways, found))) return 'last'
  const { provider, providerAccountId } = found
  await person.store.unlinkAccount({ provider, providerAccountId })
  return { provider, providerAccountId }
}

function without({ accounts, passkeys }: WaysIn, account: AccountKey): WaysIn {
  return { accounts: accounts.filter((other) => !isSame(other, account)), passkeys }
}

function isSame(one: AccountKey, other: AccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}
