/**
 * The mark of hashers and kinds of hashes whose work is known. It loads no hash function, because configurations on
 * edge runtimes check it.
 */
import type { Awaitable } from '../../../types/identity.js'
import type { Work } from './work.js'

/** The known work of a kind of hashes, or of a hasher. */
export interface Measure {
  /** The most work of each function that a hash takes. Each attempt does all of it. */
  most(): Awaitable<readonly Work[]>
  /** Returns the work of a hash. @throws TypeError for text that is no hash of the kind, or takes too much work. */
  of(hash: string): Work
}

/** The key of the measure in built-in hashers and kinds. All copies of the package share the symbol. */
export const measure: unique symbol = Symbol.for('server-auth.passwords.measure')

/** An object whose work is known. */
export interface Measured {
  readonly [measure]: Measure
}

/** Checks whether the work of a hasher or a kind is known. Custom ones have a decoy instead. */
export function isMeasured<T extends object>(value: T): value is T & Measured {
  return measure in value
}
