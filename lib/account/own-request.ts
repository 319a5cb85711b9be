/** A request that the application's own code makes up: what an action would get, had the person sent it. */
import type { ResolvedConfig } from '../contracts/index.js'
import { InvalidRequest } from '../errors.js'
import type { SessionRequest } from '../get-session.js'
import type { AuthRequest } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import { AuthUrls } from '../http/urls.js'
import { addressOf } from './person.js'

/**
 * @param req The request that is being answered. Leave it out where there is none: then AUTH_URL says where the site is.
 * @throws {@link InvalidRequest} where that is not known.
 */
export function ownRequest(
  { site, basePath }: ResolvedConfig,
  req: SessionRequest | undefined,
  { action, providerId, body = {} }: Pick<AuthRequest, 'action'> & { providerId: string; body?: AuthRequest['body'] },
): AuthRequest {
  const receivedOrigin = req && readOrigin(req)
  const origin = site?.origin ?? receivedOrigin
  if (origin === undefined) throw new InvalidRequest('The URL of the site is not known here. Set AUTH_URL to it.')
  return {
    method: 'POST',
    action,
    providerId,
    origin,
    url: new URL(new AuthUrls(origin, basePath).endpoint(action, providerId)),
    receivedOrigin,
    basePath,
    headers: req?.headers ?? {},
    ip: req && addressOf(req),
    body,
  }
}
