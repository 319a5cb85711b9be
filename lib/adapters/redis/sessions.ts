/**
 * Sessions in Redis 6.2 or later, for `combine`. The application passes a connected client, which this module never
 * closes.
 *
 * ```
 * <prefix>session:<token>   its end (ms since 1970), a space, the user's id    lives as long as the session
 * <prefix>user:<user id>    sorted set of tokens, scored by their end (ms)     lives as long as the last of them
 * <prefix>link:<token>      the provider session of its sign-in (JSON)         lives as long as the session
 * <prefix>data:<token>      the application's data (JSON)                      lives as long as the session
 * <prefix>linked:<name>     sorted set of tokens, by a name at the provider    lives as long as the last of them
 * ```
 *
 * Every command uses one key, so it works in a cluster with the keys in any slots. Ids are escaped, braces included, so
 * that a user's name cannot choose a slot. A prefix with braces (`{auth}:`) puts all keys into one slot. When two keys
 * change, the index is written first and cleared last: it may name a session that does not exist, but a session that it
 * does not name would survive when all sessions of its user are ended.
 *
 * Redis must not evict these keys (`maxmemory-policy noeviction`): without its index a session is not found when all
 * sessions of a user are ended.
 */
import type { AdapterSession, AdapterSessionData, AdapterSessionLink, SessionLinkQuery } from '../../types/adapter.js'
import type { StoreInspection } from '../../types/store.js'
import { type Commands, type IORedisClient, type NodeRedisClient, toCommands } from './commands.js'
import { inspectRedis } from './inspect.js'
import { sessionScripts } from './scripts.js'
import { createRedisSessionData, type RedisSessionData } from './session-data.js'
import { createRedisSessionLinks, type SessionLinks } from './session-links.js'

/** The options of {@link redisSessions}. */
export interface RedisSessionsOptions {
  /** The prefix of every key. Default `server-auth:`. Applications that share a database need different prefixes. */
  prefix?: string
}

/** Sessions without their users, for `combine`. All methods reject when the client does. */
export interface RedisSessions {
  /** Stores a session. Rejects when one with this token exists. */
  createSession(session: AdapterSession): Promise<AdapterSession>
  /** Returns the session, or `null` when it does not exist or has expired. */
  getSession(sessionToken: string): Promise<AdapterSession | null>
  /**
   * Changes a session. Returns `null` when it does not exist. A session that is deleted at the same time stays deleted.
   */
  updateSession(
    session: Partial<AdapterSession> & {
      /** The token of the session to change. */
      sessionToken: string
    },
  ): Promise<AdapterSession | null>
  /** Deletes and returns the session, if it exists. */
  deleteSession(sessionToken: string): Promise<AdapterSession | null>
  /** Returns those of these sessions that exist and have not expired. */
  getSessions(sessionTokens: readonly string[]): Promise<AdapterSession[]>
  /** Returns all sessions of a user that have not expired. */
  listSessionsByUserId(userId: string): Promise<AdapterSession[]>
  /** Deletes all sessions of a user and returns their number. */
  deleteSessionsByUserId(userId: string): Promise<number>
  /** Stores the provider session of a session. Rejects when the session does not exist. */
  linkSession(link: AdapterSessionLink): Promise<void>
  /** Returns the links of one subject, or of one session at a provider. */
  listSessionLinks(by: SessionLinkQuery): Promise<AdapterSessionLink[]>
  /** Returns the data of a session; `null` when there is none. */
  getSessionData(sessionToken: string): Promise<string | null>
  /** Writes the data. Returns `false` when it is no longer `previous`, or the session does not exist. */
  writeSessionData(change: AdapterSessionData): Promise<boolean>
  /** Returns whether Redis keeps its keys, for `npx server-auth doctor`. */
  inspect(): Promise<readonly StoreInspection[]>
}

/**
 * Stores sessions in Redis. If they are lost, users are signed out, and nothing else is lost.
 *
 * By default both clients queue commands while Redis is unavailable, and requests wait. Make commands fail at once:
 * `disableOfflineQueue` for `redis`, `enableOfflineQueue: false` and `maxRetriesPerRequest: 1` for `ioredis`. Add a
 * listener for `error` to both; without one `redis` ends the process when the connection breaks.
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
  const store = createSessionKeys(commands, prefix)
  const index = createUserIndex(commands, prefix)
  const links = createRedisSessionLinks(commands, prefix)
  const texts = createRedisSessionData(commands, prefix)
  return {
    getSession: store.read,
    // Clients send these commands together. One command for all would need their keys in one slot of a cluster.
    getSessions: async (sessionTokens) =>
      (await Promise.all(sessionTokens.map(store.read))).filter((session) => session !== null),
    ...createWriters({ store, index, links, texts }),
    ...createListers({ store, index, texts }),
    async linkSession(link) {
      const session = await store.read(link.sessionToken)
      if (!session) throw new Error('Redis: the session does not exist')
      await links.write(link, toExpiryTime(session.expires))
    },
    inspect: async () => [await inspectRedis(commands)],
    getSessionData: texts.read,
    writeSessionData: (change) => writeData(store, texts, change),
    listSessionLinks: (by) => links.list('subject' in by ? by.subject : by.providerSession),
  }
}

/** Writes data that lives exactly as long as the session, which may be extended or ended during the write. */
async function writeData(store: SessionKeys, texts: RedisSessionData, change: AdapterSessionData): Promise<boolean> {
  const { sessionToken } = change
  const before = await store.read(sessionToken)
  if (!before || !(await texts.write(change, toExpiryTime(before.expires)))) return false
  const session = await store.read(sessionToken)
  if (session) await texts.extend(sessionToken, toExpiryTime(session.expires))
  else await texts.forget(sessionToken)
  return session !== null
}

interface Parts {
  readonly store: SessionKeys
  readonly index: UserIndex
  readonly links: SessionLinks
  readonly texts: RedisSessionData
}

/** Creates the methods that change one session. */
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
      throw new Error('Redis: a session with this token already exists')
    },

    async updateSession({ sessionToken, userId, expires }) {
      const stored = await store.read(sessionToken)
      if (!stored) return null
      const session = { sessionToken, userId: userId ?? stored.userId, expires: expires ?? stored.expires }
      await index.note(session)
      const until = toExpiryTime(session.expires)
      await links.extend(sessionToken, until)
      // Before the write, so that the data never ends before its session, and after it, for data that was written
      // meanwhile.
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

/** Creates the methods for all sessions of a user. */
function createListers({
  store,
  index,
  texts,
}: Pick<Parts, 'store' | 'index' | 'texts'>): Pick<RedisSessions, 'listSessionsByUserId' | 'deleteSessionsByUserId'> {
  /** Reads in batches: there may be thousands, and a client sends all commands at once. */
  async function* sessionsOf(userId: string): AsyncGenerator<AdapterSession[]> {
    const tokens = await index.read(userId)
    for (let at = 0; at < tokens.length; at += sessionBatchSize) {
      const found = await Promise.all(tokens.slice(at, at + sessionBatchSize).map(store.read))
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

const sessionBatchSize = 100

/** The sessions, without indexes. */
interface SessionKeys {
  read(sessionToken: string): Promise<AdapterSession | null>
  /** Deletes a session and returns it. */
  take(sessionToken: string): Promise<AdapterSession | null>
  /** Writes a session. `NX`: only a new one; `XX`: only an existing one. Returns whether it was written. */
  write(session: AdapterSession, condition: 'NX' | 'XX'): Promise<boolean>
}

function createSessionKeys({ get, take, run }: Commands, prefix: string): SessionKeys {
  const keyOf = (sessionToken: string) => `${prefix}session:${encodeURIComponent(sessionToken)}`
  return {
    read: async (sessionToken) => parseStoredSession(sessionToken, await get(keyOf(sessionToken))),
    take: async (sessionToken) => parseStoredSession(sessionToken, await take(keyOf(sessionToken))),
    write: async ({ sessionToken, userId, expires }, condition) => {
      const time = toExpiryTime(expires)
      return (await run(sessionScripts.set, [keyOf(sessionToken)], `${time} ${userId}`, time, condition)) !== null
    },
  }
}

interface UserIndex {
  note(session: AdapterSession): Promise<void>
  read(userId: string): Promise<string[]>
  forget(userId: string, tokens: readonly string[]): Promise<void>
}

/**
 * Creates the index of a user's tokens. A token is removed by the call that deletes its session, or when it expires. A
 * reader that finds no session leaves the token in the index, because another call may be about to write the session.
 */
function createUserIndex({ run }: Commands, prefix: string): UserIndex {
  const keyOf = (userId: string) => `${prefix}user:${encodeURIComponent(userId)}`
  return {
    note: async ({ userId, sessionToken, expires }) => {
      await run(sessionScripts.note, [keyOf(userId)], toExpiryTime(expires), sessionToken)
    },
    read: async (userId) => {
      const tokens = await run(sessionScripts.read, [keyOf(userId)])
      return Array.isArray(tokens) ? tokens.map(String) : []
    },
    forget: async (userId, tokens) => {
      await run(sessionScripts.forget, [keyOf(userId)], ...tokens)
    },
  }
}

/** Returns milliseconds since the epoch. Redis accepts no earlier time. */
function toExpiryTime(expires: Date): string {
  const time = expires.getTime()
  if (Number.isNaN(time)) throw new TypeError('Redis: `expires` of a session is not a valid date')
  return String(Math.max(time, 1))
}

/** Reads the text of `write`: the end, a space, and the id of the user. */
function parseStoredSession(sessionToken: string, value: unknown): AdapterSession | null {
  if (value === null) return null
  const [, time, userId] = /^(\d+) (.*)$/s.exec(String(value)) ?? []
  if (time === undefined || userId === undefined) throw new Error('Redis: the stored value is not a session')
  return { sessionToken, userId, expires: new Date(Number(time)) }
}
