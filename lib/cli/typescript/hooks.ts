/**
 * Hooks of Node.js that load the application's TypeScript. They run in a thread of their own, so this file has its own
 * entry in the build. Packages are loaded unchanged.
 */
import { readFileSync } from 'node:fs'
import type { LoadHook, ResolveHook } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Compile, findCompiler } from './compilers.js'
import { aliasedFile, isOwnFile, relatedFile } from './resolver.js'
import { type ProjectOptions, readProjectOptions } from './tsconfig.js'

/** The application of this thread. */
const application: { folder: string; options: ProjectOptions; compile?: Compile | undefined } = {
  folder: '',
  options: { aliases: [], experimentalDecorators: false },
}

/** Receives the folder of the configuration. */
export function initialize(data: { readonly folder: string }): void {
  application.folder = data.folder
  application.options = readProjectOptions(data.folder)
}

/** Packages that only mark files for a bundler. Without one they throw. */
const markers = new Set(['server-only', 'client-only'])

export const resolve: ResolveHook = async (specifier, context, next) => {
  const { parentURL } = context
  if (!isOwnFile(parentURL)) return next(specifier, context)
  if (markers.has(specifier)) return { url: 'data:text/javascript,', shortCircuit: true }
  const aliased = aliasedFile(specifier, application.options)
  if (aliased !== undefined) return next(pathToFileURL(aliased).href, context)
  try {
    return await next(specifier, context)
  } catch (error) {
    const related = relatedFile(specifier, parentURL)
    if (related !== undefined) return next(pathToFileURL(related).href, context)
    if (!/^(?:@[^/]+\/)?[^./][^/]*\/./.test(specifier)) throw error
  }
  // A file of a package without `exports`, such as `next/headers`.
  return next(`${specifier}.js`, context)
}

export const load: LoadHook = async (url, context, next) => {
  if (!isOwnFile(url)) return next(url, context)
  const path = fileURLToPath(url.split('?')[0] ?? url)
  const type = extname(path)
  if (type === '.json') return moduleOf(`export default ${readFileSync(path, 'utf8')}`)
  if (/^\.(?:css|scss|sass|less)$/.test(type)) return moduleOf('export default {}')
  if (!/^\.(?:[cm]?ts|tsx|jsx)$/.test(type)) return next(url, context)
  application.compile ??= findCompiler(application.folder, application.options.experimentalDecorators)
  if (!application.compile) return next(url, context)
  const text = readFileSync(path, 'utf8')
  const isCommonJs = type === '.cts' || (type !== '.mts' && isCommonJsText(text))
  const source = await application.compile({ path, text, isCommonJs })
  return moduleOf(isCommonJs ? asModule(source) : withCommonJsNames(source))
}

/** Checks for a file that exports as CommonJS does, without `import` and `export`. */
function isCommonJsText(text: string): boolean {
  return !/^\s*(?:import|export)\b/m.test(text) && /\b(?:module\.exports|exports\.\w|require\()/.test(text)
}

/** Wraps a file of CommonJS, because Node.js 20 lets such a file of a hook `require` no modules. */
function asModule(source: string): string {
  const names = 'const module = { exports: {} }; const exports = module.exports;'
  return `${names} ${withCommonJsNames(source)}\nexport default module.exports\n`
}

function moduleOf(source: string): { format: 'module'; source: string; shortCircuit: true } {
  return { format: 'module', source, shortCircuit: true }
}

/** Adds the names of CommonJS, which a file may use if the application's own compiler makes CommonJS. */
function withCommonJsNames(source: string): string {
  const isUsed = (name: string) =>
    new RegExp(`(?<![\\w.$])${name}\\b`).test(source) &&
    !new RegExp(`(?:const|let|var|function)\\s+${name}\\b`).test(source)
  const names = [
    isUsed('__filename') && 'const __filename = import.meta.filename;',
    isUsed('__dirname') && 'const __dirname = import.meta.dirname;',
    isUsed('require') &&
      "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  ]
  return `${names.filter(Boolean).join(' ')}${source}`
}
