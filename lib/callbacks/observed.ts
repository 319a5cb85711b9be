/** The one place where the engine tells `telemetry` of its work: requests to our routes, calls of the application's own, refreshes. */
import type { ResolvedConfig } from '../contracts/index.js'
import { toError } from '../errors.js'
import type { TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

/** Says what the work came to, where it was no success. */
export type Tell = (outcome: TelemetryOutcome) => void

const untold: Tell = () => {}

/**
 * Does the work, and tells of it where somebody wants to know. The work is done once and its outcome is the caller's, whatever
 * the developer's `telemetry` does: throw, never call it, call it twice.
 *
 * @param work What it rejects with is told as a failure, unless it has told something else before.
 */
export function observed<T>(
  { telemetry, logger }: ResolvedConfig,
  operation: TelemetryOperation,
  work: (tell: Tell) => Promise<T>,
): Promise<T> {
  if (!telemetry) return work(untold)
  let outcome: TelemetryOutcome = { result: 'success' }
  let begun: Promise<T> | undefined
  const once = () => {
    begun ??= work((told) => {
      outcome = told
    })
    return begun
  }
  const run = () =>
    once().then(
      () => outcome,
      (): TelemetryOutcome => (outcome.result === 'success' ? { result: 'failure' } : outcome),
    )
  try {
    telemetry.observe(operation, run)
  } catch (error) {
    logger.error(toError(error))
  }
  return once()
}
