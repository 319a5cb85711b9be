/** The description of impersonation. */
import type { Description } from '../../types/description.js'
import { impersonationRules } from './functions.js'

/** Impersonation: a user of support uses the session of another user. It stores no records of its own. */
export const impersonation = { functions: impersonationRules } as const satisfies Description
