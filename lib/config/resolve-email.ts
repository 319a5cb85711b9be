/** Resolves an e-mail provider. */

import { type AuthEnv, environmentName } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { ResolvedEmailProvider } from '../contracts/index.js'
import { randomHex } from '../crypto/random.js'
import { InvalidConfiguration } from '../errors.js'
import type { EmailConfig, EmailNotice } from '../types/provider.js'
import { resolveFetch, resolveStyle } from './resolve-client.js'
import { resolveSecrets } from './resolve-secrets.js'
import {
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  assertSeconds,
  assertText,
  describe,
  type Options,
  quote,
} from './validate.js'

/** Seconds. */
const defaultLifetime = 24 * 60 * 60
/** A person who waits for a mail asks again, twice; a class in one room asks all at once. */
const defaultLimit = { perAddress: 5, perClient: 50, window: 15 * 60 }

/** What resolving an e-mail provider needs to know of the rest. */
export interface EmailSurroundings {
  readonly secrets: readonly [string, ...string[]]
  readonly env: AuthEnv
  readonly logger: Logger
  readonly production: boolean
  /** Where the site is, if `AUTH_URL` says so. */
  readonly site: { readonly origin: string } | undefined
}

/** The complete provider; throws what is wrong with it. */
export function resolveEmail(
  provider: Options & Readonly<Record<symbol, unknown>> & { id: string; name: string },
  surroundings: EmailSurroundings,
): ResolvedEmailProvider {
  const at = `providers.${provider.id}`
  if (typeof provider.sendVerificationRequest !== 'function') {
    throw new InvalidConfiguration(
      `${quote(`${at}.sendVerificationRequest`)} must be a function that sends the mail, not ${describe(provider.sendVerificationRequest)}.`,
    )
  }
  if (surroundings.production && !surroundings.site) {
    throw new InvalidConfiguration(
      `Provider "${provider.id}": in production AUTH_URL must be set, because mailed links must not be made of what a request says about the host.`,
    )
  }
  const { generateVerificationToken, normalizeIdentifier, sendNotice } = provider
  assertFunctions(at, { generateVerificationToken, normalizeIdentifier, sendNotice })
  // A secret of its own is held to the same rules as the configuration's.
  const secrets =
    provider.secret === undefined
      ? surroundings.secrets
      : resolveSecrets(provider.secret, surroundings.env, surroundings.logger)
  const limit = resolveLimit(`${at}.limit`, provider.limit)
  const source = withKey(provider, surroundings.env)
  return Object.freeze({
    kind: 'email',
    type: 'email',
    id: provider.id,
    name: provider.name,
    style: resolveStyle(at, provider.style),
    maxAge: assertSeconds(`${at}.maxAge`, provider.maxAge ?? defaultLifetime, 1),
    secrets,
    ...(limit && { limit }),
    source,
    fetch: resolveFetch(provider),
    ...(sendsNotices(provider) && {
      sendNotice: (notice: EmailNotice) => source.sendNotice?.(notice),
    }),
    generateToken: () => source.generateVerificationToken?.() ?? randomHex(32),
    ...(normalizeIdentifier !== undefined && {
      normalizeIdentifier: (identifier: string) => source.normalizeIdentifier?.(identifier) ?? '',
    }),
  })
}

/** Our own sender is complete only where it sends the links, too. */
function sendsNotices({ sendNotice, options }: Options): boolean {
  if (sendNotice === undefined) return false
  return sendsItself(options) || (isRecord(options) && options.sendNotice !== undefined)
}

function sendsItself(options: unknown): boolean {
  return !isRecord(options) || options.sendVerificationRequest === undefined
}

/** The provider with the environment's key, where it has none of its own; complete by its own list, if it sends itself. */
function withKey(provider: Options & { id: string }, env: AuthEnv): EmailConfig {
  const { id, options } = provider
  const key = provider.apiKey || env.provider(id).apiKey
  const complete: Options = key === undefined ? provider : { ...provider, apiKey: key }
  for (const option of sendsItself(options) ? ((provider.required ?? []) as readonly string[]) : []) {
    if (assertText(`providers.${id}.${option}`, complete[option]) !== undefined) continue
    const variable = option === 'apiKey' ? `, or set AUTH_${environmentName(id)}_KEY` : ''
    throw new InvalidConfiguration(`Provider "${id}": \`${option}\` is missing. Pass it${variable}.`)
  }
  return complete as unknown as EmailConfig
}

function resolveLimit(name: string, value: unknown): ResolvedEmailProvider['limit'] {
  if (value === false) return undefined
  const options = assertOptions(name, value)
  assertKnownKeys(name, options, ['perAddress', 'perClient', 'window'])
  const count = (key: 'perAddress' | 'perClient') => {
    const limit = options[key] ?? defaultLimit[key]
    if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit
    throw new InvalidConfiguration(`${quote(`${name}.${key}`)} must be a number of mails, at least 1.`)
  }
  return Object.freeze({
    perAddress: count('perAddress'),
    perClient: count('perClient'),
    window: assertSeconds(`${name}.window`, options.window ?? defaultLimit.window, 1),
  })
}
