/** Requests to the endpoints: their paths, their time limit, and their errors. */
import { currentUrl, webUrl } from './page.js'

/* ---- where the endpoints are ---------------------------------------------------------------------------------- */

/** Settings of the client. */
export interface ClientOptions {
  /** The path of the endpoints. Default: `/api/auth` in pages of Next.js, otherwise `/auth`. */
  basePath?: string
  /**
   * The origin of the endpoints, if it is another one of the same site, such as `https://api.example.com`. The server
   * names the origin of this page in `trustedOrigins`. Default: that of the page.
   */
  baseUrl?: string
}

const settings: ClientOptions = {}

/**
 * Sets where the endpoints are. Call it once, before the first request. Settings that are left out do not change.
 *
 * @example
 * ```ts
 * configureClient({ basePath: '/api/session' })
 * configureClient({ baseUrl: 'https://api.example.com' }) // for a page of https://app.example.com
 * ```
 */
export function configureClient(options: ClientOptions): void {
  Object.assign(settings, options)
}

/**
 * Returns the path of an endpoint, with the origin if it is another one. It is computed at each call, because the client
 * may be configured later.
 */
export function endpoint(path: string, basePath = settings.basePath): string {
  const isNext = '__next_f' in globalThis || '__NEXT_DATA__' in globalThis
  const url = `${settings.baseUrl ?? ''}${basePath ?? (isNext ? '/api/auth' : '/auth')}/${path}`
  // Slashes at the end of both settings are doubled here. Those behind a scheme stay.
  return url.replace(/(^|[^:])\/+/g, '$1/')
}

/** Returns the URL of a page among the endpoints. */
export function pageUrl(path: string, params: Readonly<Record<string, string>>): string {
  return new URL(`${endpoint(path)}?${new URLSearchParams(params)}`, currentUrl()).href
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

/** A request that failed, or that the server rejected. The session is then unknown. */
export class ClientError extends Error {
  /**
   * The type of the server's error (`docs/reference/errors.md`), `NetworkError` without a response, or
   * `UnexpectedAnswer`.
   */
  readonly type: string
  /** The status of the response; 0 without one. */
  readonly status: number

  constructor(message: string, type: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClientError'
    this.type = type
    this.status = status
  }
}

/**
 * Returns a signal that ends a request without a response: later than the server's own limits for a provider or a
 * database.
 */
export const timeLimit = () => AbortSignal.timeout(30_000)

/** A request; with a body it is a POST. */
export interface ClientRequest {
  readonly body?: string | URLSearchParams | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends the request, instead of the time limit. */
  readonly signal?: AbortSignal | undefined
}

/** Requests JSON. Returns the response and its data, `undefined` if that is not JSON. Rejects without a response. */
export async function fetchJson(url: string | URL, { body, headers, signal = timeLimit() }: ClientRequest) {
  const method = body === undefined ? 'GET' : 'POST'
  const all = { accept: 'application/json', ...headers }
  const response = await fetch(url, { method, body, headers: all, signal, credentials: 'include' })
  const data: unknown = await response.json().catch(() => undefined)
  return [response, data] as const
}

/**
 * Requests JSON from an endpoint.
 *
 * @param takesUrl True if an error with a URL is a valid response: with status 429 or 503, it is the URL of the page
 *   that says to retry later.
 * @throws {@link ClientError} for any other error.
 */
export async function callEndpoint(
  path: string,
  question: ClientRequest = {},
  takesUrl?: boolean,
): Promise<{ status: number; data: unknown; to: unknown }> {
  const url = endpoint(path)
  const [{ ok, status }, data] = await fetchJson(url, question).catch((cause: unknown) => {
    throw new ClientError(`No answer from ${url}`, 'NetworkError', 0, cause)
  })
  const { error, message, url: to } = responseFields(data)
  if (ok ? data !== undefined : takesUrl && to) return { status, data, to }
  throw new ClientError(
    `${url} sent ${status}: ${message ?? 'unexpected'}`,
    typeof error === 'string' ? error : 'UnexpectedAnswer',
    status,
  )
}

/** Returns the fields of a response; none if it is not an object. */
export function responseFields(data: unknown): Readonly<Record<string, unknown>> {
  return Object(data)
}

/*
 * ---- forms: with the CSRF token, answered with a URL ---------------------------------------------------------------
 */

/**
 * Returns the CSRF token for POSTs of this browser. Empty if the server does not check it.
 *
 * @throws {@link ClientError} if the request fails.
 */
export async function getCsrfToken(): Promise<string> {
  try {
    const { data } = await callEndpoint('csrf')
    return String(responseFields(data).csrfToken)
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return ''
    throw error
  }
}

/** The URL after a form. */
export interface FormResult {
  readonly status: number
  readonly url: string
  /** The type of the error, if the URL is that of an error page. */
  readonly error?: string | undefined
  readonly code?: string | undefined
}

/** Submits a form. Errors are in the query of the URL. @throws {@link ClientError} */
export async function submitForm(path: string, callbackUrl: string, fields: object = {}): Promise<FormResult> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const body = new URLSearchParams(entries)
  body.set('csrfToken', await getCsrfToken())
  body.set('callbackUrl', callbackUrl)
  const { status, to } = await callEndpoint(path, { body, headers: { 'x-auth-return-redirect': '1' } }, true)
  const url = webUrl(to)
  if (!url) throw new ClientError(`${endpoint(path)} sent no URL`, 'UnexpectedAnswer', status)
  const { href, searchParams } = url
  // The callback URL may have its own `error` in its query.
  if (href === webUrl(callbackUrl)?.href) return { status, url: href }
  return {
    status,
    url: href,
    error: searchParams.get('error') ?? undefined,
    code: searchParams.get('code') ?? undefined,
  }
}
