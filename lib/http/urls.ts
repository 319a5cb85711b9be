/** The library's own URLs, and the only function that marks a URL as safe to redirect to. */

import { BoundedMap } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import type { PagesOptions } from '../types/pages.js'
import type { SafeRedirect } from './message.js'
import { type Action, isAction, isReturnPage } from './routes.js'

/** Query parameters. A parameter with the value `undefined` is left out. */
export type QueryParams = Readonly<Record<string, string | undefined>>

/**
 * Brands a URL as a redirect target. Throws for other schemes than http(s), so no `javascript:` or `data:` URL reaches
 * a browser.
 *
 * @throws TypeError for any other scheme.
 */
export function safeRedirect(url: URL): SafeRedirect {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`only http and https URLs can be redirected to, not ${url.protocol}`)
  }
  return url.href as SafeRedirect
}

/**
 * Parses an http(s) URL as browsers do, relative to the origin. Returns `undefined` for other URLs and for URLs with
 * user or password.
 */
export function parseWebUrl(text: string, origin: string): URL | undefined {
  const url = parseUrl(text, origin)
  if (!url) return undefined
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** Returns the value of a parameter; `undefined` when the parameter is absent or repeated. */
export function singleParam(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name)
  return others.length === 0 ? value : undefined
}

/** Decodes percent-encoding (RFC 3986 §2.1); returns `undefined` when it is malformed. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The URLs of one mount on one origin. URLs without parameters are cached. */
export class AuthUrls {
  readonly origin: string
  readonly #basePath: string
  readonly #pages: Partial<PagesOptions>
  readonly #known = new BoundedMap<string, SafeRedirect>(250)
  #home: SafeRedirect | undefined
  #host: string | undefined

  /** @param basePath The path of the mount, without a trailing slash. */
  constructor(origin: string, basePath: string, pages: Partial<PagesOptions> = {}) {
    this.origin = origin
    this.#basePath = basePath
    this.#pages = pages
  }

  /** The site's root: the default redirect target. */
  get home(): SafeRedirect {
    this.#home ??= safeRedirect(new URL('/', this.origin))
    return this.#home
  }

  /** The host of the site, with its port unless it is the default port. */
  get host(): string {
    this.#host ??= new URL(this.origin).host
    return this.#host
  }

  /** Returns the URL of an endpoint of this library: `<origin><basePath>/<action>[/<provider>]`. */
  endpoint(action: Action, providerId?: string, params: QueryParams = {}): SafeRedirect {
    const path = `${this.#basePath}/${action}${providerId === undefined ? '' : `/${providerId}`}`
    let plain = this.#known.get(path)
    if (plain === undefined) {
      // Concatenated, not resolved: as a reference, a mount that begins with `//` would name another host.
      plain = safeRedirect(new URL(`${this.origin}${path}`))
      // Clients can invent paths, so long ones are not cached.
      if (path.length < maxCachedPathLength) this.#known.set(path, plain)
    }
    return hasParams(params) ? safeRedirect(withParams(new URL(plain), params)) : plain
  }

  /** Returns the URL of a page: the custom page if there is one, else the built-in page. */
  page(page: Page, params: QueryParams = {}): SafeRedirect {
    return this.#custom(page, params) ?? this.endpoint(builtInPages[page], undefined, params)
  }

  /** Returns the URL of a custom page, given by its path or URL. */
  customUrl(path: string, params: QueryParams = {}): SafeRedirect {
    return safeRedirect(withParams(new URL(path, this.origin), params))
  }

  /**
   * Returns the custom page; `undefined` when there is none, or when it is an endpoint of this library, which would
   * redirect in a loop.
   */
  customPage(page: Page | 'newUser', params: QueryParams = {}): SafeRedirect | undefined {
    const custom = this.#custom(page, params)
    return custom === undefined || this.isOwnEndpoint(new URL(custom)) ? undefined : custom
  }

  /**
   * Checks whether the URL is an endpoint of this library. Users are not sent to one after sign-in, except to a page that
   * is made for it.
   */
  isOwnEndpoint(url: URL): boolean {
    if (url.origin !== this.origin || !url.pathname.startsWith(`${this.#basePath}/`)) return false
    const [action] = url.pathname.slice(this.#basePath.length + 1).split('/')
    return isAction(action) && !isReturnPage(action)
  }

  #custom(page: Page | 'newUser', params: QueryParams): SafeRedirect | undefined {
    const custom = this.#pages[page]
    return custom === undefined ? undefined : this.customUrl(custom, params)
  }
}

/** The longest cached path, in characters. */
const maxCachedPathLength = 300

/**
 * Returns the URLs that have to be registered at a provider: redirect targets, and endpoints that the provider calls.
 */
export function urlsToRegister(urls: AuthUrls, id: string) {
  return {
    callback: urls.endpoint('callback', id),
    postLogout: urls.endpoint('signout', id),
    backchannelLogout: urls.endpoint('backchannel-logout', id),
    frontchannelLogout: urls.endpoint('frontchannel-logout', id),
  }
}

type Page = 'signIn' | 'signOut' | 'error' | 'verifyRequest'

const builtInPages = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
} as const satisfies Record<Page, Action>

function hasParams(params: QueryParams): boolean {
  for (const value of Object.values(params)) if (value !== undefined) return true
  return false
}

function withParams(url: URL, params: QueryParams): URL {
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}
