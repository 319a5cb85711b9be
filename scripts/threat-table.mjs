/**
 * Writes the table of cases in `docs/threats.md`, out of `test/threats/catalogue/` and the ids in titles of tests:
 * `node --import tsx scripts/threat-table.mjs`. With `--check` it writes nothing, and fails if the table is out of
 * date. Either way it fails if a case has neither a test nor a reason, if a case with tests has a reason, and if a
 * title has an id that no case has.
 */
import { readFileSync } from 'node:fs'
import { findFaults, findTests } from '../test/threats/catalogue/find.ts'
import { catalogue } from '../test/threats/catalogue/index.ts'
import { writeBlocks } from './generated-blocks.mjs'
import { readTitles } from './test-titles.mjs'

const document = 'docs/threats.md'

function cell(threat, files) {
  const tests = files.get(threat.id)
  if (tests)
    return [...tests]
      .sort()
      .map((file) => `\`${file.replace(/\.test\.ts$/, '')}\``)
      .join(', ')
  return threat.pending ? `to be written, in ${threat.pending}` : `none: ${threat.notApplicable}`
}

/** The tables, one for each group. */
function tablesOf(groups, files) {
  return groups
    .map(({ title, section, cases }) =>
      [
        `### ${title}`,
        '',
        `Mechanism: [${section}](#${section.toLowerCase().replaceAll('’', '').replaceAll(' ', '-')}).`,
        '',
        '| Case | What is tried | Tests |',
        '|---|---|---|',
        ...cases.map((threat) => `| ${threat.id} | ${threat.what} | ${cell(threat, files)} |`),
      ].join('\n'),
    )
    .join('\n\n')
}

const files = findTests(catalogue, readTitles())
const cases = catalogue.flatMap((group) => group.cases)
const faults = findFaults(catalogue, files)

const [prose] = readFileSync(document, 'utf8').split('<!-- Written by ')
for (const { title, section } of catalogue) {
  if (!prose.includes(`\n## ${section}\n`)) faults.push(`${document}: no section "${section}", where ${title} is told`)
}
const fault = writeBlocks(document, 'threat-table.mjs', [tablesOf(catalogue, files)], 'npm run docs:threats')
if (fault !== undefined) faults.push(fault)

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else {
  const waiting = cases.filter(({ id, pending }) => pending !== undefined && !files.has(id)).map(({ id }) => id)
  console.log(
    `${cases.length} cases: ${cases.filter(({ id }) => files.has(id)).length} with tests, ` +
      `${cases.filter(({ notApplicable }) => notApplicable !== undefined).length} without, for a reason` +
      `${waiting.length > 0 ? `; to be written: ${waiting.join(', ')}` : ''}.`,
  )
}
