/** server-auth, as an application uses it. `root` is the folder of the package, by default this repository. */
import { client, secret, user } from './people.mjs'

const here = new URL('../../', import.meta.url).href

/** Imports a file of the built package. */
const load = (path, { root = here }) => import(new URL(`dist/lib/${path}.js`, root).href)

async function credentialsOf(context) {
  const { default: Credentials } = await load('providers/credentials', context)
  return Credentials({ credentials: { username: {} }, authorize: ({ username }) => (username ? user : null) })
}

/** Providers of a site that has many: the first one signs in, the others are only there. */
async function providersOf(context) {
  const { providers = 1, issuer } = context
  const oidc = { id: 'bench', name: 'Bench', type: 'oidc', issuer, allowInsecureIssuer: true, ...client }
  const first = issuer ? oidc : await credentialsOf(context)
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

const configOf = async (context) => ({ secret, trustHost: true, providers: await providersOf(context) })

/** The doors by which an application reads a session. */
const doors = {
  async getSession(app, context) {
    const { getSession, ServerAuth } = await load('index', context)
    const config = await configOf(context)
    app.use('/auth', ServerAuth(config))
    return async (req) => (await getSession(req, config))?.user
  },
  async defineAuth(app, context) {
    const { defineAuth } = await load('index', context)
    const auth = defineAuth(await configOf(context))
    app.use('/auth', auth.router)
    return async (req) => (await auth.getSession(req))?.user
  },
  async requireSession(app, context) {
    const { requireSession, ServerAuth } = await load('index', context)
    const config = await configOf(context)
    app.use('/auth', ServerAuth(config))
    return { guards: [requireSession(config)], userOf: (_req, res) => res.locals.session?.user }
  },
}

/** With sessions in a database. `url` says which; the tables are made. */
function database(options) {
  return async (app, context) => {
    const { url } = context
    const { getSession, ServerAuth } = await load('index', context)
    const { connect, migrate, sqlAdapter } = await load('adapters/sql/index', context)
    const db = connect(url, options)
    await migrate(db)
    const config = { secret, trustHost: true, adapter: sqlAdapter(db), providers: await providersOf(context) }
    app.use('/auth', ServerAuth(config))
    return async (req) => (await getSession(req, config))?.user
  }
}

export const variants = { ...doors, database: database(), 'database, prepared': database({ prepare: true }) }
