/** Warnings that requests could otherwise repeat without limit. */
import type { LoggerInstance } from '../types/logger.js'
import { perOwner, type SiteMemory } from './memory.js'

/**
 * Logs a warning once for each site and code.
 *
 * @param subject The part of the configuration, such as a provider's id, for which the warning is logged separately.
 */
export function warnOnce(
  { logger, memory }: { readonly logger: Pick<LoggerInstance, 'warn'>; readonly memory: SiteMemory },
  code: string,
  message: string,
  subject = '',
): void {
  const codes = warnedCodesOf(memory)
  const key = `${code} ${subject}`
  if (codes.has(key)) return
  codes.add(key)
  logger.warn(code, message)
}

/** The codes are the library's own, so they are few. */
const warnedCodesOf = perOwner((_site: SiteMemory) => new Set<string>())
