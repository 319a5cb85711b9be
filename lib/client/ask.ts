/** Requests to the endpoints, and what is wrong with their answers. */
import { endpoint } from './base-path.js'
import { here, page } from './page.js'

/** The URL of a page among the endpoints, to go to. */
export function pageUrl(path: string, params: Readonly<Record<string, string>>): string {
  return new URL(`${endpoint(path)}?${new URLSearchParams(params)}`, here()).href
}

/** The server could not be asked, or refused to answer. Whether somebody is signed in is not known then. */
export class ClientError extends Error {
  /** What the server told (`docs/errors.md`), else `NetworkError` for no answer, or `UnexpectedAnswer`. */
  readonly type: string
  /** The status of the answer; 0 where there was none. */
  readonly status: number

  constructor(message: string, type: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClientError'
    this.type = type
    this.status = status
  }
}

/** Milliseconds. Longer than the server itself waits for a provider or a database. */
const timeout = 30_000

/** What is sent: with a body as POST. */
interface Question {
  readonly body?: string | URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly data: unknown
}

/** Asks an endpoint for JSON. @throws {@link ClientError} */
export async function ask(path: string, { body, headers }: Question = {}): Promise<Answer> {
  const url = endpoint(path)
  const method = body === undefined ? 'GET' : 'POST'
  const response = await page
    .fetch(url, {
      method,
      body,
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(timeout),
    })
    .catch((cause: unknown) => {
      throw new ClientError(`No answer from ${url}`, 'NetworkError', 0, cause)
    })
  const { status, ok } = response
  const data: unknown = await response.json().catch(() => undefined)
  if (ok && data !== undefined) return { status, data }
  const { error, message } = fieldsOf(data)
  throw new ClientError(
    `${url} answered ${status}: ${message ?? 'not as it should'}`,
    typeof error === 'string' ? error : 'UnexpectedAnswer',
    status,
  )
}

/** The fields of what was answered; none where it is no object. */
export function fieldsOf(data: unknown): Readonly<Record<string, unknown>> {
  return Object(data)
}
