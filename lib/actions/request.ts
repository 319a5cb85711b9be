/** What a request asks for: its provider, and the host where its page should be opened. */
import { warnOnce } from '../base/warn-once.js'
import type { AuthContext, ResolvedProvider, SessionReading } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'
import type { SafeRedirect } from '../http/message.js'
import type { SignedInHere } from '../pages/index.js'
import type { User } from '../types/identity.js'
import { linkableKey } from '../users/linking.js'

/** The provider; `undefined` when the path names none. @throws {@link InvalidProvider} for a name that is none of ours. */
export function requestedProvider({ config, request }: AuthContext): ResolvedProvider | undefined {
  const { providerId } = request
  if (providerId === undefined) return undefined
  const provider = config.providers.get(providerId)
  if (!provider) throw new InvalidProvider('There is no provider with the id that the address names.')
  return provider
}

/**
 * Where a page of ours should be opened instead: the same one on the host of `AUTH_URL`. Cookies set on another host would
 * be missing on the way back. Once only, marked in the query, in case a proxy hides the host from us.
 */
export function canonicalUrl({ config, request, urls }: AuthContext): SafeRedirect | undefined {
  const { site } = config
  const used = request.receivedOrigin
  if (!site || !used || new URL(site.origin).host === new URL(used).host) return undefined
  if (request.url.searchParams.has(mark)) return undefined
  // In development it is most often a port that has changed since.
  if (!config.production) warnOnce(config, 'auth-url-elsewhere', elsewhereText(used, site.origin))
  const query = Object.fromEntries(request.url.searchParams)
  return urls.endpoint(request.action, request.providerId, { ...query, [mark]: '1' })
}

const mark = 'canonical'

const elsewhereText = (used: string, origin: string) =>
  `A page was asked for at ${used}, but AUTH_URL says ${origin}: people are sent there. Set AUTH_URL to where the site is, or leave it out in development.`

/* ---- signed in --------------------------------------------------------------------------------------------------- */

// Whose session a page is shown in.

/** The person as the `session` callback shows them; `null` when nobody is signed in, `undefined` where that is not known. */
export async function signedInUser(context: AuthContext): Promise<User | null | undefined> {
  const reading = await readForPage(context)
  return reading && userOf(reading)
}

/** What the sign-in page says to somebody who is signed in already. */
export async function signedInHere(context: AuthContext): Promise<SignedInHere | undefined> {
  const reading = await readForPage(context)
  if (!reading) return undefined
  // Whether another way to sign in would be added to the account.
  const principal = context.config.store ? await reading.principal().catch(() => null) : null
  const links = linkableKey(principal) !== undefined
  return { user: userOf(reading), signOutUrl: context.urls.page('signOut'), links }
}

/**
 * The session, read as `GET session` reads it, so that what a `jwt` callback renews is kept. `undefined` where that fails: the
 * page can be shown without it.
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

/** A callback may return anything. */
function userOf({ session: { user } }: SessionReading): User {
  return typeof user === 'object' && user !== null ? user : {}
}
