/** The resolution of email providers. */

import { type AuthEnv, environmentName } from '../base/env.js'
import { definedOnly, isRecord } from '../base/guards.js'
import { isCloudflareWorkers } from '../base/runtime.js'
import type { ResolvedEmailProvider } from '../contracts/index.js'
import { randomHex } from '../crypto/random.js'
import { InvalidConfiguration } from '../errors.js'
import type { EmailConfig, EmailNotice } from '../types/provider.js'
import type { Options } from './reject-option.js'
import { buttonStyle, type ProviderContext, resolveFetch } from './resolve-client.js'
import { resolveSecrets } from './resolve-secrets.js'
import {
  anyValue,
  type Check,
  functionOf,
  nonEmptyText,
  nullable,
  openShape,
  optional,
  required,
  seconds,
  shape,
} from './shape.js'
import { defaultMailLimit } from './site.js'

const mailCount = nullable(
  optional<number>((value) => Number.isInteger(value) && Number(value) > 0, 'must be a number of mails, at least 1.'),
)

const limitShape = shape({ perAddress: mailCount, perClient: mailCount, window: nullable(seconds(1)) })

/** The option `mailLimit`. Omitted members are those of the common rule, or the defaults if that does not count mails. */
const mailLimit: Check<ReturnType<typeof limitShape> | false | undefined> = (name, value) =>
  value === undefined || value === false ? value : limitShape(name, value)

const emailChecks = {
  apiKey: anyValue,
  from: anyValue,
  generateVerificationToken: functionOf(),
  limit: mailLimit,
  maxAge: nullable(seconds(1)),
  normalizeIdentifier: functionOf(),
  required: anyValue,
  secret: anyValue,
  sendVerificationRequest: required(
    (value) => typeof value === 'function',
    'must be a function that sends the mail, not {kind}.',
  ),
  server: anyValue,
}

/** The names of the options of email providers. */
export const emailOptions = Object.keys(emailChecks)
const emailShape = openShape({ ...emailChecks, sendNotice: functionOf(), style: buttonStyle })

/** Returns the resolved provider. Throws for invalid options. */
export function resolveEmail(
  provider: Options & Readonly<Record<symbol, unknown>> & { id: string; name: string },
  { env, linkMaxAge, logger, mailLimit, production, secrets, site }: ProviderContext,
): ResolvedEmailProvider {
  const { id, name } = provider
  const options = emailShape(`providers.${id}`, provider)
  if (production && !site) {
    throw new InvalidConfiguration(
      `Provider "${id}": AUTH_URL must be set in production, because email links must not depend on the Host header.`,
    )
  }
  assertSendable(provider)
  const config = withApiKey(provider, env)
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
      config,
      fetch: resolveFetch(provider),
      sendNotice: sendsNotices(provider) ? (notice: EmailNotice) => config.sendNotice?.(notice) : undefined,
      generateToken: () => config.generateVerificationToken?.() ?? randomHex(32),
      normalizeIdentifier:
        options.normalizeIdentifier && ((identifier: string) => config.normalizeIdentifier?.(identifier) ?? ''),
    }),
  )
}

/** Rejects SMTP where no connection outlives a request. @throws {@link InvalidConfiguration} */
function assertSendable({ id, server, options }: Options & { id: string }): void {
  const hasOwnSender = isRecord(options) && options.sendVerificationRequest !== undefined
  if (server === undefined || hasOwnSender || !isCloudflareWorkers()) return
  throw new InvalidConfiguration(
    `Provider "${id}" cannot send over SMTP on Cloudflare Workers. Use a mail service with an HTTP API, such as \`server-auth/providers/resend\`, or your own \`sendVerificationRequest\`.`,
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
  return usesBuiltInSender(options) || (isRecord(options) && options.sendNotice !== undefined)
}

function usesBuiltInSender(options: unknown): boolean {
  return !isRecord(options) || options.sendVerificationRequest === undefined
}

/**
 * Returns the provider with the environment's key, if it has none. Checks the required options of the built-in sender.
 */
function withApiKey(provider: Options & { id: string }, env: AuthEnv): EmailConfig {
  const { id, options } = provider
  const key = provider.apiKey || env.provider(id).apiKey
  const complete: Options = key === undefined ? provider : { ...provider, apiKey: key }
  for (const option of usesBuiltInSender(options) ? ((provider.required ?? []) as readonly string[]) : []) {
    if (nonEmptyText(`providers.${id}.${option}`, complete[option]) !== undefined) continue
    const variable = option === 'apiKey' ? `, or set AUTH_${environmentName(id)}_KEY` : ''
    throw new InvalidConfiguration(`Provider "${id}": \`${option}\` is missing. Pass it${variable}.`)
  }
  return complete as unknown as EmailConfig
}
