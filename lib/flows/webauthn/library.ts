/**
 * `@simplewebauthn/server`, loaded when a passkey is first used: applications without passkeys need not install it. The
 * comments tell bundlers to leave the import to Node, since the package may be missing.
 */
import type * as WebAuthn from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'

/** The library. The module system remembers it. */
export function loadLibrary(): Promise<typeof WebAuthn> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@simplewebauthn/server')
}

/** What it is made of. */
export function loadHelpers(): Promise<typeof Helpers> {
  return import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@simplewebauthn/server/helpers'
  )
}
