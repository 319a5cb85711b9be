/**
 * The adapter as the engine uses it: every method has a time-out, what goes wrong is an {@link AdapterError} that names the
 * method, and records come out in one shape whatever the database made of them.
 */

import { foldAddress } from '../base/address.js'
import type { Logger } from '../base/logger.js'
import { KeyedLock, ownMemory, perOwner, type SiteMemory } from '../base/memory.js'
import { withTimeout } from '../base/timeout.js'
import type { Store } from '../contracts/index.js'
import { AdapterError, AuthError, MissingAdapterMethods } from '../errors.js'
import type { Adapter, AdapterMethod, AdapterUser } from '../types/adapter.js'
import { abilitiesOf } from './abilities.js'
import { isUnfitValue, toFault } from './fault.js'
import {
  isSession,
  toAccountOrNull,
  toAccounts,
  toAuthenticatorOrNull,
  toAuthenticators,
  toEndedSession,
  toFound,
  toSessions,
  toToken,
  toUser,
  toUserOrNull,
} from './records.js'

/** What the store needs beside the adapter. */
export interface StoreOptions {
  readonly logger: Logger
  /** Milliseconds a method may take. */
  readonly timeout: number
  /** Whose calls wait for one another. */
  readonly memory: SiteMemory
}

/** A transaction runs several methods, and each may wait for another one's lock. */
const methodsPerTransaction = 3
/** A method, and either the one before it or the look at what it did. */
const methodsPerTurn = 2

/** Wraps the developer's adapter. Methods are called on the developer's object. */
export function createStore(adapter: Adapter, options: StoreOptions): Store {
  const call = callerOf(adapter, options)
  const single = createSingle(underWayOf(options.memory))
  const inTurn = createTurns(turnsOf(options.memory), options.timeout)
  const store: Store = {
    can: abilitiesOf(adapter),
    createUser: async (user) => toUser(await call('createUser', [user]), 'createUser'),
    getUser: (id) => getUser(call, id),
    getUserByEmail: (email) => getUserByEmail(call, email),
    getUserByAccount: async (key) => toUserOrNull(await call('getUserByAccount', [key]), 'getUserByAccount'),
    updateUser: async (user) => toUser(await call('updateUser', [user]), 'updateUser'),
    linkAccount: async (account) => void (await call('linkAccount', [account])),
    unlinkAccount: async (key) => void (await call('unlinkAccount', [key])),
    getAccount: async (id, provider) => toAccountOrNull(await call('getAccount', [id, provider])),
    createSession: async (session) => void (await call('createSession', [session])),
    getSessionAndUser: async (token) => toFound(await call('getSessionAndUser', [token])),
    updateSession: (session) =>
      inTurn(session.sessionToken, 'updateSession', async () => {
        if (isSession(await call('updateSession', [session]))) return true
        // Many adapters say nothing, whether there was something to change or not.
        return toFound(await call('getSessionAndUser', [session.sessionToken])) !== null
      }),
    deleteSession: (token) =>
      inTurn(token, 'deleteSession', async () => toEndedSession(await call('deleteSession', [token]))),
    createVerificationToken: async (token) => void (await call('createVerificationToken', [token])),
    // Adapters that read and then delete would give a token to all who ask at once.
    useVerificationToken: (params) =>
      single(JSON.stringify([params.identifier, params.token]), async () =>
        toToken(await call('useVerificationToken', [params])),
      ),
    deleteVerificationTokens: async (identifier) => void (await call('deleteVerificationTokens', [identifier])),
    listAccounts: async (userId) => toAccounts(await call('listAccountsByUserId', [userId])),
    listSessions: async (userId) => toSessions(await call('listSessionsByUserId', [userId])),
    deleteSessions: async (userId) => void (await call('deleteSessionsByUserId', [userId])),
    ...passkeyMethods(call),
    async transaction(work) {
      if (!store.can.transact) return work(store)
      // Kept here: what the adapter makes of it is not ours to believe.
      const results: Array<Awaited<ReturnType<typeof work>>> = []
      // With turns of its own: who waits outside for a row that this transaction holds must not keep it waiting.
      const inside = async (found: Adapter) => {
        results.length = 0
        results.push(await work(createStore(found, { ...options, memory: ownMemory() })))
        return results[0]
      }
      await call('transaction', [inside], methodsPerTransaction)
      if (results.length > 0) return results[0] as Awaited<ReturnType<typeof work>>
      throw new AdapterError('The adapter did not run the transaction.', { method: 'transaction' })
    },
  }
  return Object.freeze(store)
}

type PasskeyMethod = Extract<keyof Store, `${string}Authenticator${string}`>

function passkeyMethods(call: Call): Pick<Store, PasskeyMethod> {
  return {
    async getAuthenticator(id) {
      const found = toAuthenticatorOrNull(await call('getAuthenticator', [id]))
      // Exactly this one: in base64 upper and lower case are different bytes, which a database may take for the same.
      return found?.credentialID === id ? found : null
    },
    createAuthenticator: async (authenticator) => void (await call('createAuthenticator', [authenticator])),
    listAuthenticators: async (userId) => toAuthenticators(await call('listAuthenticatorsByUserId', [userId])),
    updateAuthenticatorCounter: async (id, counter, use) =>
      void (await call('updateAuthenticatorCounter', [id, counter, use])),
    renameAuthenticator: async (id, name) => void (await call('renameAuthenticator', [id, name])),
    deleteAuthenticator: async (id) => void (await call('deleteAuthenticator', [id])),
  }
}

async function getUser(call: Call, id: string): Promise<AdapterUser | null> {
  const found = await call('getUser', [id]).catch((error: unknown) => {
    // Ids of another type than this one: it is nobody's. Other adapters say the same with `null`.
    if (error instanceof AdapterError && isUnfitValue(error.cause?.err)) return null
    throw error
  })
  const user = toUserOrNull(found, 'getUser')
  // Exactly this id: a database may take another case, or a text that begins like a number, for the same.
  return user?.id === id ? user : null
}

/** Exactly this address: a database may take `josé@` and `jose@`, or a Kelvin sign and a `k`, for the same. */
async function getUserByEmail(call: Call, email: string): Promise<AdapterUser | null> {
  const user = toUserOrNull(await call('getUserByEmail', [email]), 'getUserByEmail')
  return user?.email && foldAddress(user.email) === foldAddress(email) ? user : null
}

/** Single uses that are under way. */
const underWayOf = perOwner((_site: SiteMemory) => new Set<string>())
/** Changes of sessions that are under way. */
const turnsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Runs work unless work of the same key is under way; then there is nothing. */
function createSingle(underWay: Set<string>): <T>(key: string, work: () => Promise<T>) => Promise<T | null> {
  return async (key, work) => {
    if (underWay.has(key)) return null
    underWay.add(key)
    try {
      return await work()
    } finally {
      underWay.delete(key)
    }
  }
}

/**
 * Runs what changes the same session one after the other: an adapter that reads and then writes would bring back a session
 * that was deleted in between. Waiting counts as well, so that behind a method that hangs nobody waits for all before them.
 */
function createTurns(lock: KeyedLock, timeout: number) {
  return async <T>(key: string, method: AdapterMethod, work: () => Promise<T>): Promise<T> => {
    let isGivenUp = false
    const turn = lock.run(key, async () => {
      if (isGivenUp) throw new Error('Nobody waits for this any more.')
      return work()
    })
    try {
      return await withTimeout(turn, timeout * methodsPerTurn, `\`${method}\``)
    } catch (error) {
      if (error instanceof AuthError) throw error
      throw new AdapterError(`The adapter's method \`${method}\` failed.`, { err: toFault(error, [key]), method })
    } finally {
      isGivenUp = true
    }
  }
}

type Call = (name: AdapterMethod, args: readonly unknown[], patience?: number) => Promise<unknown>

function callerOf(adapter: Adapter, { logger, timeout }: StoreOptions): Call {
  return async (name, args, patience = 1) => {
    const method: unknown = adapter[name]
    if (typeof method !== 'function') {
      throw new MissingAdapterMethods(`The adapter has no method \`${name}\`, which is needed here.`, { method: name })
    }
    logger.debug(`adapter: ${name}`)
    try {
      // `async`, so that a method which throws at once is no different.
      const work = (async (): Promise<unknown> => Reflect.apply(method, adapter, args))()
      return await withTimeout(work, timeout * patience, `\`${name}\``)
    } catch (error) {
      // Of the work within, which has thrown it for a reason of its own.
      if (name === 'transaction' && error instanceof AuthError) throw error
      throw new AdapterError(`The adapter's method \`${name}\` failed.`, { err: toFault(error, args), method: name })
    }
  }
}
