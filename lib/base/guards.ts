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

/** Objects and lists that are looked at. A body has fewer; a value that holds one object in many places may stand for more. */
const mostObjects = 1_000_000

/** Checks whether a value is nested more deeply than anybody needs. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = []
  addObject(value, level)
  for (let [depth, looked] = [0, 0]; level.length > 0; depth += 1) {
    looked += level.length
    if (depth >= mostLevels || looked > mostObjects) return true
    const below: object[] = []
    // In plain loops: a list for each object, or a set of what was seen, takes longer than to parse the value.
    for (const each of level) {
      if (Array.isArray(each)) for (const member of each) addObject(member, below)
      else for (const member of Object.values(each)) addObject(member, below)
    }
    level = below
  }
  return false
}

function addObject(value: unknown, to: object[]): void {
  if (typeof value === 'object' && value !== null) to.push(value)
}
