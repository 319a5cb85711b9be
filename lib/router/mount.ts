/**
 * Where the Router is mounted, read from the request: the part of the raw path before our own. On a wildcard mount
 * (`/auth/*`, `/auth/*splat`) Express puts the whole path into `baseUrl`, and what the wildcard took into the outer
 * `params`: an array of decoded segments in Express 5, decoded text under a number in Express 4.
 */
import { findRoute, type Mount } from '../http/routes.js'
import { percentDecoded } from '../http/urls.js'
import type { ExpressLikeRequest } from './express-like.js'

/** Takes the request's path apart: as it was sent, or as the application rewrote it before Express routed it. */
export function readMount(request: ExpressLikeRequest): Mount {
  const { baseUrl = '' } = request
  const { path: sent } = splitTarget(request.originalUrl ?? request.url ?? '/')
  const { path: left, query } = splitTarget(request.url ?? '/')
  const isRewritten = !isSame(sent, baseUrl, left)
  const raw = isRewritten ? baseUrl + (left === '/' ? '' : left) : sent
  // A mount that takes the whole path leaves nothing; any other says in `baseUrl` what it took.
  const base = (left === '/' ? (wildcardBase(raw, request.params) ?? rightmostBase(raw)) : undefined) ?? baseUrl
  const path = raw.slice(base.length) || '/'
  return { basePath: isRewritten ? (outerBase(sent, path) ?? base) : base, path, query }
}

/** Whether Express routed what was sent. Express 4 drops double slashes behind a mount. */
function isSame(sent: string, baseUrl: string, left: string): boolean {
  if (!sent.startsWith(baseUrl)) return false
  const rest = sent.slice(baseUrl.length)
  return rest === '' ? left === '/' : rest.endsWith(left) && /^\/*$/.test(rest.slice(0, -left.length))
}

/** The base that the outside knows, where the application rewrote only what stands before our part. */
function outerBase(sent: string, path: string): string | undefined {
  const base = sent.slice(0, -path.length)
  return path !== '/' && sent.endsWith(path) && !base.endsWith('/') ? base : undefined
}

/** Path and query of a request target; an absolute one loses scheme and host (RFC 9112 §3.2.2). */
function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const at = relative.search(/[?#]/)
  const path = at < 0 ? relative : relative.slice(0, at)
  return { path: path || '/', query: at < 0 || relative[at] === '#' ? '' : relative.slice(at).replace(/#.*$/s, '') }
}

/** The path before what a wildcard took, if the path really ends in that. */
function wildcardBase(raw: string, params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  // The last wildcard of a mount is the one that took our part.
  for (const [name, value] of Object.entries(params).reverse()) {
    const base = Array.isArray(value)
      ? beforeSegments(raw, value)
      : /^\d+$/.test(name) && typeof value === 'string'
        ? beforeText(raw, value)
        : undefined
    if (base !== undefined) return base
  }
  return undefined
}

function beforeSegments(raw: string, taken: readonly unknown[]): string | undefined {
  const segments = raw.split('/')
  const tail = segments.slice(-taken.length)
  if (taken.length === 0 || taken.length >= segments.length) return undefined
  if (!tail.every((segment, at) => percentDecoded(segment) === taken[at])) return undefined
  return segments.slice(0, -taken.length).join('/')
}

/** `/auth/*` takes what follows the slash, `/auth*` the slash too. */
function beforeText(raw: string, taken: string): string | undefined {
  for (let at = raw.indexOf('/'); at >= 0; at = raw.indexOf('/', at + 1)) {
    const rest = percentDecoded(raw.slice(at + 1))
    if (rest === taken || `/${rest}` === taken) return raw.slice(0, at)
  }
  return undefined
}

/** A mount that takes the whole path and tells nothing (a regular expression): the route is looked for from the right. */
function rightmostBase(raw: string): string | undefined {
  const segments = raw.split('/')
  return [2, 1]
    .map((count) => segments.slice(0, -count).join('/'))
    .find((base) => findRoute(raw.slice(base.length)) !== undefined)
}
