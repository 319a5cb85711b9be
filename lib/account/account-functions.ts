/** The functions of `auth.account`. */
import { forgetTokens } from '../actions/index.js'
import { emit } from '../callbacks/index.js'
import { factorsOf } from '../features/factors/calls-any-user.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import type { AccountFunctions, accountRules } from '../functions/account.js'
import type { Runs } from '../functions/run.js'
import type { AccountKey } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import { isPasskeyAccount } from '../users/records.js'
import { changeEmail } from './change-email.js'
import { openTokens } from './jwt-sessions.js'
import { linkedPasskeys, removePasskey, renamePasskey } from './passkeys.js'
import { inTurn, letsIn, managerOf, type Person, personOf, readWays, type WaysIn } from './person.js'
import { openRows } from './sessions.js'

/** The functions of `auth.account`. */
export const accountFunctions: Runs<AccountFunctions, typeof accountRules> = {
  async get(call) {
    const person = await personOf(call)
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
  },

  async unlink(call, account) {
    const person = await managerOf(call)
    if (!person) return { ok: false, reason: 'unknown' }
    await removePassword(person, account)
    const unlinked = await inTurn(person, (locked) => unlink(locked, account))
    if (!unlinked.ok) return unlinked
    const { resolved, user, facts } = person
    const { provider, providerAccountId } = account
    const key = { provider, providerAccountId }
    // Ends pending sign-ins with the account.
    await resolved.session.stamps?.changeMethod(key)
    await forgetTokens(resolved, { ...key, userId: user.id })
    await emit(resolved, 'unlinkAccount', { user, account: key, ...facts })
    return { ok: true }
  },

  changeEmail,
  renamePasskey,
  removePasskey,
}

/**
 * Removes the password together with its account.
 *
 * It is removed first, because a password without an account would stay valid, while an account without a password can
 * get a new one. It is removed before the transaction, because some databases allow no other query during one.
 */
async function removePassword(person: Person, account: AccountKey): Promise<void> {
  const provider = passwordProviderOf(person.resolved)
  if (provider?.id !== account.provider) return
  const ways = await readWays(person)
  const isOwn = ways.accounts.some((each) => isSame(each, account))
  if (isOwn && letsIn(person, without(ways, account))) await provider.password.store.remove(person.user.id)
}

async function unlink(person: Person, account: AccountKey): Promise<Outcome<'unknown' | 'last'>> {
  const ways = await readWays(person)
  // Accounts of passkeys are removed with the last passkey.
  const found = ways.accounts.find((each) => isSame(each, account) && !isPasskeyAccount(each))
  if (!found) return { ok: false, reason: 'unknown' }
  if (!letsIn(person, without(ways, found))) return { ok: false, reason: 'last' }
  const { provider, providerAccountId } = found
  await person.store.unlinkAccount({ provider, providerAccountId })
  return { ok: true }
}

function without({ accounts, passkeys }: WaysIn, account: AccountKey): WaysIn {
  return { accounts: accounts.filter((other) => !isSame(other, account)), passkeys }
}

function isSame(one: AccountKey, other: AccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}
