/** Helpers for tests make sessions for whoever is named. They do nothing where an application is live. */
import { readEnv } from '../base/env.js'
import { InvalidConfiguration } from '../errors.js'

/** @param name The function that was called. @throws {@link InvalidConfiguration} with `NODE_ENV=production` */
export function assertTests(name: string): void {
  if (!readEnv().production) return
  throw new InvalidConfiguration(
    `\`${name}\` of server-auth/testing does not run with NODE_ENV=production. Import it in tests only, and run them with another NODE_ENV.`,
  )
}
