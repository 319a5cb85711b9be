/** The interface for traces and metrics. */
import type { ErrorType } from '../errors.js'

/** An observed operation. It contains no user, address or URL. */
export interface TelemetryOperation {
  /** The route (`signin`, `callback`, `signout`, `session` …), or `refresh` for a renewal of tokens. */
  readonly name: string
  /** The id of the provider, only if it is in the configuration, because a path may contain any text. */
  readonly provider?: string
}

/** The outcome of an operation. */
export interface TelemetryOutcome {
  /**
   * `success`; `refused`: an expected rejection, such as a wrong password, "Cancel" at a provider, or a rate limit;
   * `failure`: all others, which are also logged.
   */
  readonly result: 'success' | 'refused' | 'failure'
  /** The `type` of the error, if there was one. */
  readonly errorType?: ErrorType
}

/** The option `telemetry`: `openTelemetry` of `server-auth/telemetry`, or your own object. */
export interface Telemetry {
  /**
   * Called at the start of an operation. Must call `run` once, synchronously; its promise never rejects. The call is
   * not awaited, and its errors are only logged.
   */
  observe(operation: TelemetryOperation, run: () => Promise<TelemetryOutcome>): void
}
