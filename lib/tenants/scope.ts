/** The names under which a tenant's values are stored, so that tenants may share a database and no tenant finds values of another. */
import { sha256Hex } from '../crypto/hash.js'

/** The names of a tenant in a database. */
export interface TenantScope {
  /** Returns the name of a value, such as a user id or an email address. */
  name(value: string): string
  /** Returns the value of a name; `undefined` if the name is another tenant's. */
  value(name: string): string | undefined
  /** Returns the stored id of a provider. */
  provider(id: string): string
  /** Returns the provider of a stored id; `undefined` if it is another tenant's. */
  providerOf(stored: string): string | undefined
  /** Returns the stored key of a session; `undefined` for a token that no tenant can have. */
  session(token: string): string | undefined
  /** Returns the engine's key of a session; `undefined` if the session is another tenant's. */
  sessionOf(stored: string): string | undefined
}

/** The engine's key: the version, SHA-256 in hexadecimal, and metadata. */
const sessionKey = /^h1_([0-9a-f]{64})(.*)$/s
/** The digits that 256 bits need to the base 36. */
const digits = 50
/** The digits that a number holds exactly. */
const step = 10

/**
 * Returns the names of a tenant. They begin with 64 bits of the hash of its id, because ids are longer than the space that
 * some columns have left. The names are the same after the secret was replaced.
 */
export function createScope(id: string, sharedProviders: ReadonlySet<string>): TenantScope {
  const tag = sha256Hex(`server-auth tenant ${id}`).slice(0, 16)
  // The characters are allowed in the keys of all stores.
  const prefix = `${tag}.`
  const ofProvider = `${id}~`
  const value = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined)
  return {
    name: (text) => prefix + text,
    value,
    provider: (provider) => (sharedProviders.has(provider) ? provider : ofProvider + provider),
    providerOf: (stored) => {
      if (stored.startsWith(ofProvider)) return stored.slice(ofProvider.length)
      return sharedProviders.has(stored) ? stored : undefined
    },
    // As long as the engine's key: the shortest columns of published adapters have four more characters.
    session(token) {
      const [, hash, metadata = ''] = sessionKey.exec(token) ?? []
      if (hash === undefined) return undefined
      return `${prefix}${BigInt(`0x${hash}`).toString(36).padStart(digits, '0')}${metadata}`
    },
    sessionOf(stored) {
      const own = value(stored)
      if (own === undefined || !/^[0-9a-z]{50}/.test(own)) return undefined
      let number = 0n
      for (let at = 0; at < digits; at += step) {
        number = number * BigInt(36 ** step) + BigInt(Number.parseInt(own.slice(at, at + step), 36))
      }
      return `h1_${number.toString(16).padStart(64, '0')}${own.slice(digits)}`
    },
  }
}
