/** What went wrong at a provider, for the log: names, messages and codes, and none of the tokens that errors carry along. */
import { OAuthCallbackError } from '../../errors.js'

/** An error without its baggage: openid-client keeps responses, bodies and parameters in `cause`. */
export function toFault(thrown: unknown, depth = 0): Error {
  if (!(thrown instanceof Error)) return new Error('a non-error was thrown')
  const fault = new Error(thrown.message)
  fault.name = thrown.name
  if (thrown.stack !== undefined) fault.stack = thrown.stack
  if ('code' in thrown && typeof thrown.code === 'string') Object.assign(fault, { code: thrown.code })
  if ('status' in thrown && typeof thrown.status === 'number') Object.assign(fault, { status: thrown.status })
  if (thrown.cause instanceof Error && depth < 4) fault.cause = toFault(thrown.cause, depth + 1)
  return fault
}

/** The error of a callback that the provider, or the check of its answer, made fail. */
export function toCallbackError(providerId: string, thrown: unknown): OAuthCallbackError {
  const reason = providerError(thrown)
  const message = reason
    ? `The provider "${providerId}" answered with an error: ${reason}.`
    : `The answer of the provider "${providerId}" could not be used: ${describe(thrown)}.`
  return new OAuthCallbackError(message, { err: toFault(thrown), provider: providerId })
}

/** `error` and `error_description` of the provider (RFC 6749 §4.1.2.1, §5.2), shortened. */
function providerError(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('error' in thrown) || typeof thrown.error !== 'string') return undefined
  const description =
    'error_description' in thrown && typeof thrown.error_description === 'string' ? thrown.error_description : undefined
  return [printable(thrown.error, 64), description && `(${printable(description, 200)})`].filter(Boolean).join(' ')
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'a non-error was thrown'
  const inner = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : ''
  return printable(`${thrown.message}${inner}`, 300)
}

function printable(text: string, length: number): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, length)
}
