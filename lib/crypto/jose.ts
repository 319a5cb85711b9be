/**
 * Loads jose on first use. Node needs it only for sealed values (`seal`) and for sessions of Auth.js, not for this
 * library's session tokens.
 */
import { createLazyLoader } from '../base/lazy-loader.js'

export const loadJose = createLazyLoader('The package jose', () => import('jose'))
