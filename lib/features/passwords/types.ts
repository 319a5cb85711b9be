/** The options of the provider `Password`. */
import type { Awaitable } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** How passwords are hashed. Hashes say by themselves how they were made, as PHC strings do. */
export interface PasswordHasher {
  /** A new hash, with a new salt. */
  hash(password: string): Awaitable<string>
  /** Whether the password is that of the hash. Rejects for text that is no hash of its own. */
  verify(hash: string, password: string): Awaitable<boolean>
  /** Whether the hash was made with less work than would be spent today, or by another function. */
  needsRehash(hash: string): boolean
}

/** Checks hashes that another system made, until each is replaced at its owner's first sign-in. */
export interface ImportedHash {
  /** Whether a hash is of this kind, by its text alone. */
  recognizes(hash: string): boolean
  /** Whether the password is that of the hash. Rejects for text that it does not recognize. */
  verify(hash: string, password: string): Awaitable<boolean>
  /**
   * A hash of the kind that takes as much work as any of the application's, and whose password nobody knows. Attempts that meet no hash of
   * the kind verify it instead, so that time tells nobody who has one. Needed by kinds of your own; those of ours know the work of each hash.
   */
  readonly decoy?: string
}

/** Says whether a password is known to attackers. */
export interface BreachCheck {
  /**
   * Whether it is known. `signal` aborts when nobody waits any more. What it throws is logged, and refuses the password only where
   * `blocksOnOutage` says so.
   */
  isBreached(password: string, signal: AbortSignal): Awaitable<boolean>
  /** Whether no password is taken while it cannot be asked. Default `false`. */
  readonly blocksOnOutage?: boolean
}

/** What `Password` does. */
export interface PasswordOptions {
  /** The store of passwords: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, one of your own. Default `true`: the adapter's. */
  store?: true | Pick<Store, 'records'>
  /**
   * Characters that a new password has at least, 8 to 64. Default 15; where everybody has a second factor 8 will do (NIST SP 800-63B-4
   * §3.1.1).
   */
  minLength?: number
  /** Characters that a password has at most, 64 to 1024. Longer ones are refused before they are hashed. Default 1024. */
  maxLength?: number
  /** How new passwords are hashed. Default: Argon2id by `@node-rs/argon2` where that is installed, else scrypt of Node. */
  hash?: PasswordHasher
  /** Kinds of hashes that came from elsewhere (`auth.passwords.import`): `bcrypt()`, `django()` … of `server-auth/passwords`. */
  imported?: readonly ImportedHash[]
  /** Asked in turn about each new password: `hibp()`, `bloomFile(path)`. The list of the commonest is asked in any case. */
  breached?: readonly BreachCheck[]
  /** Whether strangers can sign up: `false`, and your code makes users and lets them set a password by mail. Default `true`. */
  signUp?: boolean
  /** Which sessions end with a changed password: the `others`, or `none`. Default `others`. */
  changeRevokes?: 'others' | 'none'
}
