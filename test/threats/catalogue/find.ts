/** Finds the tests of cases, and missing tests. */
import type { ThreatGroup } from './case.js'

/** Full titles by file. */
export type Titles = ReadonlyMap<string, readonly string[]>
/** Files by id. */
export type Tests = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the files whose titles have an id. One title may have several: `CS-01 CS-02 …`. */
export function findTests(groups: readonly ThreatGroup[], titles: Titles): Tests {
  const prefixes = new Set(groups.flatMap(({ cases }) => cases.map(({ id }) => id.split('-')[0])))
  const pattern = new RegExp(`\\b(?:${[...prefixes].join('|')})-\\d{2}\\b`, 'g')
  const files = new Map<string, Set<string>>()
  for (const [file, texts] of titles) {
    for (const [id] of texts.join('\n').matchAll(pattern)) files.set(id, (files.get(id) ?? new Set()).add(file))
  }
  return files
}

/** Returns the faults of the catalogue and of the titles. */
export function findFaults(groups: readonly ThreatGroup[], tests: Tests): string[] {
  const cases = groups.flatMap((group) => group.cases)
  const ids = cases.map(({ id }) => id)
  const faults = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is in the catalogue twice`)
  for (const { id, notApplicable, pending } of cases) {
    if (notApplicable !== undefined && tests.has(id)) faults.push(`${id} has a reason not to be tested, and tests`)
    if (notApplicable === undefined && pending === undefined && !tests.has(id)) {
      faults.push(`${id} has no test with its id in the title, and no reason`)
    }
  }
  for (const [id, files] of tests) {
    if (!ids.includes(id)) faults.push(`no case is called ${id}: ${[...files].join(', ')}`)
  }
  return faults
}
