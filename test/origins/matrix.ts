/**
 * Requests of scripts from pages of four origins: each target, with and without credentials, a preflight and a session. The
 * same rows are tried over HTTP, with the headers that a browser sends, and in Chromium.
 */

/** The origin of the page: that of the site, one in `trustedOrigins`, another one of the same site, or another site. */
export const pages = ['own', 'trusted', 'sibling', 'stranger'] as const
export type PageOrigin = (typeof pages)[number]

/** The requests: two of the routes, and one of the application's own API. */
export const targets = ['GET /auth/session', 'POST /auth/session', 'POST /api/note'] as const

/** A request of a script. */
export interface Row {
  readonly from: PageOrigin
  readonly target: (typeof targets)[number]
  readonly credentials: 'include' | 'omit'
  /** `true` if the script sends a header that needs a preflight. The CSRF token is then in a header. */
  readonly preflight: boolean
  /** `true` if the browser has a session. It always has the cookie of its CSRF token, and all pages know the token. */
  readonly session: boolean
}

/** The outcome of a request. */
export interface Outcome {
  /** `true` if the request reached the server, beside its preflight. */
  readonly arrived: boolean
  /** The status that the script reads; 0 if it may not read the response. */
  readonly status: number
  /** `true` if the session or the data of the application changed. */
  readonly changed: boolean
}

const both = [true, false] as const

/** All rows. */
export const rows: readonly Row[] = pages.flatMap((from) =>
  targets.flatMap((target) =>
    (['include', 'omit'] as const).flatMap((credentials) =>
      both.flatMap((preflight) => both.map((session) => ({ from, target, credentials, preflight, session }))),
    ),
  ),
)

export const titleOf = ({ from, target, credentials, preflight, session }: Row) =>
  `${from}: ${target}, ${credentials}, ${preflight ? 'preflight' : 'simple'}, ${session ? 'session' : 'visitor'}`

/** Returns the expected outcome of a row. */
export function expectedOf({ from, target, credentials, preflight, session }: Row): Outcome {
  const isHostile = from === 'sibling' || from === 'stranger'
  if (isHostile) return { arrived: !preflight, status: 0, changed: false }
  const isPost = target.startsWith('POST')
  if (!isPost) return { arrived: true, status: 200, changed: false }
  // The browser states that it is the site, and the token in the header is not read.
  if (from === 'own' && preflight && credentials === 'omit' && target === 'POST /auth/session')
    return { arrived: true, status: 200, changed: false }
  // Without credentials the cookie of the token is missing, too.
  if (credentials === 'omit') return { arrived: true, status: 403, changed: false }
  if (session) return { arrived: true, status: 200, changed: true }
  return { arrived: true, status: target === 'POST /api/note' ? 401 : 200, changed: false }
}

/** Returns the request of a row, as `fetch` takes it. */
export function initOf({ target, credentials, preflight }: Row, csrfToken: string) {
  const [method = 'GET'] = target.split(' ')
  const accept = { accept: 'application/json' }
  if (method === 'GET')
    return { method, credentials, headers: { ...accept, ...(preflight && { 'x-auth-return-redirect': '1' }) } }
  if (preflight) {
    const headers = { ...accept, 'content-type': 'application/json', 'x-csrf-token': csrfToken }
    return { method, credentials, headers, body: JSON.stringify({ data: 'new' }) }
  }
  const headers = { ...accept, 'content-type': 'application/x-www-form-urlencoded' }
  return { method, credentials, headers, body: String(new URLSearchParams({ csrfToken, data: 'new' })) }
}
