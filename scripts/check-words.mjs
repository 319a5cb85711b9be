/**
 * `npm run check:words [paths…]`: reports phrases in comments, titles of tests, messages and pages that are no plain developer
 * English, as `file:line: the phrase: why: what to write`. `--json` prints the reports as JSON. `--count` prints numbers instead: reports for
 * each folder and each rule, and measures of the English. The rules are in `scripts/words-rules.mjs`. Without paths, the whole tree is
 * checked, and the length of the documentation and the names that many files define have limits.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { normalize } from 'node:path'
import { parseArgs } from 'node:util'
import { relativeStart, reportsOn } from './words-rules.mjs'
import { passagesOfSource } from './words-source.mjs'
import { countWords, passagesOfPage, sentencesOf } from './words-text.mjs'

const everything = [
  'lib',
  'shim',
  'test',
  'examples',
  'scripts',
  'bench',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]
const skipped = new Set(['node_modules', 'dist', 'generated', 'public', 'cache'])
const source = /\.(?:[cm]?[jt]s|tsx)$/
/** The file with the rules quotes what it refuses. */
const quotes = /^(?:scripts\/words-rules\.mjs|test\/scripts\/check-words\.test\.ts)$/

/** Returns the files at a path that have English in them. */
function filesAt(path) {
  if (!statSync(path).isDirectory()) return isRead(path) ? [path] : []
  return readdirSync(path)
    .filter((name) => !skipped.has(name) && !name.startsWith('.'))
    .flatMap((name) => filesAt(`${path}/${name}`))
}

function isRead(path) {
  if (path.endsWith('.md')) return true
  return source.test(path) && !quotes.test(path)
}

const isTextOfPages = (path) => /^lib\/i18n\/en(-\w+)?\.ts$/.test(path)

/** Reads the passages of a file. Translations have comments in English, and texts in their own language. */
function passagesOf(path) {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.md')) return passagesOfPage(text)
  const isTranslation = /^lib\/i18n\//.test(path) && !isTextOfPages(path)
  const isCatalogue = /^test\/(?:threats|conformance)\/catalogue/.test(path)
  return passagesOfSource(text, { messages: (/^(?:lib|shim|examples)\//.test(path) && !isTranslation) || isCatalogue })
}

function check(path) {
  const passages = passagesOf(path)
  return { path, passages, reports: reportsOn(passages, { forUsers: isTextOfPages(path) }) }
}

function summary() {
  if (reports.length === 0)
    return checked.length === 1 ? '1 file is in plain English.' : `${checked.length} files are in plain English.`
  const files = new Set(reports.map(({ file }) => file)).size
  return `${reports.length} ${reports.length === 1 ? 'phrase' : 'phrases'} in ${files} of ${checked.length} files.`
}

const topOf = (path) => path.split('/')[0]

function countBy(values) {
  const counts = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a))
}

/** The names of functions that three or more files of `lib/` and `shim/` define, with the number of files. */
function namesInSeveralFiles(files) {
  const names = files
    .filter((path) => /^(?:lib|shim)\/.*\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const defined = text.matchAll(
        /^ *(?:export )?(?:default )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+)[^=\n]*= (?:async )?(?:<[^>]*>)?(?:\([^)]*\)|\w+)(?:: [^=]+)? =>/gm,
      )
      return [...new Set([...defined].map(([, name, constant]) => name ?? constant))]
    })
  return Object.fromEntries(Object.entries(countBy(names)).filter(([, count]) => count > 2))
}

/** Measures of the English of files. */
function measure(checked) {
  const passages = checked.flatMap((file) => file.passages.map((passage) => ({ ...passage, path: file.path })))
  const docs = passages.filter(({ kind }) => kind === 'doc')
  const clauses = docs.filter(({ text }) => relativeStart.test(text))
  const prose = passages.filter(
    ({ kind, path }) => /^(?:docs\/|README\.md)/.test(path) && (kind === 'prose' || kind === 'heading'),
  )
  const lengths = prose.flatMap(({ text }) => sentencesOf(text)).map(({ text }) => countWords(text))
  return {
    docComments: docs.length,
    docCommentsThatBeginWithAClause: clauses.length,
    percentThatBeginsWithAClause: Number(((100 * clauses.length) / (docs.length || 1)).toFixed(1)),
    sentencesInDocs: lengths.length,
    sentencesInDocsOver25Words: lengths.filter((words) => words > 25).length,
    sentencesInDocsOver40Words: lengths.filter((words) => words > 40).length,
    wordsOfProseInDocs: prose.reduce((sum, { text }) => sum + countWords(text), 0),
    functionNamesInThreeOrMoreFiles: namesInSeveralFiles(checked.map(({ path }) => path)),
  }
}

/** The most words of prose in the documentation, and names of functions that three or more files define. */
const mostProse = 57_500
const mostSharedNames = 15

/** Returns the limits that the whole tree exceeds. */
function exceededLimits(checked) {
  const { wordsOfProseInDocs: words, functionNamesInThreeOrMoreFiles } = measure(checked)
  const names = Object.keys(functionNamesInThreeOrMoreFiles)
  return [
    ...(words > mostProse ? [`The documentation has ${words} words of prose. At most ${mostProse} are allowed.`] : []),
    ...(names.length > mostSharedNames
      ? [
          `Three or more files define functions of the same name: ${names.join(', ')}. At most ${mostSharedNames} names are allowed.`,
        ]
      : []),
  ]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, count: { type: 'boolean' } },
})
const paths = positionals.length > 0 ? positionals.map((path) => normalize(path).replace(/\/$/, '')) : everything
const missing = paths.filter((path) => !existsSync(path))
if (missing.length > 0) throw new Error(`no such file: ${missing.join(', ')}`)
const checked = paths.flatMap(filesAt).map(check)
const reports = checked.flatMap(({ path, reports: own }) => own.map((report) => ({ file: path, ...report })))

if (values.count) {
  const folders = countBy(reports.map(({ file }) => topOf(file)))
  const byRule = countBy(reports.map(({ rule }) => rule))
  console.log(JSON.stringify({ reports: reports.length, folders, rules: byRule, ...measure(checked) }, undefined, 2))
} else if (values.json) {
  console.log(JSON.stringify(reports, undefined, 2))
} else {
  for (const { file, line, phrase, why, write } of reports) console.log(`${file}:${line}: ${phrase}: ${why}: ${write}`)
  console.log(summary())
  const exceeded = positionals.length === 0 ? exceededLimits(checked) : []
  for (const limit of exceeded) console.error(limit)
  if (exceeded.length > 0) process.exitCode = 1
}
if (reports.length > 0 && !values.count) process.exitCode = 1
