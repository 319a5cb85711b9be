/** What is told of the library's work, for traces and metrics. */
import type { ErrorType } from '../errors.js'

/** A piece of work that is told of. It holds no user, no address and no URL. */
export interface TelemetryOperation {
  /** The route (`signin`, `callback`, `signout`, `session` …), or `refresh`: a provider is asked for new tokens. */
  readonly name: string
  /** The id of the provider, where it is one of the configuration: what strangers write into a path is left out. */
  readonly provider?: string
}

/** What an operation came to. */
export interface TelemetryOutcome {
  /**
   * `success`; `refused`: a wrong password, "Cancel" at a provider, or a rate limit, as happens every day; `failure`: all else, which
   * is in the log, too.
   */
  readonly result: 'success' | 'refused' | 'failure'
  /** The error's `type`, where there was one. */
  readonly errorType?: ErrorType
}

/** The option `telemetry`: `openTelemetry` of `server-auth/telemetry`, or one of your own. */
export interface Telemetry {
  /**
   * Called as an operation begins. It calls `run` at once, and once; what it gets never rejects. Nobody waits for it, and what it
   * throws is only logged.
   */
  observe(operation: TelemetryOperation, run: () => Promise<TelemetryOutcome>): void
}
