/**
 * Starts the example: `npm start`, or `npm start -- --no-demo-provider` with your own OpenID provider. The README next
 * to this folder has the environment variables.
 */
import { parseArgs } from 'node:util'
import { createApp } from '../src/app.js'
import { createAuthConfig, openIdProvider } from '../src/auth.js'
import { openNamedDatabase } from './database.js'
import { startDemo } from './demo.js'
import { people } from './provider.js'
import { loadEnvironment, provideSecret } from './secret.js'
import { listen, listenOn, type Running, stopAll } from './server.js'
import {
  allowsPasskeys,
  assertDemo,
  assertDeployable,
  readMailServer,
  readPort,
  readStrategy,
  StartError,
} from './settings.js'
import { demoPasswords } from './users.js'

function wantsDemoProvider(): boolean {
  try {
    const { values } = parseArgs({ options: { 'no-demo-provider': { type: 'boolean' } } })
    return !values['no-demo-provider']
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\nUsage: npm start [-- --no-demo-provider]`)
  }
}

/** Everything on this machine: an OpenID provider, a mailbox, demo users. Returns what to print. */
async function runDemo(running: Running): Promise<string> {
  assertDemo()
  provideSecret()
  const port = readPort('PORT', 3000)
  const providerPort = readPort('DEMO_PROVIDER_PORT', port + 1)
  readMailServer()
  readStrategy()
  const database = await openNamedDatabase()
  running.push(database)
  const { issuer, hasMailbox, withPasskeys, withPasswords } = await startDemo({ port, providerPort }, database, running)
  const site = process.env.AUTH_URL ? new URL(process.env.AUTH_URL).origin : `http://localhost:${port}`
  const where = hasMailbox ? `, to any address: read it at ${site}/dev/mailbox` : ''
  return `
The example is at  ${site}
Its database is    ${database.place}

Sign in with the demo provider (${issuer}) as ${people.map(({ name }) => name).join(', ')},
with an email link${where},
${withPasskeys ? 'with a passkey that you create,\n' : ''}or with a password: ${withPasswords ? demoPasswords.map(({ username, password }) => `${username} / ${password}`).join(', ') : 'not with SESSIONS=jwt'}`
}

/**
 * Starts the example as on a real server: your own OpenID provider, no demo users, all settings from the environment.
 */
async function runDeployment(running: Running): Promise<string> {
  assertDeployable()
  const port = readPort('PORT', 3000)
  const mail = readMailServer()
  const strategy = readStrategy()
  const database = await openNamedDatabase()
  running.push(database)
  const { adapter } = database
  const withPasskeys = allowsPasskeys()
  const ways = { openId: { name: process.env.AUTH_OIDC_NAME || 'single sign-on' }, withPasskeys, mail }
  const site = createApp({ config: createAuthConfig(adapter, ways, strategy), adapter, ways })
  running.push(site)
  running.push(await listenOn('PORT', port, () => listen(site.app, port, process.env.HOST || undefined)))
  const { origin } = new URL(process.env.AUTH_URL || `http://localhost:${port}`)
  return `
The example is at  ${origin}
Its database is    ${database.place}
It signs in with   ${process.env.AUTH_OIDC_ISSUER}${withPasskeys ? ', with passkeys' : ''}${mail ? ', and with email links' : ''}
Callback URL there ${origin}/auth/callback/${openIdProvider}`
}

function stopOnSignal(running: Running): void {
  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    await stopAll(running)
    console.log('Stopped.')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // A signal to npm ends the shell between npm and us, and does not reach us.
  const { ppid: shell } = process
  if (process.env.npm_lifecycle_event === 'start') setInterval(() => process.ppid !== shell && stop(), 250).unref()
}

/** A wrong configuration says what to change; a stack would only hide it. */
function toMessage(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const running: Running = []
try {
  loadEnvironment()
  const told = await (wantsDemoProvider() ? runDemo(running) : runDeployment(running))
  stopOnSignal(running)
  console.log(`${told}\n\nStop it with Ctrl+C.`)
} catch (error) {
  await stopAll(running)
  console.error(toMessage(error))
  process.exitCode = 1
}
