/** Finds the tests of modules, and missing tests. */
import type { ConformancePlan } from './catalogue.js'

/** The files by the name of a module. */
export type Tests = ReadonlyMap<string, ReadonlySet<string>>

const names = /(?<![\w-])(?:oidcc|fapi2-[a-z]+(?:-[a-z]+)*)-client-(?:refresh-token-)?test(?![\w-]*plan)[\w-]*/g

/** Returns the files whose titles have the name of a module. @param titles Full titles by file. */
export function findTests(titles: ReadonlyMap<string, readonly string[]>): Tests {
  const files = new Map<string, Set<string>>()
  for (const [file, texts] of titles) {
    for (const [name] of texts.join('\n').matchAll(names)) files.set(name, (files.get(name) ?? new Set()).add(file))
  }
  return files
}

/** Returns the mistakes in the catalogue and in the titles. */
export function findFaults(plans: readonly ConformancePlan[], tests: Tests): string[] {
  const known = new Set(plans.flatMap(({ modules }) => modules.map(({ name }) => name)))
  const faults: string[] = []
  for (const { name, notApplicable: reason } of plans.flatMap(({ modules }) => modules)) {
    if (reason !== undefined && tests.has(name)) faults.push(`${name} has tests, and a reason why it has none`)
    if (reason === undefined && !tests.has(name)) faults.push(`${name} has no test with its name in the title`)
  }
  for (const [name, files] of tests) {
    if (!known.has(name)) faults.push(`no module is called ${name}: ${[...files].join(', ')}`)
  }
  return faults
}
