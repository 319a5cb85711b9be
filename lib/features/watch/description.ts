/** The description of watched sessions. */
import type { Description } from '../../types/description.js'
import { sessionWatchRules } from './functions.js'

/** Sessions that are watched after their request. It has no option. The engine loads the checks at the first watch. */
export const watch = { joins: { sessions: sessionWatchRules } } as const satisfies Description
