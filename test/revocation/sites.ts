/** Two processes of a site, as far as this library is concerned: they share only the store of ended sessions. */
import { randomBytes } from 'node:crypto'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { type RequireSessionOptions, requireSession, type ServerAuthConfig, type Session } from '../../lib/index.js'
import type { JWT } from '../../lib/types/jwt.js'
import type { RevocationOptions, SessionOptions } from '../../lib/types/session.js'
import type { Store } from '../../lib/types/store.js'
import { hasRedis, libraries } from '../adapters/redis-clients.js'
import { type Browser, startApp, type TestApp } from '../support/app.js'
import { type DatabaseKind, databaseKinds, requireDatabase } from '../support/databases.js'
import { plantSession } from '../support/session.js'
import { skip } from '../support/skip.js'

/** Makes a store for each process, on the same data. */
export interface SharedStores {
  make(): Pick<Store, 'log'>
  close(): Promise<unknown>
}

/** The stores by name. Each function opens the servers of the stores, or skips the tests. */
export const sharedStores: Readonly<Record<string, (context: Mocha.Context) => Promise<SharedStores>>> = {
  async memory() {
    const store = memoryStore()
    return { make: () => store, close: async () => {} }
  },
  ...Object.fromEntries(databaseKinds.map((kind) => [kind, (context: Mocha.Context) => onDatabase(context, kind)])),
  ...Object.fromEntries(
    Object.keys(libraries).map((name) => [name, (context: Mocha.Context) => onRedis(context, name)]),
  ),
}

async function onDatabase(context: Mocha.Context, kind: DatabaseKind): Promise<SharedStores> {
  const database = await requireDatabase(context, kind)
  await migrate(database.db)
  return { make: () => sqlStore(database.db), close: () => database.close() }
}

async function onRedis(context: Mocha.Context, library: string): Promise<SharedStores> {
  if (!(await hasRedis())) skip(context, 'no Redis at 127.0.0.1:6379')
  const opened = await libraries[library]?.()
  if (!opened) throw new Error(`there is no client ${library}`)
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  return {
    make: () => redisStore(opened.client, { prefix }),
    async close() {
      const keys = await opened.command('KEYS', `${prefix}*`)
      for (const key of Array.isArray(keys) ? keys : []) await opened.command('DEL', String(key))
      await opened.close()
    },
  }
}

/** The options of a process of the site. */
export interface SiteOptions extends Pick<RevocationOptions, 'maxStale' | 'onOutage'> {
  readonly config?: Partial<ServerAuthConfig>
  readonly session?: SessionOptions
  readonly routes?: (app: TestApp['app'], config: ServerAuthConfig) => void
}

/** Starts a process of the site. `GET /live` is behind a guard that queries the store. */
export function startSite(
  store: Pick<Store, 'log'>,
  { config = {}, session, routes, ...limits }: SiteOptions = {},
): Promise<TestApp> {
  clearSiteMemories()
  const live: RequireSessionOptions<Session> = { live: true }
  return startApp(
    { ...config, session: { strategy: 'jwt', revocation: { store, ...limits }, ...session } },
    {
      after: (app, full) => {
        app.get('/live', requireSession(full, live), (_req, res) => void res.json({ live: true }))
        routes?.(app, full)
      },
    },
  )
}

/** A new session of a stored user, as a sign-in makes it, in a browser of its own. */
export async function beginSession(app: TestApp, userId: string, claims: JWT = {}): Promise<Browser> {
  const browser = app.browser()
  const own = { sid: randomBytes(16).toString('base64url'), auth_time: Math.floor(Date.now() / 1000) - 3600 }
  await plantSession(browser, {
    sub: userId,
    name: userId,
    auth_owner: { id: userId, type: 'oauth' },
    ...own,
    ...claims,
  })
  return browser
}

/** The same cookies at another process. */
export function at(app: TestApp, { cookies }: Browser): Browser {
  const browser = app.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

/** Checks whether a user is signed in, by `getSession`. */
export async function isIn(browser: Browser): Promise<boolean> {
  const { status, body } = await browser.get('/me')
  if (status !== 200) throw new Error(`GET /me: ${status} ${JSON.stringify(body)}`)
  return body !== null
}
