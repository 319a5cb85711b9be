/** URLs as they may stand in `href`, `action` and `src`. */
import { isUrl, parseUrl } from '../base/url.js'

/** The URL when it leads to http(s); otherwise the site's root, so that no `javascript:` gets into a page. */
export function toHref(value: string): string {
  const url = parse(value)
  return url !== undefined && isHttp(url) ? value : '/'
}

/** The host a person would arrive at; `undefined` when it is the page's own. */
export function hostOf(value: string): string | undefined {
  const url = parse(value)
  return url === undefined || url.origin === here || !isHttp(url) ? undefined : url.host
}

/**
 * The URL of a logo: `https:`, `http:` on the site's own host, or an absolute path; anything else is none.
 *
 * @param host The site's host, with its port where it is not the default.
 */
export function readLogo(value: unknown, host: string): string | undefined {
  if (typeof value !== 'string' || value.length > 2048) return undefined
  const url = parse(value)
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  if (!isUrl(value)) return isAbsolutePath(value, url) ? url.pathname + url.search : undefined
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && url.host === host.toLowerCase())
  return allowed ? url.href : undefined
}

/** A URL as `srcset` takes it, where a comma would end it (HTML, "srcset attributes"). */
export function toSrcset(url: string): string {
  return url.replaceAll(',', '%2C')
}

/** Stands for the page's own origin, which need not be known to tell a path from an URL. */
const here = 'https://page.invalid'

/** `//host` and its disguises lead to another site; `/.//host` is a path, yet normalised it would read `//host`. */
function isAbsolutePath(value: string, url: URL): boolean {
  return value.startsWith('/') && url.origin === here && !url.pathname.startsWith('//')
}

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function parse(value: string): URL | undefined {
  return parseUrl(value, here)
}
