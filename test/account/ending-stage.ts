/**
 * Processes of a site that share only the store of users, sessions and ends of sessions; and the browsers that visit
 * them.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { combine } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { redisSessions, redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { hasRedis, libraries } from '../adapters/redis-clients.js'
import type { Calls, OpenDoor } from '../calls/doors.js'
import { type DatabaseKind, databaseKinds, requireDatabase } from '../support/databases.js'
import type { Door } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'
import { skip } from '../support/skip.js'

export type Strategy = 'jwt' | 'database'

/** A store of users, sessions and ends of sessions. */
export interface Place {
  /** Returns the options that another process adds to its configuration. */
  configOf(strategy: Strategy): Partial<ServerAuthConfig>
  close(): Promise<void>
}

/** JWT sessions are listed. With database sessions, disabled users are recorded. */
const noted = (strategy: Strategy) => (strategy === 'jwt' ? { list: true } : {})

async function inMemory(): Promise<Place> {
  const adapter = memoryAdapter()
  return {
    configOf: (strategy) => ({ adapter, session: { strategy, revocation: noted(strategy) } }),
    close: async () => {},
  }
}

async function inDatabase(context: Mocha.Context, kind: DatabaseKind): Promise<Place> {
  const database = await requireDatabase(context, kind)
  await migrate(database.db)
  return {
    configOf: (strategy) => ({ adapter: sqlAdapter(database.db), session: { strategy, revocation: noted(strategy) } }),
    close: () => database.close(),
  }
}

/** Sessions and their ends are in Redis. Users are in another store. */
async function inRedis(context: Mocha.Context): Promise<Place> {
  if (!(await hasRedis())) skip(context, 'no Redis at 127.0.0.1:6379')
  const opened = await libraries.redis?.()
  if (!opened) throw new Error('there is no such client')
  const { client, command, close } = opened
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  const users = memoryAdapter()
  return {
    configOf: (strategy) => ({
      adapter: strategy === 'jwt' ? users : combine(users, { sessions: redisSessions(client, { prefix }) }),
      session: { strategy, revocation: { store: redisStore(client, { prefix }), ...noted(strategy) } },
    }),
    async close() {
      const keys = await command('KEYS', `${prefix}*`)
      for (const key of Array.isArray(keys) ? keys : []) await command('DEL', String(key))
      await close()
    },
  }
}

/** The stores by name. Each function opens the store, or skips the tests. */
export const places: ReadonlyArray<readonly [name: string, open: (context: Mocha.Context) => Promise<Place>]> = [
  ['memory', inMemory],
  ...databaseKinds.map((kind) => [kind, (context: Mocha.Context) => inDatabase(context, kind)] as const),
  ['Redis', inRedis],
]

/** A process of the site that runs the work that a test gives it. */
export class Site {
  readonly #door: Door
  readonly #next: { work: (calls: Calls) => Promise<unknown> }

  constructor(door: Door, next: { work: (calls: Calls) => Promise<unknown> }) {
    this.#door = door
    this.#next = next
  }

  static async open(open: OpenDoor, config: Partial<ServerAuthConfig>): Promise<Site> {
    clearSiteMemories()
    const next = { work: async (_calls: Calls): Promise<unknown> => null }
    const site = new Site(await open(config, (calls) => next.work(calls)), next)
    // The shim makes its configuration with the first request.
    await site.browser().ask('/api/auth/session')
    return site
  }

  /** Creates a browser at this process, with the cookies of a browser of another process. */
  browser(held: Browser | undefined = undefined): Browser {
    const visitor = this.#door.browser()
    for (const [name, value] of held?.cookies ?? []) visitor.cookies.set(name, value)
    return visitor
  }

  /** Runs the application's code, requested by its own page in this browser. */
  async run<T>(visitor: Browser, work: (calls: Calls) => Promise<T>): Promise<T> {
    this.#next.work = work
    const headers = { origin: this.#door.origin }
    const { status, text: body } = await visitor.ask('/do', { method: 'POST', headers })
    if (status !== 200) throw new Error(`${status} ${body}`)
    return JSON.parse(body)
  }

  /** Checks whether a user is signed in. The route and the function must agree. */
  async isIn(visitor: Browser): Promise<boolean> {
    const shown: unknown = (await visitor.ask('/api/auth/session')).body
    const read = await this.run(visitor, (calls) => calls.session())
    expect(read === null).to.equal(shown === null)
    return shown !== null
  }

  /** Checks whether the guard that queries the store allows the visitor. */
  async isLive(visitor: Browser): Promise<boolean> {
    this.#next.work = async (calls) => calls.live?.()
    const { status } = await visitor.ask('/do', { method: 'POST', headers: { origin: this.#door.origin } })
    expect(status).to.be.oneOf([200, 401])
    return status === 200
  }

  close(): Promise<void> {
    return this.#door.close()
  }
}
