/** Whether a request may go on: the `authorized` callback, and the way to the sign-in page for those who may not. */

import { warnOnce } from '../lib/base/warn-once.js'
import { InvalidRequest } from '../lib/errors.js'
import { AuthUrls } from '../lib/http/urls.js'
import type { Session } from '../lib/types/session.js'
import type { Engine } from './engine.js'
import { isResponse } from './guards.js'
import { originOf } from './origin.js'
import { pathBelow } from './paths.js'
import { redirectResponse } from './redirect.js'

/** A request that somebody wants to get through with. */
export interface Visit {
  readonly request: Request
  readonly session: Session | null
  /** What the client asked for. */
  readonly url: string
}

/**
 * `undefined` lets the request through; a Response is the answer instead. Only `true` and a Response of the callback pass: a
 * forgotten `return` is a `false`. What the callback throws is thrown: nobody gets through by it.
 */
export async function askAuthorized(engine: Engine, visit: Visit): Promise<Response | undefined> {
  if (!engine.authorized) return undefined
  const verdict: unknown = await engine.authorized({ auth: visit.session, request: visit.request })
  if (verdict === true) return undefined
  const { here, urls, isWayIn } = placeOf(engine, visit)
  if (isResponse(verdict)) {
    if (!leadsTo(verdict, here)) return verdict
    if (isWayIn) return undefined
    warnOnce(engine.auth.config, 'authorized-loop', loop)
    return verdict
  }
  return isWayIn ? undefined : redirectResponse(visit.request, urls.page('signIn', { callbackUrl: here.href }))
}

const loop =
  '`callbacks.authorized` answered with a redirect to the page that was asked for. If it does so again, the browser goes round for ever: return true for the page that it leads to.'

/** Where somebody is. People who may go nowhere else must still reach the sign-in page, and what its forms send to. */
function placeOf(engine: Engine, { request: { headers }, url }: Visit) {
  const { basePath, pages } = engine.auth.config
  const origin = originOf(engine, { headers, url })
  if (origin === undefined) throw new InvalidRequest('The Host header is missing or malformed.')
  const { pathname, search } = new URL(url)
  const here = new URL(`${origin}${pathname}${search}`)
  const urls = new AuthUrls(origin, basePath, pages)
  const below = pathBelow(basePath, pathname)
  // No provider's id has an escape in it: what stands behind one may be read as another path further on.
  const isWayIn = (below !== undefined && !below.includes('%')) || isPage(new URL(urls.page('signIn')), here)
  return { here, urls, isWayIn }
}

/** Whether a redirect leads to where it comes from: it would go round for ever. */
function leadsTo({ headers }: Response, here: URL): boolean {
  const location = headers.get('location')
  return location !== null && URL.canParse(location, here.href) && isSamePlace(new URL(location, here), here)
}

/** Whether somebody is on a page: at its place, with what its own query says. */
function isPage(page: URL, here: URL): boolean {
  return (
    isSamePlace(page, here) && [...page.searchParams].every(([name, value]) => here.searchParams.get(name) === value)
  )
}

function isSamePlace(one: URL, other: URL): boolean {
  return one.origin === other.origin && withoutSlash(one.pathname) === withoutSlash(other.pathname)
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
