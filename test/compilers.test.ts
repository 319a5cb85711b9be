/**
 * The types of the package with the oldest and newest compilers that it supports, and with both majors of
 * `@types/express`. The code is that of `test/types/guards.ts`, and an import of each entry point.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { compileErrors } from './support/compile.js'
import { inTurn } from './support/extent.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** The oldest and the newest compiler check both majors of `@types/express`, those between one major each, in turn. */
const outermost = { '5.4': 'typescript54', '7': 'typescript' }
const between = { '5.9': 'typescript5', '6': 'typescript6' }
const expressTypes = { '4': 'types-express4', '5': '@types/express' }

const options = {
  ...{ strict: true, noEmit: true, skipLibCheck: true },
  ...{ target: 'es2022', module: 'nodenext', types: ['node'] },
}

/** The guards, as an application imports them. */
const guards = readFileSync(join(root, 'test/types/guards.ts'), 'utf8')
  .replace('../../lib/index.js', 'server-auth')
  .replace('../../lib/providers/google.js', 'server-auth/providers/google')

const entries = Object.keys(manifest.exports)
  .filter((subpath) => !/\*|package\.json/.test(subpath))
  .map((subpath, at) => `import * as entry${at} from 'server-auth${subpath.slice(1)}'\nexport { entry${at} }`)

for (const [turn, [major, types]] of Object.entries(expressTypes).entries()) {
  describe(`types with @types/express ${major}`, function () {
    this.timeout(120_000)
    this.slow(20_000)
    const folder = mkdtempSync(join(tmpdir(), 'server-auth-compilers-'))
    before(() => install(folder, types))
    after(() => rmSync(folder, { recursive: true, force: true }))

    for (const [version, compiler] of [...Object.entries(outermost), ...inTurn(Object.entries(between), turn)]) {
      it(`compile with TypeScript ${version}`, async () => {
        expect(await compileErrors({ folder, compiler, files: ['guards.ts', 'entries.ts'], options })).to.equal('')
      })
    }

    it('are checked: a guard that were a RequestHandler would fail', async () => {
      const plain = guards.replace('const guard = auth.requireSession()', 'const guard: RequestHandler = plain')
      writeFileSync(join(folder, 'plain.ts'), plain)
      expect(await compileErrors({ folder, compiler: 'typescript', files: ['plain.ts'], options })).to.match(
        /plain\.ts.* error TS2344/,
      )
    })
  })
}

/** Puts the declarations of the package into the folder, with the packages that they name, and one major of Express. */
function install(folder: string, types: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'server-auth'), { recursive: true })
  for (const name of ['dist', 'package.json']) {
    cpSync(join(root, name), join(modules, 'server-auth', name), { recursive: true })
  }
  linkPackage(types, join(modules, '@types/express'))
  const named = [...Object.keys(manifest.dependencies), '@types/node', '@types/react', '@types/pg', 'kysely']
  for (const name of named) linkPackage(name, join(modules, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'guards.ts'), guards)
  writeFileSync(join(folder, 'entries.ts'), entries.join('\n'))
}

function linkPackage(name: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), to, 'junction')
}
