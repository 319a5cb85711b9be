/** How sessions are kept, and the tokens they are kept in. */
import type { ResolvedConfig } from '../context.js'
import { InvalidConfiguration, MissingAdapter, UnsupportedStrategy } from '../errors.js'
import * as jwt from '../jwt.js'
import type { Logger } from '../logger.js'
import { defaultMaxAge, defaultUpdateAge } from './defaults.js'
import {
  assertBoolean,
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  assertSeconds,
  assertText,
  describe,
  quote,
} from './validate.js'

const sessionKeys = ['strategy', 'maxAge', 'updateAge', 'absoluteMaxAge', 'generateSessionToken', 'bearer']

/** The option `session`. */
export function resolveSession(value: unknown, adapter: unknown): ResolvedConfig['session'] {
  const options = assertOptions('session', value)
  assertKnownKeys('session', options, sessionKeys)
  assertFunctions('session', { generateSessionToken: options.generateSessionToken })
  assertStrategy(options.strategy, adapter)
  const { absoluteMaxAge } = options
  return {
    strategy: 'jwt',
    maxAge: assertSeconds('session.maxAge', options.maxAge ?? defaultMaxAge, 1),
    updateAge: assertSeconds('session.updateAge', options.updateAge ?? defaultUpdateAge, 0),
    ...(absoluteMaxAge !== undefined && {
      absoluteMaxAge: assertSeconds('session.absoluteMaxAge', absoluteMaxAge, 1),
    }),
    bearer: assertBoolean('session.bearer', options.bearer) ?? false,
  }
}

function assertStrategy(strategy: unknown, adapter: unknown): void {
  if (strategy !== undefined && strategy !== 'jwt' && strategy !== 'database') {
    throw new InvalidConfiguration(`${quote('session.strategy')} must be "jwt" or "database".`)
  }
  if (adapter !== undefined) {
    throw new UnsupportedStrategy(
      '`adapter`: this version keeps sessions in encrypted cookies and has no adapters yet. Remove the option.',
    )
  }
  if (strategy === 'database') {
    throw new MissingAdapter('`session.strategy` "database" needs an `adapter`. Set one, or use "jwt".')
  }
}

/** The option `jwt`. */
export function resolveJwt(value: unknown, sessionMaxAge: number, logger: Logger): ResolvedConfig['jwt'] {
  const options = assertOptions('jwt', value)
  assertKnownKeys('jwt', options, ['maxAge', 'encode', 'decode', 'legacy'])
  assertFunctions('jwt', { encode: options.encode, decode: options.decode })
  if (options.encode !== undefined && options.decode === undefined) {
    throw new InvalidConfiguration('`jwt.encode` needs a `jwt.decode` that reads what it writes.')
  }
  const legacy = resolveLegacy(options.legacy, logger)
  return {
    maxAge: assertSeconds('jwt.maxAge', options.maxAge ?? sessionMaxAge, 1),
    encode: (options.encode as typeof jwt.encode | undefined) ?? jwt.encode,
    decode: (options.decode as typeof jwt.decode | undefined) ?? jwt.decode,
    ...(legacy && { legacy }),
  }
}

/** Which foreign sessions are accepted, and until when. Past the date there is nothing left of it. */
function resolveLegacy(value: unknown, logger: Logger): ResolvedConfig['jwt']['legacy'] {
  if (value === undefined) return undefined
  const options = assertOptions('jwt.legacy', value)
  assertKnownKeys('jwt.legacy', options, ['cookieName', 'until'])
  const cookieName = assertText('jwt.legacy.cookieName', options.cookieName)
  const until = options.until instanceof Date ? options.until.getTime() : Date.parse(String(options.until))
  if (cookieName === undefined || !Number.isFinite(until)) {
    throw new InvalidConfiguration(
      `${quote('jwt.legacy')} needs \`cookieName\`, such as "__Secure-authjs.session-token", and \`until\`, a date such as "2030-01-31"; \`until\` is ${describe(options.until)}.`,
    )
  }
  if (until > Date.now()) return Object.freeze({ cookieName, until })
  logger.warn(
    'legacy-ended',
    '`jwt.legacy.until` has passed: sessions of Auth.js are not read any more. Remove `jwt.legacy`.',
  )
  return undefined
}
