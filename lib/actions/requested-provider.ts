/** The provider of a request, and the host on which its page should be opened. */
import { mapMaybePromise } from '../base/maybe-promise.js'
import { warnOnce } from '../base/warn-once.js'
import type { AuthContext, ResolvedProvider, SessionReading } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'
import { connectionProvider } from '../features/connections/steps.js'
import type { AuthRequest, SafeRedirect } from '../http/message.js'
import type { SignedInHere } from '../pages/index.js'
import type { Awaitable, User } from '../types/identity.js'
import { linkableKey } from '../users/linking.js'

/** The providers of connections that were found for requests. */
const foundProviders = new WeakMap<AuthRequest, ResolvedProvider>()

/**
 * Looks the provider of a connection up, and returns the provider. Later calls of {@link requestedProvider} for the same request
 * return it, too. @throws {@link InvalidProvider} for an unknown one. {@link AdapterError} if connections cannot be read.
 */
export function findRequestedProvider(context: AuthContext): Awaitable<ResolvedProvider | undefined> {
  const { config, request } = context
  return mapMaybePromise(connectionProvider(config, request.providerId), (connection) => {
    if (connection) foundProviders.set(request, connection)
    return requestedProvider(context)
  })
}

/** Returns the provider; `undefined` if the path names none. @throws {@link InvalidProvider} for an unknown one. */
export function requestedProvider({ config, request }: AuthContext): ResolvedProvider | undefined {
  const { providerId } = request
  if (providerId === undefined) return undefined
  const provider = config.providers.get(providerId) ?? foundProviders.get(request)
  if (!provider) throw new InvalidProvider('There is no provider with the id in the URL.')
  return provider
}

/**
 * Returns the URL of the same page on the host of `AUTH_URL`. Cookies set on another host would be missing on return.
 * It redirects only once, marked in the query, in case a proxy hides the host.
 */
export function canonicalUrl({ config, request, urls }: AuthContext): SafeRedirect | undefined {
  const { site } = config
  const used = request.receivedOrigin
  if (!site || !used || new URL(site.origin).host === new URL(used).host) return undefined
  if (request.url.searchParams.has(canonicalMark)) return undefined
  // In development the cause is usually a changed port.
  if (!config.production) warnOnce(config, 'auth-url-elsewhere', otherHostWarning(used, site.origin))
  const query = Object.fromEntries(request.url.searchParams)
  return urls.endpoint(request.action, request.providerId, { ...query, [canonicalMark]: '1' })
}

const canonicalMark = 'canonical'

const otherHostWarning = (used: string, origin: string) =>
  `A page was requested at ${used}, but AUTH_URL is ${origin}, so users are redirected there. Set AUTH_URL to the URL of the site, or remove it in development.`

/* ---- signed in --------------------------------------------------------------------------------------------------- */

// The session in which a page is shown.

/** Returns the user of the `session` callback; `null` without a session, `undefined` if that is unknown. */
export async function signedInUser(context: AuthContext): Promise<User | null | undefined> {
  const reading = await readForPage(context)
  return reading && userOfReading(reading)
}

/** Returns the signed-in user for the sign-in page. */
export async function signedInHere(context: AuthContext): Promise<SignedInHere | undefined> {
  const reading = await readForPage(context)
  if (!reading) return undefined
  // True if another sign-in method would be added to the account.
  const principal = context.config.store ? await reading.principal().catch(() => null) : null
  const links = linkableKey(principal) !== undefined
  return { user: userOfReading(reading), signOutUrl: context.urls.page('signOut'), links }
}

/**
 * Reads the session as `GET session` does, so that changes of a `jwt` callback are stored. Returns `undefined` on
 * failure, because the page can be shown without it.
 */
async function readForPage(context: AuthContext): Promise<SessionReading | null | undefined> {
  const { config, request, sessions } = context
  if (request.method === 'HEAD') return undefined
  try {
    return await sessions.read(context, { writable: true })
  } catch {
    config.logger.debug('the session could not be read for a page, which is shown without it', {
      action: request.action,
    })
    return undefined
  }
}

/** Returns the user of the session. A callback may return anything. */
function userOfReading({ session: { user } }: SessionReading): User {
  return typeof user === 'object' && user !== null ? user : {}
}
