/** The secrets: from the configuration, else from the environment, else (never in production) one for this process. */

import type { AuthEnv } from '../base/env.js'
import type { Logger } from '../base/logger.js'
import { randomText } from '../crypto/random.js'
import { MissingSecretError } from '../errors.js'
import { describe, quote } from './refusal.js'

const howToMakeASecret = 'Make one with `npx server-auth secret` and put it into AUTH_SECRET.'

/** Characters. What has fewer is no secret in production; what has fewer than 32 is warned of. */
const shortest = 16

/** All secrets, the one that encrypts first. @throws {@link MissingSecretError} */
export function resolveSecrets(value: unknown, env: AuthEnv, logger: Logger): readonly [string, ...string[]] {
  const given: unknown[] = value === undefined ? env.secrets : Array.isArray(value) ? value : [value]
  for (const secret of given) {
    if (typeof secret === 'string' && secret !== '') continue
    throw new MissingSecretError(`${quote('secret')} must not be ${describe(secret)}. ${howToMakeASecret}`)
  }
  const secrets = given as string[]
  const [first, ...others] = secrets
  if (first === undefined) {
    if (value !== undefined) throw new MissingSecretError(`${quote('secret')} is an empty array. ${howToMakeASecret}`)
    if (env.production) throw new MissingSecretError(`There is no secret. ${howToMakeASecret}`)
    return [developmentSecret(logger)]
  }
  if (env.production && secrets.some(({ length }) => length < shortest)) {
    throw new MissingSecretError(
      `A secret has fewer than ${shortest} characters: anybody can guess it, and sign in as everybody. ${howToMakeASecret}`,
    )
  }
  // A short one lets strangers forge sessions, wherever it stands in the array.
  if (secrets.some(({ length }) => length < 32)) {
    logger.warn('short-secret', `A secret has fewer than 32 characters and may be guessed. ${howToMakeASecret}`)
  }
  return [first, ...others]
}

const processKey = Symbol.for('server-auth.process-secret')

/**
 * One random secret for this process, so that all configurations in it read each other's sessions: those of other copies of
 * this file, too, of which bundlers such as that of Next.js make several.
 */
function developmentSecret(logger: Logger): string {
  const shared = globalThis as { [processKey]?: readonly [string] }
  const [known] = shared[processKey] ?? []
  if (known !== undefined) return known
  const secret = randomText(32)
  shared[processKey] = [secret]
  logger.warn(
    'missing-secret',
    `There is no secret, so sessions end when this process does. Run \`npx server-auth secret --write\` for a lasting one. In production this is an error.`,
  )
  return secret
}
