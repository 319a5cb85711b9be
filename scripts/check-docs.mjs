/**
 * Whether the pages say what the code says: each type of error has a paragraph in `docs/errors.md` and its row tells
 * whether it is shown, each option and each code of a warning stands in `docs/configuration.md`, and relative links lead
 * to files and headings that are there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { resolveConfig } from '../lib/config/resolve.ts'

const read = (path) => readFileSync(path, 'utf8')
const wordsIn = (text) => [...text.matchAll(/'([^']+)'/g)].map(([, word]) => word)
const faults = []
const need = (found, fault) => found || faults.push(fault)

/** All texts of a block of code that begins with a pattern and ends with the first of `end`. */
function block(text, begin, end) {
  const at = text.search(begin)
  if (at < 0) throw new Error(`cannot find ${begin} any more: mend scripts/check-docs.mjs`)
  return text.slice(at, text.indexOf(end, at))
}

function checkErrors() {
  const page = read('docs/errors.md')
  const code = read('lib/errors.ts')
  const types = wordsIn(block(code, /export type ErrorType =/, '\n\n'))
  const shown = wordsIn(block(code, /clientErrorTypes: /, '])'))
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  for (const type of types) need(headings.includes(type), `docs/errors.md: no paragraph for ${type}`)
  for (const heading of headings) need(types.includes(heading), `docs/errors.md: there is no error ${heading}`)
  for (const [, type, told] of page.matchAll(/^\| \[`(\w+)`\].*?\|.*?\| ([^|]*?) \|/gm)) {
    need(told.startsWith('yes') === shown.includes(type), `docs/errors.md: is ${type} shown by type or not?`)
  }
  return types.length
}

/** The options by their path: what is said to be known where an option is misspelt. */
function readOptions() {
  const parents = ['', 'session', 'jwt', 'pages', 'theme', 'cookies', 'callbacks', 'events', 'experimental']
  return parents.flatMap((parent) => knownBelow(parent).map((key) => (parent === '' ? key : `${parent}.${key}`)))
}

function knownBelow(parent) {
  const misspelt = { '?': true }
  try {
    resolveConfig({ providers: [], ...(parent === '' ? misspelt : { [parent]: misspelt }) })
  } catch ({ message }) {
    const [, known] = /Known here: (.+)\.$/.exec(message) ?? []
    if (known !== undefined) return known.split(', ')
  }
  throw new Error(`cannot find the keys of "${parent}": mend scripts/check-docs.mjs`)
}

function checkOptions() {
  const page = read('docs/configuration.md')
  const documented = [...page.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([\w.]+)/g)].map(([, path]) => path),
  )
  const options = readOptions()
  const isDocumented = (option) => documented.some((path) => path === option || path.startsWith(`${option}.`))
  // Records in the third level (jwt.legacy) are told in the row of the second.
  for (const option of options.filter((path) => path.split('.').length < 3)) {
    need(isDocumented(option), `docs/configuration.md: no row for ${option}`)
  }
  const roots = new Set(options.map((option) => option.split('.')[0]))
  for (const path of documented.filter((each) => each.includes('.') && roots.has(each.split('.')[0]))) {
    need(options.includes(path), `docs/configuration.md: there is no option ${path}`)
  }
  return options.length
}

function checkWarnings() {
  const page = read('docs/configuration.md')
  const files = readdirSync('lib', { recursive: true }).filter((file) => file.endsWith('.ts'))
  const codes = files.flatMap((file) =>
    [...read(join('lib', file)).matchAll(/\bwarn(?:Once)?\(\s*'([a-z-]+)'/g)].map(([, code]) => code),
  )
  for (const code of new Set(codes)) need(page.includes(`\`${code}\``), `docs/configuration.md: no warning ${code}`)
}

/** What a link can name in a page: its headings, as GitHub writes them, and marks with an id. */
function anchorsOf(page) {
  const text = withoutCode(page)
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
  return [...headings, ...[...text.matchAll(/^<a id="([^"]+)"><\/a>$/gm)].map(([, id]) => id)]
}

const withoutCode = (page) => page.replace(/^```[\s\S]*?^```/gm, '')

function checkLinks() {
  const guides = readdirSync('docs', { recursive: true }).filter((file) => file.endsWith('.md'))
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...guides.map((file) => join('docs', file))]
  let links = 0
  for (const page of pages) {
    for (const [, target] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      links += 1
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(file)) faults.push(`${page}: ${target} leads to no file`)
      else if (anchor && !anchorsOf(read(file)).includes(anchor)) faults.push(`${page}: ${target} leads to no heading`)
    }
  }
  return links
}

const counts = { errors: checkErrors(), options: checkOptions(), links: checkLinks() }
checkWarnings()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${counts.errors} errors, ${counts.options} options and ${counts.links} links are in order.`)
