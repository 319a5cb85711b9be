/** Binds the implementations of all functions to a door. */
import { accountFunctions, sessionFunctions, userFunctions } from '../account/index.js'
import type { Logger } from '../base/logger.js'
import { mapMaybePromise } from '../base/maybe-promise.js'
import { type Implementation, implementations } from '../features/engine.js'
import type { CallRule } from '../types/call-rules.js'
import type { Awaitable } from '../types/identity.js'
import { type AuthFunctions, type engineRules, mapRules } from './index.js'
import type { CallOf, Runs } from './run.js'
import { failureListener, type Stop, stopLater } from './stop-later.js'

/** The functions of the engine itself. Those of capabilities are in `features/engine`. */
const engineRuns: {
  readonly [Group in keyof typeof engineRules]: Runs<AuthFunctions[Group], (typeof engineRules)[Group]>
} = {
  sessions: sessionFunctions,
  account: accountFunctions,
  users: userFunctions,
}

const runs: Record<string, object> = { ...engineRuns }
for (const [name, { functions = {}, joins }] of Object.entries<Implementation>(implementations)) {
  for (const [group, added] of Object.entries({ [name]: functions, ...joins }))
    runs[group] = { ...runs[group], ...added }
}

/** A call that begins: what its implementation gets, and the arguments that are its own. */
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

/** Returns all functions of the door, by group. @param logger Gets the errors of listeners whose call cannot begin. */
export function bindFunctions(door: Door, logger: Logger): unknown {
  return mapRules((rule, { group, name, caller }) => {
    const run: unknown = Reflect.get(Reflect.get(runs, group), name)
    const start = async (given: readonly unknown[]): Promise<unknown> => {
      const { call, args } = await door[rule.needs]({ ...rule, caller }, given)
      assertOrigin(call, rule)
      if (!rule.impersonated) await assertOwnSession(call)
      return Reflect.apply(run as () => unknown, undefined, [call, ...args])
    }
    if (rule.returns === 'stop') {
      return (...given: unknown[]) => {
        const begun = mapMaybePromise(door.request({ ...rule, caller }, given), ({ call, args }) =>
          Reflect.apply(run as () => Stop, undefined, [call, ...args]),
        )
        return stopLater(begun, failureListener(given, logger.error))
      }
    }
    if (rule.returns !== 'function') return (...given: unknown[]) => start(given)
    return (...given: unknown[]) =>
      async (...more: unknown[]) =>
        Reflect.apply((await start(given)) as () => unknown, undefined, more)
  })
}

/**
 * Rejects a call in an impersonated session, also one for another user. A job has no request, and so no session. Calls that set
 * cookies check it themselves, so that it is logged.
 */
async function assertOwnSession(call: CallOf[keyof CallOf]): Promise<void> {
  if ('run' in call || !call.auth.config.impersonation) return
  const req = 'request' in call ? await call.request?.() : 'req' in call ? call.req : call.of
  if (req && 'headers' in req) await call.auth.assertOwnSession(req)
}

/**
 * Rejects a call that another site may have caused. Calls that set cookies check it themselves, so that it is logged.
 */
function assertOrigin(call: CallOf[keyof CallOf], { effect }: CallRule): void {
  if ('req' in call) call.auth.assertCall(call.req, effect)
  if ('of' in call && 'headers' in call.of) call.auth.assertCall(call.of, effect)
}
