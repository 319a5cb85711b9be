/** The functions behind an account page, for the request that is being answered. */
import {
  changeEmail,
  deletePasskey,
  disableUser,
  enableUser,
  endOtherSessions,
  endSession,
  endSessionsOf,
  getAccount,
  renamePasskey,
  resetFactors,
  tellsWho,
  unlinkAccount,
} from '../lib/account/index.js'
import type { Auth } from '../lib/engine/index.js'
import type { SessionRequest } from '../lib/get-session.js'
import type { FullStackAuthConfig } from '../lib/types/config.js'
import type { EngineOf } from './engine.js'
import { type AuthHost, currentOf, currentRequest } from './host.js'
import { toSource } from './request.js'

/** A function of `server-auth` about the person who is signed in. */
type AccountFunction<Rest extends unknown[], Result> = (
  req: SessionRequest,
  config: FullStackAuthConfig,
  ...rest: Rest
) => Promise<Result>

/** Makes the functions. They read what the request's cookies say by now. */
export function createAccountFunctions(engineOf: EngineOf<Auth>, host: AuthHost) {
  async function placeOf(caller: string) {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    return { engine, request: { ...toSource(engine, ambient), ip: ambient.ip } }
  }

  /** For the user of the request. */
  function own<Rest extends unknown[], Result>(caller: string, work: AccountFunction<Rest, Result>) {
    return async (...rest: Rest): Promise<Result> => {
      const { engine, request } = await placeOf(caller)
      return work(request, engine.config, ...rest)
    }
  }

  /** About any user, and so without a request: it may be called by a job. Where there is one, the event says whose it is. */
  function administering<User>(
    change: (config: FullStackAuthConfig, user: User, req?: SessionRequest) => Promise<void>,
  ) {
    return async (user: User): Promise<void> => {
      const engine = await engineOf()
      const ambient = tellsWho(engine.auth.config) ? await currentOf(host) : undefined
      const request = ambient && { ...toSource(engine, ambient), ip: ambient.ip }
      return change(engine.config, user, request)
    }
  }

  return {
    endSessionsOf: administering(endSessionsOf),
    disableUser: administering(disableUser),
    enableUser: administering(enableUser),
    resetFactors: administering(resetFactors),
    getAccount: own('getAccount()', getAccount),
    endSession: own('endSession()', endSession),
    endOtherSessions: own('endOtherSessions()', endOtherSessions),
    unlinkAccount: own('unlinkAccount()', unlinkAccount),
    changeEmail: own('changeEmail()', changeEmail),
    renamePasskey: own('renamePasskey()', renamePasskey),
    deletePasskey: own('deletePasskey()', deletePasskey),
  }
}
