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
  /** True if there is a page on which mails can be read. */
  readonly hasMailbox: boolean
  readonly withPasskeys: boolean
  readonly withPasswords: boolean
}

/**
 * Starts the demo on loopback, because anyone who reaches it can read its passwords and mails. The started servers are
 * put into `running`, even if a later one fails.
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
  // With tokens, `authorize` may return any user: such a session has no user of the database, and no account page.
  const ways = { openId: provider.settings, mail, withPasskeys, passwords: strategy === 'jwt' ? undefined : passwords }
  // The page that says where to find the mail is our own page here, with a link to the mailbox.
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

/**
 * Returns the pages that the demo adds to the application: a footer that lists the users, and a mailbox with the sent
 * mails.
 */
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

const signInHint = `Sign in with the demo provider as any of its users, or with a password: ${demoPasswords
  .map(({ username, password }) => `<code>${username}</code> / <code>${password}</code>`)
  .join(' or ')}.`

const signInHintOfProvider = 'Sign in with the demo provider as any of its users.'

const mailboxHint = 'An email to any address arrives in <a href="/dev/mailbox">the mailbox of the demo</a>.'

/** As one registers them at any provider. */
function callbacksOf(port: number): string[] {
  const sites = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  if (process.env.AUTH_URL) sites.push(new URL(process.env.AUTH_URL).origin)
  return sites.map((site) => `${site}/auth/callback/${openIdProvider}`)
}
