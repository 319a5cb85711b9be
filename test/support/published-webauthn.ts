/**
 * The browser libraries that people have, on an authenticator in software: `@simplewebauthn/browser` 9, which Auth.js uses,
 * and the current one.
 *
 * ```ts
 * const answer = await withNavigator(key, () => publishedLibraries['@simplewebauthn/browser 9'].create(options))
 * ```
 */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import * as browser9 from 'webauthn-browser9'
import type { Authenticator } from './authenticator.js'

/** A library, and how it takes user handles. */
export interface PublishedLibrary {
  create(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON>
  get(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON>
  /** It gives the text of the options to the authenticator as it is. */
  readonly writesText: boolean
  /** It sends the handle as text, not as base64url. */
  readonly readsText: boolean
}

/** The libraries by name. */
export const publishedLibraries = {
  '@simplewebauthn/browser 9': {
    create: (options) => browser9.startRegistration(options as never) as Promise<never>,
    get: (options) => browser9.startAuthentication(options as never) as Promise<never>,
    writesText: true,
    readsText: true,
  },
  '@simplewebauthn/browser 14': {
    create: (optionsJSON) => startRegistration({ optionsJSON }),
    get: (optionsJSON) => startAuthentication({ optionsJSON }),
    writesText: false,
    readsText: false,
  },
} as const satisfies Record<string, PublishedLibrary>

/** Runs something as in a browser whose `navigator.credentials` is this authenticator. */
export async function withNavigator<T>(key: Authenticator, act: () => Promise<T>): Promise<T> {
  class PublicKeyCredential {}
  const credentials = {
    create: async ({ publicKey }: { publicKey: Options }) => toCredential(key.create(toJson(publicKey) as never)),
    get: async ({ publicKey }: { publicKey: Options }) => toCredential(key.get(toJson(publicKey) as never)),
  }
  const place = { PublicKeyCredential, navigator: { credentials }, location: { hostname: 'localhost' } }
  const names = { ...place, window: place }
  const before = Object.keys(names).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(names)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  try {
    return await act()
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

type Options = Readonly<Record<string, unknown>>

/** Bytes to base64url, at any depth: what the authenticator in software reads. */
function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return base64url(value)
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]))
}

function base64url(bytes: ArrayBuffer | ArrayBufferView): string {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes
  return Buffer.from(view as ArrayBuffer).toString('base64url')
}

/** The answer as browsers give it to scripts. */
function toCredential({ id, type, response }: RegistrationResponseJSON | AuthenticationResponseJSON): object {
  const { transports = [], ...texts } = response as { transports?: string[] }
  const bytes = Object.entries(texts).map(([name, text]) => [name, toBuffer(String(text))] as const)
  return {
    id,
    rawId: toBuffer(id),
    type,
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: { ...Object.fromEntries(bytes), getTransports: () => transports },
  }
}

function toBuffer(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text, 'base64url')).buffer
}
