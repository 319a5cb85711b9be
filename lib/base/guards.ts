/** Checks untrusted data before it is used. */

/** Checks whether a value is an object that is neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the record without `undefined` members, for records whose keys matter, such as one that is merged over
 * another.
 */
export function definedOnly<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
}

/**
 * The number of levels of objects and lists that a body may have. A body could otherwise be nested too deeply for
 * functions such as `JSON.stringify`.
 */
const maxDepth = 100

/**
 * The number of objects and lists that are visited. A body has fewer; a value that refers to one object in many places
 * may have more.
 */
const maxObjects = 1_000_000

/** Checks whether a value is nested too deeply. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = []
  addObject(value, level)
  for (let [depth, looked] = [0, 0]; level.length > 0; depth += 1) {
    looked += level.length
    if (depth >= maxDepth || looked > maxObjects) return true
    const below: object[] = []
    // Plain loops: a list for each object, or a set of visited objects, would take longer than parsing the value.
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
