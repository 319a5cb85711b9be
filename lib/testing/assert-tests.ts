/** Restricts test helpers, which create sessions for any user, to tests. They must not run in production. */
import { readEnv } from '../base/env.js'
import { InvalidConfiguration } from '../errors.js'

/**
 * Throws in production. @param name The called function. @throws {@link InvalidConfiguration} with
 * `NODE_ENV=production`
 */
export function assertTests(name: string): void {
  if (!readEnv().production) return
  throw new InvalidConfiguration(
    `\`${name}\` of server-auth/testing does not run with NODE_ENV=production. Import it in tests only, and run them with another NODE_ENV.`,
  )
}
