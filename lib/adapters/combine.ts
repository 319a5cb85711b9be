/** Combines two stores into one adapter: users, accounts, tokens and passkeys in a database, sessions elsewhere. */

import { bindMethods } from '../base/bind-methods.js'
import type {
  Adapter,
  AdapterMethod,
  AdapterSession,
  AdapterSessionData,
  AdapterSessionLink,
  AdapterUser,
  SessionLinkQuery,
} from '../types/adapter.js'
import type { Awaitable } from '../types/identity.js'
import type { StoreInspection } from '../types/store.js'

/**
 * A store for sessions without their users: `redisSessions`, or a store of your own. The methods are those of an
 * adapter.
 */
export interface SessionStore {
  /** Stores a session. Rejects when one with this token exists. */
  createSession(session: AdapterSession): Awaitable<AdapterSession>
  /** Returns the session, or `null`. */
  getSession(sessionToken: string): Awaitable<AdapterSession | null>
  /** Changes the given fields. Returns `null` when the session does not exist: a deleted session must not return. */
  updateSession(
    session: Partial<AdapterSession> & {
      /** The token of the session to change. */
      sessionToken: string
    },
  ): Awaitable<AdapterSession | null | undefined | void>
  /** Deletes a session, and returns it if that takes no extra query. A missing session is not an error. */
  deleteSession(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  /** Returns those of these sessions that exist. Optional: `auth.sessions.watch` then reads one after the other. */
  getSessions?(sessionTokens: readonly string[]): Awaitable<AdapterSession[]>
  /** Returns all sessions of a user, or an empty array. */
  listSessionsByUserId(userId: string): Awaitable<AdapterSession[]>
  /** Deletes all sessions of a user. */
  deleteSessionsByUserId(userId: string): Awaitable<unknown>
  /**
   * Stores the provider session by which a session began. This and the next method are for `logout.backchannel` and
   * `logout.frontchannel`.
   */
  linkSession?(link: AdapterSessionLink): Awaitable<AdapterSessionLink | null | undefined | void>
  /** Returns the links of one subject, or of one session at a provider. */
  listSessionLinks?(by: SessionLinkQuery): Awaitable<AdapterSessionLink[]>
  /** Returns the data of a session; `null` when there is none. This and the next method are for `session.data`. */
  getSessionData?(sessionToken: string): Awaitable<string | null>
  /** Writes the data if it still is `previous`, in one step. Returns whether it did. */
  writeSessionData?(change: AdapterSessionData): Awaitable<boolean>
  /** Returns the state of the database, for `npx server-auth doctor`. */
  inspect?(): Awaitable<readonly StoreInspection[]>
}

/**
 * Creates an adapter that stores sessions in `sessions` and everything else in `adapter`. It has each method of
 * `adapter`, called on that object, and all session methods.
 *
 * A session whose user does not exist is deleted when it is read. `deleteUser` ends the sessions first: if that fails,
 * the user still exists and you can retry. A session that begins in between is deleted when it is read.
 *
 * Sessions take no part in `transaction`. Sessions that are ended there end at once, and again after the commit,
 * because one may have begun meanwhile. Sessions that are created there are deleted when the transaction fails. So a
 * failed transaction may sign a user out, but signs no user in.
 *
 * @throws {TypeError} when `adapter` has no `getUser`, or `sessions` lacks a method.
 * @example
 * ```ts
 * const adapter = combine(users, { sessions: redisSessions(client) })
 * ```
 */
export function combine<Fields = unknown>(
  adapter: Adapter<Fields>,
  options: {
    /** The store for sessions. */
    sessions: SessionStore
  },
): Adapter<Fields> {
  const sessions = options?.sessions
  assertMethods('the adapter', adapter, ['getUser'])
  assertMethods('`sessions`', sessions, requiredSessionMethods)
  // The methods are those of `adapter`, so they return its fields.
  return joinAdapters(adapter, sessions) as Adapter<Fields>
}

/** A record, so that the compiler reports a method that is missing here. */
const requiredSessionMethods = Object.keys({
  createSession: true,
  getSession: true,
  updateSession: true,
  deleteSession: true,
  listSessionsByUserId: true,
  deleteSessionsByUserId: true,
} satisfies Record<Exclude<keyof SessionStore, (typeof optionalMethods)[number] | 'inspect'>, true>)

/**
 * The optional methods, which belong to the store of the sessions. The other store does not know when they
 * become obsolete.
 */
const optionalMethods = [
  'linkSession',
  'listSessionLinks',
  'getSessionData',
  'writeSessionData',
  'getSessions',
] as const satisfies ReadonlyArray<keyof SessionStore>

/** The methods that adapters have too. */
const adapterSessionMethods = [...requiredSessionMethods, ...optionalMethods].filter(
  (name) => name !== 'getSession' && name !== 'getSessionData',
)

type SessionMethod = keyof SessionStore | 'getSessionAndUser' | 'getSessionUserAndData'

const passedThrough = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  listUsers: true,
  linkAccount: true,
  unlinkAccount: true,
  getAccount: true,
  listAccountsByUserId: true,
  createVerificationToken: true,
  useVerificationToken: true,
  deleteVerificationTokens: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  deleteAuthenticator: true,
  renameAuthenticator: true,
  checkUserFields: true,
  store: true,
  prune: true,
} satisfies Record<Exclude<AdapterMethod, SessionMethod | 'deleteUser' | 'transaction' | 'inspect'>, true>)

function joinAdapters(adapter: Adapter, sessions: SessionStore): Adapter {
  return {
    ...bindMethods(adapter, passedThrough),
    // The engine mentions the preset in errors about missing methods.
    ...('preset' in adapter && { preset: adapter.preset }),
    ...(adapter.userFields && { userFields: adapter.userFields }),
    ...bindMethods(sessions, adapterSessionMethods),
    getSessionAndUser: (sessionToken) => readSessionAndUser(adapter, sessions, sessionToken),
    ...(typeof sessions.getSessionData === 'function' && {
      getSessionUserAndData: (sessionToken: string) => readWithData(adapter, sessions, sessionToken),
    }),
    ...(hasMethod(adapter, 'deleteUser') && {
      async deleteUser(id: string) {
        await sessions.deleteSessionsByUserId(id)
        return adapter.deleteUser(id)
      },
    }),
    ...((hasMethod(adapter, 'inspect') || typeof sessions.inspect === 'function') && {
      async inspect() {
        const [users = [], own = []] = await Promise.all([adapter.inspect?.(), sessions.inspect?.()])
        return [...users, ...own]
      },
    }),
    ...(hasMethod(adapter, 'transaction') && {
      transaction: <T>(work: (adapter: Adapter) => Promise<T>) => runCombinedTransaction(adapter, sessions, work),
    }),
  }
}

type AdapterWith<Name extends AdapterMethod> = Adapter & Required<Pick<Adapter, Name>>

function hasMethod<Name extends AdapterMethod>(adapter: Adapter, name: Name): adapter is AdapterWith<Name> {
  return typeof adapter[name] === 'function'
}

async function readSessionAndUser(
  adapter: Adapter,
  sessions: SessionStore,
  sessionToken: string,
): Promise<{ session: AdapterSession; user: AdapterUser } | null> {
  const session = await sessions.getSession(sessionToken)
  if (!session) return null
  const user = await adapter.getUser?.(session.userId)
  if (user) return { session, user }
  await sessions.deleteSession(sessionToken)
  return null
}

/** Reads a session with its data. Data that is written between the two reads is returned by the next read. */
async function readWithData(adapter: Adapter, sessions: SessionStore, sessionToken: string) {
  const [found, data] = await Promise.all([
    readSessionAndUser(adapter, sessions, sessionToken),
    sessions.getSessionData?.(sessionToken),
  ])
  return found && { ...found, data: data ?? null }
}

async function runCombinedTransaction<T>(
  adapter: AdapterWith<'transaction'>,
  sessions: SessionStore,
  work: (adapter: Adapter) => Promise<T>,
): Promise<T> {
  const watched = watchSessions(sessions)
  try {
    const result = await adapter.transaction(async (inner) => {
      // An adapter may retry after a conflict: each attempt begins without the sessions of the previous one.
      await watched.undo()
      return work(joinAdapters(inner, watched.store))
    })
    await watched.endAgain()
    return result
  } catch (error) {
    await watched.undo()
    throw error
  }
}

interface WatchedSessions {
  readonly store: SessionStore
  /** Deletes what was created, as far as possible. The tokens have not been sent. */
  undo(): Promise<void>
  /** Ends the sessions of the users whose sessions were ended, except those that were created here. */
  endAgain(): Promise<void>
}

/** Wraps the store and records what to do at the end of a transaction. */
function watchSessions(sessions: SessionStore): WatchedSessions {
  const created = new Set<string>()
  const ended = new Set<string>()
  return {
    store: {
      ...bindMethods(sessions, [...requiredSessionMethods, ...optionalMethods]),
      async createSession(session) {
        const stored = await sessions.createSession(session)
        created.add(session.sessionToken)
        return stored
      },
      deleteSessionsByUserId: (userId) => {
        ended.add(userId)
        return sessions.deleteSessionsByUserId(userId)
      },
    },
    async undo() {
      await Promise.allSettled([...created].map(async (sessionToken) => sessions.deleteSession(sessionToken)))
      created.clear()
      ended.clear()
    },
    async endAgain() {
      for (const userId of ended) {
        for (const { sessionToken } of await sessions.listSessionsByUserId(userId)) {
          if (!created.has(sessionToken)) await sessions.deleteSession(sessionToken)
        }
      }
    },
  }
}

function assertMethods(what: string, value: unknown, names: readonly string[]): void {
  const isObject = typeof value === 'object' && value !== null
  const missing = isObject ? names.filter((name) => typeof Reflect.get(value, name) !== 'function') : names
  if (missing.length > 0) throw new TypeError(`combine: ${what} has no ${missing.join(', ')}`)
}
