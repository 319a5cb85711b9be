/**
 * Wraps the adapter for the engine: every method has a timeout, errors are an {@link AdapterError} that names the method, and
 * records have one shape whatever the database returns.
 */
import { forEachConcurrently } from '../base/concurrently.js'
import { foldAddress } from '../base/email-address.js'
import type { Logger } from '../base/logger.js'
import { catchMaybePromise, isPromiseLike, mapMaybePromise } from '../base/maybe-promise.js'
import { createOwnMemory, KeyedLock, perOwner, runExclusively, type SiteMemory } from '../base/memory.js'
import { withTimeout } from '../base/timeout.js'
import type { AdapterAbilities, AdapterStore, StoredSession } from '../contracts/index.js'
import { AdapterError, AuthError, InvalidConfiguration, MissingAdapterMethods } from '../errors.js'
import type { Adapter, AdapterMethod, AdapterSession, AdapterUser } from '../types/adapter.js'
import type { Awaitable } from '../types/identity.js'
import { abilitiesOf } from './abilities.js'
import {
  isSession,
  type RecordReader,
  toAccount,
  toAdapterSession,
  toAuthenticator,
  toEndedSession,
  toRecordOrNull,
  toRecords,
  toSessionAndUser,
  toSessionLink,
  toSessionUserAndData,
  toStoredUser,
  toUser,
  toVerificationToken,
} from './records.js'
import { isInvalidColumnValue, toRedactedError } from './redacted-error.js'
import {
  invalidateAround,
  RecordedInvalidator,
  type SessionInvalidator,
  sessionCache,
  sessionChangeOf,
} from './session-cache.js'
import { createSessionSerializer } from './session-changes.js'

/** The dependencies of the store, besides the adapter. */
export interface StoreOptions {
  readonly logger: Logger
  /** The time limit of a method, in milliseconds. */
  readonly timeout: number
  /** The site whose calls are serialised. */
  readonly memory: SiteMemory
  /** The milliseconds for which a session that was read is cached. Default: 0. */
  readonly cacheFor?: number
  /** True if sessions are read with data of the application. Default: `false`. */
  readonly hasData?: boolean
  /** Receives the changes to sessions. Default: the session cache of the process. */
  readonly invalidator?: SessionInvalidator
}

/** The timeouts of a transaction: it runs several methods, and each may wait for the lock of another transaction. */
const timeoutsPerTransaction = 3
/** The timeouts of the check at the start, which waits for a migration. */
const timeoutsPerCheck = 12

/** Wraps the application's adapter. Methods are called on that object. */
export function createGuardedStore(adapter: Adapter, options: StoreOptions): AdapterStore {
  const call = createCaller(adapter, options)
  const abilities = abilitiesOf(adapter)
  const store: AdapterStore = {
    abilities,
    ...guardedRecordMethods(call),
    ...guardedSessionMethods(call, abilities, options),
    ...sessionReads(call, adapter, options),
    async checkUserFields() {
      if (typeof adapter.checkUserFields !== 'function' || Object.keys(adapter.userFields ?? {}).length === 0) return
      const missing = await call('checkUserFields', [], { patience: timeoutsPerCheck })
      if (typeof missing === 'string') throw new InvalidConfiguration(missing)
    },
    // Serialised, because adapters that read and then delete would give a token to several requests, and sign all of them in.
    useVerificationToken: (params) =>
      runExclusively(singleUsesInProgress(options.memory), JSON.stringify([params.identifier, params.token]), () =>
        callForRecord(call, 'useVerificationToken', [params], toVerificationToken),
      ),
    async transaction(work) {
      if (!store.abilities.transact) return work(store)
      // Stored here, because adapters may not return the result of the work from their transaction.
      const results: Array<Awaited<ReturnType<typeof work>>> = []
      // Uses its own locks. With the site's locks, a call in the transaction could wait for a call outside, which waits in the
      // database for the rows that this transaction has locked.
      const invalidator = new RecordedInvalidator(options.invalidator ?? sessionCache)
      const inner: StoreOptions = { ...options, memory: createOwnMemory(), cacheFor: 0, invalidator }
      const inside = async (found: Adapter) => {
        results.length = 0
        results.push(await work(createGuardedStore(found, inner)))
        return results[0]
      }
      await call('transaction', [inside], {
        patience: timeoutsPerTransaction,
        forget: () => invalidator.invalidateAgain(),
      })
      if (results.length > 0) return results[0] as Awaited<ReturnType<typeof work>>
      throw new AdapterError('The adapter did not run the transaction.', { method: 'transaction' })
    },
  }
  return Object.freeze(store)
}

/** Creates the methods for users, accounts, tokens and passkeys. */
function guardedRecordMethods(call: CallMethod) {
  return {
    createUser: async (user) => toStoredUser(await call('createUser', [user]), 'createUser'),
    getUser: (id) => getUser(call, id),
    getUserByEmail: (email) => getUserByEmail(call, email),
    getUserByAccount: (key) => callForRecord(call, 'getUserByAccount', [key], toUser),
    updateUser: async (user) => toStoredUser(await call('updateUser', [user]), 'updateUser'),
    // Several statements in a transaction.
    deleteUser: async (id) => void (await call('deleteUser', [id], { patience: timeoutsPerTransaction })),
    listUsers: (query) => callForList(call, 'listUsers', [query], toUser),
    linkAccount: async (account) => void (await call('linkAccount', [account])),
    unlinkAccount: async (key) => void (await call('unlinkAccount', [key])),
    getAccount: (id, provider) => callForRecord(call, 'getAccount', [id, provider], toAccount),
    listAccounts: (userId) => callForList(call, 'listAccountsByUserId', [userId], toAccount),
    createVerificationToken: async (token) => void (await call('createVerificationToken', [token])),
    deleteVerificationTokens: async (identifier) => void (await call('deleteVerificationTokens', [identifier])),
    async getAuthenticator(id) {
      const found = await callForRecord(call, 'getAuthenticator', [id], toAuthenticator)
      // A case-insensitive database may find another passkey: base64 distinguishes case.
      return found?.credentialID === id ? found : null
    },
    createAuthenticator: async (authenticator) => void (await call('createAuthenticator', [authenticator])),
    listAuthenticators: (userId) => callForList(call, 'listAuthenticatorsByUserId', [userId], toAuthenticator),
    updateAuthenticatorCounter: async (id, counter, use) =>
      void (await call('updateAuthenticatorCounter', [id, counter, use])),
    renameAuthenticator: async (id, name) => void (await call('renameAuthenticator', [id, name])),
    deleteAuthenticator: async (id) => void (await call('deleteAuthenticator', [id])),
  } satisfies Partial<AdapterStore>
}

function guardedSessionMethods(call: CallMethod, abilities: AdapterAbilities, { memory, timeout }: StoreOptions) {
  const serialized = createSessionSerializer(sessionLocksOf(memory), timeout)
  return {
    createSession: async (session) => void (await call('createSession', [session])),
    writeSessionData: async (change) => (await call('writeSessionData', [change])) === true,
    updateSession: (session) =>
      serialized(session.sessionToken, 'updateSession', async () => {
        if (isSession(await call('updateSession', [session]))) return true
        // Many adapters return nothing, whether or not there was a session.
        return (await callForRecord(call, 'getSessionAndUser', [session.sessionToken], toSessionAndUser)) !== null
      }),
    deleteSession: (token) =>
      serialized(token, 'deleteSession', async () => toEndedSession(await call('deleteSession', [token]))),
    listSessions: (userId) => callForList(call, 'listSessionsByUserId', [userId], toAdapterSession),
    findSessions: (tokens) => findSessions(call, abilities, tokens),
    linkSession: async (link) => void (await call('linkSession', [link])),
    listSessionLinks: (by) => callForList(call, 'listSessionLinks', [by], toSessionLink),
  } satisfies Partial<AdapterStore>
}

/** The queries at once for adapters that read one session each. The other connections stay free for requests. */
const concurrentReads = 4

/** Reads several sessions: in one query, or a few at a time if the adapter cannot. */
async function findSessions(
  call: CallMethod,
  { findSessions: canFind }: AdapterAbilities,
  tokens: readonly string[],
): Promise<AdapterSession[]> {
  if (tokens.length === 0) return []
  if (canFind) return callForList(call, 'getSessions', [tokens], toAdapterSession)
  const found: AdapterSession[] = []
  await forEachConcurrently(tokens, concurrentReads, async (token) => {
    const read = await callForRecord(call, 'getSessionAndUser', [token], toSessionAndUser)
    if (read) found.push(read.session)
  })
  return found
}

/** Creates the methods that read a session from the database or the cache. */
function sessionReads(call: CallMethod, adapter: Adapter, { cacheFor = 0, hasData = false }: StoreOptions) {
  const read = (token: string): Awaitable<StoredSession | null> =>
    hasData
      ? callForRecordNow(call, 'getSessionUserAndData', [token], toSessionUserAndData)
      : callForRecordNow(call, 'getSessionAndUser', [token], toSessionAndUser)
  return {
    getSessionAndUser(token, remember = false) {
      if (!remember || cacheFor === 0) return read(token)
      const begun = sessionCache.startRead(adapter, token, cacheFor)
      return mapMaybePromise(read(token), (found) => {
        if (found) sessionCache.add(begun, found)
        return found
      })
    },
    cachedSession: (token) => (cacheFor === 0 ? undefined : sessionCache.get(adapter, token)),
  } satisfies Partial<AdapterStore>
}

async function callForRecord<T>(...args: Parameters<typeof callForRecordNow<T>>): Promise<T | null> {
  return callForRecordNow(...args)
}

/** Does the same without a promise if the adapter returns none. */
function callForRecordNow<T>(
  call: CallMethod,
  method: AdapterMethod,
  args: readonly unknown[],
  read: RecordReader<T>,
): Awaitable<T | null> {
  return mapMaybePromise(call(method, args), (value) => toRecordOrNull(value, method, read))
}

async function callForList<T>(
  call: CallMethod,
  method: AdapterMethod,
  args: readonly unknown[],
  read: RecordReader<T>,
): Promise<T[]> {
  return toRecords(await call(method, args), method, read)
}

async function getUser(call: CallMethod, id: string): Promise<AdapterUser | null> {
  const found = await catchMaybePromise(
    () => call('getUser', [id]),
    (error) => {
      // Where ids are numbers or UUIDs, PostgreSQL rejects other texts. No user has such an id.
      if (error instanceof AdapterError && isInvalidColumnValue(error.cause?.err)) return null
      throw error
    },
  )
  const user = toRecordOrNull(found, 'getUser', toUser)
  // A database may find another user: by an id in another case, or by a text that begins with a number.
  return user?.id === id ? user : null
}

/** Returns the user with exactly this address. A database may treat `josé@` and `jose@`, or a Kelvin sign and a `k`, as equal. */
async function getUserByEmail(call: CallMethod, email: string): Promise<AdapterUser | null> {
  const user = await callForRecord(call, 'getUserByEmail', [email], toUser)
  return user?.email && foldAddress(user.email) === foldAddress(email) ? user : null
}

const singleUsesInProgress = perOwner((_site: SiteMemory) => new Set<string>())
const sessionLocksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Calls a method of the adapter. A synchronous result is returned at once; a failure always rejects. */
type CallMethod = (name: AdapterMethod, args: readonly unknown[], options?: CallMethodOptions) => Awaitable<unknown>

interface CallMethodOptions {
  /** The number of timeouts that the call has. Default: 1. */
  readonly patience?: number
  /** Invalidates what the call changes. Default: determined by its arguments. */
  readonly forget?: () => void
}

function createCaller(adapter: Adapter, { logger, timeout, invalidator = sessionCache }: StoreOptions): CallMethod {
  return (name, args, { patience = 1, forget = invalidationOf(invalidator, name, args) } = {}) => {
    const fail = async (error: unknown): Promise<never> => {
      // The engine's own code in the transaction threw, and the adapter passed the error on.
      const isOwn = name === 'transaction' && error instanceof AuthError
      if (isOwn || error instanceof MissingAdapterMethods) throw error
      const err = toRedactedError(error, args)
      throw new AdapterError(`The adapter's method \`${name}\` failed.`, { err, method: name })
    }
    const run = (): unknown => {
      const method: unknown = adapter[name]
      if (typeof method === 'function') return Reflect.apply(method, adapter, args)
      throw new MissingAdapterMethods(`The adapter has no method \`${name}\`, which is needed here.`, { method: name })
    }
    logger.debug(`adapter: ${name}`)
    return catchMaybePromise(() => {
      const work = forget ? invalidateAround(forget, run) : run()
      return isPromiseLike(work) ? withTimeout(Promise.resolve(work), timeout * patience, `\`${name}\``) : work
    }, fail)
  }
}

function invalidationOf(to: SessionInvalidator, name: AdapterMethod, args: readonly unknown[]) {
  const change = sessionChangeOf(name, args)
  return change && (() => to.invalidate(change))
}
