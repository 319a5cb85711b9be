/** A Worker in `workerd`, bundled like Wrangler does, with a D1 database. */
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { installRuntimes } from './install.js'

/** The used parts of miniflare, which is not among the packages of the library. */
export interface Miniflare {
  readonly ready: Promise<URL>
  getD1Database(binding: string): Promise<unknown>
  dispose(): Promise<void>
}

interface MiniflareModule {
  readonly Miniflare: new (options: object) => Miniflare
}

/**
 * Bundles a Worker with the conditions, fields and externals of Wrangler 4 with `nodejs_compat`: modules of Node.js are those of the
 * runtime.
 */
export async function bundleWorker(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [runtimeModules],
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

const runtimeModules: Plugin = {
  name: 'runtime-modules',
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|')
    onResolve({ filter: new RegExp(`^(?:node:.*|${names})$`) }, ({ path, kind }) => {
      const name = path.startsWith('node:') ? path : `node:${path}`
      // `require` becomes an import: the runtime has modules only.
      return kind === 'require-call' ? { path: name, namespace: 'required' } : { path: name, external: true }
    })
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, external: true }))
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `import all from '${path}'\nmodule.exports = all`,
    }))
  },
}

/** Starts `workerd` with a Worker. */
export async function startWorker(script: string, options: object = {}): Promise<Miniflare> {
  installRuntimes()
  const path = new URL('./node_modules/miniflare/dist/src/index.js', import.meta.url)
  const { Miniflare }: MiniflareModule = await import(path.href)
  return new Miniflare({
    modules: [{ type: 'ESModule', path: fileURLToPath(new URL('./worker.js', import.meta.url)), contents: script }],
    compatibilityDate: '2025-09-15',
    compatibilityFlags: ['nodejs_compat'],
    host: '127.0.0.1',
    ...options,
  })
}
