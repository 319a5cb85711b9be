/** Whether the page's browser can do ceremonies. */
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { page } from './page.js'

/** Why no ceremony can begin here at all; `undefined` where one can. */
export function obstacle(): 'insecure' | 'unsupported' | undefined {
  if (browserSupportsWebAuthn()) return undefined
  // Browsers hide the interface from pages that are not secure: telling a person to get another browser would be wrong.
  return page.isSecureContext === false ? 'insecure' : 'unsupported'
}
