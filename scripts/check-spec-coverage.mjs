/**
 * Checks that `docs/reference/spec-coverage.md` is true: each line of the interface has a row, each row names existing
 * tests by a part of their full title (mocha lists the titles, made-up ones of tables included), or has a reason why
 * there is none. Rows of type tests name a part of a file that the compiler checks.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { specKeys } from './spec-keys.mjs'
import { readTitles } from './test-titles.mjs'

const table = 'docs/reference/spec-coverage.md'
const reason = /not tested, because \S.{10,}/
const reference = /`(test\/[^`]+)` "([^"]*(?:"[^"]*"[^"]*)*?)"(?=<br>|$)/g

/** The rows, `key` and the cell that says where. */
function readRows() {
  const lines = readFileSync(table, 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const [, key, where] = /^\| `([^`]+)` \|.*?\| (.*) \|$/.exec(line) ?? []
    return key === undefined ? [] : [{ key, where: where.trim(), at: `${table}:${at + 1} ${key}` }]
  })
}

function faultsOf({ where, at }, titles) {
  const references = [...where.matchAll(reference)]
  const rest = where.replace(reference, '').replace(reason, '').replaceAll('<br>', '').trim()
  if (rest !== '') return [`${at}: cannot read ${JSON.stringify(rest)}`]
  if (where === '') return [`${at}: names no test, and no "not tested, because …"`]
  return references.flatMap(([, file, fragment]) => {
    if (!existsSync(resolve(file))) return [`${at}: ${file} does not exist`]
    const texts = file.endsWith('.test.ts') ? (titles.get(file) ?? []).map(withoutCases) : [readFileSync(file, 'utf8')]
    return texts.some((text) => text.includes(fragment)) ? [] : [`${at}: ${file} has no test with "${fragment}"`]
  })
}

/** Removes the ids of `test/threats/catalogue/` from a title, because they are added and removed. */
function withoutCases(title) {
  return title.replace(/\b(?:[A-Z]{2,3}-\d{2} )+/g, '')
}

const titles = readTitles()
const rows = readRows()
const keys = rows.map(({ key }) => key)
const faults = [
  ...specKeys.filter((key) => !keys.includes(key)).map((key) => `${table}: no row for ${key}`),
  ...keys.filter((key) => !specKeys.includes(key)).map((key) => `${table}: scripts/spec-keys.mjs does not know ${key}`),
  ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${table}: two rows for ${key}`),
  ...rows.flatMap((row) => faultsOf(row, titles)),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${rows.length} lines of the interface: their tests are there.`)
