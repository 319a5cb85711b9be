/** The calls by the application's code, for the current request. */

import { type Call, callSourceOf, createCall } from '../lib/calls/call.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { toHostCookie } from './cookies.js'
import type { EngineResolver } from './engine.js'
import { type AuthHost, currentRequest } from './host.js'
import { forgetReadings } from './reading-memory.js'
import { toSource } from './request.js'

/**
 * Creates the function that starts calls. It finds the current request, or throws with the name of the caller. With
 * `rereadsSession`, later reads of the request's session are new.
 */
export function createCallStarter(engineOf: EngineResolver<AuthEngine>, host: AuthHost) {
  return async function call(caller: string, { rereadsSession = false } = {}): Promise<Call> {
    const ambient = await currentRequest(host, caller)
    if (!ambient.writable) {
      throw new TypeError(
        `${caller} sets cookies, which is not possible here. Call it in a server action or a route, before the response begins.`,
      )
    }
    const engine = await engineOf(ambient.request)
    const source = callSourceOf({ ...toSource(engine, ambient), ip: ambient.ip })
    return createCall(engine.auth, source, async ({ cookies, headers }) => {
      if (rereadsSession) forgetReadings(engine, ambient)
      const set = [...cookies()].map(([name, line]) => ({
        ...toHostCookie(line),
        isStillValid: () => cookies().has(name),
      }))
      if (set.length > 0) await host.setCookies(set)
      for (const [name, value] of Object.entries(headers)) ambient.response?.setHeader(name, value)
    })
  }
}
