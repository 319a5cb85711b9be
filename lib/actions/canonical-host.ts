/** The host that `AUTH_URL` names is where cookies and forms belong. */
import type { AuthContext } from '../context.js'
import type { SafeRedirect } from '../http/message.js'

/**
 * Where a page of ours should be opened instead: the same one on the host of `AUTH_URL`. Cookies set on another host would
 * be missing on the way back. Once only, marked in the query, in case a proxy hides the host from us.
 */
export function canonicalUrl({ config, request, urls }: AuthContext): SafeRedirect | undefined {
  const { site } = config
  const used = request.receivedOrigin
  if (!site || !used || new URL(site.origin).host === new URL(used).host) return undefined
  if (request.url.searchParams.has(mark)) return undefined
  const query = Object.fromEntries(request.url.searchParams)
  return urls.endpoint(request.action, request.providerId, { ...query, [mark]: '1' })
}

const mark = 'canonical'
