/** The application: public and guarded pages around server-auth. */
import { fileURLToPath } from 'node:url'
import express, { type Application, type ErrorRequestHandler, type RequestHandler } from 'express'
import helmet from 'helmet'
import { type Adapter, defineAuth, type ServerAuthConfig, type Session } from 'server-auth'
import { accountRoutes } from './account.js'
import type { Ways } from './auth.js'
import { browserModules, importMapHash } from './browser-modules.js'
import { handOverRoutes } from './hand-over.js'
import { keyRoutes } from './keys.js'

declare global {
  namespace Express {
    interface Locals {
      /** The session of the signed-in user, for every handler and view. */
      session: Session | null
    }
  }
}

/** The parts of the application. */
export interface Parts {
  readonly config: ServerAuthConfig
  readonly adapter: Pick<Required<Adapter>, 'getUser' | 'updateUser'>
  readonly ways: Ways
  /** More pages: those of the demo. */
  readonly more?: RequestHandler
}

export interface Site {
  readonly app: Application
  /** Waits for mails that are still being sent. */
  close(): Promise<void>
}

export function createApp({ config, adapter, ways, more }: Parts): Site {
  const auth = defineAuth(config)
  const app = express()
  app.set('view engine', 'ejs').set('views', fileURLToPath(new URL('../views', import.meta.url)))
  // helmet's own `no-referrer` would hide the origin of our own forms from the routes that they post to.
  // Where Safari is told to upgrade, it looks for https://localhost.
  const directives = { 'script-src': ["'self'", importMapHash], 'upgrade-insecure-requests': null }
  app.use(helmet({ referrerPolicy: { policy: 'same-origin' }, contentSecurityPolicy: { directives } }))
  app.get('/favicon.ico', (_request, response) => response.redirect('/icon.svg'))
  app.use(express.static(fileURLToPath(new URL('../public', import.meta.url))))
  app.use('/assets', browserModules())

  app.use('/auth', auth.router)

  // Runs once for each request. The data of a session are for its user only, so no cache stores them. If `getSession`
  // throws, Express 5 calls the error handler, and the request ends there. Express 4 needs a `catch` for that.
  app.use(async function rememberVisitor(request, response, next) {
    response.locals.session = await auth.getSession(request)
    response.set('Cache-Control', 'private, no-store')
    next()
  })
  if (more) app.use(more)

  app.get('/', (_request, response) => response.render('home'))
  app.use('/account/keys', keyRoutes(auth))
  app.use('/account', accountRoutes({ auth, adapter, ways }))
  app.use('/hand-over', handOverRoutes(auth))
  // Two factors, and one of them proved within five minutes.
  app.get('/payroll', auth.requireSession({ aal: 2, maxAge: 300 }), (_request, response) => response.render('payroll'))
  // For pages of the site, and for scripts with an API key.
  app.get('/api/profile', auth.requireSession({ apiKey: 'profile:read' }), async (_request, response) => {
    const { session, apiKey } = response.locals
    const user = await adapter.getUser(apiKey ? apiKey.userId : String(session.user?.id))
    response.json({ name: user?.name ?? null, email: user?.email ?? null })
  })
  // For API clients: a plain answer instead of a page.
  app.get('/api/me', (_request, response) => {
    const { session } = response.locals
    if (session?.user) response.json(session)
    else response.status(401).json({ error: 'unauthorized' })
  })
  app.use((request, response) => {
    response.status(404).render('message', { title: 'Not found', text: `There is nothing at ${request.path}.` })
  })
  app.use(reportError)
  return { app, close: () => auth.router.close() }
}

/**
 * Express recognises an error handler by its four arguments. A mistake of the client (a malformed URL) is not our
 * fault.
 */
const reportError: ErrorRequestHandler = (error, _request, response, next) => {
  const status = error?.status >= 400 && error.status < 500 ? error.status : 500
  if (status === 500) console.error(error)
  if (response.headersSent) return next(error)
  response.status(status).render('message', { title: 'Something went wrong', text: "The server's console tells more." })
}
