/** Where a person goes after sign-in and sign-out. What a client asks for is checked here (open redirects, RFC 9700 §4.11). */
import type { AuthContext } from '../contracts/index.js'
import { CallbackRouteError, toError } from '../errors.js'
import { cookieBudget } from '../http/cookie-budget.js'
import type { SafeRedirect } from '../http/message.js'
import { safeRedirect, toWebUrl } from '../http/urls.js'

/** Characters: of a URL before it is parsed, and of the cookie's value. To parse a host of many letters takes time that grows by its square. */
const maxLength = 1024

/** Bytes of an attempt to sign in, without its callback URL. */
const attemptSize = 1024

/**
 * The URL that the client asked for, in the body, else the query, else the cookie, after the `redirect` callback; the site's
 * root where it is not allowed. It is written into the callback-url cookie, which browser clients read.
 */
export async function readCallbackUrl(context: AuthContext): Promise<SafeRedirect> {
  const { request, cookies, cookiePolicy } = context
  const remembered = cookies.get(cookiePolicy.callbackUrl.name)
  const wanted = firstText(request.body.callbackUrl, request.url.searchParams.get('callbackUrl'), remembered)
  const allowed = await allowedUrl(context, wanted)
  if (allowed !== remembered && request.method !== 'HEAD') cookies.set(cookiePolicy.callbackUrl, allowed)
  return allowed
}

/** A client's URL after the `redirect` callback. The authentication routes themselves are not allowed. */
async function allowedUrl(context: AuthContext, wanted: string | undefined): Promise<SafeRedirect> {
  const { urls, config } = context
  const tooLong = (characters: number): SafeRedirect => {
    config.logger.debug('callback URL too long, the default is used', { characters })
    return urls.home
  }
  if (wanted !== undefined && wanted.length > maxLength) return tooLong(wanted.length)
  const clean = wanted === undefined ? undefined : toWebUrl(wanted, urls.origin)
  if (wanted === undefined || !clean || urls.isOwnEndpoint(clean)) return urls.home
  const decided = await decide(context, wanted)
  const target = typeof decided === 'string' ? toWebUrl(decided, urls.origin) : undefined
  if (!target) return urls.home
  if (target.href !== urls.home && !fits(context, target.href)) return tooLong(target.href.length)
  return safeRedirect(target)
}

/**
 * Whether the URL fits into its own cookie and into a sealed attempt, beside the cookies that the browser has. Servers refuse
 * requests with too long headers; with too many cookies a person could not even sign out. Other attempts are not counted,
 * because they are dropped when there is no room.
 */
function fits({ cookies, cookiePolicy }: AuthContext, href: string): boolean {
  const { callbackUrl, transaction } = cookiePolicy
  const length = encodeURIComponent(href).length
  const others = cookies.size((name) => name !== callbackUrl.name && !name.startsWith(`${transaction.name}.`))
  const sealed = attemptSize + Math.ceil((href.length * 4) / 3)
  return length <= maxLength && others + callbackUrl.name.length + length + sealed <= cookieBudget
}

async function decide(context: AuthContext, url: string): Promise<unknown> {
  const { config, urls } = context
  try {
    return await config.callbacks.redirect({ url, baseUrl: urls.origin })
  } catch (error) {
    config.logger.error(
      new CallbackRouteError('The `redirect` callback threw; the default page is used.', toError(error)),
    )
    return undefined
  }
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}
