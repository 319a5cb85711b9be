/** The secrets: from the configuration, the environment, or (never in production) generated for this process. */

import type { AuthEnv } from '../base/env.js'
import type { Logger } from '../base/logger.js'
import { randomText } from '../crypto/random.js'
import { MissingSecretError } from '../errors.js'
import { describeValue, quoteOption } from './reject-option.js'

const howToMakeASecret = 'Make one with `npx server-auth secret` and put it into AUTH_SECRET.'

/** The minimum number of characters in production. Fewer than 32 cause a warning. */
const minimumSecretLength = 16

/** Returns all secrets, the one that encrypts first. @throws {@link MissingSecretError} */
export function resolveSecrets(value: unknown, env: AuthEnv, logger: Logger): readonly [string, ...string[]] {
  const given: unknown[] = value === undefined ? env.secrets : Array.isArray(value) ? value : [value]
  for (const secret of given) {
    if (typeof secret === 'string' && secret !== '') continue
    throw new MissingSecretError(`${quoteOption('secret')} must not be ${describeValue(secret)}. ${howToMakeASecret}`)
  }
  const secrets = given as string[]
  const [first, ...others] = secrets
  if (first === undefined) {
    if (value !== undefined)
      throw new MissingSecretError(`${quoteOption('secret')} is an empty array. ${howToMakeASecret}`)
    if (env.production) throw new MissingSecretError(missingSecret(env, howToMakeASecret))
    return [developmentSecret(env, logger)]
  }
  if (env.production && secrets.some(({ length }) => length < minimumSecretLength)) {
    throw new MissingSecretError(
      `A secret has fewer than ${minimumSecretLength} characters, so attackers can guess it and sign in as any user. ${howToMakeASecret}`,
    )
  }
  // A short secret lets attackers forge sessions, at any position in the array.
  if (secrets.some(({ length }) => length < 32)) {
    logger.warn('short-secret', `A secret has fewer than 32 characters and may be guessed. ${howToMakeASecret}`)
  }
  return [first, ...others]
}

/** Returns the message about a missing secret. @param advice What to do if no other variable has one. */
function missingSecret({ foreignSecret }: AuthEnv, advice: string): string {
  return foreignSecret === undefined
    ? `There is no secret. ${advice}`
    : `There is no secret: ${foreignSecret} is set, but only AUTH_SECRET is read. Rename ${foreignSecret} to AUTH_SECRET.`
}

const processKey = Symbol.for('server-auth.process-secret')

/**
 * Returns one random secret for this process, so that all configurations in it can read each other's sessions. Also for
 * other copies of this file, of which bundlers such as that of Next.js create several.
 */
function developmentSecret(env: AuthEnv, logger: Logger): string {
  const shared = globalThis as { [processKey]?: readonly [string] }
  const [known] = shared[processKey] ?? []
  if (known !== undefined) return known
  const secret = randomText(32)
  shared[processKey] = [secret]
  logger.warn(
    'missing-secret',
    env.foreignSecret === undefined
      ? 'There is no secret, so sessions end when this process does. Run `npx server-auth secret --write` for a lasting one. In production this is an error.'
      : `${missingSecret(env, '')} Until then sessions end when this process does. In production this is an error.`,
  )
  return secret
}
