/** jose. Node needs it for sealed values (`seal`) and sessions of Auth.js; reading our own session tokens there takes none of it. */
import { lazily } from '../base/lazily.js'

/** Loads jose. */
export const loadJose = lazily('The package jose', () => import('jose'))
