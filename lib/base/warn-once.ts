/** Warnings whose number would depend on strangers. */
import type { LoggerInstance } from '../types/logger.js'
import { perOwner, type SiteMemory } from './memory.js'

/** Warns of what a developer should know, once for each site and code. */
export function warnOnce(
  { logger, memory }: { readonly logger: Pick<LoggerInstance, 'warn'>; readonly memory: SiteMemory },
  code: string,
  message: string,
): void {
  const codes = warnedOf(memory)
  if (codes.has(code)) return
  codes.add(code)
  logger.warn(code, message)
}

/** The codes are ours, and few. */
const warnedOf = perOwner((_site: SiteMemory) => new Set<string>())
