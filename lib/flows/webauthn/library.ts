/**
 * `@simplewebauthn/server`, loaded when a passkey is first asked for: who uses none need not install it. Bundlers are told to
 * leave it to Node, for the same reason.
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
