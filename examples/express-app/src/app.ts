/** The application: public and guarded pages around server-auth. */
import { fileURLToPath } from 'node:url'
import express, { type Application, type ErrorRequestHandler, type RequestHandler } from 'express'
import helmet from 'helmet'
import { type Adapter, getSession, ServerAuth, type ServerAuthConfig, type Session } from 'server-auth'
import { accountRoutes } from './account.js'
import { assets, importMapSource } from './assets.js'
import type { Ways } from './auth.js'
import type { Mailbox } from './mailbox.js'
import { mailboxRoutes } from './mailbox-page.js'
import { demoPasswords } from './users.js'
import { errorPage, homePage, notFoundPage } from './views.js'

declare global {
  namespace Express {
    interface Locals {
      /** Who is signed in, for every handler and view. */
      session: Session | null
      hasMailbox: boolean
    }
  }
}

/** What the application is made of. */
export interface Parts {
  readonly config: ServerAuthConfig
  readonly adapter: Pick<Required<Adapter>, 'updateUser'>
  readonly ways: Ways
  /** For the demo only: who reads it can sign in as anybody. */
  readonly mailbox?: Mailbox
}

export interface Site {
  readonly app: Application
  /** Waits for mails that are still being sent. */
  close(): Promise<void>
}

export function createApp({ config, adapter, ways, mailbox }: Parts): Site {
  const app = express()
  app.use(
    helmet({
      // helmet's own `no-referrer` would hide the origin of our own forms from the routes that they post to.
      referrerPolicy: { policy: 'same-origin' },
      contentSecurityPolicy: {
        directives: {
          'script-src': ["'self'", importMapSource],
          // Safari would look for https://localhost.
          'upgrade-insecure-requests': null,
        },
      },
    }),
  )
  app.get('/favicon.ico', (_request, response) => response.redirect('/icon.svg'))
  app.use(express.static(fileURLToPath(new URL('../public', import.meta.url))))

  app.use('/assets', assets())

  const auth = ServerAuth(config)
  app.use('/auth', auth)
  app.use(rememberVisitor(config, mailbox !== undefined))

  app.get('/', (_request, response) => {
    const passwords = ways.withPasswords ? demoPasswords : []
    response.send(homePage(response.locals, { demoPasswords: passwords, withPasskeys: ways.withPasskeys === true }))
  })
  app.use('/account', accountRoutes({ config, adapter, ways }))
  app.get('/api/me', requirePersonOfClient, (_request, response) => {
    response.json(response.locals.session)
  })
  if (mailbox) app.use('/dev', mailboxRoutes(mailbox))

  app.use((request, response) => {
    response.status(404).send(notFoundPage(response.locals, request.path))
  })
  app.use(reportError)
  return { app, close: () => auth.close() }
}

/**
 * Reads the session once for each request. What it knows of a person is for that person only: no cache keeps it.
 * Where `getSession` throws, Express 5 calls the error handler, and nobody gets further. Express 4 needs a `catch` for that.
 */
function rememberVisitor(config: ServerAuthConfig, hasMailbox: boolean): RequestHandler {
  return async function rememberVisitor(request, response, next) {
    response.locals.hasMailbox = hasMailbox
    response.locals.session = await getSession(request, config)
    response.set('Cache-Control', 'private, no-store')
    next()
  }
}

/** For programs: a plain answer instead of a page. */
const requirePersonOfClient: RequestHandler = (_request, response, next) => {
  if (response.locals.session?.user) return next()
  response.status(401).json({ error: 'unauthorized' })
}

/** Express knows an error handler by its four arguments. What a stranger did wrong (a malformed URL) is no fault of ours. */
const reportError: ErrorRequestHandler = (error, _request, response, next) => {
  const status = error?.status >= 400 && error.status < 500 ? error.status : 500
  if (status === 500) console.error(error)
  if (response.headersSent) return next(error)
  response.status(status).send(errorPage())
}
