/** The library's own URLs, and the one place that calls an URL safe to send a browser to. */

import { BoundedMap } from '../base/memory.js'
import { parseUrl } from '../base/url.js'
import type { PagesOptions } from '../types/pages.js'
import type { SafeRedirect } from './message.js'
import { type Action, isAction } from './routes.js'

/** Query parameters; `undefined` leaves one out. */
export type QueryParams = Readonly<Record<string, string | undefined>>

/** Brands an URL. Refuses what is not http(s), so no `javascript:` or `data:` can reach a browser. */
export function safeRedirect(url: URL): SafeRedirect {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`only http and https URLs can be redirected to, not ${url.protocol}`)
  }
  return url.href as SafeRedirect
}

/** An absolute http(s) URL without user and password, as the URL standard reads the text: the way a browser will. */
export function toWebUrl(text: string, origin: string): URL | undefined {
  const url = parseUrl(text, origin)
  if (!url) return undefined
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** The value of a parameter that must be there once; `undefined` where it is not, or several times. */
export function onlyValue(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name)
  return others.length === 0 ? value : undefined
}

/** What percent-encoding says; `undefined` where it says nothing (RFC 3986 §2.1). */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** URLs of one mount on one origin. Those without parameters are worked out once. */
export class AuthUrls {
  readonly origin: string
  readonly #basePath: string
  readonly #pages: Partial<PagesOptions>
  readonly #known = new BoundedMap<string, SafeRedirect>(250)
  #home: SafeRedirect | undefined
  #host: string | undefined

  /** @param basePath Path of the mount, without a trailing slash. */
  constructor(origin: string, basePath: string, pages: Partial<PagesOptions> = {}) {
    this.origin = origin
    this.#basePath = basePath
    this.#pages = pages
  }

  /** Where people go when nothing else was asked for: the site's root. */
  get home(): SafeRedirect {
    this.#home ??= safeRedirect(new URL('/', this.origin))
    return this.#home
  }

  /** Host of the site, with its port where that is not the default. */
  get host(): string {
    this.#host ??= new URL(this.origin).host
    return this.#host
  }

  /** An endpoint of ours, `<origin><basePath>/<action>[/<provider>]`. */
  endpoint(action: Action, providerId?: string, params: QueryParams = {}): SafeRedirect {
    const path = `${this.#basePath}/${action}${providerId === undefined ? '' : `/${providerId}`}`
    let plain = this.#known.get(path)
    if (plain === undefined) {
      // Joined as text: resolved as a reference, a mount that begins with `//` would name another host.
      plain = safeRedirect(new URL(`${this.origin}${path}`))
      // A client may make up a path; a long one is not kept.
      if (path.length < maxKnown) this.#known.set(path, plain)
    }
    return hasParams(params) ? safeRedirect(withParams(new URL(plain), params)) : plain
  }

  /** A page that a person reads: the developer's where there is one, else the built-in one. */
  page(page: Page, params: QueryParams = {}): SafeRedirect {
    return this.#custom(page, params) ?? this.endpoint(builtIn[page], undefined, params)
  }

  /** A page of the developer's, by its path or URL. */
  at(path: string, params: QueryParams = {}): SafeRedirect {
    return safeRedirect(withParams(new URL(path, this.origin), params))
  }

  /** The developer's page; `undefined` where there is none, or where it is our own endpoint: that would go round for ever. */
  customPage(page: Page | 'newUser', params: QueryParams = {}): SafeRedirect | undefined {
    const custom = this.#custom(page, params)
    return custom === undefined || this.isOwnEndpoint(new URL(custom)) ? undefined : custom
  }

  /** Whether the URL is one of our endpoints: no place to send a person to after sign-in, but for the page of their second factors. */
  isOwnEndpoint(url: URL): boolean {
    if (url.origin !== this.origin || !url.pathname.startsWith(`${this.#basePath}/`)) return false
    const [action] = url.pathname.slice(this.#basePath.length + 1).split('/')
    return action !== 'two-factor' && isAction(action)
  }

  #custom(page: Page | 'newUser', params: QueryParams): SafeRedirect | undefined {
    const custom = this.#pages[page]
    return custom === undefined ? undefined : this.at(custom, params)
  }
}

/** Characters of a path. */
const maxKnown = 300

/** What is registered at a provider: URLs that it sends people to, or asks. */
export function urlsToRegister(urls: AuthUrls, id: string) {
  return {
    callback: urls.endpoint('callback', id),
    postLogout: urls.endpoint('signout', id),
    backchannelLogout: urls.endpoint('backchannel-logout', id),
    frontchannelLogout: urls.endpoint('frontchannel-logout', id),
  }
}

type Page = 'signIn' | 'signOut' | 'error' | 'verifyRequest'

const builtIn = {
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
