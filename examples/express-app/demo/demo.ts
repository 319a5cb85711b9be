/** The demo: everything on this machine, and nothing to register anywhere. */
import { type RequestHandler, Router } from 'express'
import { createApp } from '../src/app.js'
import { createAuthConfig, openIdProvider } from '../src/auth.js'
import type { OpenDatabase } from '../src/database.js'
import { type Mailbox, startMailbox } from './mailbox.js'
import { mailboxRoutes } from './mailbox-routes.js'
import { startDemoProvider } from './provider.js'
import { listen, listenOn, type Running } from './server.js'
import { allowsPasskeys, readMailServer, readStrategy } from './settings.js'
import { addDemoUsers, demoPasswords, passwords } from './users.js'

export interface DemoPorts {
  readonly port: number
  readonly providerPort: number
}

export interface Demo {
  readonly issuer: string
  /** Whether there is a page to read the mails on. */
  readonly hasMailbox: boolean
  readonly withPasskeys: boolean
  readonly withPasswords: boolean
}

/**
 * Starts it on loopback, because its passwords and its mails are there for anybody to read. What was started is put into
 * `running`, also when the rest fails.
 */
export async function startDemo(ports: DemoPorts, { adapter }: OpenDatabase, running: Running): Promise<Demo> {
  await addDemoUsers(adapter)
  const provider = await listenOn('DEMO_PROVIDER_PORT', ports.providerPort, (port) =>
    startDemoProvider(port, callbacksOf(ports.port)),
  )
  running.push(provider)

  const server = readMailServer()
  const mailbox = server ? undefined : await startMailbox()
  if (mailbox) running.push(mailbox)

  const withPasskeys = allowsPasskeys()
  const strategy = readStrategy()
  const mail = server ?? mailbox?.settings
  // With tokens, `authorize` may return anybody: such a session has no user of the database, and no account page.
  const ways = { openId: provider.settings, mail, withPasskeys, passwords: strategy === 'jwt' ? undefined : passwords }
  // The page that says where to look for the mail is one of ours here: it leads there.
  const pages = mailbox && { pages: { verifyRequest: '/dev/mail-sent' } }
  const config = { ...createAuthConfig(adapter, ways, strategy), ...pages }
  const site = createApp({ config, adapter, ways, more: demoPages(mailbox, strategy === 'database') })
  running.push(site)
  running.push(await listenOn('PORT', ports.port, (port) => listen(site.app, port, '127.0.0.1')))
  return {
    issuer: provider.issuer,
    hasMailbox: mailbox !== undefined,
    withPasskeys,
    withPasswords: ways.passwords !== undefined,
  }
}

/** What the demo adds to the application: a footer that says who can sign in, and a mailbox to read what was sent. */
export function demoPages(mailbox: Mailbox | undefined, withPasswords = true): RequestHandler {
  const router = Router()
  router.use(function addFooter(_request, response, next) {
    const signIn = withPasswords ? signInHint : signInHintOfProvider
    const hints = [response.locals.session ? '' : signIn, mailbox ? mailboxHint : '']
    response.locals.footer = hints.join(' ').trim()
    next()
  })
  if (mailbox) router.use('/dev', mailboxRoutes(mailbox))
  return router
}

const signInHint = `Sign in with the demo provider as anybody, or with a password: ${demoPasswords
  .map(({ username, password }) => `<code>${username}</code> / <code>${password}</code>`)
  .join(' or ')}.`

const signInHintOfProvider = 'Sign in with the demo provider as anybody.'

const mailboxHint = 'A mail to any address arrives in <a href="/dev/mailbox">the mailbox of the demo</a>.'

/** As one registers them at any provider. */
function callbacksOf(port: number): string[] {
  const sites = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  if (process.env.AUTH_URL) sites.push(new URL(process.env.AUTH_URL).origin)
  return sites.map((site) => `${site}/auth/callback/${openIdProvider}`)
}
