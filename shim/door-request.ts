/** The current request as functions of the engine take it. */
import type { DoorRequest } from '../lib/calls/call.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { toHostCookie } from './cookies.js'
import type { ConfiguredEngine } from './engine.js'
import type { AmbientRequest, AuthHost } from './host.js'
import { toSource } from './request.js'
import { ResponseRecord } from './response-record.js'
import { createSessionReader } from './session-reader.js'

/** Creates the function that returns a host's request. Its session is the one that `auth()` has read. */
export function createDoorRequests(host: AuthHost) {
  const readings = createSessionReader(host)
  return (engine: ConfiguredEngine<AuthEngine>, ambient: AmbientRequest): DoorRequest => {
    const keepCookies = cookieSender(engine.auth, host, ambient)
    const req: DoorRequest = { ...toSource(engine, ambient), ip: ambient.ip, keepCookies }
    engine.auth.adopt(req, readings.currentMemory(engine, ambient))
    return req
  }
}

/** Returns the function that sends cookies to the browser: on a pending response, or through the host. */
function cookieSender(
  auth: AuthEngine,
  host: AuthHost,
  { writable, response }: AmbientRequest,
): DoorRequest['keepCookies'] {
  if (!writable) return undefined
  if (response instanceof ResponseRecord) return (cookies) => response.queue(cookies)
  if (response) return (cookies) => auth.writeCookiesLater(response, cookies)
  return async (cookies) => host.setCookies([...cookies().values()].map(toHostCookie))
}
