/**
 * Second factors: which there are, when they are asked for, and where it is kept who has which.
 *
 * A store stores and compares. What is inside `data` is the engine's business. Methods reject when the store is away: taken for
 * "there is none", that would let people in with one factor.
 */
import type { Awaitable } from './identity.js'

/** A second factor of a user. (`userId`, `id`) is unique. */
export interface StoredFactor {
  /** Whose it is. */
  readonly userId: string
  /** Names it among those of the user: at most 64 characters of `A-Z a-z 0-9 _ . : -`. Ids that differ in case are different. */
  readonly id: string
  /** What it is, such as `totp`: at most 32 characters. The store does not look at it. */
  readonly type: string
  /** What its owner calls it, at most 64 characters; `null` where they say nothing. */
  readonly name: string | null
  /** Secrets are sealed or hashed in it. Text without line breaks; may be some ten thousand characters long. */
  readonly data: string
  /** 1 when it is made, and one more with each write. */
  readonly version: number
  /** When it was made. Whole milliseconds. */
  readonly createdAt: Date
  /** When it was last good for something; `null` where it never was. */
  readonly usedAt: Date | null
  /** When it is of no use any more, and may be deleted; `null` for one that stays. The engine looks at it as well. */
  readonly expiresAt: Date | null
}

/** Where second factors are kept. */
export interface FactorStore {
  /** Those of a user, in the order in which they were made; an empty array where there are none. */
  list(userId: string): Awaitable<readonly StoredFactor[]>
  /**
   * Writes a factor, with the version `previous + 1`, if the stored one has the version `previous`; 0: if there is none. One atomic
   * step: of many calls at once with the same `previous` exactly one writes.
   *
   * @returns `false` where the version was another one. Nothing is written then.
   */
  write(factor: Omit<StoredFactor, 'version'>, previous: number): Awaitable<boolean>
  /**
   * Removes a factor of the user; without an `id` all that they have. One atomic step: of many calls at once for the same one
   * exactly one removes it.
   *
   * @returns How many were removed.
   */
  remove(userId: string, id?: string): Awaitable<number>
}
