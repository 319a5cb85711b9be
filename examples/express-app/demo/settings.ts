/** Reads the settings of the environment, and explains mistakes in them. */
import type { SessionStrategy, Ways } from '../src/auth.js'

/** A message for the developer who starts this, without a stack. */
export class StartError extends Error {}

function isProduction(): boolean {
  return process.env.NODE_ENV === 'production'
}

export function readPort(name: string, otherwise: number): number {
  const text = process.env[name]
  if (!text) return otherwise
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new StartError(`${name} must be a number from 1 to 65535, not "${text}".`)
  }
  return port
}

/** A mail server, and who writes. */
export type MailSettings = NonNullable<Ways['mail']>

/** The mail server of the environment, if there is one. */
export function readMailServer(): MailSettings | undefined {
  const { SMTP_URL: server, MAIL_FROM: from } = process.env
  if (!server) return undefined
  // Not repeated in the message: it may hold a password.
  if (!/^smtps?:\/\/./i.test(server) || !URL.canParse(server)) {
    throw new StartError('SMTP_URL must look like smtps://user:password@smtp.example.com:465.')
  }
  if (!from) throw new StartError('SMTP_URL needs MAIL_FROM: the sender, such as "Example <hello@example.com>".')
  return { server, from }
}

/** Reads the session strategy from SESSIONS. */
export function readStrategy(): SessionStrategy {
  const { SESSIONS: strategy = '' } = process.env
  if (strategy === '' || strategy === 'database') return 'database'
  if (strategy === 'jwt') return 'jwt'
  throw new StartError('SESSIONS must be database or jwt.')
}

/** Browsers have passkeys for a site on https, and on this machine for http://localhost: not for an IP address. */
export function allowsPasskeys(): boolean {
  const site = process.env.AUTH_URL || 'http://localhost'
  // server-auth reports its faults.
  if (!URL.canParse(site)) return false
  const { protocol, hostname } = new URL(site)
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname))
}

/** The variables of a deployment, and what they mean. */
const needed = {
  AUTH_SECRET: 'a random text; "npx server-auth secret" prints one',
  AUTH_OIDC_ISSUER: "the provider's issuer, for example https://login.example.com/realms/staff",
  AUTH_OIDC_ID: 'the client id you got when you registered the application there',
  AUTH_OIDC_SECRET: 'the client secret you got there',
}

const neededInProduction = {
  AUTH_URL: 'the public URL of the site, for example https://app.example.com',
}

/** @throws {@link StartError} that names everything that is missing for a start without the demo provider. */
export function assertDeployable(): void {
  const variables = isProduction() ? { ...needed, ...neededInProduction } : needed
  const missing = Object.entries(variables).filter(([name]) => !process.env[name])
  if (missing.length === 0) return
  const lines = missing.map(([name, meaning]) => `  ${name.padEnd(18)}${meaning}`)
  throw new StartError(`Without the demo provider these environment variables are needed, and not set:

${lines.join('\n')}

Set them in the environment, or in a file .env next to the example's README.md, which tells more.`)
}

/** @throws {@link StartError} in production, because anyone can read the demo's passwords and mails. */
export function assertDemo(): void {
  if (!isProduction()) return
  throw new StartError(`The demo does not run with NODE_ENV=production: its passwords are public, and all visitors can read its emails.

As on a server: npm start -- --no-demo-provider`)
}
