/**
 * Writes the tables of modules in `docs/conformance.md`, out of `test/conformance/catalogue.ts` and the names in titles of
 * tests: `node --import tsx scripts/conformance-table.mjs`. With `--check` it writes nothing, and fails where the tables are
 * out of date. Either way it fails where a module has neither a test nor a reason, or both, and where a title names none.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue } from '../test/conformance/catalogue.ts'
import { findFaults, findTests } from '../test/conformance/find.ts'
import { readTitles } from './test-titles.mjs'

const document = 'docs/conformance.md'
const begin = '<!-- Written by scripts/conformance-table.mjs, from here -->'
const end = '<!-- to here -->'
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
const text = readFileSync(document, 'utf8')
const [before, rest = ''] = text.split(begin)
const [, after] = rest.split(end)
if (after === undefined) faults.push(`${document}: no place for the tables, between "${begin}" and "${end}"`)
const tables = catalogue.map((plan) => tableOf(plan, tests)).join('\n\n')
const written = `${before}${begin}\n\n${tables}\n\n${end}${after}`

if (!process.argv.includes('--check')) {
  if (after !== undefined) writeFileSync(document, written)
} else if (written !== text) {
  faults.push(`${document}: the tables are out of date. Run \`npm run docs:conformance\``)
}

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${tests.size} conformance modules have tests.`)
