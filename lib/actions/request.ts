/** What a request asks for: its provider, and the host where its page should be opened. */

import { warnOnce } from '../base/warn-once.js'
import type { AuthContext, ResolvedProvider } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'
import type { SafeRedirect } from '../http/message.js'

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
