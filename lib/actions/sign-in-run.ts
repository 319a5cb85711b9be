/** The runner of the stages of a sign-in. It knows no step. */
import type { AuthContext } from '../contracts/index.js'
import { toError } from '../errors.js'
import type { Running, Stage, States, StepOf } from './sign-in-stages.js'
import { stepsOf } from './sign-in-steps.js'

/** Runs the steps of a stage. Each step adds facts to the state. */
export async function steps<S extends Stage>(stage: S, state: States[S]): Promise<States[S]> {
  let current = state
  for (const step of stepsOf(state.context.config)) {
    if (!isOf(step, stage)) continue
    state.ran.add(step.name)
    current = { ...current, ...(await step.run(current)) }
    if (!current.elsewhere) continue
    state.ran.add('suspended')
    break
  }
  return current
}

function isOf<S extends Stage>(step: { readonly stage: Stage }, stage: S): step is StepOf<S> {
  return step.stage === stage
}

/** Runs stages. Where a step fails, takes back what the steps before it wrote. With `debug`, the log has one line with the steps that ran. */
export async function running<T>(context: AuthContext, work: (run: Running) => Promise<T>): Promise<T> {
  const { logger } = context.config
  const written: Array<() => unknown> = []
  const ran = new Set<string>()
  try {
    return await work({ context, ran, undo: (takeBack) => written.unshift(takeBack) })
  } catch (error) {
    ran.add('failed')
    for (const takeBack of written) {
      // The error of the sign-in is thrown, and not the one of the work that takes it back.
      await (async () => takeBack())().catch((fault: unknown) => logger.error(toError(fault)))
    }
    throw error
  } finally {
    logger.debug(`sign-in: ${[...ran].join(', ')}`)
  }
}
