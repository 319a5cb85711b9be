/** Warnings whose number would depend on strangers. */
import type { Logger } from './logger.js'
import { perOwner } from './memory.js'

/** Warns of what a developer should know, once for each configuration (its logger) and code. */
export function warnOnce(logger: Logger, code: string, message: string): void {
  const codes = warnedOf(logger)
  if (codes.has(code)) return
  codes.add(code)
  logger.warn(code, message)
}

const warnedOf = perOwner((_logger: Logger) => new Set<string>())
