/** Whether a POST comes from our own pages or the site's own code. */
import type { AuthContext } from '../context.js'
import { createCsrf, readCsrf } from '../crypto/csrf.js'
import { equalText } from '../crypto/hash.js'
import { MissingCSRF } from '../errors.js'
import { type AuthRequest, header } from '../http/message.js'

/** The token for a form: the cookie's, where it is genuine; else a new one, with its cookie. Empty where nobody checks it. */
export function csrfTokenFor({
  config,
  cookies,
  cookiePolicy,
}: Pick<AuthContext, 'config' | 'cookies' | 'cookiePolicy'>): string {
  if (!config.checkCsrf) return ''
  const known = readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
  if (known !== null) return known
  const { token, cookie } = createCsrf(config.secrets)
  cookies.set(cookiePolicy.csrfToken, cookie)
  return token
}

/** What the check looks at. */
export type CsrfPlace = Pick<AuthContext, 'config' | 'cookies' | 'cookiePolicy' | 'ownCall'> & {
  readonly request: Pick<AuthRequest, 'headers' | 'body' | 'receivedOrigin'> & Partial<Pick<AuthRequest, 'action'>>
  readonly urls: { readonly origin: string }
}

/** Whether {@link assertCsrf} lets a POST pass. */
export function isOwnForm(place: CsrfPlace): boolean {
  try {
    assertCsrf(place)
    return true
  } catch (error) {
    if (error instanceof MissingCSRF) return false
    throw error
  }
}

/** Refuses a POST without the double-submitted token, or from another site. @throws {@link MissingCSRF} */
export function assertCsrf(context: CsrfPlace): void {
  const { config, cookies, cookiePolicy, request } = context
  if (!config.checkCsrf) return
  if (!context.ownCall || isForeignForm(request) || endsOrBegins.has(request.action)) assertSameOrigin(context)
  if (context.ownCall) return
  const expected = readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
  const given = request.body.csrfToken
  if (expected === null || typeof given !== 'string' || !equalText(expected, given)) {
    throw new MissingCSRF(
      'The CSRF token is missing or wrong: send `csrfToken` of GET csrf in the body, with its cookie.',
    )
  }
}

/** What made the application call us may be another site's form all the same: a browser tells by an Origin. */
function isForeignForm({ headers }: CsrfPlace['request']): boolean {
  return header(headers, 'origin') !== undefined
}

/** Nobody is signed in or out by a link of another site. A sign-in with a provider may begin by one. */
const endsOrBegins: ReadonlySet<string | undefined> = new Set(['callback', 'signout'])

/** `Sec-Fetch-Site` decides (W3C Fetch Metadata); `Origin` where a browser does not send it; neither is no browser. */
function assertSameOrigin({ request, urls }: CsrfPlace): void {
  const site = header(request.headers, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  if (site !== undefined) throw new MissingCSRF('The request comes from another site (Sec-Fetch-Site).')
  const origin = header(request.headers, 'origin')
  if (origin === undefined || origin === urls.origin || origin === request.receivedOrigin) return
  throw new MissingCSRF('The request comes from another origin.', { schemeOnly: differsByScheme(origin, urls.origin) })
}

function differsByScheme(origin: string, own: string): boolean {
  return URL.canParse(origin) && origin !== own && new URL(origin).host === new URL(own).host
}
