/** The rules of functions: what a call needs, and what it does for the user of the request. */

/**
 * The effect of a call that the application's own code makes. Each call states its effect, so that a new one cannot skip the check.
 *
 * - `reads`: shows what is there, or renews it. A link on another site may lead to a page that reads.
 * - `changes`: changes something for the user of the request. Rejected where a page of another site may have caused the request.
 * - `administers`: does what the application says, for any user. The cookies of the request do not decide, so that jobs, events and
 *   API clients of the application can call it.
 */
export type CallEffect = 'reads' | 'changes' | 'administers'

/** The rule of a function. Everything that is the same for all functions is derived from it. */
export type CallRule = SingleRule | ContinuingRule

/** The rule of a function whose work ends with its result. */
interface SingleRule extends CommonRule {
  /** `function`: the function returns a function, and the call happens when that is called. */
  readonly returns?: 'function'
}

/**
 * The rule of a function that begins something for a request, and returns at once a function that stops it. It reads only, and
 * checks nothing that has to be awaited. A failure to begin is reported to the function among its arguments.
 */
interface ContinuingRule extends CommonRule {
  readonly needs: 'request'
  readonly effect: 'reads'
  readonly impersonated: true
  /** The function returns at once a function that stops what it began. */
  readonly returns: 'stop'
}

/** The parts that all rules have. */
interface CommonRule {
  /**
   * The part of a call that the function works with, and the arguments that it has on Express before its own:
   *
   * - `request`: the request. The function reads its cookies, and sets none.
   * - `response`: the request and the response, on which cookies are set. Call it before the headers are sent.
   * - `owner`: the request, or `{ userId }` in a job.
   * - `nothing`: none. The request may follow, for events.
   */
  readonly needs: 'request' | 'response' | 'owner' | 'nothing'
  /** The effect of a call. It decides whether a page of another site may cause the request. */
  readonly effect: CallEffect
  /** `true` if it may be called in an impersonated session. All other functions are rejected there. */
  readonly impersonated?: true
}

/** The part of a call that a function needs, by the rules of its group. */
export type NeedOf<Ruled, Name> = Name extends keyof Ruled
  ? Ruled[Name] extends CallRule
    ? Ruled[Name]['needs']
    : never
  : never

/** The rules of a group, one for each function. */
export type Rules<Group> = { readonly [Name in keyof Group]: CallRule }
