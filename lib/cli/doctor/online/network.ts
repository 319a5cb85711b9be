/** Network requests of the doctor, and descriptions of their failures. */
import { errorCode, reasonText } from '../finding.js'

/** The time limit of a request, in milliseconds. */
export const requestTimeLimit = 10_000

/** The description of a failed request. */
export interface NetworkFault {
  /** True if the certificate is the problem. */
  readonly isTls: boolean
  /** The predicate of a sentence, and the remedy. */
  readonly message: string
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has ended. Have it renewed',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet. Compare the clocks',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthorityMessage(),
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthorityMessage(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthorityMessage(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'does not send the certificates between its own and the root. Have the whole chain installed there',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host. Correct the URL, or the certificate',
}

function unknownAuthorityMessage(): string {
  return 'has a certificate of an authority that this machine does not know. Name its file in NODE_EXTRA_CA_CERTS'
}

const connections: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has a name that cannot be found. Is it spelled right?',
  EAI_AGAIN: 'has a name that cannot be looked up now. Does this machine reach its DNS?',
  EDNS: 'has a name that cannot be found. Is it spelled right?',
  ECONNREFUSED: 'does not take connections. Is it running, and is the port right?',
  ECONNRESET: 'breaks off the connection. Is the port right, and the protocol?',
  EPROTO: 'does not speak TLS at that port. Is the port right?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS at that port. Is the port right?',
  ETIMEDOUT: noResponseMessage(),
  UND_ERR_CONNECT_TIMEOUT: noResponseMessage(),
  UND_ERR_HEADERS_OVERFLOW: 'answers with headers that are too long',
}

function noResponseMessage(): string {
  return 'does not answer. Does a firewall stop this machine?'
}

/** Describes an error by its code. */
export function describeNetworkError(error: unknown): NetworkFault {
  const code = knownCode(error) ?? ''
  const certificate = certificates[code]
  if (certificate !== undefined) return { isTls: true, message: `${certificate} (${code}).` }
  const connection = connections[code] ?? (isTimeout(error) ? noResponseMessage() : undefined)
  return { isTls: false, message: connection ?? `cannot be asked: ${reasonText(error)}` }
}

/** Returns a known code. Packages have their own codes, and the system's code in the message. */
function knownCode(error: unknown): string | undefined {
  const isKnown = (code: string) => Object.hasOwn(certificates, code) || Object.hasOwn(connections, code)
  const codes = [errorCode(error), ...(/\bE[A-Z_]{4,}\b/.exec(reasonText(error)) ?? [])]
  return codes.find((code) => code !== undefined && isKnown(code))
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/**
 * Returns the seconds by which the other clock is ahead of the local one, by the `Date` header (RFC 9110 §6.6.1), which has
 * whole seconds.
 */
export function clockSkew(headers: Headers, asked: { readonly from: number; readonly to: number }): number | undefined {
  const told = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(told)) return undefined
  if (told + 1000 < asked.from) return Math.round((told + 1000 - asked.from) / 1000)
  return told > asked.to ? Math.round((told - asked.to) / 1000) : 0
}

/** Returns a text such as `3 seconds ahead of`, `1 second behind`. */
export function formatSkew(seconds: number): string {
  const size = Math.abs(seconds)
  return `${size} second${size === 1 ? '' : 's'} ${seconds > 0 ? 'ahead of' : 'behind'}`
}
