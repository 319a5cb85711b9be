/**
 * Writes the tables of modules in `docs/conformance.md`, out of `test/conformance/catalogue.ts` and the names in titles of
 * tests: `node --import tsx scripts/conformance-table.mjs`. With `--check` it writes nothing, and fails where the tables are
 * out of date. Either way it fails where a module has neither a test nor a reason, or both, and where a title names none.
 */
import { catalogue } from '../test/conformance/catalogue.ts'
import { findFaults, findTests } from '../test/conformance/find.ts'
import { writeBlocks } from './generated-blocks.mjs'
import { readTitles } from './test-titles.mjs'

const document = 'docs/conformance.md'
/** The folders of tests whose titles have names of modules. */
const folders = ['test/conformance', 'test/flows/oauth', 'test/tokens']

function cell({ name, notApplicable }, tests) {
  if (notApplicable !== undefined) return `none: ${notApplicable}`
  return [...(tests.get(name) ?? [])]
    .sort()
    .map((file) => `\`${file.replace(/\.test\.ts$/, '')}\``)
    .join(', ')
}

function tableOf({ name, title, note, modules }, tests) {
  return [
    `### ${title}`,
    '',
    `\`${name}\``,
    '',
    ...(note === undefined ? [] : [note, '']),
    '| Module | What happens, and what is right | Tests |',
    '|---|---|---|',
    ...modules.map((module) => `| \`${module.name}\` | ${module.what} | ${cell(module, tests)} |`),
  ].join('\n')
}

const tests = findTests(readTitles(folders))
const faults = findFaults(catalogue, tests)
const tables = catalogue.map((plan) => tableOf(plan, tests)).join('\n\n')
const fault = writeBlocks(document, 'conformance-table.mjs', [tables], 'npm run docs:conformance')
if (fault !== undefined) faults.push(fault)

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${tests.size} conformance modules have tests.`)
