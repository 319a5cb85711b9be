/** The description of watched sessions. */
import type { Description } from '../../types/description.js'
import { sessionWatchRules } from './functions.js'

/** Sessions that are watched after their request. It has no option: nothing is loaded before the first watch. */
export const watch = { joins: { sessions: sessionWatchRules } } as const satisfies Description
