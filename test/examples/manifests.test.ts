/** Each example can be copied away: its package.json names what it imports, in the versions that are tested here. */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))
const examples = readdirSync(join(root, 'examples'))

interface Manifest {
  readonly version?: string
  readonly private?: boolean
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const ours = readManifest(root)
const tested: Readonly<Record<string, string>> = {
  ...ours.devDependencies,
  ...ours.dependencies,
  'server-auth': `^${ours.version}`,
}

describe('examples', () => {
  for (const example of examples) {
    describe(example, () => {
      const folder = join(root, 'examples', example)
      const { dependencies, devDependencies = {}, scripts, private: isPrivate } = readManifest(folder)

      it('names what it imports', () => {
        const imported = importedBy(folder)
        expect(imported).to.include('server-auth')
        expect(imported.filter((name) => !(name in dependencies || name in devDependencies))).to.deep.equal([])
      })

      it('asks for the versions that are tested here', () => {
        const named = { ...dependencies, ...devDependencies }
        expect(Object.fromEntries(Object.keys(named).map((name) => [name, tested[name]]))).to.deep.equal(named)
      })

      it('starts by npm start, and is no package of its own', () => {
        expect(scripts).to.include.keys('start', 'dev')
        expect(isPrivate).to.equal(true)
      })

      it('leads to nothing outside of its folder', () => {
        const outside = sourcesOf(folder).flatMap((path) =>
          Array.from(readFileSync(path, 'utf8').matchAll(/["'`]((?:\.\.\/)+[^"'`]*)["'`]/g), ([, to = '']) => to)
            .filter((to) => !resolve(dirname(path), to).startsWith(folder))
            .map((to) => `${path}: ${to}`),
        )
        expect(outside).to.deep.equal([])
      })
    })
  }
})

function sourcesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(?:ts|tsx|js|json)$/.test(name) && !/(?:^|\/)(?:node_modules|\.next|data)\//.test(name))
    .map((name) => join(folder, name))
}

/** The packages that its code imports. */
function importedBy(folder: string): string[] {
  const modules = sourcesOf(folder)
    .filter((path) => !path.endsWith('.json'))
    .flatMap((path) =>
      Array.from(
        readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport) ?\(?'([^'.][^']*)'/g),
        ([, module = '']) => module,
      ),
    )
  const names = modules.map((module) => module.split('/', module.startsWith('@') ? 2 : 1).join('/'))
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
}
