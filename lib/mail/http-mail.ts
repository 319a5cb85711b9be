/** What providers of mail services with an HTTP API share: one request for each mail. Not a provider. */
import type { EmailConfig, EmailNotice, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/**
 * Options of such a provider: `from`, the service's key (or `AUTH_<ID>_KEY` of the environment), and what else an e-mail
 * provider has. One with a `sendVerificationRequest` needs neither.
 */
export type HttpMailOptions = Omit<EmailUserConfig, 'server'> & (Sender | OwnMailSender)

/** What a mail service needs that sends our mails. */
interface Sender {
  /** The sender, such as `Example <hello@example.com>`, on a domain that the service knows. */
  from: string
}

/** What a service wants to be asked. */
export interface MailCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, or as a form with parts. */
  readonly body: FormData | Readonly<Record<string, unknown>>
}

/** How a service sends the mails that we wrote: those with a link, and notices. */
export function mailsBy(
  callOf: (mail: EmailNotice) => MailCall,
): Pick<EmailConfig, 'sendVerificationRequest' | 'sendNotice'> {
  const send = (mail: EmailNotice) => sendByHttp(mail, callOf(mail))
  return { sendVerificationRequest: send, sendNotice: send }
}

/** Milliseconds after which a service that does not answer is given up. */
const patience = 10_000
/** Bytes of an error's answer that are read, and letters of its message that are told. */
const longest = { answer: 16_384, message: 200 }

/**
 * Hands a mail to a service.
 *
 * @throws Error where the service did not take it: with the status and the beginning of its message, never with the key.
 */
export async function sendByHttp(
  request: Pick<EmailNotice, 'identifier' | 'provider' | 'fetch'>,
  call: MailCall,
): Promise<void> {
  const { identifier, provider, fetch } = request
  const { name, apiKey } = provider
  // Services read a text as a list of addresses with names.
  if (/[\s,;:<>"()[\]\\]/.test(identifier))
    throw new Error(`${name}: what is to be mailed to is not one plain address.`)
  const isForm = call.body instanceof FormData
  const hidden = (text: string) => (apiKey ? text.replaceAll(apiKey, '[apiKey]') : text)
  const response = await fetch(call.url, {
    method: 'POST',
    headers: { accept: 'application/json', ...(!isForm && { 'content-type': 'application/json' }), ...call.headers },
    body: call.body instanceof FormData ? call.body : JSON.stringify(call.body),
    // The key and the link are for this address only.
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  }).catch((error: unknown) => {
    // Without the error itself as its cause: Node repeats a header that cannot be sent, and that is the key.
    throw new Error(hidden(`${name} could not be reached: ${reasonOf(error)}`))
  })
  if (response.ok) return void response.body?.cancel().catch(() => {})
  const message = hidden(messageIn(await beginningOf(response)))
  throw new Error(`${name} answered ${response.status}${message && `: ${message.slice(0, longest.message)}`}`)
}

/** The value of an `Authorization` header (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The parts of a sender such as `Example <hello@example.com>`. */
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

/** The beginning of the answer's body; what comes of it before the time is over, or the connection breaks. */
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
    // The status says enough.
  }
  return Buffer.concat(chunks).toString().slice(0, longest.answer)
}

/** The services' own word for what was wrong, wherever they write it; else the text. One line. */
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
