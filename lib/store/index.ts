/**
 * The adapter as the engine uses it: every method has a time-out, what goes wrong is an {@link AdapterError} that names the
 * method, and records come out in one shape whatever the database made of them.
 */
import { foldAddress } from '../base/address.js'
import { isPromiseLike } from '../base/after.js'
import type { Logger } from '../base/logger.js'
import { KeyedLock, ownMemory, perOwner, type SiteMemory } from '../base/memory.js'
import { withTimeout } from '../base/timeout.js'
import type { Store, StoreAbilities, StoredSession } from '../contracts/index.js'
import { AdapterError, AuthError, MissingAdapterMethods } from '../errors.js'
import type { Adapter, AdapterMethod, AdapterUser } from '../types/adapter.js'
import { isUnfitValue, toFault } from './fault.js'
import { ChangeRecord, changeOf, type Forgetter, forgetAround, recentSessions } from './recent-sessions.js'
import {
  isSession,
  type Reader,
  toAccount,
  toAuthenticator,
  toEndedSession,
  toFound,
  toFoundWithData,
  toRecordOrNull,
  toRecords,
  toSession,
  toSessionLink,
  toStoredUser,
  toToken,
  toUser,
} from './records.js'

/** What the store needs beside the adapter. */
export interface StoreOptions {
  readonly logger: Logger
  /** Milliseconds a method may take. */
  readonly timeout: number
  /** Whose calls wait for one another. */
  readonly memory: SiteMemory
  /** Milliseconds for which a session that was read is remembered. Default: 0. */
  readonly cacheFor?: number
  /** Whether sessions are read with data of the application. Default: `false`. */
  readonly hasData?: boolean
  /** Who is told what is changed. Default: what the process remembers of sessions. */
  readonly forgetter?: Forgetter
}

/** How many time-outs a transaction has: it runs several methods, and each may wait for the lock of another transaction. */
const timeoutsPerTransaction = 3
/** How many a change of a session has: for the change before it, or the look at what it did, and for itself. */
const timeoutsPerTurn = 2

/** Wraps the developer's adapter. Methods are called on the developer's object. */
export function createStore(adapter: Adapter, options: StoreOptions): Store {
  const call = callerOf(adapter, options)
  const store: Store = {
    can: abilitiesOf(adapter),
    ...recordMethods(call),
    ...sessionMethods(call, options),
    ...sessionReads(call, adapter, options),
    // Adapters that read and then delete would give a token to several requests at once, and sign all of them in.
    useVerificationToken: (params) =>
      onlyOne(underWayOf(options.memory), JSON.stringify([params.identifier, params.token]), () =>
        one(call, 'useVerificationToken', [params], toToken),
      ),
    async transaction(work) {
      if (!store.can.transact) return work(store)
      // Kept here: adapters may return something else from their transaction than their work returned, or nothing.
      const results: Array<Awaited<ReturnType<typeof work>>> = []
      // With locks of its own. With those of the site, a call in here could wait for a call outside that waits, in the
      // database, for the rows which this transaction holds.
      const forgetter = new ChangeRecord(options.forgetter ?? recentSessions)
      const inner = { ...options, memory: ownMemory(), cacheFor: 0, forgetter }
      const inside = async (found: Adapter) => {
        results.length = 0
        results.push(await work(createStore(found, inner)))
        return results[0]
      }
      await call('transaction', [inside], { patience: timeoutsPerTransaction, forget: () => forgetter.forgetAgain() })
      if (results.length > 0) return results[0] as Awaited<ReturnType<typeof work>>
      throw new AdapterError('The adapter did not run the transaction.', { method: 'transaction' })
    },
  }
  return Object.freeze(store)
}

/** Users, accounts, tokens and passkeys. */
function recordMethods(call: Call) {
  return {
    createUser: async (user) => toStoredUser(await call('createUser', [user]), 'createUser'),
    getUser: (id) => getUser(call, id),
    getUserByEmail: (email) => getUserByEmail(call, email),
    getUserByAccount: (key) => one(call, 'getUserByAccount', [key], toUser),
    updateUser: async (user) => toStoredUser(await call('updateUser', [user]), 'updateUser'),
    linkAccount: async (account) => void (await call('linkAccount', [account])),
    unlinkAccount: async (key) => void (await call('unlinkAccount', [key])),
    getAccount: (id, provider) => one(call, 'getAccount', [id, provider], toAccount),
    listAccounts: (userId) => many(call, 'listAccountsByUserId', [userId], toAccount),
    createVerificationToken: async (token) => void (await call('createVerificationToken', [token])),
    deleteVerificationTokens: async (identifier) => void (await call('deleteVerificationTokens', [identifier])),
    async getAuthenticator(id) {
      const found = await one(call, 'getAuthenticator', [id], toAuthenticator)
      // A database that ignores case may find another passkey: in base64 upper and lower case are different bytes.
      return found?.credentialID === id ? found : null
    },
    createAuthenticator: async (authenticator) => void (await call('createAuthenticator', [authenticator])),
    listAuthenticators: (userId) => many(call, 'listAuthenticatorsByUserId', [userId], toAuthenticator),
    updateAuthenticatorCounter: async (id, counter, use) =>
      void (await call('updateAuthenticatorCounter', [id, counter, use])),
    renameAuthenticator: async (id, name) => void (await call('renameAuthenticator', [id, name])),
    deleteAuthenticator: async (id) => void (await call('deleteAuthenticator', [id])),
  } satisfies Partial<Store>
}

function sessionMethods(call: Call, { memory, timeout }: StoreOptions) {
  const inTurn = createTurns(turnsOf(memory), timeout)
  return {
    createSession: async (session) => void (await call('createSession', [session])),
    writeSessionData: async (change) => (await call('writeSessionData', [change])) === true,
    updateSession: (session) =>
      inTurn(session.sessionToken, 'updateSession', async () => {
        if (isSession(await call('updateSession', [session]))) return true
        // Many adapters return nothing, whether there was something to change or not.
        return (await one(call, 'getSessionAndUser', [session.sessionToken], toFound)) !== null
      }),
    deleteSession: (token) =>
      inTurn(token, 'deleteSession', async () => toEndedSession(await call('deleteSession', [token]))),
    listSessions: (userId) => many(call, 'listSessionsByUserId', [userId], toSession),
    linkSession: async (link) => void (await call('linkSession', [link])),
    listSessionLinks: (by) => many(call, 'listSessionLinks', [by], toSessionLink),
  } satisfies Partial<Store>
}

/** The reads of a session: from the database, and of a moment ago. */
function sessionReads(call: Call, adapter: Adapter, { cacheFor = 0, hasData = false }: StoreOptions) {
  const read = (token: string): Promise<StoredSession | null> =>
    hasData
      ? one(call, 'getSessionUserAndData', [token], toFoundWithData)
      : one(call, 'getSessionAndUser', [token], toFound)
  return {
    async getSessionAndUser(token, remember = false) {
      if (!remember || cacheFor === 0) return read(token)
      const begun = recentSessions.begin(adapter, token, cacheFor)
      const found = await read(token)
      if (found) recentSessions.add(begun, found)
      return found
    },
    remembered: (token) => (cacheFor === 0 ? undefined : recentSessions.get(adapter, token)),
  } satisfies Partial<Store>
}

async function one<T>(call: Call, method: AdapterMethod, args: readonly unknown[], read: Reader<T>): Promise<T | null> {
  return toRecordOrNull(await call(method, args), method, read)
}

async function many<T>(call: Call, method: AdapterMethod, args: readonly unknown[], read: Reader<T>): Promise<T[]> {
  return toRecords(await call(method, args), method, read)
}

async function getUser(call: Call, id: string): Promise<AdapterUser | null> {
  const found = await call('getUser', [id]).catch((error: unknown) => {
    // Where ids are numbers or UUIDs, PostgreSQL refuses other texts: nobody has such an id.
    if (error instanceof AdapterError && isUnfitValue(error.cause?.err)) return null
    throw error
  })
  const user = toRecordOrNull(found, 'getUser', toUser)
  // A database may find another user: by an id in another case, or by a text that begins like a number.
  return user?.id === id ? user : null
}

/** The user with exactly this address: a database may take `josé@` and `jose@`, or a Kelvin sign and a `k`, for the same. */
async function getUserByEmail(call: Call, email: string): Promise<AdapterUser | null> {
  const user = await one(call, 'getUserByEmail', [email], toUser)
  return user?.email && foldAddress(user.email) === foldAddress(email) ? user : null
}

/** Single uses that are under way. */
const underWayOf = perOwner((_site: SiteMemory) => new Set<string>())
/** Changes of sessions that are under way. */
const turnsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Runs work unless work of the same key is under way: then it returns `null`. */
async function onlyOne<T>(underWay: Set<string>, key: string, work: () => Promise<T | null>): Promise<T | null> {
  if (underWay.has(key)) return null
  underWay.add(key)
  try {
    return await work()
  } finally {
    underWay.delete(key)
  }
}

/**
 * Runs what changes the same session one after the other: an adapter that reads and then writes would bring back a session
 * that was deleted in between. The time-out counts from the call, waiting included: behind a method that hangs, callers would
 * else wait for the time-outs of all before them, added up.
 */
function createTurns(lock: KeyedLock, timeout: number) {
  return async <T>(key: string, method: AdapterMethod, work: () => Promise<T>): Promise<T> => {
    let isGivenUp = false
    const turn = lock.run(key, async () => {
      if (isGivenUp) throw new Error('Nobody waits for this any more.')
      return work()
    })
    try {
      return await withTimeout(turn, timeout * timeoutsPerTurn, `\`${method}\``)
    } catch (error) {
      if (error instanceof AuthError) throw error
      throw new AdapterError(`The adapter's method \`${method}\` failed.`, { err: toFault(error, [key]), method })
    } finally {
      isGivenUp = true
    }
  }
}

type Call = (name: AdapterMethod, args: readonly unknown[], options?: CallOptions) => Promise<unknown>

interface CallOptions {
  /** How many time-outs the call has. Default: 1. */
  readonly patience?: number
  /** Forgets what the call changes. Default: as its arguments say. */
  readonly forget?: () => void
}

function callerOf(adapter: Adapter, { logger, timeout, forgetter = recentSessions }: StoreOptions): Call {
  return async (name, args, { patience = 1, forget = forgetOf(forgetter, name, args) } = {}) => {
    const method: unknown = adapter[name]
    if (typeof method !== 'function') {
      throw new MissingAdapterMethods(`The adapter has no method \`${name}\`, which is needed here.`, { method: name })
    }
    logger.debug(`adapter: ${name}`)
    try {
      const run = (): unknown => Reflect.apply(method, adapter, args)
      const work = forget ? forgetAround(forget, run) : run()
      // What is there already needs no time-out.
      if (!isPromiseLike(work)) return work
      return await withTimeout(Promise.resolve(work), timeout * patience, `\`${name}\``)
    } catch (error) {
      // The engine's own work in the transaction refused something, and the adapter passed the error on.
      if (name === 'transaction' && error instanceof AuthError) throw error
      throw new AdapterError(`The adapter's method \`${name}\` failed.`, { err: toFault(error, args), method: name })
    }
  }
}

function forgetOf(forgetter: Forgetter, name: AdapterMethod, args: readonly unknown[]): (() => void) | undefined {
  const change = changeOf(name, args)
  return change && (() => forgetter.forget(change))
}

/* ---- abilities --------------------------------------------------------------------------------------------------- */

// What an adapter can do beside what the features in use need. Published adapters have few of these methods.

/** The methods that each ability takes. */
const methods: Readonly<Record<keyof StoreAbilities, readonly AdapterMethod[]>> = {
  transact: ['transaction'],
  getAccounts: ['getAccount'],
  listAccounts: ['listAccountsByUserId'],
  unlinkAccounts: ['unlinkAccount'],
  listSessions: ['listSessionsByUserId'],
  deleteTokens: ['deleteVerificationTokens'],
  // Without `prune` nothing would ever delete the notes.
  noteChallenges: ['createVerificationToken', 'prune'],
  listPasskeys: ['listAuthenticatorsByUserId'],
  namePasskeys: ['renameAuthenticator'],
  deletePasskeys: ['deleteAuthenticator'],
}

/**
 * Looked up each time: an adapter may get its methods only once it is connected, and may have getters that throw until then.
 * Methods of prototypes count.
 */
function abilitiesOf(adapter: Adapter): StoreAbilities {
  const has = (names: readonly AdapterMethod[]) => names.every((name) => typeof adapter[name] === 'function')
  const lookUps = Object.entries(methods).map(([ability, names]) => [
    ability,
    { get: () => has(names), enumerable: true },
  ])
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(lookUps))) as StoreAbilities
}
