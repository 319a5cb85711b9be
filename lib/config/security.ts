/** The option `security`. A preset is a table of defaults, which the developer's own options override. */
import { definedOnly, isRecord } from '../base/guards.js'
import { InvalidConfiguration } from '../errors.js'
import type { SecurityPreset, ServerAuthConfig } from '../types/config.js'
import type { RevocationOptions, SessionOptions } from '../types/session.js'
import { oneOf } from './shape.js'

/** The defaults of a preset. */
interface Preset {
  /** The defaults of `session`. `revocation` applies to JWT sessions only: database sessions end with their record. */
  readonly session: Readonly<Record<'maxAge' | 'updateAge', number>> &
    Pick<SessionOptions, 'absoluteMaxAge'> & { readonly revocation?: RevocationOptions }
  readonly rateLimit?: ServerAuthConfig['rateLimit']
  /**
   * The prefix of the session cookie's name on https. `__Host-` prevents sibling subdomains from setting it (RFC
   * 6265bis §4.1.3).
   */
  readonly sessionPrefix: '__Secure-' | '__Host-'
  /** The lifetime of an email link in seconds. */
  readonly linkMaxAge: number
}

const [minute, hour, day] = [60, 60 * 60, 24 * 60 * 60]

/** The presets. NIST SP 800-63B-4 §2.2.3 limits sessions at AAL2 to one hour of inactivity and 24 hours in total. */
export const presets: Readonly<Record<SecurityPreset, Preset>> = {
  standard: {
    session: { maxAge: 30 * day, updateAge: day },
    sessionPrefix: '__Secure-',
    linkMaxAge: day,
  },
  strict: {
    session: {
      maxAge: hour,
      updateAge: 5 * minute,
      absoluteMaxAge: day,
      revocation: { maxStale: 1, onOutage: 'deny' },
    },
    rateLimit: {},
    sessionPrefix: '__Host-',
    linkMaxAge: 10 * minute,
  },
}

const presetOption = oneOf('standard', 'strict')

/** Returns the preset of a configuration. */
export function presetOf(config: unknown): Preset {
  return presets[presetOption('security', isRecord(config) ? config.security : undefined) ?? 'standard']
}

/** Returns the configuration with the preset's defaults for options that are not set. Nothing is validated here. */
export function withPreset(config: ServerAuthConfig): ServerAuthConfig {
  if (!isRecord(config)) return config
  const { rateLimit, session: rows } = presetOf(config)
  const session: unknown = config.session ?? {}
  if (!isRecord(session)) return config
  const isJwt = (session.strategy ?? (config.adapter === undefined ? 'jwt' : 'database')) === 'jwt'
  const { revocation: row, ...others } = rows
  const unset = Object.entries(others).filter(([key]) => (session[key] ?? null) === null)
  const revocation = row && (isJwt || session.revocation) ? revocationIn(session.revocation, row) : session.revocation
  return {
    ...config,
    ...(rateLimit && { rateLimit: config.rateLimit ?? rateLimit }),
    session: { ...session, ...Object.fromEntries(unset), revocation } as SessionOptions,
  }
}

/** Returns `session.revocation` with the preset's defaults for members that are not set. The value may be a store. */
function revocationIn(value: unknown, row: object): unknown {
  if (value === undefined || value === null || value === true) return row
  if (!isRecord(value)) return value
  return 'log' in value ? { store: value, ...row } : { ...row, ...definedOnly(value) }
}

/**
 * Adds the preset's name to the error about a store of `session.revocation`, if the preset has set it and not the
 * developer.
 */
export function explainedByPreset<T>({ security, session }: ServerAuthConfig, resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    if (security !== 'strict' || session?.revocation !== undefined || !(error instanceof InvalidConfiguration))
      throw error
    throw new InvalidConfiguration(
      `\`security: "strict"\` sets \`session.revocation\`. ${error.message} To turn it off, set it to \`false\`.`,
    )
  }
}
