/**
 * Compiles the code of all pages, strictly, against the built declarations: `node scripts/check-snippets.mjs`. A block
 * that begins with the name of its file (`// src/auth.ts`) is that file, and the blocks of a page are one project. A
 * block without a name is a fragment: it belongs into a function or a configuration, and may use the names that
 * `test/docs/snippets/` exports. Of JavaScript only the grammar is checked. A block with an ellipsis is no code, and is
 * only counted.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript5'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')

/** The names that fragments may use: the exports of these modules, by declarations and by lists. */
const preludes = Object.fromEntries(
  ['express', 'fetch'].map((name) => [name, exportsOf(`test/docs/snippets/${name}.ts`)]),
)

function exportsOf(path) {
  const { statements } = ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022)
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return statement.exportClause?.elements.map(({ name }) => name.text) ?? []
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isObjectBindingPattern(name) ? name.elements.map((each) => each.name.text) : name.text,
    )
  })
}

/** Pages for applications without Express. */
const isFetchPage = (page) => /nextjs|next-app|fetch-hosts|hono|sveltekit|astro|react-router|nitro/.test(page)

/** Returns the prelude for a fragment. */
function preludeOf(page, code) {
  if (isFetchPage(page)) return 'fetch'
  return /\bcontext\b|\bHono\b|\binitAuth\(/.test(code) ? 'fetch' : 'express'
}

function listPages() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !path.startsWith('docs/node_modules/'))
  return ['README.md', ...docs, ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`)]
}

/** The blocks of a page: their language, the line at which they begin, and their code. */
function blocksOf(page) {
  const text = read(page)
  return [...text.matchAll(/^```(tsx?|jsx?)\n(.*?)^```/gms)].map(({ 1: language, 2: code, index }) => ({
    language,
    code,
    line: text.slice(0, index).split('\n').length,
  }))
}

const parse = (code) =>
  ts.createSourceFile('snippet.tsx', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX).parseDiagnostics

/** Returns the fragment as a module: imports first, the rest where it would be in an application. */
function moduleOf(code, prelude) {
  const statements = /^\s*(?:\/\/[^\n]*\n)*\s*\w+: /.test(code) || parse(inFunction(code)).length > 0
  const body = statements ? asValue(code) : inFunction(code)
  return `${importsFor(code, prelude)}\n${body}\nexport {}\n`
}

function inFunction(code) {
  if (/^(?:export|declare) /m.test(code)) return code
  const { imports, rest } = withoutImports(code)
  return `${imports}\nexport async function snippet() {\n${rest}\n}`
}

/** A part of a configuration, of its callbacks, or one provider. */
function asValue(code) {
  const { imports, rest } = withoutImports(code)
  const plain = rest.trim().replace(/,$/, '')
  if (/^(?:\/\/[^\n]*\n)*\{/.test(plain))
    return `${imports}\nexport const value: ServerAuthConfig['providers'][number] = ${plain}`
  const type = /^(?:jwt|session|signIn|redirect)\(/.test(plain) ? 'CallbacksOptions' : 'Partial<ServerAuthConfig>'
  return `${imports}\nexport const value: ${type} = {\n${plain}\n}`
}

function withoutImports(code) {
  const imports = [...code.matchAll(/^import [^;]*? from '[^']+'(?: \/\/.*)?$/gm)].map(([each]) => each)
  return { imports: imports.join('\n'), rest: imports.reduce((text, each) => text.replace(each, ''), code) }
}

/** Returns the names that the fragment uses and does not define. */
function importsFor(code, prelude) {
  const words = new Set(code.match(/\b\w+\b/g))
  const own = new Set([
    ...[...code.matchAll(/^import (?:type )?(\w+)/gm)].map(([, name]) => name),
    ...[...code.matchAll(/^import [^;'{]*\{([^}']*)\}/gm)].flatMap(([, list]) => list.match(/\w+/g) ?? []),
    ...[...code.matchAll(/^(?:export )?(?:async )?(?:const|let|function) (?:\{([^}]*)\}|(\w+))/gm)].flatMap(
      ([, list, name]) => (list ?? name ?? '').match(/\w+/g) ?? [],
    ),
  ])
  const used = preludes[prelude].filter((name) => words.has(name) && !own.has(name))
  const entry = prelude === 'fetch' ? 'server-auth/shim' : 'server-auth'
  const types = `import type { CallbacksOptions, ServerAuthConfig } from '${entry}'`
  const needed = own.has('ServerAuthConfig') || own.has('CallbacksOptions') ? '' : types
  return `${needed}\nimport { ${used.join(', ')} } from 'snippets/${prelude}'`
}

/** The built declarations of each entry point. Compiling the sources for each project would take four times as long. */
function doors() {
  const { exports } = JSON.parse(read('package.json'))
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([, target]) => target.types)
      .map(([door, { types }]) => [`server-auth${door.slice(1)}`, [join(root, types.default ?? types)]]),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'server-auth-snippets-'))

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Files that a page takes from another one. */
const together = { 'docs/guides/testing.md': ['docs/guides/roles.md'] }

/** Files of the reader's own. */
const stubs = {
  'docs/guides/protect-routes.md': {
    'src/auth.ts': "export { auth } from 'snippets/express'\n",
  },
  'docs/guides/writing-an-adapter.md': {
    'src/my-adapter.ts': "export { myAdapter } from 'snippets/express'\n",
    'src/database.ts': "export { openDatabase } from 'snippets/express'\n",
  },
}

/** Pages that declare something for all files, or name the root of their project, would disturb the other pages. */
const isAlone = (page) => /^declare |from '@\//m.test(read(page)) || page in together

const projects = new Map()
const origins = new Map()
const grammar = []
let skipped = 0
let count = 0

/** The projects that must not load the types of Express. */
const withoutExpress = new Set(['fetch'])

/** Returns the project of a block, and its folder there. */
function placeOf(page, { name, code }) {
  const own = page.replaceAll(/\W/g, '-')
  if (isAlone(page)) {
    if (isFetchPage(page)) withoutExpress.add(own)
    return { project: own, place: `${own}/` }
  }
  const isFetch = name ? isFetchPage(page) : preludeOf(page, code) === 'fetch'
  const project = isFetch ? 'fetch' : 'all'
  return { project, place: `${project}/${own}/` }
}

for (const page of listPages()) {
  for (const [path, text] of Object.entries(stubs[page] ?? {}))
    write(`${placeOf(page, { name: path }).place}${path}`, text)
  const guests = (together[page] ?? []).flatMap((guest) => blocksOf(guest).map((block) => ({ ...block, page: guest })))
  for (const { language, code, line, page: origin = page } of [...guests, ...blocksOf(page)]) {
    const [, name] = /^\/\/ (\S+\.(?:tsx?|jsx?))/.exec(code) ?? []
    // In texts and comments it may stand. Playwright is the reader's own: test/browser has the same with ours.
    if (code.replaceAll(/'[^'\n]*'|`[^`]*`|\/\/.*$/gm, '').includes('…') || code.includes("from 'playwright'")) {
      skipped += 1
      continue
    }
    if (language.startsWith('js')) {
      const { length } = [code, inFunction(code), asValue(code)].map(parse).sort((a, b) => a.length - b.length)[0]
      if (length > 0) grammar.push(`${origin}:${line}: this is no JavaScript`)
      count += 1
      continue
    }
    const { project, place } = placeOf(page, { name, code })
    const free = name && !origins.has(`${place}${name}`) ? name : `block-${line}.${language}`
    const path = `${place}${free}`
    origins.set(path, `${origin}:${line}`)
    write(path, name ? code : moduleOf(code, preludeOf(page, code)))
    projects.set(project, [...(projects.get(project) ?? []), path])
    count += 1
  }
}

// As a reader declares it, who keeps something in sessions.
const dataOf = (entry) =>
  `import '${entry}'\ndeclare module '${entry}' { interface SessionData { organisation?: string; visits?: number } }\n`
write('all/session-data.ts', dataOf('server-auth'))
write('fetch/session-data.ts', dataOf('server-auth/shim'))
// As `wrangler types` declares the bindings of a Worker.
const bindings = "export const env: { readonly DB: import('server-auth/adapters/d1').D1Binding }"
write('all/cloudflare.d.ts', `declare module 'cloudflare:workers' { ${bindings} }\n`)
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
write('package.json', '{ "type": "module" }')
const run = promisify(execFile)
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** Returns the errors of the compiler for a project, and an error for types of Express that it must not load. */
async function compile(project) {
  const compilerOptions = {
    strict: true,
    module: 'preserve',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    skipLibCheck: true,
    noEmit: true,
    listFiles: withoutExpress.has(project),
    types: ['node', 'mocha'],
    paths: { ...doors(), 'snippets/*': [join(root, 'test/docs/snippets/*.ts')], '@/*': ['./*'] },
  }
  write(`${project}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['.'] }))
  const done = run(process.execPath, [compiler, '-p', join(folder, project)], { cwd: folder })
  const { stdout } = await done.catch((error) => error)
  if (!/^\/.*\/@types\/express\//m.test(stdout)) return stdout
  return `${stdout}\nerror : a block of ${project} loads @types/express. Import types from server-auth/shim there.\n`
}

const failed = (await Promise.all([...projects.keys()].map(compile))).join('')
rmSync(folder, { recursive: true, force: true })
// The line is that of the block, because the lines before the code move the rest. Our sources have their own check.
const faults = grammar.concat(
  failed.split('\n').flatMap((line) => {
    const [, path = ''] = /^([^(]+)\(/.exec(line) ?? []
    if (line.startsWith('error ')) return [line]
    return origins.has(path) ? [line.replace(path, origins.get(path))] : []
  }),
)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${count} blocks of code in the pages compile; ${skipped} have an ellipsis.`)
