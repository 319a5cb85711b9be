/** The functions of all groups, for the current request. */

import type { Logger } from '../lib/base/logger.js'
import type { AuthEngine } from '../lib/engine/index.js'
import type { TokensOfUser } from '../lib/features/tokens/types.js'
import { bindFunctions, type Door } from '../lib/functions/bind.js'
import type { AuthFunctions } from '../lib/functions/index.js'
import type { AdapterUser } from '../lib/types/adapter.js'
import { createCallStarter } from './calls.js'
import { createDoorRequests } from './door-request.js'
import type { EngineResolver } from './engine.js'
import { type AuthHost, currentRequest, findCurrentRequest } from './host.js'

/** Binds all functions to a host. */
export function createFunctions<S, U extends AdapterUser>(
  engineOf: EngineResolver<AuthEngine>,
  host: AuthHost,
  logger: Logger,
): AuthFunctions<S, U> {
  const startCall = createCallStarter(engineOf, host)
  const toDoorRequest = createDoorRequests(host)

  async function current(caller: string) {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    return { auth: engine.auth, req: toDoorRequest(engine, ambient) }
  }

  /**
   * Returns the engine for a function about any user. The request determines the configuration, because ids belong to
   * the users of one configuration.
   */
  async function optionalCall() {
    const ambient = await findCurrentRequest(host)
    const engine = await engineOf(ambient?.request)
    return { auth: engine.auth, request: () => ambient && toDoorRequest(engine, ambient) }
  }

  const door: Door = {
    request: async ({ caller, effect }, args) => ({ call: { ...(await current(caller)), effect }, args }),
    // The session changes, but its cookie does not.
    response: async ({ caller }, args) => ({ call: await startCall(caller, { rereadsSession: true }), args }),
    async owner({ caller }, [options, of]) {
      if (of !== undefined) {
        const { auth, request } = await optionalCall()
        return { call: { auth, of: of as TokensOfUser, request }, args: [options] }
      }
      const { auth, req } = await current(caller)
      return { call: { auth, of: req }, args: [options] }
    },
    // A job calls it without a request. If there is one, events include it and links point to its site.
    async nothing(_rule, args) {
      return { call: await optionalCall(), args }
    },
  }
  // The forms of both integrations come from one table.
  return bindFunctions(door, logger) as AuthFunctions<S, U>
}
