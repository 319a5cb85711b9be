/** The resolution of email providers. */

import { type AuthEnv, environmentName } from '../base/env.js'
import { definedOnly, isRecord } from '../base/guards.js'
import type { ResolvedEmailProvider } from '../contracts/index.js'
import { randomHex } from '../crypto/random.js'
import { InvalidConfiguration } from '../errors.js'
import type { EmailConfig, EmailNotice } from '../types/provider.js'
import type { Options } from './refusal.js'
import { type ProviderSurroundings, resolveFetch, style } from './resolve-client.js'
import { resolveSecrets } from './resolve-secrets.js'
import {
  anything,
  type Check,
  functionOf,
  openShape,
  optional,
  orNull,
  required,
  seconds,
  shape,
  text,
} from './shape.js'
import { defaultMailLimit } from './site.js'

const mails = orNull(
  optional<number>((value) => Number.isInteger(value) && Number(value) > 0, 'must be a number of mails, at least 1.'),
)

const limitShape = shape({ perAddress: mails, perClient: mails, window: orNull(seconds(1)) })

/** The option `limit`. Omitted members are those of the common rule, or the defaults if that does not count mails. */
const limit: Check<ReturnType<typeof limitShape> | false | undefined> = (name, value) =>
  value === undefined || value === false ? value : limitShape(name, value)

const checks = {
  apiKey: anything,
  from: anything,
  generateVerificationToken: functionOf(),
  limit,
  maxAge: orNull(seconds(1)),
  normalizeIdentifier: functionOf(),
  required: anything,
  secret: anything,
  sendVerificationRequest: required(
    (value) => typeof value === 'function',
    'must be a function that sends the mail, not {kind}.',
  ),
  server: anything,
}

/** The names of the options of email providers. */
export const emailOptions = Object.keys(checks)
const emailShape = openShape({ ...checks, sendNotice: functionOf(), style })

/** Returns the resolved provider. Throws for invalid options. */
export function resolveEmail(
  provider: Options & Readonly<Record<symbol, unknown>> & { id: string; name: string },
  { env, linkMaxAge, logger, mailLimit, production, secrets, site }: ProviderSurroundings,
): ResolvedEmailProvider {
  const { id, name } = provider
  const options = emailShape(`providers.${id}`, provider)
  if (production && !site) {
    throw new InvalidConfiguration(
      `Provider "${id}": AUTH_URL must be set in production, because email links must not depend on the Host header.`,
    )
  }
  const source = withKey(provider, env)
  return Object.freeze(
    definedOnly<ResolvedEmailProvider>({
      kind: 'email',
      type: 'email',
      id,
      name,
      style: options.style,
      maxAge: options.maxAge ?? linkMaxAge,
      // A provider's own secret must satisfy the same rules as the configuration's.
      secrets: options.secret === undefined ? secrets : resolveSecrets(options.secret, env, logger),
      limit: completeLimit(options.limit, mailLimit),
      source,
      fetch: resolveFetch(provider),
      sendNotice: sendsNotices(provider) ? (notice: EmailNotice) => source.sendNotice?.(notice) : undefined,
      generateToken: () => source.generateVerificationToken?.() ?? randomHex(32),
      normalizeIdentifier:
        options.normalizeIdentifier && ((identifier: string) => source.normalizeIdentifier?.(identifier) ?? ''),
    }),
  )
}

function completeLimit(
  own: ReturnType<typeof limitShape> | false | undefined,
  common: ResolvedEmailProvider['limit'],
): ResolvedEmailProvider['limit'] {
  if (own === false) return undefined
  return own === undefined ? common : Object.freeze({ ...(common ?? defaultMailLimit), ...own })
}

/** Checks whether the provider sends notices: with the built-in sender only if that also sends the links. */
function sendsNotices({ sendNotice, options }: Options): boolean {
  if (sendNotice === undefined) return false
  return sendsItself(options) || (isRecord(options) && options.sendNotice !== undefined)
}

function sendsItself(options: unknown): boolean {
  return !isRecord(options) || options.sendVerificationRequest === undefined
}

/**
 * Returns the provider with the environment's key, if it has none. Checks the required options of the built-in sender.
 */
function withKey(provider: Options & { id: string }, env: AuthEnv): EmailConfig {
  const { id, options } = provider
  const key = provider.apiKey || env.provider(id).apiKey
  const complete: Options = key === undefined ? provider : { ...provider, apiKey: key }
  for (const option of sendsItself(options) ? ((provider.required ?? []) as readonly string[]) : []) {
    if (text(`providers.${id}.${option}`, complete[option]) !== undefined) continue
    const variable = option === 'apiKey' ? `, or set AUTH_${environmentName(id)}_KEY` : ''
    throw new InvalidConfiguration(`Provider "${id}": \`${option}\` is missing. Pass it${variable}.`)
  }
  return complete as unknown as EmailConfig
}
