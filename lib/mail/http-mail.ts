/**
 * The common part of providers for mail services with an HTTP API: one request for each email. It is not a provider.
 */
import type { EmailConfig, EmailNotice, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/**
 * The options of such a provider: `from`, the service's key (or `AUTH_<ID>_KEY` of the environment), and the options of
 * any email provider. With a `sendVerificationRequest` neither is required.
 */
export type HttpMailOptions = Omit<EmailUserConfig, 'server'> & (Sender | OwnMailSender)

/** The option for emails that the library sends. */
interface Sender {
  /** The sender, such as `Example <hello@example.com>`, on a domain that is registered with the service. */
  from: string
}

/** A request to a mail service. */
export interface MailCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a multipart form. */
  readonly body: FormData | Readonly<Record<string, unknown>>
}

/** Returns functions that send emails through a service: those with a link, and notices. */
export function mailsBy(
  callOf: (mail: EmailNotice) => MailCall,
): Pick<EmailConfig, 'sendVerificationRequest' | 'sendNotice'> {
  const send = (mail: EmailNotice) => sendByHttp(mail, callOf(mail))
  return { sendVerificationRequest: send, sendNotice: send }
}

/** The time limit of a request to the service, in milliseconds. */
const patience = 10_000
/** The bytes of an error response that are read, and the characters of its message that are reported. */
const longest = { answer: 16_384, message: 200 }

/**
 * Sends an email through a service.
 *
 * @throws Error if the service rejects it: with the status and the beginning of its message, never with the key.
 */
export async function sendByHttp(
  request: Pick<EmailNotice, 'identifier' | 'provider' | 'fetch'>,
  call: MailCall,
): Promise<void> {
  const { identifier, provider, fetch } = request
  const { name, apiKey } = provider
  // Services parse a text as a list of addresses with names.
  if (/[\s,;:<>"()[\]\\]/.test(identifier)) throw new Error(`${name}: the recipient is not one plain email address.`)
  const isForm = call.body instanceof FormData
  const hidden = (text: string) => (apiKey ? text.replaceAll(apiKey, '[apiKey]') : text)
  const response = await fetch(call.url, {
    method: 'POST',
    headers: { accept: 'application/json', ...(!isForm && { 'content-type': 'application/json' }), ...call.headers },
    body: call.body instanceof FormData ? call.body : JSON.stringify(call.body),
    // The key and the link must not be sent to another URL.
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  }).catch((error: unknown) => {
    // The error is not the cause, because Node repeats an invalid header, which contains the key.
    throw new Error(hidden(`${name} could not be reached: ${reasonOf(error)}`))
  })
  if (response.ok) return void response.body?.cancel().catch(() => {})
  const message = hidden(messageIn(await beginningOf(response)))
  throw new Error(`${name} answered ${response.status}${message && `: ${message.slice(0, longest.message)}`}`)
}

/** Returns the value of an `Authorization` header (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Returns the parts of a sender such as `Example <hello@example.com>`. */
export function mailbox(from: string): { email: string; name?: string } {
  const [, before = '', email = from] = /^([^<]*)<([^<>]*)>\s*$/.exec(from) ?? []
  const name = before.trim().replace(/^"(.*)"$/, '$1')
  return { email: email.trim(), ...(name !== '' && { name }) }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it did not answer within ${patience / 1000} seconds.`
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

/** Returns the beginning of the response body, until the time-out or a broken connection. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length >= longest.answer) break
    }
  } catch {
    // The status is sufficient.
  }
  return Buffer.concat(chunks).toString().slice(0, longest.answer)
}

/** Returns the error message of the service, or the text of the response, in one line. */
function messageIn(answer: string): string {
  return (wordOf(parsed(answer)) ?? answer).replace(/[\s\p{C}]+/gu, ' ').trim()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wordOf(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null) return undefined
  const { message, Message, errors, error } = answer as Readonly<Record<string, unknown>>
  const [first] = Array.isArray(errors) ? errors : []
  return [message, Message, first, error].map(wordOf).find((word) => word !== undefined)
}
