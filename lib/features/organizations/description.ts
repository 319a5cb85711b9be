/** The description of organizations. They have no table: memberships are in the tables of the application. */
import type { Description } from '../../types/description.js'
import { organizationRules } from './functions.js'

/** Organizations. */
export const organizations = {
  functions: organizationRules,
  routes: { organization: { plain: ['GET', 'POST'], getHasEffects: true, isReturnPage: true } },
} as const satisfies Description
