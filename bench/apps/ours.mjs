/** server-auth, as an application has it. */
import Credentials from '../../dist/lib/providers/credentials.js'
import { client, secret, user } from './people.mjs'

const credentials = Credentials({
  credentials: { username: {} },
  authorize: ({ username }) => (username ? user : null),
})

/** Providers of a site that has many: the first one signs in, the others are only there. */
function providersOf({ providers = 1, issuer }) {
  const oidc = { id: 'bench', name: 'Bench', type: 'oidc', issuer, allowInsecureIssuer: true, ...client }
  const first = issuer ? oidc : credentials
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
  return [first, ...more]
}

const configOf = (context) => ({ secret, trustHost: true, providers: providersOf(context) })

/** The doors by which an application reads a session. */
const doors = {
  async getSession(app, context) {
    const { getSession, ServerAuth } = await import('../../dist/lib/index.js')
    const config = configOf(context)
    app.use('/auth', ServerAuth(config))
    return async (req) => (await getSession(req, config))?.user
  },
  async defineAuth(app, context) {
    const { defineAuth } = await import('../../dist/lib/index.js')
    const auth = defineAuth(configOf(context))
    app.use('/auth', auth.router)
    return async (req) => (await auth.getSession(req))?.user
  },
  async requireSession(app, context) {
    const { requireSession, ServerAuth } = await import('../../dist/lib/index.js')
    const config = configOf(context)
    app.use('/auth', ServerAuth(config))
    return { guards: [requireSession(config)], userOf: (_req, res) => res.locals.session?.user }
  },
}

/** With sessions in a database. `url` says which; the tables are made. */
function database(options) {
  return async (app, { url }) => {
    const { getSession, ServerAuth } = await import('../../dist/lib/index.js')
    const { connect, migrate, sqlAdapter } = await import('../../dist/lib/adapters/sql/index.js')
    const db = connect(url, options)
    await migrate(db)
    const config = { secret, trustHost: true, adapter: sqlAdapter(db), providers: [credentials] }
    app.use('/auth', ServerAuth(config))
    return async (req) => (await getSession(req, config))?.user
  }
}

export const variants = { ...doors, database: database(), 'database, prepared': database({ prepare: true }) }
