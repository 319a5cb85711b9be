/** The options of the provider `Password`. */
import type { Awaitable } from '../../types/identity.js'
import type { Store } from '../../types/store.js'

/** A hasher of passwords. Its hashes contain their parameters, as PHC strings do. */
export interface PasswordHasher {
  /** Creates a hash with a new salt. */
  hash(password: string): Awaitable<string>
  /** Checks whether a password matches a hash. Rejects for text that is none of its hashes. */
  verify(hash: string, password: string): Awaitable<boolean>
  /** Checks whether a hash takes less work than new ones, or is of another function. */
  needsRehash(hash: string): boolean
}

/** A verifier of hashes from another system. Each hash is replaced at its owner's first sign-in. */
export interface ImportedHash {
  /** Checks whether a hash is of this kind, by its text alone. */
  recognizes(hash: string): boolean
  /** Checks whether a password matches a hash. Rejects for text that it does not recognize. */
  verify(hash: string, password: string): Awaitable<boolean>
  /**
   * A hash of the kind with the most work of the application's hashes, and an unknown password. Attempts without a hash
   * of the kind verify it instead, so that the time does not reveal who has one. Required for custom kinds; the
   * built-in kinds know the work of each hash.
   */
  readonly decoy?: string
}

/** A check whether attackers know a password. */
export interface BreachCheck {
  /**
   * Checks whether the password is known. `signal` aborts when the result is no longer needed. Errors are logged, and
   * reject the password only with `blocksOnOutage`.
   */
  isBreached(password: string, signal: AbortSignal): Awaitable<boolean>
  /** True if passwords are rejected if the check fails. Default `false`. */
  readonly blocksOnOutage?: boolean
}

/** The options of `Password`. */
export interface PasswordOptions {
  /**
   * The store of passwords: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one. Default `true`: the
   * adapter's.
   */
  store?: true | Pick<Store, 'records'>
  /**
   * The minimum length of a new password in characters, 8 to 64. Default 15. 8 is enough if all users have a second
   * factor (NIST SP 800-63B-4 §3.1.1).
   */
  minLength?: number
  /**
   * The maximum length of a password in characters, 64 to 1024. Longer ones are rejected before they are hashed.
   * Default 1024.
   */
  maxLength?: number
  /** The hasher of new passwords. Default: Argon2id with `@node-rs/argon2` if installed, otherwise scrypt of Node. */
  hash?: PasswordHasher
  /** Kinds of imported hashes (`auth.passwords.import`): `bcrypt()`, `django()` … of `server-auth/passwords`. */
  imported?: readonly ImportedHash[]
  /**
   * The checks of new passwords, called in turn: `hibp()`, `bloomFile(path)`. The list of common passwords is always
   * used.
   */
  breached?: readonly BreachCheck[]
  /**
   * True if strangers can sign up. With `false` your code creates the users, who set a password by email. Default
   * `true`.
   */
  signUp?: boolean
  /** The sessions that end with a password change: the `others`, or `none`. Default `others`. */
  changeRevokes?: 'others' | 'none'
}
