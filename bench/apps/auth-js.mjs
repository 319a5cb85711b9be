/** `@auth/express`. */
import { ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import { client, secret, user } from './people.mjs'

const credentials = Credentials({
  credentials: { username: {} },
  authorize: async ({ username }) => (username ? user : null),
})

function providersOf({ providers = 1, issuer }) {
  const oidc = { id: 'bench', name: 'Bench', type: 'oidc', issuer, ...client }
  const more = Array.from({ length: providers - 1 }, (_, at) => ({
    id: `provider-${at}`,
    name: `Provider ${at}`,
    type: 'oauth',
    clientId: `client-${at}`,
    clientSecret: `secret-${at}`,
    authorization: `https://provider-${at}.example/authorize`,
    token: `https://provider-${at}.example/token`,
    userinfo: `https://provider-${at}.example/userinfo`,
    profile: (profile) => ({ id: String(profile.id), name: profile.name }),
  }))
  return [issuer ? oidc : credentials, ...more]
}

function mount(app, config) {
  app.use('/auth', ExpressAuth(config))
  return async (req) => (await getSession(req, config))?.user
}

export const variants = {
  'encrypted cookie': (app, context) => mount(app, { secret, trustHost: true, providers: providersOf(context) }),
  /** A person and a session are made at the start: `token` is the session's. */
  async postgres(app, { url, token }) {
    const { default: pg } = await import('pg')
    const { default: PostgresAdapter } = await import('@auth/pg-adapter')
    const pool = new pg.Pool({ connectionString: url })
    await pool.query(tables)
    const adapter = PostgresAdapter(pool)
    const { id } = await adapter.createUser({ ...user, emailVerified: null })
    const expires = new Date(Date.now() + 30 * 24 * 3600 * 1000)
    await adapter.createSession({ sessionToken: token, userId: id, expires })
    return mount(app, {
      secret,
      trustHost: true,
      adapter,
      session: { strategy: 'database' },
      providers: providersOf({ issuer: 'https://idp.example' }),
    })
  },
}

/** As the adapter's documentation has them. */
const tables = `
create table if not exists users (
  id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text
);
create table if not exists sessions (
  id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null
);
create index if not exists sessions_token on sessions ("sessionToken");`
