/**
 * Loads jose on first use. Node needs it only for sealed values (`seal`) and for sessions of Auth.js, not for this
 * library's session tokens.
 */
import { lazily } from '../base/lazily.js'

export const loadJose = lazily('The package jose', () => import('jose'))
