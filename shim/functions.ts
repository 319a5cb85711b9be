/** The functions of all groups, for the current request. */
import type { DoorRequest } from '../lib/calls/call.js'
import type { Auth } from '../lib/engine/index.js'
import type { TokensOfUser } from '../lib/features/tokens/types.js'
import { bindFunctions, type Door } from '../lib/functions/bind.js'
import type { AuthFunctions } from '../lib/functions/index.js'
import { createCalls } from './calls.js'
import { toHostCookie } from './cookies.js'
import type { Engine, EngineOf } from './engine.js'
import { type AmbientRequest, type AuthHost, currentOf, currentRequest } from './host.js'
import { toSource } from './request.js'
import { ResponseRecord } from './response-record.js'

/** Binds all functions to a host. */
export function createFunctions<S>(engineOf: EngineOf<Auth>, host: AuthHost): AuthFunctions<S> {
  const begin = createCalls(engineOf, host)

  async function current(caller: string) {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    return { auth: engine.auth, req: toRequest(host, engine, ambient) }
  }

  /**
   * Returns the engine for a function about any user. The request determines the configuration, because ids belong to
   * the users of one configuration.
   */
  async function here() {
    const ambient = await currentOf(host)
    return { ambient, engine: await engineOf(ambient?.request) }
  }

  const door: Door = {
    request: async ({ caller, effect }, args) => ({ call: { ...(await current(caller)), effect }, args }),
    // The session changes, but its cookie does not.
    response: async ({ caller }, args) => ({ call: await begin(caller, { forgets: true }), args }),
    async owner({ caller }, [options, of]) {
      if (of !== undefined)
        return { call: { auth: (await here()).engine.auth, of: of as TokensOfUser }, args: [options] }
      const { auth, req } = await current(caller)
      return { call: { auth, of: req }, args: [options] }
    },
    // A job calls it without a request. If there is one, events include it and links point to its site.
    async nothing(_rule, args) {
      const { engine, ambient } = await here()
      return { call: { auth: engine.auth, request: () => ambient && toRequest(host, engine, ambient) }, args }
    },
  }
  // The forms of both integrations come from one table.
  return bindFunctions(door) as AuthFunctions<S>
}

function toRequest(host: AuthHost, engine: Engine<Auth>, ambient: AmbientRequest): DoorRequest {
  return { ...toSource(engine, ambient), ip: ambient.ip, keepCookies: keeperOf(engine.auth, host, ambient) }
}

/** Returns the function that sends cookies to the browser: on a pending response, or through the host. */
function keeperOf(auth: Auth, host: AuthHost, { writable, response }: AmbientRequest): DoorRequest['keepCookies'] {
  if (!writable) return undefined
  if (response instanceof ResponseRecord) return (cookies) => response.queue(cookies)
  if (response) return (cookies) => auth.writeLater(response, cookies)
  return async (cookies) => host.setCookies([...cookies().values()].map(toHostCookie))
}
