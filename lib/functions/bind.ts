/** Binds the implementations of all functions to a door. */
import { accountFunctions, passwordFunctions, sessionFunctions, userFunctions } from '../account/index.js'
import { factorFunctions } from '../features/factors/calls.js'
import { tokenFunctions } from '../features/tokens/calls.js'
import type { Awaitable } from '../types/identity.js'
import { type AuthFunctions, type CallRule, mapRules, type rules } from './index.js'
import type { CallOf, Runs } from './run.js'

const runs: { readonly [Group in keyof AuthFunctions]: Runs<AuthFunctions[Group], (typeof rules)[Group]> } = {
  sessions: sessionFunctions,
  account: accountFunctions,
  passwords: passwordFunctions,
  factors: factorFunctions,
  tokens: tokenFunctions,
  users: userFunctions,
}

/** A call in progress: the parameter of its implementation, and the remaining arguments. */
interface Begun<Place> {
  readonly call: Place
  readonly args: readonly unknown[]
}

/** A door, with the start of a call of each kind. @param given All arguments. */
export type Door = {
  readonly [Need in keyof CallOf]: (
    rule: CallRule & { readonly caller: string },
    given: readonly unknown[],
  ) => Awaitable<Begun<CallOf[Need]>>
}

/** Returns all functions of the door, by group. */
export function bindFunctions(door: Door): unknown {
  return mapRules((rule, { group, name, caller }) => {
    const run: unknown = Reflect.get(Reflect.get(runs, group), name)
    const start = async (given: readonly unknown[]): Promise<unknown> => {
      const { call, args } = await door[rule.needs]({ ...rule, caller }, given)
      assertOrigin(call, rule)
      return Reflect.apply(run as () => unknown, undefined, [call, ...args])
    }
    if (rule.returns !== 'function') return (...given: unknown[]) => start(given)
    return (...given: unknown[]) =>
      async (...more: unknown[]) =>
        Reflect.apply((await start(given)) as () => unknown, undefined, more)
  })
}

/**
 * Rejects a call that another site may have caused. Calls that set cookies check it themselves, so that it is logged.
 */
function assertOrigin(call: CallOf[keyof CallOf], { effect }: CallRule): void {
  if ('req' in call) call.auth.assertCall(call.req, effect)
  if ('of' in call && 'headers' in call.of) call.auth.assertCall(call.of, effect)
}
