/**
 * Checks that the pages agree with the code: each type of error has a paragraph in `docs/reference/errors.md`, whose row
 * says whether it is shown, and with which status; each option is in `docs/reference/options.md` or `events.md`, and each
 * code of a warning in `options.md`; relative links lead to existing files and headings; our files that a page names exist;
 * and the contents list each page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { resolveConfig } from '../lib/config/resolve.ts'
import { AuthError, errorClasses, SignInError } from '../lib/errors.ts'

const read = (path) => readFileSync(path, 'utf8')
const faults = []
const need = (found, fault) => found || faults.push(fault)
/** The pages of `docs/`, as paths below it. The builder of the site is in this folder, too. */
const pages = readdirSync('docs', { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md') && !path.startsWith('node_modules/'))

function checkErrors() {
  const page = read('docs/reference/errors.md')
  const types = [AuthError.type, SignInError.type, ...errorClasses.keys()]
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  for (const type of types) need(headings.includes(type), `docs/reference/errors.md: no paragraph for ${type}`)
  for (const heading of headings)
    need(types.includes(heading), `docs/reference/errors.md: there is no error ${heading}`)
  const rows = [...page.matchAll(/^\| \[`(\w+)`\].*?\|.*?\| ([^|]*?) \| ([^|]*?) ?\|$/gm)]
  for (const [type, { shown, status }] of errorClasses) {
    const [, , told, statuses] = rows.find(([, each]) => each === type) ?? []
    need(told?.startsWith('yes') === Boolean(shown), `docs/reference/errors.md: is ${type} shown by type or not?`)
    // Errors that are thrown at construction, or logged only, are in no answer.
    const isAnswered = statuses !== '' || shown || status !== 500
    need(
      !isAnswered || statuses?.startsWith(String(status)),
      `docs/reference/errors.md: the status of ${type} is ${status}`,
    )
  }
  return types.length
}

/** The options by their path: what is said to be known where an option is misspelt. */
function readOptions() {
  const parents = [
    '',
    'session',
    'jwt',
    'pages',
    'factors',
    'theme',
    'i18n',
    'cookies',
    'callbacks',
    'events',
    'experimental',
  ]
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
  // Events have a separate page.
  const page = read('docs/reference/options.md') + read('docs/reference/events.md')
  const documented = [...page.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([\w.]+)/g)].map(([, path]) => path),
  )
  const options = readOptions()
  const isDocumented = (option) => documented.some((path) => path === option || path.startsWith(`${option}.`))
  // Records in the third level (jwt.legacy) are described in the row of the second.
  for (const option of options.filter((path) => path.split('.').length < 3)) {
    need(isDocumented(option), `docs/reference/options.md: no row for ${option}`)
  }
  const roots = new Set(options.map((option) => option.split('.')[0]))
  for (const path of documented.filter((each) => each.includes('.') && roots.has(each.split('.')[0]))) {
    need(options.includes(path), `docs/reference/options.md: there is no option ${path}`)
  }
  return options.length
}

function checkWarnings() {
  const page = read('docs/reference/options.md')
  const files = readdirSync('lib', { recursive: true }).filter((file) => file.endsWith('.ts'))
  const codes = files.flatMap((file) =>
    [...read(join('lib', file)).matchAll(/\bwarn(?:Once)?\(\s*'([a-z-]+)'/g)].map(([, code]) => code),
  )
  for (const code of new Set(codes)) need(page.includes(`\`${code}\``), `docs/reference/options.md: no warning ${code}`)
}

/** Returns the anchors of a page: its headings, as GitHub writes them, and marks with an id. */
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
  const examples = readdirSync('examples').map((folder) => join('examples', folder, 'README.md'))
  const ours = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages.map((file) => join('docs', file)), ...examples]
  let links = 0
  for (const page of ours) {
    for (const [, target] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      // Links to parts of the built site are checked there (`test/docs/site`).
      if (/^[a-z]+:|^\/gallery\//.test(target)) continue
      links += 1
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(file)) faults.push(`${page}: ${target} leads to no file`)
      else if (anchor && !anchorsOf(read(file)).includes(anchor)) faults.push(`${page}: ${target} leads to no heading`)
    }
  }
  return links
}

/**
 * Checks our files and folders that a page names: from the root, or in the design from `lib/`; with their extensions or
 * without.
 */
function checkPaths() {
  const rooms = readdirSync('lib').filter((name) => !name.includes('.'))
  for (const page of pages) {
    for (const [, path] of withoutCode(read(join('docs', page))).matchAll(/`([\w.-]+\/[\w./-]*)`/g)) {
      const [top] = path.split('/')
      const isOurs = ['lib', 'shim', 'test'].includes(top) || (page === 'design.md' && rooms.includes(top))
      const places = ['', '.ts', '.tsx', '.test.ts'].flatMap((end) => [path + end, join('lib', path + end)])
      need(!isOurs || places.some(existsSync), `docs/${page}: there is no ${path}`)
    }
  }
}

/** Checks that the contents list each page, because the site's menus are made of the contents. */
function checkContents() {
  const contents = read('docs/README.md')
  for (const page of pages.filter((path) => path !== 'README.md')) {
    need(contents.includes(`](${page})`), `docs/README.md: there is no line for ${page}`)
  }
}

const counts = { errors: checkErrors(), options: checkOptions(), links: checkLinks() }
checkWarnings()
checkPaths()
checkContents()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${counts.errors} errors, ${counts.options} options and ${counts.links} links are in order.`)
