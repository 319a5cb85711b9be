/** Where messages go. */

/** Codes of warnings. */
export type WarningCode = string

/** Where messages go. Methods are called on your object; what they throw is ignored. */
export interface LoggerInstance {
  /** `error` is an {@link AuthError} whose `type` is the code; `cause.err` has what led to it. */
  error(error: Error, ...details: unknown[]): void
  /** Something that a developer should change: once per code. */
  warn(code: WarningCode, ...details: unknown[]): void
  /** What happens, where `debug` is on. */
  debug(message: string, ...details: unknown[]): void
}
