/** Requests to the endpoints: where those are, how they are asked, and what is wrong with their answers. */
import { here, webUrl } from './page.js'

/* ---- where the endpoints are ---------------------------------------------------------------------------------- */

/** Settings of the client. */
export interface ClientOptions {
  /** Path of the endpoints. Default: `/api/auth` in pages of Next.js, else `/auth`. */
  basePath: string
}

const settings: Partial<ClientOptions> = {}

/**
 * Tells the client where the endpoints are. Call it once, before anything is asked.
 *
 * @example
 * ```ts
 * configureClient({ basePath: '/api/session' })
 * ```
 */
export function configureClient({ basePath }: ClientOptions): void {
  settings.basePath = basePath
}

/** The path of an endpoint, looked up at each call: the client may be configured after it was loaded. */
export function endpoint(path: string, basePath = settings.basePath): string {
  const isNext = '__next_f' in globalThis || '__NEXT_DATA__' in globalThis
  return `${basePath?.replace(/\/+$/, '') ?? (isNext ? '/api/auth' : '/auth')}/${path}`
}

/** The URL of a page among the endpoints, to go to. */
export function pageUrl(path: string, params: Readonly<Record<string, string>>): string {
  return new URL(`${endpoint(path)}?${new URLSearchParams(params)}`, here()).href
}

/* ---- asking --------------------------------------------------------------------------------------------------- */

/** The server could not be asked, or refused to answer. Whether somebody is signed in is not known then. */
export class ClientError extends Error {
  /** What the server told (`docs/reference/errors.md`), else `NetworkError` for no answer, or `UnexpectedAnswer`. */
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

/** Ends a request that gets no answer: later than the server itself gives up on a provider or a database. */
export const timeLimit = () => AbortSignal.timeout(30_000)

/** What is sent: with a body as POST. */
export interface Question {
  readonly body?: string | URLSearchParams | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends the request, in place of the time limit. */
  readonly signal?: AbortSignal | undefined
}

/** Asks for JSON: the response and what it says, `undefined` where that is no JSON. Rejects where there is no answer. */
export async function fetchJson(url: string | URL, { body, headers, signal = timeLimit() }: Question) {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await fetch(url, { method, body, headers: { accept: 'application/json', ...headers }, signal })
  const data: unknown = await response.json().catch(() => undefined)
  return [response, data] as const
}

/**
 * Asks an endpoint for JSON.
 *
 * @param takesUrl Whether an error that comes with a URL is an answer: where the attempt may come again later, the URL of the page that says
 * so comes with status 429 or 503.
 * @throws {@link ClientError} for any other error.
 */
export async function ask(
  path: string,
  question: Question = {},
  takesUrl?: boolean,
): Promise<{ status: number; data: unknown; to: unknown }> {
  const url = endpoint(path)
  const [{ ok, status }, data] = await fetchJson(url, question).catch((cause: unknown) => {
    throw new ClientError(`No answer from ${url}`, 'NetworkError', 0, cause)
  })
  const { error, message, url: to } = fieldsOf(data)
  if (ok ? data !== undefined : takesUrl && to) return { status, data, to }
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

/* ---- forms: with the CSRF token, and answered with the URL to go on to ------------------------------------------ */

/**
 * The CSRF token that POSTs of this browser carry. Empty where the server has switched the check off.
 *
 * @throws {@link ClientError} when the server cannot be asked.
 */
export async function getCsrfToken(): Promise<string> {
  try {
    const { data } = await ask('csrf')
    return String(fieldsOf(data).csrfToken)
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return ''
    throw error
  }
}

/** Where a form leads. */
export interface Outcome {
  readonly status: number
  readonly url: string
  /** Type of the error, where it leads to a page that tells about one. */
  readonly error?: string | undefined
  readonly code?: string | undefined
}

/** Submits a form. Refusals stand in the query of the URL. @throws {@link ClientError} */
export async function submit(path: string, callbackUrl: string, fields: object = {}): Promise<Outcome> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const body = new URLSearchParams(entries)
  body.set('csrfToken', await getCsrfToken())
  body.set('callbackUrl', callbackUrl)
  const { status, to } = await ask(path, { body, headers: { 'x-auth-return-redirect': '1' } }, true)
  const url = webUrl(to)
  if (!url) throw new ClientError(`${endpoint(path)} sent no URL`, 'UnexpectedAnswer', status)
  const { href, searchParams } = url
  // The page to return to may have an `error` of its own in its query.
  if (href === webUrl(callbackUrl)?.href) return { status, url: href }
  return {
    status,
    url: href,
    error: searchParams.get('error') ?? undefined,
    code: searchParams.get('code') ?? undefined,
  }
}
