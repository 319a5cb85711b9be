/** server-auth, as an application uses it. `root` is the URL of the folder of the built package. */
import { secret, user } from './people.mjs'

/** Imports a file of the built package. */
const load = (path, { root }) => import(new URL(`dist/lib/${path}.js`, root).href)

async function credentialsOf(context) {
  const { default: Credentials } = await load('providers/credentials', context)
  return Credentials({ credentials: { username: {} }, authorize: ({ username }) => (username ? user : null) })
}

/** The providers of the application. The first one signs in, and `providers` says how many there are. */
async function providersOf(context) {
  const { providers = 1 } = context
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
  return [await credentialsOf(context), ...more]
}

const configOf = async (context) => ({ secret, trustHost: true, providers: await providersOf(context) })

/** The functions by which an application reads a session. */
const functions = {
  async getSession(app, context) {
    const { getSession, ServerAuth } = await load('index', context)
    const config = await configOf(context)
    app.use('/auth', ServerAuth(config))
    return async (req) => (await getSession(req, config))?.user
  },
  async requireSession(app, context) {
    const { requireSession, ServerAuth } = await load('index', context)
    const config = await configOf(context)
    app.use('/auth', ServerAuth(config))
    return { guards: [requireSession(config)], userOf: (_req, res) => res.locals.session?.user }
  },
}

/** Returns the variant with sessions in the database at `url`. It creates the tables. */
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

export const variants = { ...functions, database: database(), 'database, prepared': database({ prepare: true }) }
