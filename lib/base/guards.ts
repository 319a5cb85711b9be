/** What foreign data is, before it is used. */

/** A JSON object: not `null`, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The record without what is `undefined`: for one whose keys are looked at, such as one that is merged over another. */
export function definedOnly<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
}

/** Levels of objects and lists that a body may have. It has room for more than functions such as `JSON.stringify` can go down. */
const mostLevels = 100

/** Whether a value is nested more deeply than anybody needs. */
export function isTooDeep(value: unknown): boolean {
  let level = new Set<unknown>([value])
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth > mostLevels) return true
    level = new Set(
      [...level].flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : [])),
    )
  }
  return false
}
