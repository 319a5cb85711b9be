/** The values that implementations of functions get from a door: `defineAuth` on Express, or `initAuth`. */
import type { Call, DoorRequest } from '../calls/call.js'
import type { AuthEngine } from '../engine/auth.js'
import type { TokensOfUser } from '../features/tokens/types.js'
import type { CallEffect, NeedOf } from '../types/call-rules.js'
import type { Awaitable } from '../types/identity.js'

/** A call for the user of a request. The door has checked the origin of the request. */
export interface RequestCall {
  readonly auth: AuthEngine
  readonly req: DoorRequest
  readonly effect: CallEffect
}

/** A call for the user of a request, or for one that a job names. */
export interface OwnerCall {
  readonly auth: AuthEngine
  readonly of: DoorRequest | TokensOfUser
  /** Returns the request that is being answered, if a job's call names the user nevertheless. */
  request?(): Awaitable<DoorRequest | undefined>
}

/** A call for any user. */
export interface AnyCall {
  readonly auth: AuthEngine
  /** Returns the request that is being answered, for events; `undefined` in a job. */
  request(): Awaitable<DoorRequest | undefined>
}

/** The call of a function, by what its rule needs. */
export interface CallOf {
  readonly request: RequestCall
  readonly response: Call
  readonly owner: OwnerCall
  readonly nothing: AnyCall
}

/** The implementations of the functions of a group that have these rules. */
export type Runs<Group, Ruled> = {
  readonly [Name in keyof Group & keyof Ruled]: Group[Name] extends (...args: infer Args) => infer Result
    ? (call: CallOf[NeedOf<Ruled, Name>], ...args: Args) => Result
    : never
}
