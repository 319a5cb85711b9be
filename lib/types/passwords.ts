/**
 * Passwords: what the provider `Password` takes, and where the hashes are kept.
 *
 * A store stores and compares. Methods reject when the store is away: taken for "there is none", that would tell people that their
 * password is wrong.
 */
import type { Awaitable } from './identity.js'

/** The password of a user. */
export interface StoredPassword {
  /** Whose it is. Unique. */
  readonly userId: string
  /** The hash, as text without line breaks; at most 1024 characters. `!` where the password was removed: no password has this hash. */
  readonly hash: string
  /** 1 when it is made, and one more with each write. */
  readonly version: number
  /** When it was set, by its owner. A hash that is made anew of the same password leaves it. */
  readonly changedAt: Date
}

/** A password that waits until its owner has proved an address. */
export interface PasswordAttempt {
  /** A hash of what only the mail knows: 64 characters at most. Unique. */
  readonly tokenHash: string
  /** The address, in lower case. Several attempts for one address do not touch each other. */
  readonly identifier: string
  /** What the engine keeps of it. Text without line breaks; at most 4096 characters. */
  readonly data: string
  /** When it is of no use any more, and may be deleted. */
  readonly expires: Date
}

/** Where passwords are kept. */
export interface PasswordStore {
  /** The password of a user; `null` where there is none. */
  find(userId: string): Awaitable<StoredPassword | null>
  /**
   * Writes a password, with the version `previous + 1`, if the stored one has the version `previous`; 0: if there is none. One atomic
   * step.
   *
   * @returns `false` where the version was another one. Nothing is written then.
   */
  write(password: Omit<StoredPassword, 'version'>, previous: number): Awaitable<boolean>
  /** Removes the password of a user. One that is not there is no error. */
  remove(userId: string): Awaitable<unknown>
  /** Keeps a password that waits. Rejects when there is one with this `tokenHash`. */
  keepAttempt(attempt: PasswordAttempt): Awaitable<unknown>
  /** What waits under a hash, however old; `null` where there is nothing. */
  findAttempt(tokenHash: string): Awaitable<PasswordAttempt | null>
  /** Deletes it and returns it: of many calls at once exactly one gets it, the others `null`. */
  takeAttempt(tokenHash: string): Awaitable<PasswordAttempt | null>
}

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
  /** Where passwords are kept: `sqlPasswords(db)`, `memoryPasswords()`, one of your own. Default: the adapter's. */
  store?: PasswordStore
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
