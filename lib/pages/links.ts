/** URLs that are safe in `href`, `action` and `src`. */
import { isUrl, parseUrl } from '../base/url.js'

/** Returns an http(s) URL unchanged; otherwise the site's root, so that no `javascript:` gets into a page. */
export function toHref(value: string): string {
  const url = parseLink(value)
  return url !== undefined && isHttp(url) ? value : '/'
}

/** Returns the host of a URL; `undefined` for the page's own. */
export function foreignHost(value: string): string | undefined {
  const url = parseLink(value)
  return url === undefined || url.origin === ownOrigin || !isHttp(url) ? undefined : url.host
}

/**
 * Returns the URL of a logo: `https:`, `http:` on the site's own host, or an absolute path; otherwise `undefined`.
 *
 * @param host The site's host, with its port unless it is the default.
 */
export function readLogo(value: unknown, host: string): string | undefined {
  if (typeof value !== 'string' || value.length > 2048) return undefined
  const url = parseLink(value)
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  if (!isUrl(value)) return isAbsolutePath(value, url) ? url.pathname + url.search : undefined
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && url.host === host.toLowerCase())
  return allowed ? url.href : undefined
}

/** Escapes a URL for `srcset`, where a comma would end it (HTML, "srcset attributes"). */
export function toSrcset(url: string): string {
  return url.replaceAll(',', '%2C')
}

/** A placeholder for the page's own origin, which need not be known to distinguish a path from a URL. */
const ownOrigin = 'https://page.invalid'

/**
 * Checks for an absolute path. `//host` and its variants lead to another site; `/.//host` is a path, but is normalised
 * to `//host`.
 */
function isAbsolutePath(value: string, url: URL): boolean {
  return value.startsWith('/') && url.origin === ownOrigin && !url.pathname.startsWith('//')
}

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function parseLink(value: string): URL | undefined {
  return parseUrl(value, ownOrigin)
}
