/** What scripts of ours answer. */

/** @throws {Error} rather than take what is no answer of the script for a no. */
export function isDone(answer: unknown): boolean {
  const number = toNumber(answer)
  if (number === 1 || number === 0) return number === 1
  throw new Error('Redis: the answer to a script of ours is neither 0 nor 1')
}

/** @throws {Error} for what is no count. */
export function toCount(answer: unknown): number {
  const number = toNumber(answer)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error('Redis: the answer to a script of ours is no count')
}

/** @throws {Error} for what is no list. */
export function toArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new Error('Redis: the answer to a script of ours is no list')
}

function toNumber(answer: unknown): number {
  return typeof answer === 'number' ? answer : Number(String(answer))
}
