/** Better Auth. Its session cookie with a cache needs no database on most requests; the other variants ask theirs each time. */
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { password, secret, user } from './people.mjs'

/** The cost of hashing is a choice of the application's, and no other variant hashes. */
const cheapPassword = {
  hash: async (text) => `plain:${text}`,
  verify: async ({ hash, password: text }) => hash === `plain:${text}`,
}

async function mount(app, { origin }, options) {
  const auth = betterAuth({
    baseURL: origin,
    secret,
    emailAndPassword: { enabled: true, password: cheapPassword },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    ...options,
  })
  app.all('/api/auth/*splat', toNodeHandler(auth))
  await options.prepare?.(auth)
  await auth.api.signUpEmail({ body: { name: user.name, email: user.email, password } }).catch((error) => {
    // An earlier process with the same database created the user.
    if (error.status !== 'UNPROCESSABLE_ENTITY') throw error
  })
  return async (req) => (await auth.api.getSession({ headers: fromNodeHeaders(req.headers) }))?.user
}

const memory = () => memoryAdapter({ user: [], session: [], account: [], verification: [] })

async function migrate(auth) {
  const { getMigrations } = await import('better-auth/db/migration')
  await (await getMigrations(auth.options)).runMigrations()
}

export const variants = {
  'cookie cache': (app, context) =>
    mount(app, context, { database: memory(), session: { cookieCache: { enabled: true, maxAge: 24 * 3600 } } }),
  async sqlite(app, context) {
    const { Kysely, SqliteDialect } = await import('kysely')
    const { default: Database } = await import('libsql')
    const db = new Kysely({ dialect: new SqliteDialect({ database: new Database(context.url) }) })
    return mount(app, context, { database: { db, type: 'sqlite' }, prepare: migrate })
  },
  async postgres(app, context) {
    const { default: pg } = await import('pg')
    return mount(app, context, { database: new pg.Pool({ connectionString: context.url }), prepare: migrate })
  },
}
