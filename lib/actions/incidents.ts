/** Faults of the application, as a person may tell of them: by a reference that is in the log too. */
import type { ResolvedConfig } from '../context.js'
import { randomHex } from '../crypto/random.js'
import { type AuthError, InvalidRequest, TooManyRequests } from '../errors.js'
import { BoundedMap, perOwner } from '../memory.js'

/** Messages by reference, in development only: the error page shows them there. Bounded. */
const messagesOf = perOwner((_config: ResolvedConfig) => new BoundedMap<string, string>(100))

/** A new reference, eight hexadecimal characters. In development the error can be read by it. */
export function createIncident(config: ResolvedConfig, error: AuthError): string {
  const reference = randomHex(4)
  if (!config.production) messagesOf(config).set(reference, describeError(error))
  return reference
}

/** A reference out of a query, if it can be one. */
export function toReference(text: string | null): string | undefined {
  return text !== null && /^[0-9a-f]{8}$/.test(text) ? text : undefined
}

/** What happened, in development. */
export function readIncident(config: ResolvedConfig, reference: string | undefined): string | undefined {
  return reference === undefined ? undefined : messagesOf(config).get(reference)
}

/** Type, message, and what led to it. The message says what to change where we know. */
export function describeError(error: AuthError): string {
  const lines = [`${error.type}: ${error.message}`]
  const cause = error.cause?.err
  if (cause && !error.message.includes(cause.message)) lines.push(`Caused by ${cause.name}: ${cause.message}`)
  return lines.join('\n')
}

/** What any stranger can provoke by a wrong address: no error of the application, and no attempt at anything. */
export function isWrongAddress(error: AuthError): boolean {
  if (error instanceof TooManyRequests) return false
  return error instanceof InvalidRequest || error.type === 'InvalidProvider'
}
