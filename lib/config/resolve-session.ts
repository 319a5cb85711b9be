/** The options `session` and `jwt`. */

import type { Logger } from '../base/logger.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { InvalidConfiguration, MissingAdapter, UnsupportedStrategy } from '../errors.js'
import { revocationSetting } from '../features/revocation/option.js'
import * as jwt from '../jwt.js'
import type { CallbacksOptions } from '../types/config.js'
import { describeValue, rejectOption } from './reject-option.js'
import { presets } from './security.js'
import {
  anyValue,
  boolean,
  type Check,
  functionOf,
  nonEmptyText,
  nullable,
  oneOf,
  optional,
  seconds,
  shape,
} from './shape.js'

type Legacy = NonNullable<ResolvedConfig['session']['legacy']>

/** The maximum of `cacheFor` in seconds. */
const maxCacheFor = 300

const legacyShape = shape({ cookieName: nonEmptyText, until: anyValue })

/** The accepted sessions of another library, and their end. */
const legacy: Check<Legacy | undefined> = (name, value) => {
  if (value === undefined) return undefined
  const { cookieName, until } = legacyShape(name, value)
  const end = until instanceof Date ? until.getTime() : Date.parse(String(until))
  if (cookieName !== undefined && Number.isFinite(end)) return Object.freeze({ cookieName, until: end })
  return rejectOption(
    name,
    `needs \`cookieName\`, such as "__Secure-authjs.session-token", and \`until\`, a date such as "2030-01-31"; \`until\` is ${describeValue(until)}.`,
  )
}

/** The option `session`. */
export const sessionShape = shape({
  strategy: oneOf('jwt', 'database'),
  maxAge: nullable(seconds(1)),
  updateAge: nullable(seconds(0)),
  absoluteMaxAge: seconds(1),
  rememberMaxAge: seconds(1),
  generateSessionToken: functionOf<() => string>(),
  legacy,
  bearer: boolean,
  data: boolean,
  userFields: optional<readonly string[]>(
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    'must be a list of names of fields, such as ["role"], not {kind}.',
  ),
  network: boolean,
  revocation: revocationSetting,
  cacheFor: optional<number>(
    (value) => typeof value === 'number' && value >= 0 && value <= maxCacheFor,
    `must be a number of seconds from 0 to ${maxCacheFor}, not {kind}. A session that another process has ended stays valid in this one for that time.`,
  ),
})

/** The option `jwt`. */
export const jwtShape = shape({
  maxAge: nullable(seconds(1)),
  encode: functionOf<typeof jwt.encode>(),
  decode: functionOf<typeof jwt.decode>(),
  legacy,
})

/** Returns the resolved options. The default strategy is `database` if there is an adapter. */
export function resolveSession(
  { revocation, userFields: _names, ...options }: ReturnType<typeof sessionShape>,
  hasAdapter: boolean,
  logger: Logger,
): ResolvedConfig['session'] {
  const { strategy = hasAdapter ? 'database' : 'jwt', bearer = false } = options
  if (strategy === 'database' && !hasAdapter) {
    throw new MissingAdapter('`session.strategy` "database" needs an `adapter`. Set one, or use "jwt".')
  }
  if (options.cacheFor && strategy === 'jwt') {
    throw new UnsupportedStrategy(
      '`session.cacheFor` is for database sessions. JWT sessions are in the cookie and query no database. Remove it.',
    )
  }
  if (options.network && strategy === 'jwt' && !revocation?.list) {
    throw new InvalidConfiguration(
      '`session.network` is stored in the list of sessions, which JWT sessions lack. Set `session.revocation: { list: true }`, with a store, or remove it.',
    )
  }
  if (options.legacy && strategy === 'jwt') {
    throw new UnsupportedStrategy('`session.legacy` is for database sessions. For JWT sessions use `jwt.legacy`.')
  }
  const { maxAge, updateAge } = presets.standard.session
  const session = { maxAge, updateAge, ...withoutExpiredLegacy('session', options, logger), strategy, bearer }
  assertRememberMaxAge(session)
  return session
}

/** Rejects a `jwt` callback that would never run. */
export function assertCallbacks({ jwt: callback }: CallbacksOptions, { strategy }: ResolvedConfig['session']): void {
  if (callback === undefined || strategy === 'jwt') return
  throw new InvalidConfiguration(
    '`callbacks.jwt` never runs with database sessions, which have no token. Move its code to `callbacks.session`, which gets the stored `user`, or set `session: { strategy: "jwt" }`.',
  )
}

/** Checks that the lifetime of "Keep me signed in" is between the default and the maximum. */
function assertRememberMaxAge({ rememberMaxAge, maxAge, absoluteMaxAge }: ResolvedConfig['session']): void {
  if (rememberMaxAge === undefined) return
  if (rememberMaxAge < maxAge) {
    throw new InvalidConfiguration(
      `\`session.rememberMaxAge\` (${rememberMaxAge} s) is less than \`session.maxAge\` (${maxAge} s), so users who stay signed in would be signed out sooner. Lower \`session.maxAge\`, for example to 43200 (12 hours).`,
    )
  }
  if (absoluteMaxAge !== undefined && absoluteMaxAge < rememberMaxAge) {
    throw new InvalidConfiguration(
      `\`session.rememberMaxAge\` (${rememberMaxAge} s) is more than \`session.absoluteMaxAge\` (${absoluteMaxAge} s), at which every session ends. Raise that, or remove one of both.`,
    )
  }
}

/** Returns the resolved options of tokens. */
export function resolveJwt(
  options: ReturnType<typeof jwtShape>,
  session: ResolvedConfig['session'],
  logger: Logger,
): ResolvedConfig['jwt'] {
  if (options.encode && !options.decode) {
    throw new InvalidConfiguration('`jwt.encode` needs a `jwt.decode` that reads what it writes.')
  }
  if (options.maxAge !== undefined && session.rememberMaxAge !== undefined) {
    throw new InvalidConfiguration(
      '`jwt.maxAge` is one lifetime for all tokens, but `session.rememberMaxAge` gives some a longer one. Remove `jwt.maxAge`; set `session.maxAge`.',
    )
  }
  const defaults = { maxAge: session.maxAge, encode: jwt.encode, decode: jwt.decode }
  return { ...defaults, ...withoutExpiredLegacy('jwt', options, logger) }
}

/** Removes `legacy` after its date, with a warning. */
function withoutExpiredLegacy<O extends { readonly legacy?: Legacy }>(name: string, options: O, logger: Logger): O {
  const { legacy: given, ...rest } = options
  if (given === undefined || given.until > Date.now()) return options
  logger.warn(
    'legacy-ended',
    `\`${name}.legacy.until\` has passed, so sessions of Auth.js are no longer accepted. Remove \`${name}.legacy\`.`,
  )
  return rest as O
}
