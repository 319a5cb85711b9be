/** Warnings whose number would depend on strangers. */
import type { LoggerInstance } from '../types/logger.js'
import { perOwner, type SiteMemory } from './memory.js'

/** Warns of what a developer should know, once for each site and code. @param of Which of the configuration's things, such as a provider's id. */
export function warnOnce(
  { logger, memory }: { readonly logger: Pick<LoggerInstance, 'warn'>; readonly memory: SiteMemory },
  code: string,
  message: string,
  of = '',
): void {
  const codes = warnedOf(memory)
  const key = `${code} ${of}`
  if (codes.has(key)) return
  codes.add(key)
  logger.warn(code, message)
}

/** The codes are ours, and few. */
const warnedOf = perOwner((_site: SiteMemory) => new Set<string>())
