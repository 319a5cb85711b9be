/** The mark of hashers and kinds of hashes whose work is known. It loads no hash function: configurations on edge runtimes check it. */
import type { Awaitable } from '../../../types/identity.js'
import type { Work } from './work.js'

/** What is known about the work of a kind of hashes, or of a hasher. */
export interface Measure {
  /** The most work of each function that a hash takes. Each attempt does all of it. */
  most(): Awaitable<readonly Work[]>
  /** Returns the work of a hash. @throws TypeError for text that is no hash of the kind, or asks for too much. */
  of(hash: string): Work
}

/** Hashers and kinds of hashes of ours have their measure here. Both copies of the package know the symbol. */
export const measure: unique symbol = Symbol.for('server-auth.passwords.measure')

/** Something whose work is known. */
export interface Measured {
  readonly [measure]: Measure
}

/** Checks whether the work of a hasher or a kind is known. Of others it is not: they have a decoy, which takes the place of a hash. */
export function isMeasured<T extends object>(value: T): value is T & Measured {
  return measure in value
}
