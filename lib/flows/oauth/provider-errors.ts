/** Errors of providers and of openid-client, for the log: names, messages and codes, without tokens. */

import { isRecord } from '../../base/guards.js'
import { redact } from '../../base/logger.js'
import { OAuthCallbackError } from '../../errors.js'
import { hasErrorCode } from './fetch.js'

/** Values that must not be logged, even if a provider repeats them. */
export type Secrets = ReadonlyArray<string | undefined>

/** Returns a copy of an error that is safe to log: openid-client stores responses, bodies and parameters in `cause`. */
export function toSafeError(thrown: unknown, secrets: Secrets = [], depth = 0): Error {
  if (!(thrown instanceof Error)) return new Error('a non-error was thrown')
  const said = providerError(thrown, secrets)
  const message = said === undefined ? redactSecrets(secrets, safeMessage(thrown)) : `the provider said ${said}`
  const fault = new Error(message)
  fault.name = thrown.name
  const stack = thrown.stack?.replace(thrown.message, () => message)
  if (stack !== undefined) fault.stack = redactSecrets(secrets, stack)
  if ('code' in thrown && typeof thrown.code === 'string') Object.assign(fault, { code: thrown.code })
  if ('status' in thrown && typeof thrown.status === 'number') Object.assign(fault, { status: thrown.status })
  if (thrown.cause instanceof Error && depth < 4) fault.cause = toSafeError(thrown.cause, secrets, depth + 1)
  return fault
}

/** Returns the error of a callback that failed because of the provider's response. */
export function toCallbackError(providerId: string, thrown: unknown, secrets: Secrets): OAuthCallbackError {
  const reason = providerError(thrown, secrets)
  const message = reason
    ? `The provider "${providerId}" answered with an error: ${reason}.`
    : `The answer of the provider "${providerId}" could not be used: ${describeFailure(thrown, secrets)}.${isUntrustedCertificate(thrown) ? ` ${untrustedCertificateAdvice}` : ''}`
  const cancelled = isCancelled(thrown)
  const details = { err: toSafeError(thrown, secrets), provider: providerId, ...(cancelled && { cancelled }) }
  return new OAuthCallbackError(message, details)
}

/** The remedy for {@link isUntrustedCertificate}. */
export const untrustedCertificateAdvice =
  'Node.js does not know the authority of its certificate. Start Node.js with NODE_EXTRA_CA_CERTS set to the file of that certificate.'

/** Checks whether a request failed because the certificate is self-signed, or signed by an unknown authority. */
export function isUntrustedCertificate(error: unknown): boolean {
  return hasErrorCode(error, untrustedCodes)
}

const untrustedCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

/** The error codes for "the user cancelled": the standard's (RFC 6749 §4.1.2.1), LinkedIn's and Apple's. */
const cancellations: readonly unknown[] = ['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** Checks whether the user cancelled in the browser. The token endpoint may send the same code about the client. */
function isCancelled(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('error' in thrown)) return false
  return thrown.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && cancellations.includes(thrown.error)
}

/** Returns the message, except that of a JSON parser, which quotes its input, such as a token. */
function safeMessage(thrown: Error): string {
  if (thrown instanceof SyntaxError) return 'the text is not valid JSON'
  const { code, cause } = thrown as { code?: unknown; cause?: unknown }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return challengeMessage(cause)
  if (thrown.message === 'fetch failed') return `fetch failed${isRecord(cause) ? errorCodeSuffix(cause.code) : ''}`
  // The message of oauth4webapi does not name our option.
  return thrown.message === 'JWE decryption is not configured'
    ? 'the response of the provider is encrypted: set `decryptionKeys`'
    : thrown.message
}

/** Describes a challenge, because openid-client's message names neither the cause nor what was rejected. */
function challengeMessage(challenges: unknown): string {
  const [first]: unknown[] = Array.isArray(challenges) ? challenges : []
  const { scheme, parameters } = isRecord(first) ? first : {}
  const error = isRecord(parameters) ? errorCodeSuffix(parameters.error) : ''
  // A client that authenticated with HTTP Basic (RFC 6749 §5.2).
  return scheme === 'basic'
    ? `the provider rejected the client${error}: check \`clientId\`, \`clientSecret\` and \`client.token_endpoint_auth_method\``
    : `the provider rejected the request${error}`
}

/** Returns a code of the system or of the protocol, such as `ECONNREFUSED`. Any other text may be a token. */
function errorCodeSuffix(value: unknown): string {
  return typeof value === 'string' && /^(?:[a-z_]{3,40}|[A-Z_]{3,40})$/.test(value) ? ` (${value})` : ''
}

function redactSecrets(secrets: Secrets, text: string): string {
  return secrets.reduce<string>(
    (clean, secret) => (secret && secret.length > 5 ? clean.replaceAll(secret, '[redacted]') : clean),
    text,
  )
}

/** Returns the provider's `error` and `error_description` (RFC 6749 §4.1.2.1, §5.2), shortened. */
function providerError(thrown: unknown, secrets: Secrets): string | undefined {
  if (!(thrown instanceof Error) || !('error' in thrown) || typeof thrown.error !== 'string') return undefined
  const description =
    'error_description' in thrown && typeof thrown.error_description === 'string' ? thrown.error_description : undefined
  const error = printable(redactSecrets(secrets, thrown.error), 64)
  return description ? `${error} (${printable(redactSecrets(secrets, description), 200)})` : error
}

function describeFailure(thrown: unknown, secrets: Secrets): string {
  if (!(thrown instanceof Error)) return 'a non-error was thrown'
  const inner = thrown.cause instanceof Error ? `: ${safeMessage(thrown.cause)}` : ''
  return printable(redactSecrets(secrets, `${safeMessage(thrown)}${inner}`), 300)
}

/** Returns a provider's text, shortened to one line of the log. */
function printable(text: string, length: number): string {
  return redact(text)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, length)
}
