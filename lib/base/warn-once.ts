/** Warnings that requests could otherwise repeat without limit. */
import type { LoggerInstance } from '../types/logger.js'
import { perOwner, type SiteMemory } from './memory.js'
import { isRecent } from './time.js'

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

/** Logs a warning at most once a minute for each site and code. */
export function warnEachMinute(
  { logger, memory }: { readonly logger: Pick<LoggerInstance, 'warn'>; readonly memory: SiteMemory },
  code: string,
  message: string,
): void {
  const times = warningTimesOf(memory)
  if (isRecent(times.get(code), 60_000)) return
  times.set(code, Date.now())
  logger.warn(code, message)
}

const warningTimesOf = perOwner((_site: SiteMemory) => new Map<string, number>())

/** The codes are the library's own, so they are few. */
const warnedCodesOf = perOwner((_site: SiteMemory) => new Set<string>())
