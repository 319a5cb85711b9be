/** `@auth/express`. */
import { ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import { client, secret, user } from './people.mjs'

const credentials = Credentials({
  credentials: { username: {} },
  authorize: async ({ username }) => (username ? user : null),
})

function mount(app, config) {
  app.use('/auth', ExpressAuth(config))
  return async (req) => (await getSession(req, config))?.user
}

export const variants = {
  'encrypted cookie': (app) => mount(app, { secret, trustHost: true, providers: [credentials] }),
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
      // Credentials do not work with sessions in a database.
      providers: [{ id: 'bench', name: 'Bench', type: 'oidc', issuer: 'https://idp.example', ...client }],
    })
  },
}

/** The tables of the adapter's documentation. Each start of the server creates them again. */
const tables = `
drop table if exists users, sessions;
create table users (
  id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text
);
create table sessions (
  id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null
);
create index sessions_token on sessions ("sessionToken");`
