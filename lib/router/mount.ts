/**
 * Where the Router is mounted, read from the request: the part of the raw path before our own. On a wildcard mount
 * (`/auth/*`, `/auth/*splat`) Express puts the whole path into `baseUrl`, and what the wildcard took into the outer
 * `params`: an array of decoded segments in Express 5, decoded text under a number in Express 4.
 */
import type { ExpressLikeRequest } from './express-like.js'
import { findRoute } from './routes.js'

/** A path, taken apart. All parts are raw, as they were sent. */
export interface Mount {
  /** Before our part; no trailing slash. */
  readonly basePath: string
  /** Our part, with its leading slash. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** Takes the request's path apart. */
export function readMount(request: ExpressLikeRequest): Mount {
  const { path: raw, query } = splitTarget(request.originalUrl ?? request.url ?? '/')
  const basePath = wildcardBase(raw, request.params) ?? plainBase(raw, request) ?? rightmostBase(raw)
  if (basePath !== undefined) return { basePath, path: raw.slice(basePath.length) || '/', query }
  // The application rewrote the path: what Express then routed by counts.
  return { basePath: request.baseUrl ?? '', path: splitTarget(request.url ?? '/').path, query }
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
  for (const [name, value] of Object.entries(params)) {
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
  if (!tail.every((segment, at) => decoded(segment) === taken[at])) return undefined
  return segments.slice(0, -taken.length).join('/')
}

function beforeText(raw: string, taken: string): string | undefined {
  const bare = taken.replace(/^\//, '')
  for (let at = raw.indexOf('/'); at >= 0; at = raw.indexOf('/', at + 1)) {
    if (decoded(raw.slice(at + 1)) === bare) return raw.slice(0, at)
  }
  return undefined
}

/** A plain mount leaves our part in `url`. Where it ends the raw path, the rest before it is the base. */
function plainBase(raw: string, { url = '/', baseUrl = '' }: ExpressLikeRequest): string | undefined {
  const { path } = splitTarget(url)
  if (path === '/' && raw === baseUrl) return undefined
  const base = raw.slice(0, -path.length)
  return raw.endsWith(path) && !base.endsWith('/') ? base : undefined
}

/** A mount that takes the whole path and tells nothing (a regular expression): the route is looked for from the right. */
function rightmostBase(raw: string): string | undefined {
  const segments = raw.split('/')
  return [2, 1]
    .map((count) => segments.slice(0, -count).join('/'))
    .find((base) => findRoute(raw.slice(base.length)) !== undefined)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
