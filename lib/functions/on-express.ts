/** The functions on Express: the request, or request and response, come first. */
import { isRecord } from '../base/guards.js'
import { type CallRequest, type CallResponse, createExpressCall } from '../calls/index.js'
import { getEngine } from '../engine/index.js'
import type { TokensOfUser } from '../features/tokens/types.js'
import { isRequest, type SessionRequest } from '../get-session.js'
import type { AdapterUser } from '../types/adapter.js'
import type { NeedOf } from '../types/call-rules.js'
import type { ServerAuthConfig } from '../types/config.js'
import type { Session } from '../types/session.js'
import { bindFunctions, type Door } from './bind.js'
import type { AuthFunctions, CallRule, rules } from './index.js'

/** The arguments of a function on Express. */
type Args<Need extends CallRule['needs'], Own extends unknown[]> = {
  /** The request comes first. */
  readonly request: [req: SessionRequest, ...own: Own]
  /** Request and response come first. */
  readonly response: [req: CallRequest, res: CallResponse, ...own: Own]
  /** The request, or the user of a job, comes first. */
  readonly owner: [of: SessionRequest | TokensOfUser, options: Own[0]]
  /** The request may follow. */
  readonly nothing: [...own: Own, req?: SessionRequest]
}[Need]

/** A group of functions on Express. */
export type OnExpress<Group, Ruled> = {
  readonly [Name in keyof Group]: Group[Name] extends (...own: infer Own) => infer Result
    ? (...args: Args<NeedOf<Ruled, Name>, Own>) => Result
    : never
}

/** The functions of all groups on Express: `auth.sessions.end(req, id)`. */
export type ExpressFunctions<S = Session, U extends AdapterUser = AdapterUser> = {
  readonly [Group in keyof AuthFunctions]: OnExpress<AuthFunctions<S, U>[Group], (typeof rules)[Group]>
}

/** Binds all functions to a configuration. */
export function expressFunctions<S = Session, U extends AdapterUser = AdapterUser>(
  config: ServerAuthConfig,
): ExpressFunctions<S, U> {
  const auth = getEngine(config)
  const door: Door = {
    request({ caller, effect }, [req, ...args]) {
      if (!isRequest(req)) throw new TypeError(`${caller} needs the request as its first argument.`)
      return { call: { auth, req, effect }, args }
    },
    response: ({ caller }, [req, res, ...args]) => {
      const call = createExpressCall(caller, {
        auth,
        req: req as CallRequest,
        res: res as CallResponse,
        rereadsSession: true,
      })
      return { call, args }
    },
    owner({ caller }, [of, ...args]) {
      if (!isRecord(of))
        throw new TypeError(`Whose tokens? ${caller} needs the request, or { userId }, as its first argument.`)
      return { call: { auth, of: isRequest(of) ? of : (of as unknown as TokensOfUser) }, args }
    },
    nothing(_rule, given) {
      const req = given.at(-1)
      if (!isRequest(req)) return { call: { auth, request: () => undefined }, args: given }
      return { call: { auth, request: () => req }, args: given.slice(0, -1) }
    },
  }
  // The forms of both doors come from one table.
  return bindFunctions(door, auth.config.logger) as ExpressFunctions<S, U>
}
