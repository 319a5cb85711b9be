/** One adapter out of two stores: users, accounts, tokens and passkeys in a database, sessions elsewhere. */

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

/** Keeps sessions, without their users: `redisSessions`, or a store of your own. The methods are those of an adapter. */
export interface SessionStore {
  /** Stores a session. Rejects when there is one with this token. */
  createSession(session: AdapterSession): Awaitable<AdapterSession>
  /** The session, or `null`. */
  getSession(sessionToken: string): Awaitable<AdapterSession | null>
  /** Changes the fields that are given. `null` when there is no such session: it must not come back to life. */
  updateSession(
    session: Partial<AdapterSession> & {
      /** Of the session to be changed. */
      sessionToken: string
    },
  ): Awaitable<AdapterSession | null | undefined | void>
  /** Deletes a session, and returns it if that costs nothing. One that is not there is no error. */
  deleteSession(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  /** All sessions of a user; an empty array where there are none. */
  listSessionsByUserId(userId: string): Awaitable<AdapterSession[]>
  /** Deletes all sessions of a user. */
  deleteSessionsByUserId(userId: string): Awaitable<unknown>
  /** Stores by which session at a provider a session began. This and the next are for `logout.backchannel` and `logout.frontchannel`. */
  linkSession?(link: AdapterSessionLink): Awaitable<AdapterSessionLink | null | undefined | void>
  /** The links of one subject, or of one session at a provider. */
  listSessionLinks?(by: SessionLinkQuery): Awaitable<AdapterSessionLink[]>
  /** The data of a session; `null` where there is none. This and the next are for `session.data`. */
  getSessionData?(sessionToken: string): Awaitable<string | null>
  /** Writes the data where it still is `previous`, in one step, and says whether it did. */
  writeSessionData?(change: AdapterSessionData): Awaitable<boolean>
  /** What the database behind it is like, for `npx server-auth doctor`. */
  inspect?(): Awaitable<readonly StoreInspection[]>
}

/**
 * An adapter that keeps sessions in `sessions` and everything else in `adapter`. It has each method that `adapter` has,
 * called as a method of it, and all that concern sessions.
 *
 * A session whose user is gone is deleted when it is read. `deleteUser` ends the sessions first: when that fails, the user
 * is still there and it can be tried again; a session that begins in between is deleted when it is read.
 *
 * Sessions take no part in `transaction`. What is ended there is ended at once, and once more after the commit, for a
 * session may have begun meanwhile; what is created there is deleted when the transaction fails. So a transaction that fails
 * may sign somebody out, and never signs anybody in.
 *
 * @throws {TypeError} when `adapter` has no `getUser`, or `sessions` lacks a method.
 * @example
 * ```ts
 * const adapter = combine(users, { sessions: redisSessions(client) })
 * ```
 */
export function combine(
  adapter: Adapter,
  options: {
    /** Where sessions are kept. */
    sessions: SessionStore
  },
): Adapter {
  const sessions = options?.sessions
  assertMethods('the adapter', adapter, ['getUser'])
  assertMethods('`sessions`', sessions, sessionMethods)
  return join(adapter, sessions)
}

/** Written as records so that the compiler asks for a method that is missing here. */
const sessionMethods = Object.keys({
  createSession: true,
  getSession: true,
  updateSession: true,
  deleteSession: true,
  listSessionsByUserId: true,
  deleteSessionsByUserId: true,
} satisfies Record<Exclude<keyof SessionStore, OptionalMethod | 'inspect'>, true>)

/**
 * Where sessions are kept, there are their links and their data; never in the other store, which does not know when they are of no
 * use.
 */
type OptionalMethod = 'linkSession' | 'listSessionLinks' | 'getSessionData' | 'writeSessionData'

const optionalMethods: readonly OptionalMethod[] = [
  'linkSession',
  'listSessionLinks',
  'getSessionData',
  'writeSessionData',
]

/** Those that an adapter has, too. */
const adapterSessionMethods = [...sessionMethods, ...optionalMethods].filter(
  (name) => name !== 'getSession' && name !== 'getSessionData',
)

type SessionMethod = keyof SessionStore | 'getSessionAndUser' | 'getSessionUserAndData'

const passedThrough = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
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
  store: true,
  prune: true,
} satisfies Record<Exclude<AdapterMethod, SessionMethod | 'deleteUser' | 'transaction' | 'inspect'>, true>)

function join(adapter: Adapter, sessions: SessionStore): Adapter {
  return {
    ...methodsOf(adapter, passedThrough),
    // What the engine says about methods that are missing.
    ...('preset' in adapter && { preset: adapter.preset }),
    ...methodsOf(sessions, adapterSessionMethods),
    getSessionAndUser: (sessionToken) => readSession(adapter, sessions, sessionToken),
    ...(typeof sessions.getSessionData === 'function' && {
      getSessionUserAndData: (sessionToken: string) => readWithData(adapter, sessions, sessionToken),
    }),
    ...(has(adapter, 'deleteUser') && {
      async deleteUser(id: string) {
        await sessions.deleteSessionsByUserId(id)
        return adapter.deleteUser(id)
      },
    }),
    ...((has(adapter, 'inspect') || typeof sessions.inspect === 'function') && {
      async inspect() {
        const [users = [], own = []] = await Promise.all([adapter.inspect?.(), sessions.inspect?.()])
        return [...users, ...own]
      },
    }),
    ...(has(adapter, 'transaction') && {
      transaction: <T>(work: (adapter: Adapter) => Promise<T>) => runTransaction(adapter, sessions, work),
    }),
  }
}

type Having<Name extends AdapterMethod> = Adapter & Required<Pick<Adapter, Name>>

function has<Name extends AdapterMethod>(adapter: Adapter, name: Name): adapter is Having<Name> {
  return typeof adapter[name] === 'function'
}

/** Methods of an object or of its prototypes, as properties of a plain one. */
function methodsOf<Owner extends object>(owner: Owner, names: readonly string[]): Owner {
  const target: object = owner
  const present = names.filter((name) => typeof Reflect.get(target, name) === 'function')
  return Object.fromEntries(
    present.map((name) => [name, (...values: unknown[]) => Reflect.apply(Reflect.get(target, name), target, values)]),
  ) as Owner
}

async function readSession(
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

/** Data that is written between the two is not read with its session: it is when the session is read again. */
async function readWithData(adapter: Adapter, sessions: SessionStore, sessionToken: string) {
  const [found, data] = await Promise.all([
    readSession(adapter, sessions, sessionToken),
    sessions.getSessionData?.(sessionToken),
  ])
  return found && { ...found, data: data ?? null }
}

async function runTransaction<T>(
  adapter: Having<'transaction'>,
  sessions: SessionStore,
  work: (adapter: Adapter) => Promise<T>,
): Promise<T> {
  const watched = watch(sessions)
  try {
    const result = await adapter.transaction(async (inner) => {
      // An adapter may try again after a conflict: each try begins without the sessions of the one before.
      await watched.undo()
      return work(join(inner, watched.store))
    })
    await watched.endAgain()
    return result
  } catch (error) {
    await watched.undo()
    throw error
  }
}

interface Watched {
  readonly store: SessionStore
  /** Deletes what was created, as far as that is possible: nobody has been told the tokens. */
  undo(): Promise<void>
  /** Ends the sessions of the users whose sessions were ended, all but those that were created here. */
  endAgain(): Promise<void>
}

/** The store, noting what is to be done at the end of a transaction. */
function watch(sessions: SessionStore): Watched {
  const created = new Set<string>()
  const ended = new Set<string>()
  return {
    store: {
      ...methodsOf(sessions, [...sessionMethods, ...optionalMethods]),
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
