/**
 * Sessions in Redis 6.2 or later, for `combine`. The client is yours: it is passed in connected, and never closed here.
 *
 * ```
 * <prefix>session:<token>   its end (ms since 1970), a space, the user's id    lives as long as the session
 * <prefix>user:<user id>    sorted set of tokens, scored by their end (ms)     lives as long as the last of them
 * <prefix>link:<token>      by which session at a provider it began (JSON)    lives as long as the session
 * <prefix>data:<token>      what the application put there (JSON)            lives as long as the session
 * <prefix>linked:<name>     sorted set of tokens, by a name at the provider    lives as long as the last of them
 * ```
 *
 * Every command touches one key, so that it works in a cluster with the keys in any slots; ids are escaped, braces included,
 * so that nobody chooses a slot by the name of a user. A prefix with braces (`{auth}:`) puts all keys into one slot. Where two
 * keys change, the index is written first and cleared last: it may name a session that is not there, but a session that it
 * does not name would survive when all sessions of its user are ended.
 *
 * Redis must not evict these keys (`maxmemory-policy noeviction`): without its index a session is not found when all
 * sessions of a user are ended.
 */
import type { AdapterSession, AdapterSessionData, AdapterSessionLink, SessionLinkQuery } from '../../types/adapter.js'
import type { StoreInspection } from '../../types/store.js'
import { type Commands, type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { inspect } from './inspect.js'
import { scripts } from './scripts.js'
import { createSessionTexts, type SessionTexts } from './session-data.js'
import { createSessionLinks, type SessionLinks } from './session-links.js'

/** Options of {@link redisSessions}. */
export interface RedisSessionsOptions {
  /** Stands before every key. Default `server-auth:`. Applications that share a database each need their own. */
  prefix?: string
}

/** Sessions without their users: what `combine` takes. All methods reject when the client does. */
export interface RedisSessions {
  /** Rejects when there is a session with this token. */
  createSession(session: AdapterSession): Promise<AdapterSession>
  /** `null` when there is none; one whose time is over is none. */
  getSession(sessionToken: string): Promise<AdapterSession | null>
  /** `null` when there is none: a session that is deleted at the same time stays deleted. */
  updateSession(
    session: Partial<AdapterSession> & {
      /** Of the session to be changed. */
      sessionToken: string
    },
  ): Promise<AdapterSession | null>
  /** The session that was deleted, if there was one. */
  deleteSession(sessionToken: string): Promise<AdapterSession | null>
  /** All sessions of a user that have not ended. */
  listSessionsByUserId(userId: string): Promise<AdapterSession[]>
  /** How many there were. */
  deleteSessionsByUserId(userId: string): Promise<number>
  /** Rejects when there is no such session. */
  linkSession(link: AdapterSessionLink): Promise<void>
  /** The links of one subject, or of one session at a provider. */
  listSessionLinks(by: SessionLinkQuery): Promise<AdapterSessionLink[]>
  /** The data of a session; `null` where there is none. */
  getSessionData(sessionToken: string): Promise<string | null>
  /** `false` where the data is not `previous` any more, or there is no such session. */
  writeSessionData(change: AdapterSessionData): Promise<boolean>
  /** Whether Redis keeps what it is given: for `npx server-auth doctor`. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * Keeps sessions in Redis. Losing them signs people out and loses nothing else.
 *
 * By default both clients keep commands while Redis is away, and requests wait. Let them fail at once:
 * `disableOfflineQueue` for `redis`, `enableOfflineQueue: false` and `maxRetriesPerRequest: 1` for `ioredis`. Both want
 * a listener for `error`; without one `redis` ends the process when the connection breaks.
 *
 * @param client A connected client of `redis` or `ioredis`.
 * @throws {TypeError} for anything else.
 * @example
 * ```ts
 * const client = createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true })
 * client.on('error', (error) => console.error(error))
 * await client.connect()
 * const adapter = combine(users, { sessions: redisSessions(client) })
 * ```
 */
export function redisSessions(
  client: NodeRedisClient | IORedisClient,
  { prefix = 'server-auth:' }: RedisSessionsOptions = {},
): RedisSessions {
  const commands = toCommands(client, 'redisSessions')
  const store = createStore(commands, prefix)
  const index = createIndex(commands, prefix)
  const links = createSessionLinks(commands, prefix)
  const texts = createSessionTexts(commands, prefix)
  return {
    getSession: store.read,
    ...createWriters({ store, index, links, texts }),
    ...createListers({ store, index, texts }),
    async linkSession(link) {
      const session = await store.read(link.sessionToken)
      if (!session) throw new Error('Redis: there is no such session')
      await links.write(link, toTime(session.expires))
    },
    inspect: async () => [await inspect(commands)],
    getSessionData: texts.read,
    writeSessionData: (change) => writeData(store, texts, change),
    listSessionLinks: (by) => links.list('subject' in by ? by.subject : by.providerSession),
  }
}

/** The data lives no longer than the session, and no shorter: that may have been extended, or ended, while it was written. */
async function writeData(store: Store, texts: SessionTexts, change: AdapterSessionData): Promise<boolean> {
  const { sessionToken } = change
  const before = await store.read(sessionToken)
  if (!before || !(await texts.write(change, toTime(before.expires)))) return false
  const session = await store.read(sessionToken)
  if (session) await texts.extend(sessionToken, toTime(session.expires))
  else await texts.forget(sessionToken)
  return session !== null
}

interface Parts {
  readonly store: Store
  readonly index: Index
  readonly links: SessionLinks
  readonly texts: SessionTexts
}

/** The methods that change one session. */
function createWriters({
  store,
  index,
  links,
  texts,
}: Parts): Pick<RedisSessions, 'createSession' | 'updateSession' | 'deleteSession'> {
  return {
    async createSession(session) {
      const { sessionToken, userId } = session
      await index.note(session)
      if (await store.write(session, 'NX')) return session
      const there = await store.read(sessionToken)
      if (there?.userId !== userId) await index.forget(userId, [sessionToken])
      throw new Error('Redis: there is a session with this token already')
    },

    async updateSession({ sessionToken, userId, expires }) {
      const stored = await store.read(sessionToken)
      if (!stored) return null
      const session = { sessionToken, userId: userId ?? stored.userId, expires: expires ?? stored.expires }
      await index.note(session)
      const until = toTime(session.expires)
      await links.extend(sessionToken, until)
      // Before, so that it never ends before its session; and after, for what was written meanwhile.
      await texts.extend(sessionToken, until)
      if (await store.write(session, 'XX')) {
        await texts.extend(sessionToken, until)
        return session
      }
      await index.forget(session.userId, [sessionToken])
      return null
    },

    async deleteSession(sessionToken) {
      const session = await store.take(sessionToken)
      if (session) await index.forget(session.userId, [sessionToken])
      await links.forget(sessionToken)
      await texts.forget(sessionToken)
      return session
    },
  }
}

/** The methods for all sessions of a user. */
function createListers({
  store,
  index,
  texts,
}: Pick<Parts, 'store' | 'index' | 'texts'>): Pick<RedisSessions, 'listSessionsByUserId' | 'deleteSessionsByUserId'> {
  /** In batches: there may be thousands, and a client sends what it is given at once. */
  async function* sessionsOf(userId: string): AsyncGenerator<AdapterSession[]> {
    const tokens = await index.read(userId)
    for (let at = 0; at < tokens.length; at += batch) {
      const found = await Promise.all(tokens.slice(at, at + batch).map(store.read))
      yield found.filter((session) => session !== null).filter((session) => session.userId === userId)
    }
  }

  return {
    async listSessionsByUserId(userId) {
      const sessions: AdapterSession[] = []
      for await (const some of sessionsOf(userId)) sessions.push(...some)
      return sessions
    },

    async deleteSessionsByUserId(userId) {
      let count = 0
      for await (const some of sessionsOf(userId)) {
        const tokens = some.map(({ sessionToken }) => sessionToken)
        await Promise.all(tokens.map(store.take))
        await Promise.all(tokens.map(texts.forget))
        if (tokens.length > 0) await index.forget(userId, tokens)
        count += tokens.length
      }
      return count
    },
  }
}

const batch = 100

/** The sessions themselves. */
interface Store {
  read(sessionToken: string): Promise<AdapterSession | null>
  /** Deletes, and returns what was there. */
  take(sessionToken: string): Promise<AdapterSession | null>
  /** `NX`: only a new session, `XX`: only one that is there. Says whether it was written. */
  write(session: AdapterSession, condition: 'NX' | 'XX'): Promise<boolean>
}

function createStore({ get, take, run }: Commands, prefix: string): Store {
  const keyOf = (sessionToken: string) => `${prefix}session:${encodeURIComponent(sessionToken)}`
  return {
    read: async (sessionToken) => toSession(sessionToken, await get(keyOf(sessionToken))),
    take: async (sessionToken) => toSession(sessionToken, await take(keyOf(sessionToken))),
    write: async ({ sessionToken, userId, expires }, condition) => {
      const time = toTime(expires)
      return (await run(scripts.set, [keyOf(sessionToken)], `${time} ${userId}`, time, condition)) !== null
    },
  }
}

interface Index {
  note(session: AdapterSession): Promise<void>
  read(userId: string): Promise<string[]>
  forget(userId: string, tokens: readonly string[]): Promise<void>
}

/**
 * Which tokens a user has. A token is taken out by the call that deletes its session, or when its time is over. A reader that
 * misses the session leaves the token in: another call may be about to write the session.
 */
function createIndex({ run }: Commands, prefix: string): Index {
  const keyOf = (userId: string) => `${prefix}user:${encodeURIComponent(userId)}`
  return {
    note: async ({ userId, sessionToken, expires }) => {
      await run(scripts.note, [keyOf(userId)], toTime(expires), sessionToken)
    },
    read: async (userId) => {
      const tokens = await run(scripts.read, [keyOf(userId)])
      return Array.isArray(tokens) ? tokens.map(String) : []
    },
    forget: async (userId, tokens) => {
      await run(scripts.forget, [keyOf(userId)], ...tokens)
    },
  }
}

/** Milliseconds since the epoch. Redis takes no time before it. */
function toTime(expires: Date): string {
  const time = expires.getTime()
  if (Number.isNaN(time)) throw new TypeError('Redis: `expires` of a session is not a valid date')
  return String(Math.max(time, 1))
}

/** Reads what `write` wrote: the end, a space, and the id of the user. */
function toSession(sessionToken: string, value: unknown): AdapterSession | null {
  if (value === null) return null
  const [, time, userId] = /^(\d+) (.*)$/s.exec(String(value)) ?? []
  if (time === undefined || userId === undefined) throw new Error('Redis: what is stored for a session is not one')
  return { sessionToken, userId, expires: new Date(Number(time)) }
}
