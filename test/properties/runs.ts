/** The length and the seed of property tests: always the same ones, and each night ten times as many from another seed. */
import fc from 'fast-check'
import { extent } from '../support/extent.js'

const isNight = extent === 'all'

/** Checks a property with many values. */
export function properties(property: fc.IRawProperty<unknown, false>): void
export function properties(property: fc.IRawProperty<unknown, true>): Promise<void>
export function properties(property: fc.IRawProperty<unknown>): Promise<void> | void {
  const seed = isNight ? Math.floor(Date.now() / 86_400_000) : 16
  return fc.assert(property, { seed, numRuns: isNight ? 3000 : 300 }) as Promise<void> | void
}
