/** Who is told of a failure: audit logs, the developer, and the person by a reference that is in the log too. */

import { redact } from '../base/logger.js'
import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import { emit } from '../callbacks/events.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { randomHex } from '../crypto/random.js'
import { type AuthError, errorClasses } from '../errors.js'
import { isLocalOrigin } from '../http/addresses.js'
import { requestInfo } from '../http/message.js'

/** What happened, by reference, outside production only: the error page tells it there. Bounded. */
const messagesOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(100))

/** A new reference, eight hexadecimal characters. */
export function createIncident(config: ResolvedConfig, error: AuthError): string {
  const reference = randomHex(4)
  if (!config.production) messagesOf(config.memory).set(reference, describeError(error))
  return reference
}

/** A reference out of a query, if it can be one. */
export function toReference(text: string | null): string | undefined {
  return text !== null && /^[0-9a-f]{8}$/.test(text) ? text : undefined
}

/** What happened, for a page; `undefined` for all who may not know. */
export function readIncident(context: AuthContext, reference: string | undefined): string | undefined {
  return reference === undefined || !mayKnow(context) ? undefined : messagesOf(context.config.memory).get(reference)
}

/** What an error is about, for a page; `undefined` for all who may not know. */
export function detailOf(context: AuthContext, error: AuthError): string | undefined {
  return mayKnow(context) ? describeError(error) : undefined
}

/**
 * The developer, at the machine that answers. That nobody said "production" is no proof of development: a site that everybody
 * reaches may lack the variable.
 */
function mayKnow({ config, request }: AuthContext): boolean {
  return !config.production && request.isFromHere === true && isLocalOrigin(request.origin)
}

/** Type, message, and what led to it, without secrets. The message says what to change where we know. */
function describeError(error: AuthError): string {
  const lines = [`${error.type}: ${error.message}`]
  const cause = error.cause?.err
  if (cause && !error.message.includes(cause.message)) lines.push(`Caused by ${cause.name}: ${cause.message}`)
  return lines.map(redact).join('\n')
}

/** Emits the `failure` event, except for a wrong address, which is no attempt. */
export async function tellFailure(context: AuthContext, error: AuthError): Promise<void> {
  if (errorClasses.get(error.type)?.routine === 'wrongAddress') return
  const { config, request } = context
  const { action, providerId } = request
  await emit(config, 'failure', {
    type: error.type,
    error,
    action,
    ...(providerId !== undefined && config.providers.has(providerId) && { provider: providerId }),
    request: requestInfo(request),
  })
}
