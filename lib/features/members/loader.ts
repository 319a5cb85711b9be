/** Loads stored organizations at the first use. */
import { createLazyLoader } from '../../base/lazy-loader.js'

/** Loads the code. */
export const loadMembers = createLazyLoader('Stored organizations', () => import('./entry.js'))
