/** Finds a compiler for TypeScript in the application: esbuild, TypeScript, or the type stripping of Node.js. */
import nodeModule, { createRequire } from 'node:module'
import { join } from 'node:path'
import { isRecord } from '../../base/guards.js'

/** A file to compile. */
export interface SourceText {
  readonly path: string
  readonly text: string
  readonly isCommonJs: boolean
}

/** Compiles a file to JavaScript. Throws for a syntax error. */
export type Compile = (source: SourceText) => string | Promise<string>

/** Returns a compiler; `undefined` if the application has none and this Node.js strips no types. */
export function findCompiler(folder: string, decorators: boolean): Compile | undefined {
  return esbuildCompiler(folder, decorators) ?? typescriptCompiler(folder, decorators) ?? nodeCompiler()
}

/** Loads a package as the application finds it, or as another of its packages does. */
function loadFrom(folder: string, applicationPackage: string, ...through: readonly string[]): unknown {
  const start = createRequire(join(folder, 'package.json'))
  for (const owner of ['', ...through]) {
    try {
      const require = owner === '' ? start : createRequire(start.resolve(`${owner}/package.json`))
      return require(applicationPackage)
    } catch {
      // Another package may have it.
    }
  }
  return undefined
}

function esbuildCompiler(folder: string, experimentalDecorators: boolean): Compile | undefined {
  const esbuild = loadFrom(folder, 'esbuild', 'tsx', 'vite')
  if (!isRecord(esbuild) || typeof esbuild.transform !== 'function') return undefined
  const { transform } = esbuild
  return async ({ path, text, isCommonJs }) => {
    const result: unknown = await transform(text, {
      loader: /\.[jt]sx$/.test(path) ? 'tsx' : 'ts',
      format: isCommonJs ? 'cjs' : 'esm',
      target: 'es2022',
      sourcefile: path,
      tsconfigRaw: { compilerOptions: { experimentalDecorators, jsx: 'react-jsx' } },
    })
    return isRecord(result) ? String(result.code) : ''
  }
}

/** Later versions than 6 of TypeScript have no compiler for JavaScript programs. */
function typescriptCompiler(folder: string, experimentalDecorators: boolean): Compile | undefined {
  const typescript = loadFrom(folder, 'typescript')
  if (!isRecord(typescript) || typeof typescript.transpileModule !== 'function') return undefined
  const { transpileModule } = typescript
  return ({ path, text, isCommonJs }) => {
    // The numbers of ES2022, CommonJS and ESNext, and of `react-jsx`.
    const compilerOptions = {
      target: 9,
      module: isCommonJs ? 1 : 99,
      jsx: 4,
      experimentalDecorators,
      esModuleInterop: true,
    }
    const result: unknown = transpileModule(text, { fileName: path, compilerOptions })
    return isRecord(result) ? String(result.outputText) : ''
  }
}

/** Node.js 22.13 and later remove types, without JSX and enums. */
function nodeCompiler(): Compile | undefined {
  const strip: unknown = Reflect.get(nodeModule, 'stripTypeScriptTypes')
  if (typeof strip !== 'function') return undefined
  return ({ text }) => String(strip(text, { mode: 'strip' }))
}
