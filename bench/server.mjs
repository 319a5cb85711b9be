/**
 * One application of the benchmark, in a process of its own: `node bench/server.mjs <variant>`.
 * Tells its port, and its CPU time when asked.
 */
import express from 'express'

const secret = 'a-benchmark-secret-of-more-than-32-characters'
const user = { id: '1', name: 'Ann Example', email: 'ann@example.com', image: 'https://example.com/ann.png' }

/** Each variant mounts its library and gives a way to read the session. */
const variants = {
  async bare(app) {
    app.get('/auth/session', (_req, res) => res.json({ user }))
    return async () => ({ user })
  },
  async ours(app) {
    const { getSession, ServerAuth } = await import('server-auth')
    const { default: Credentials } = await import('server-auth/providers/credentials')
    const config = { secret, trustHost: true, providers: [signIn(Credentials)] }
    app.use('/auth', ServerAuth(config))
    return (req) => getSession(req, config)
  },
  async 'auth-express'(app) {
    const { ExpressAuth, getSession } = await import('@auth/express')
    const { default: Credentials } = await import('@auth/express/providers/credentials')
    const config = { secret, trustHost: true, providers: [signIn(Credentials)] }
    app.use('/auth', ExpressAuth(config))
    return (req) => getSession(req, config)
  },
}

const signIn = (Credentials) => Credentials({ credentials: { name: {} }, authorize: async () => user })

const app = express()
app.disable('etag')
app.disable('x-powered-by')
const readSession = await variants[process.argv[2]](app)
app.get('/guarded', async (req, res) => {
  const session = await readSession(req)
  if (session?.user) res.json({ hello: session.user.name })
  else res.status(401).json({ error: 'Unauthorized' })
})

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', (message) => {
  if (message === 'cpu') process.send({ cpu: process.cpuUsage() })
  if (message === 'close') process.exit(0)
})
