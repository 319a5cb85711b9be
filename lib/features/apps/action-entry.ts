/** Loads the page and the codes of apps. */
import { createLazyLoader } from '../../base/lazy-loader.js'

export const loadApps = createLazyLoader('Apps', () => import('./entry.js'))
