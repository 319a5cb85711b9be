/** Reads the results of this library's scripts. */

/**
 * Reads 1 or 0 as a boolean.
 *
 * @throws {Error} for any other result, which must not be treated as `false`.
 */
export function readFlag(answer: unknown): boolean {
  const number = toNumber(answer)
  if (number === 1 || number === 0) return number === 1
  throw new Error('Redis: a script returned neither 0 nor 1')
}

/**
 * Reads a count.
 *
 * @throws {Error} for any other result.
 */
export function readCountResult(answer: unknown): number {
  const number = toNumber(answer)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error('Redis: a script returned no count')
}

/**
 * Reads a list.
 *
 * @throws {Error} for any other result.
 */
export function readListResult(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new Error('Redis: a script returned no list')
}

function toNumber(answer: unknown): number {
  return typeof answer === 'number' ? answer : Number(String(answer))
}
