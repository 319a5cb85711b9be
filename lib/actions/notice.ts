/** `GET error` and `GET verify-request`: pages that only tell something. */
import type { AuthContext } from '../contracts/index.js'
import { ErrorPageLoop } from '../errors.js'
import type { AuthResponse } from '../http/message.js'
import { errorStatus, pageResponse, renderVerifyRequest } from '../pages/index.js'
import { readIncident, toReference } from './incidents.js'
import { errorPageResponse } from './page-frame.js'

/** The error page for `?error=<type>`. */
export async function error(context: AuthContext): Promise<AuthResponse> {
  const { config, request, urls } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const reference = toReference(request.url.searchParams.get('reference'))
  if (config.pages.error !== undefined) {
    const custom = urls.customPage('error', { error, reference })
    if (custom) return { kind: 'redirect', to: custom }
    config.logger.error(new ErrorPageLoop('`pages.error` leads back to the error page. Give it a path of your own.'))
  }
  return errorPageResponse(context, errorStatus(error), { error, detail: readIncident(context, reference), reference })
}

/** By the type in the query. A map, not an object: what a query says must not find `constructor`. */
const mailsOfPasswords = new Map([
  ['sign-up', 'signUp'],
  ['reset-password', 'reset'],
] as const satisfies ReadonlyArray<[string, string]>) as ReadonlyMap<string, 'signUp' | 'reset'>

/** The page that says a mail is under way. */
export async function verifyRequest(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const custom = urls.customPage('verifyRequest', Object.fromEntries(request.url.searchParams))
  if (custom) return { kind: 'redirect', to: custom }
  const after = mailsOfPasswords.get(request.url.searchParams.get('type') ?? '')
  return pageResponse(context, 200, (frame) => renderVerifyRequest({ frame, homeUrl: urls.home, after }))
}
