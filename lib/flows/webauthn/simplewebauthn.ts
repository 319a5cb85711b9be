/**
 * `@simplewebauthn/server`, loaded when a passkey is first used, so that applications without passkeys need not install
 * it. The comments tell bundlers to leave the import to Node, because the package may be missing.
 */
import type * as WebAuthn from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'
import { throwAgain } from '../../base/runtime.js'

/** Loads the library. The module system caches it. */
export function loadSimpleWebAuthn(): Promise<typeof WebAuthn> {
  return import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@simplewebauthn/server'
  ).catch(throwAgain)
}

/** Loads the library's helpers. */
export function loadSimpleWebAuthnHelpers(): Promise<typeof Helpers> {
  return import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@simplewebauthn/server/helpers'
  ).catch(throwAgain)
}
