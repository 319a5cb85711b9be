/**
 * Measures how much code there is, how it is cut, what runs for a request, and what the package weighs:
 * `node --import tsx scripts/measure.mjs`. Prints a Markdown table. Needs `npm run build` for the weight.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import ts from 'typescript5'
import { capabilities, isPlainCore, isPlumbing } from './code-split.mjs'
import { traceRequests } from './trace-requests.mjs'

const read = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => parse(path, readFileSync(path, 'utf8')))

function parse(path, text) {
  const root = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return { path, root, lines: countCode(text, root), lengths: lengthsIn(root) }
}

/** The number of lines that hold code: a token, or a part of one. */
function countCode(text, root) {
  const lines = new Set()
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JSDoc) return
    const children = node.getChildren(root)
    if (children.length > 0) return void children.forEach(visit)
    if (node.getWidth(root) === 0) return
    const [from, to] = [node.getStart(root), node.getEnd() - 1].map((at) => root.getLineAndCharacterOfPosition(at).line)
    // A template may have empty lines.
    for (let line = from; line <= to; line++) if (textOf(text, root, line) !== '') lines.add(line)
  }
  visit(root)
  return lines.size
}

function textOf(text, root, line) {
  const starts = root.getLineStarts()
  return text.slice(starts[line], starts[line + 1] ?? text.length).trim()
}

/** The lengths in lines of all functions with a body of statements. */
function lengthsIn(root) {
  const lengths = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body)) {
      const [from, to] = [node.getStart(root), node.getEnd()].map((at) => root.getLineAndCharacterOfPosition(at).line)
      lengths.push(to - from + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return lengths
}

const linesOf = (files) => files.reduce((sum, { lines }) => sum + lines, 0)
const code = [...read('lib'), ...read('shim')]
const tests = read('test')

function capability(words) {
  const files = code.filter(({ path }) => words.test(path) && !/^lib\/(providers|testing|cli|i18n)\//.test(path))
  return { files: files.length, lines: linesOf(files), folders: new Set(files.map(({ path }) => dirname(path))).size }
}

function lengths() {
  const sorted = code.flatMap((file) => file.lengths).sort((a, b) => a - b)
  const at = (part) => sorted[Math.floor((sorted.length - 1) * part)]
  return `${at(0.5)} / ${at(0.9)} / ${sorted.at(-1)}`
}

function packageSize() {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  return `${(JSON.parse(stdout)[0].unpackedSize / 1e6).toFixed(2)} MB`
}

const traced = await traceRequests()
const filesOf = (names, keep) => names.map((name) => traced[name].filter(keep).length).join(' / ')
const requests = ['GET callback/<id>, OpenID Connect', 'getSession(req, config)', 'POST password/reset']
const cut = Object.entries(capabilities).map(([name, words]) => ({ name, ...capability(words) }))
const rows = [
  ['code lines of `lib/` and `shim/`, without comments', linesOf(code)],
  ['of these the plain core', linesOf(code.filter(({ path }) => isPlainCore(path)))],
  ['test code lines, without comments', linesOf(tests)],
  ['function length: median / p90 / maximum', lengths()],
  ['files that run for an OIDC callback / `getSession` / password reset', filesOf(requests, () => true)],
  ['the same, without kernel and drivers', filesOf(requests, (path) => !isPlumbing(path))],
  ['package, unpacked', packageSize()],
  ...cut.map(({ name, lines, files, folders }) => [`${name}: folders`, `${folders} (${files} files, ${lines} lines)`]),
]
console.log(['| | measured |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'))
