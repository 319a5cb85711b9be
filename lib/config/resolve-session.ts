/** How sessions are kept, and the tokens they are kept in. */

import type { Logger } from '../base/logger.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration, MissingAdapter, UnsupportedStrategy } from '../errors.js'
import * as jwt from '../jwt.js'
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

const sessionKeys = ['strategy', 'maxAge', 'updateAge', 'absoluteMaxAge', 'generateSessionToken', 'legacy', 'bearer']

/** The option `session`. */
export function resolveSession(value: unknown, hasAdapter: boolean, logger: Logger): ResolvedConfig['session'] {
  const options = assertOptions('session', value)
  assertKnownKeys('session', options, sessionKeys)
  assertFunctions('session', { generateSessionToken: options.generateSessionToken })
  const strategy = resolveStrategy(options.strategy, hasAdapter)
  const { absoluteMaxAge } = options
  const bearer = assertBoolean('session.bearer', options.bearer) ?? false
  if (bearer && strategy === 'database') {
    throw new UnsupportedStrategy(
      '`session.bearer` is for JWT sessions only. Remove it, or set `session.strategy: "jwt"`.',
    )
  }
  if (options.legacy !== undefined && strategy === 'jwt') {
    throw new UnsupportedStrategy('`session.legacy` is for database sessions. For JWT sessions there is `jwt.legacy`.')
  }
  const legacy = resolveLegacy('session.legacy', options.legacy, logger)
  return {
    strategy,
    maxAge: assertSeconds('session.maxAge', options.maxAge ?? defaultMaxAge, 1),
    updateAge: assertSeconds('session.updateAge', options.updateAge ?? defaultUpdateAge, 0),
    ...(absoluteMaxAge !== undefined && {
      absoluteMaxAge: assertSeconds('session.absoluteMaxAge', absoluteMaxAge, 1),
    }),
    bearer,
    ...(options.generateSessionToken !== undefined && {
      generateSessionToken: options.generateSessionToken as () => string,
    }),
    ...(legacy && { legacy }),
  }
}

/** What is said counts; else a database where there is one. */
function resolveStrategy(strategy: unknown, hasAdapter: boolean): 'jwt' | 'database' {
  if (strategy !== undefined && strategy !== 'jwt' && strategy !== 'database') {
    throw new InvalidConfiguration(`${quote('session.strategy')} must be "jwt" or "database".`)
  }
  if (strategy === 'database' && !hasAdapter) {
    throw new MissingAdapter('`session.strategy` "database" needs an `adapter`. Set one, or use "jwt".')
  }
  return strategy ?? (hasAdapter ? 'database' : 'jwt')
}

/** The option `jwt`. */
export function resolveJwt(value: unknown, sessionMaxAge: number, logger: Logger): ResolvedConfig['jwt'] {
  const options = assertOptions('jwt', value)
  assertKnownKeys('jwt', options, ['maxAge', 'encode', 'decode', 'legacy'])
  assertFunctions('jwt', { encode: options.encode, decode: options.decode })
  if (options.encode !== undefined && options.decode === undefined) {
    throw new InvalidConfiguration('`jwt.encode` needs a `jwt.decode` that reads what it writes.')
  }
  const legacy = resolveLegacy('jwt.legacy', options.legacy, logger)
  return {
    maxAge: assertSeconds('jwt.maxAge', options.maxAge ?? sessionMaxAge, 1),
    encode: (options.encode as typeof jwt.encode | undefined) ?? jwt.encode,
    decode: (options.decode as typeof jwt.decode | undefined) ?? jwt.decode,
    ...(legacy && { legacy }),
  }
}

/** Which foreign sessions are accepted, and until when. Past the date there is nothing left of it. */
function resolveLegacy(
  name: string,
  value: unknown,
  logger: Logger,
): { readonly cookieName: string; readonly until: number } | undefined {
  if (value === undefined) return undefined
  const options = assertOptions(name, value)
  assertKnownKeys(name, options, ['cookieName', 'until'])
  const cookieName = assertText(`${name}.cookieName`, options.cookieName)
  const until = options.until instanceof Date ? options.until.getTime() : Date.parse(String(options.until))
  if (cookieName === undefined || !Number.isFinite(until)) {
    throw new InvalidConfiguration(
      `${quote(name)} needs \`cookieName\`, such as "__Secure-authjs.session-token", and \`until\`, a date such as "2030-01-31"; \`until\` is ${describe(options.until)}.`,
    )
  }
  if (until > Date.now()) return Object.freeze({ cookieName, until })
  logger.warn(
    'legacy-ended',
    `\`${name}.until\` has passed: sessions of Auth.js are not read any more. Remove \`${name}\`.`,
  )
  return undefined
}
