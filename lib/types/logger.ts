/** The interface of a logger. */

/** A code of a warning. */
export type WarningCode = string

/** A logger. Methods are called on your object; errors that they throw are ignored. */
export interface LoggerInstance {
  /** Logs an {@link AuthError}, whose `type` is the code and whose `cause.err` is the original error. */
  error(error: Error, ...details: unknown[]): void
  /** Logs a problem that a developer should fix, once per code. */
  warn(code: WarningCode, ...details: unknown[]): void
  /** Logs details, if `debug` is on. */
  debug(message: string, ...details: unknown[]): void
}
