/**
 * The common part of providers for mail services with an HTTP API: one request for each email. It is not a provider.
 */
import type { EmailConfig, EmailNotice, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/**
 * The options of such a provider: `from`, the service's key (or `AUTH_<ID>_KEY` of the environment), and the options of
 * any email provider. With a `sendVerificationRequest` neither is required.
 */
export type HttpMailOptions = Omit<EmailUserConfig, 'server'> & (SenderOptions | OwnMailSender)

/** The option for emails that the library sends. */
interface SenderOptions {
  /** The sender, such as `Example <hello@example.com>`, on a domain that is registered with the service. */
  from: string
}

/** A request to a mail service. */
export interface MailRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a multipart form. */
  readonly body: FormData | Readonly<Record<string, unknown>>
}

/** Returns functions that send emails through a service: those with a link, and notices. */
export function sendersOf(
  toRequest: (mail: EmailNotice) => MailRequest,
): Pick<EmailConfig, 'sendVerificationRequest' | 'sendNotice'> {
  const send = (mail: EmailNotice) => sendByHttp(mail, toRequest(mail))
  return { sendVerificationRequest: send, sendNotice: send }
}

/** The time limit of a request to the service, in milliseconds. */
const timeLimit = 10_000
/** The bytes of an error response that are read, and the characters of its message that are reported. */
const limits = { response: 16_384, message: 200 }

/**
 * Sends an email through a service.
 *
 * @throws Error if the service rejects it: with the status and the beginning of its message, never with the key.
 */
export async function sendByHttp(
  request: Pick<EmailNotice, 'identifier' | 'provider' | 'fetch'>,
  call: MailRequest,
): Promise<void> {
  const { identifier, provider, fetch } = request
  const { name, apiKey } = provider
  // Services parse a text as a list of addresses with names.
  if (/[\s,;:<>"()[\]\\]/.test(identifier)) throw new Error(`${name}: the recipient is not one plain email address.`)
  const isForm = call.body instanceof FormData
  const withoutKey = (text: string) => (apiKey ? text.replaceAll(apiKey, '[apiKey]') : text)
  const response = await fetch(call.url, {
    method: 'POST',
    headers: { accept: 'application/json', ...(!isForm && { 'content-type': 'application/json' }), ...call.headers },
    body: call.body instanceof FormData ? call.body : JSON.stringify(call.body),
    // The key and the link must not be sent to another URL.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimit),
  }).catch((error: unknown) => {
    // The error is not the cause, because Node repeats an invalid header, which contains the key.
    throw new Error(withoutKey(`${name} could not be reached: ${connectionProblem(error)}`))
  })
  if (response.ok) return void response.body?.cancel().catch(() => {})
  const message = withoutKey(errorMessageIn(await readBeginning(response)))
  throw new Error(`${name} answered ${response.status}${message && `: ${message.slice(0, limits.message)}`}`)
}

/** Returns the value of an `Authorization` header (RFC 7617). */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Returns the parts of a sender such as `Example <hello@example.com>`. */
export function senderParts(from: string): { email: string; name?: string } {
  const [, before = '', email = from] = /^([^<]*)<([^<>]*)>\s*$/.exec(from) ?? []
  const name = before.trim().replace(/^"(.*)"$/, '$1')
  return { email: email.trim(), ...(name !== '' && { name }) }
}

function connectionProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it did not answer within ${timeLimit / 1000} seconds.`
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

/** Returns the beginning of the response body, until the time-out or a broken connection. */
async function readBeginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length >= limits.response) break
    }
  } catch {
    // The status is sufficient.
  }
  return Buffer.concat(chunks).toString().slice(0, limits.response)
}

/** Returns the error message of the service, or the text of the response, in one line. */
function errorMessageIn(answer: string): string {
  return (findMessage(parseJsonOrUndefined(answer)) ?? answer).replace(/[\s\p{C}]+/gu, ' ').trim()
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findMessage(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null) return undefined
  const { message, Message, errors, error } = answer as Readonly<Record<string, unknown>>
  const [first] = Array.isArray(errors) ? errors : []
  return [message, Message, first, error].map(findMessage).find((word) => word !== undefined)
}
