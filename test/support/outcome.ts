/** Outcomes in one word, where a test compares several. */
import type { Outcome } from '../../lib/types/outcome.js'

/** Returns `ok`, or the reason. */
export const wordOf = (outcome: Outcome<string>): string => (outcome.ok ? 'ok' : outcome.reason)
