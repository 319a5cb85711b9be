/**
 * Starts the example: `npm start`, or `npm start -- --no-demo-provider` with an OpenID provider of yours.
 * The README next to this folder has the environment variables.
 */
import { parseArgs } from 'node:util'
import { createApp } from './app.js'
import { createAuthConfig } from './auth.js'
import { type DemoProvider, people, startDemoProvider } from './demo-provider.js'
import { loadEnvironment, provideSecret } from './secret.js'
import { type Listening, listen } from './server.js'
import { demoPasswords } from './users.js'

/** Something to tell the person who starts this, without a stack. */
class StartError extends Error {}

function wantsDemoProvider(): boolean {
  try {
    const { values } = parseArgs({ options: { 'no-demo-provider': { type: 'boolean' } } })
    return !values['no-demo-provider']
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\nUsage: npm start [-- --no-demo-provider]`)
  }
}

/** Everything on this machine. Passwords that anybody can read belong on loopback only. */
async function startDemo(): Promise<Array<Listening | DemoProvider>> {
  provideSecret()
  const port = readPort('PORT', 3000)
  const providerPort = readPort('DEMO_PROVIDER_PORT', port + 1)
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const callbacks = origins.map((origin) => `${origin}/auth/callback/oidc`)

  const provider = await withPort('DEMO_PROVIDER_PORT', providerPort, () => startDemoProvider(providerPort, callbacks))
  const server = await withPort('PORT', port, () => {
    return listen(createApp(createAuthConfig(provider.settings), demoPasswords), port, '127.0.0.1')
  }).catch(async (error) => {
    await provider.close()
    throw error
  })

  console.log(`
The example is at  http://localhost:${port}

Sign in with the demo provider (${provider.settings.issuer}) as ${people.map(({ name }) => name).join(', ')},
or with a password: ${demoPasswords.map(({ username, password }) => `${username} / ${password}`).join(', ')}

Stop it with Ctrl+C.`)
  return [server, provider]
}

/** As on a real server: an OpenID provider of yours, no demo users, everything from the environment. */
async function startDeployment(): Promise<Listening[]> {
  const inProduction = process.env.NODE_ENV === 'production'
  const missing = Object.entries(inProduction ? { ...needed, ...neededInProduction } : needed).filter(
    ([name]) => !process.env[name],
  )
  if (missing.length > 0) throw new StartError(explain(missing))
  const port = readPort('PORT', 3000)
  const app = createApp(
    createAuthConfig({ name: process.env.AUTH_OIDC_NAME || 'single sign-on' }, { withPasswords: false }),
  )
  const server = await withPort('PORT', port, () => listen(app, port, process.env.HOST))
  const site = process.env.AUTH_URL || `http://localhost:${port}`
  console.log(`
The example is at  ${new URL(site).origin}
It signs in with   ${process.env.AUTH_OIDC_ISSUER}
Callback URL there ${new URL(site).origin}/auth/callback/oidc

Stop it with Ctrl+C.`)
  return [server]
}

const needed = {
  AUTH_SECRET: 'a random text; "npx server-auth secret" prints one',
  AUTH_OIDC_ISSUER: "the provider's issuer, for example https://login.example.com/realms/staff",
  AUTH_OIDC_ID: 'the client id you got when you registered the application there',
  AUTH_OIDC_SECRET: 'the client secret you got there',
}

const neededInProduction = {
  AUTH_URL: 'the public URL of the site, for example https://app.example.com',
}

function explain(missing: ReadonlyArray<readonly [name: string, meaning: string]>): string {
  const lines = missing.map(([name, meaning]) => `  ${name.padEnd(18)}${meaning}`)
  return `Without the demo provider these environment variables are needed, and not set:

${lines.join('\n')}

Set them in the environment or in examples/express-app/.env. The README there tells more.`
}

function readPort(name: string, otherwise: number): number {
  const text = process.env[name]
  if (!text) return otherwise
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new StartError(`${name} must be a number from 1 to 65535, not "${text}".`)
  }
  return port
}

async function withPort<T>(name: string, port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is in use. Choose another: ${name}=${port + 10} npm start`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} is not allowed here. Choose another: ${name}=3000 npm start`)
    throw error
  }
}

function stopOnSignal(running: ReadonlyArray<{ close(): Promise<void> }>): void {
  async function stop(): Promise<void> {
    await Promise.all(running.map((each) => each.close()))
    console.log('Stopped.')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}

/** A wrong configuration says what to change; a stack would only hide it. */
function toMessage(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

try {
  loadEnvironment()
  const running = await (wantsDemoProvider() ? startDemo() : startDeployment())
  stopOnSignal(running)
} catch (error) {
  console.error(toMessage(error))
  process.exitCode = 1
}
