/**
 * The browser around the passkey code. Its globals are declared here, and may be missing: the engine's files must not see
 * a browser's types, and pages are rendered on servers too.
 */
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'

interface Browser {
  readonly fetch: typeof fetch
  readonly isSecureContext?: boolean
  readonly document?: {
    readonly visibilityState?: string
    /** Chromium's view of the page's `Permissions-Policy`. */
    readonly featurePolicy?: { allowsFeature(feature: string): boolean }
    addEventListener?(type: string, listener: () => void): void
    removeEventListener?(type: string, listener: () => void): void
  }
}

export const browser: Browser = globalThis

/** Why no ceremony can begin here at all; `undefined` where one can. */
export function obstacle(): 'insecure' | 'unsupported' | undefined {
  if (browserSupportsWebAuthn()) return undefined
  // Browsers hide the interface from pages that are not secure: telling a person to get another browser would be wrong.
  return browser.isSecureContext === false ? 'insecure' : 'unsupported'
}
