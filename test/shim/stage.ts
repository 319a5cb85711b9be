/** Configurations, requests and the environment for tests of the shim. */
import { encode } from '../../lib/jwt.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { createLog, credentials, type Log, secret } from '../support/app.js'
import { sessionName } from '../support/session.js'

export const origin = 'http://app.test'

const logs = new WeakMap<FullStackAuthConfig, Log>()

/** A configuration with the credentials provider, and with a log. */
export function configure(config: Partial<FullStackAuthConfig> = {}): FullStackAuthConfig {
  const log = createLog()
  const full: FullStackAuthConfig = { secret, providers: [credentials()], logger: log.logger, ...config }
  logs.set(full, log)
  return full
}

/** Returns the log of a configuration's engine. */
export function logOf(config: FullStackAuthConfig): Log {
  const log = logs.get(config)
  if (!log) throw new Error('this configuration was not made by configure()')
  return log
}

/** A GET request. */
export function get(path: string, headers: Record<string, string> = {}): Request {
  return new Request(new URL(path, origin), { headers })
}

/** A `Cookie` header with a session, as after a sign-in over http. */
export async function cookieOf(name: string): Promise<string> {
  return `${sessionName}=${await encode({ token: { sub: name, name }, secret, salt: sessionName })}`
}

/** Sets variables of the environment for the length of a test; `undefined` takes one away. */
export async function withEnv(
  variables: Readonly<Record<string, string | undefined>>,
  test: () => Promise<void>,
): Promise<void> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
  setEnv(variables)
  try {
    await test()
  } finally {
    setEnv(before)
  }
}

function setEnv(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
