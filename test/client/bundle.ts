/** Bundles code for a browser, as an application's build does. */
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A bundle, and the files of the repository in it. */
export interface Bundle {
  readonly code: Uint8Array
  readonly files: readonly string[]
}

/** Bundles one file of the repository. */
export async function bundle(entry: string, options: BuildOptions = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    ...options,
    define: { 'process.env.NODE_ENV': '"development"', ...options.define },
    write: false,
    metafile: true,
  })
  return { code: outputFiles?.[0]?.contents ?? new Uint8Array(), files: filesOf(metafile) }
}

function filesOf(metafile: Metafile | undefined): string[] {
  return Object.keys(metafile?.inputs ?? {}).sort()
}

/** Replaces our client with the published one: the reverse of a move to our client. */
export const publishedClient: BuildOptions = {
  plugins: [
    {
      name: 'published-client',
      setup({ onResolve, resolve }) {
        onResolve({ filter: /lib\/client\/react\.js$/ }, ({ resolveDir, kind }) =>
          resolve('next-auth/react', { resolveDir, kind }),
        )
      },
    } satisfies Plugin,
  ],
  // The values with which its bundlers replace the environment.
  define: Object.fromEntries(
    ['NEXTAUTH_URL', 'NEXTAUTH_URL_INTERNAL', 'VERCEL_URL'].map((name) => [`process.env.${name}`, 'undefined']),
  ),
}
