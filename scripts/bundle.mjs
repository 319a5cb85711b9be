/**
 * The last step of `npm run build`: what an application imports becomes few files. A module costs Node about half a
 * millisecond of CPU to find, read and link, however short it is, and `lib/` has some two hundred of them.
 *
 * All doors go into one run, so that what they share (error classes, what a process remembers) is in one file for all of them;
 * what is imported with `import()` stays apart, and is loaded when it is needed. Files of their own stay the catalogue
 * of providers, of which an application imports two or three, and code for browsers, whose applications have bundlers.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')
/** Below `dist/`. */
const leftAlone = /^lib[\\/](providers|mail|client|i18n)([\\/]|\.js$)/

/** A file that a thread of the command line runs. */
const threadFile = 'lib/cli/typescript/hooks.js'

/** Every file that `package.json` says can be imported or run, from `dist/`. */
function doors({ exports, bin }) {
  const targets = [...Object.values(exports).flatMap((target) => Object.values(target)), ...Object.values(bin)]
  const files = targets.filter((target) => typeof target === 'string' && /^\.\/dist\/.*\.js$/.test(target))
  const all = [...files.map((file) => file.slice('./dist/'.length)), threadFile]
  return [...new Set(all)].filter((file) => !leftAlone.test(file))
}

/** The files that the engine loads later, by `import()`, and the command line. */
const besideEngine = new Set([
  join(dist, 'lib/cli/index.js'),
  ...readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^lib[\\/](features|flows|account|cli)[\\/].*\.js$/.test(name))
    .flatMap((name) => {
      const imports = readFileSync(join(dist, name), 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)
      return [...imports].map(([, path]) => join(dist, dirname(name), path))
    })
    .filter((path) => !/[\\/]lib[\\/](adapters|generated)[\\/]/.test(path)),
])

/**
 * These files use only some files of the engine, and esbuild would cut it in two for each of them. The engine is there, or may be loaded, when
 * they are loaded. So they name the whole of it, and nothing is cut.
 */
const withEngine = {
  name: 'with-engine',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!besideEngine.has(path)) return undefined
      const engine = JSON.stringify(join(dist, 'lib', 'engine', 'index.js'))
      return { contents: `${readFileSync(path, 'utf8')}\nexport * as engine from ${engine}\n`, loader: 'js' }
    })
  },
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** These share a few helpers with the engine, and no state: cut out for both, they would make `import 'server-auth'` more files. */
const apart = ['lib/audit/', 'lib/adapters/', 'lib/cli/typescript/']
const isApart = (file) => apart.some((folder) => file.startsWith(folder))
const all = doors(manifest)
const built = await Promise.all([
  bundle(
    all.filter((file) => !isApart(file)),
    'lib/chunks',
  ),
  ...apart.map((folder) =>
    bundle(
      all.filter((file) => file.startsWith(folder)),
      `${folder}chunks`,
    ),
  ),
])
const outputFiles = built.flatMap((each) => each.outputFiles)

function bundle(entryPoints, chunks) {
  return build({
    absWorkingDir: dist,
    entryPoints,
    outdir: dist,
    outbase: dist,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    target: 'es2022',
    charset: 'utf8',
    // `import.meta` and the comments inside `import()` are kept, for the bundlers of applications.
    write: false,
    logLevel: 'warning',
    plugins: [withEngine],
  })
}

const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
const compiled = modules.filter((name) => !leftAlone.test(name)).map((name) => join(dist, name))
assertClassNames()
await Promise.all(modules.filter((name) => leftAlone.test(name)).map(stripComments))
for (const path of compiled) rmSync(path)
// `dist/lib/index.js` comes last: it is what others look at to know that there is a build.
const isLast = ({ path }) => path === join(dist, 'lib', 'index.js')
for (const { path, contents } of outputFiles.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)))) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}

/** The comments are in the declarations as well. Comments inside `import()` and directives stay. */
async function stripComments(name) {
  const path = join(dist, name)
  const { code } = await transform(readFileSync(path, 'utf8'), { format: 'esm', target: 'es2022', charset: 'utf8' })
  writeFileSync(path, code)
}

/**
 * An error is named after its class, in logs and in what applications compare. esbuild gives another name to a class that
 * refers to itself, and to the second one of a name in a file.
 */
function assertClassNames() {
  const namesIn = (text, pattern) => [...text.matchAll(pattern)].map((match) => match.slice(1).findLast(Boolean))
  const own = new Set(
    compiled.flatMap((path) => namesIn(readFileSync(path, 'utf8'), /^(?:export )?(?:default )?class (\w+)/gm)),
  )
  const built = outputFiles.flatMap(({ text }) => namesIn(text, /^var (\w+) = class(?: (?!extends\b)(\w+))?/gm))
  const strange = built.filter((name) => !own.has(name))
  if (built.length === 0 || strange.length > 0) {
    throw new Error(
      `esbuild has renamed a class to ${strange.join(', ')}: let no class refer to itself, or share its name.`,
    )
  }
}
