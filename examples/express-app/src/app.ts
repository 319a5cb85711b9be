/** The application: public and guarded pages around server-auth. */
import { fileURLToPath } from 'node:url'
import express, { type Application, type ErrorRequestHandler, type RequestHandler } from 'express'
import helmet from 'helmet'
import { getSession, ServerAuth, type ServerAuthConfig, type Session } from 'server-auth'
import { maxNameLength } from './auth.js'
import { type DemoPassword, errorPage, homePage, notFoundPage, profilePage } from './views.js'

declare global {
  namespace Express {
    interface Locals {
      /** Who is signed in, for every handler and view. */
      session: Session | null
    }
  }
}

export function createApp(config: ServerAuthConfig, demoPasswords: readonly DemoPassword[] = []): Application {
  const app = express()
  app.use(
    helmet({
      // helmet's own `no-referrer` would hide the origin of our own forms from the sign-out route.
      referrerPolicy: { policy: 'same-origin' },
      // Safari would look for https://localhost.
      contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    }),
  )
  app.get('/favicon.ico', (_request, response) => response.redirect('/icon.svg'))
  app.use(express.static(fileURLToPath(new URL('../public', import.meta.url))))

  app.use('/auth', ServerAuth(config))
  app.use(rememberSession(config))

  app.get('/', (_request, response) => {
    response.send(homePage(response.locals.session, demoPasswords))
  })
  app.get('/profile', requirePerson, (request, response) => {
    response.send(profilePage({ session: response.locals.session, url: request.originalUrl, maxNameLength }))
  })
  app.get('/api/me', requirePersonOfClient, (_request, response) => {
    response.json(response.locals.session)
  })

  app.use((request, response) => {
    response.status(404).send(notFoundPage(response.locals.session, request.path))
  })
  app.use(reportError)
  return app
}

/**
 * Reads the session once for each request. What it knows of a person is for that person only: no cache keeps it.
 * Where `getSession` throws, Express 5 calls the error handler, and nobody gets further. Express 4 needs a `catch` for that.
 */
function rememberSession(config: ServerAuthConfig): RequestHandler {
  return async function rememberSession(request, response, next) {
    response.locals.session = await getSession(request, config)
    response.set('Cache-Control', 'private, no-store')
    next()
  }
}

/** For pages: sends strangers to the sign-in page, and from there back to where they wanted to go. */
const requirePerson: RequestHandler = (request, response, next) => {
  if (response.locals.session?.user) return next()
  response.redirect(`/auth/signin?${new URLSearchParams({ callbackUrl: request.originalUrl })}`)
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
