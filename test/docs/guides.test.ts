/** Guides whose code is a whole program: it compiles, and does what the guide says. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Blocks that begin with the name of their file. A name that comes again takes the place of the one before. */
function filesIn(guide: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'docs', 'guides', guide), 'utf8')
  return new Map(
    [...text.matchAll(/```ts\n\/\/ (\S+\.ts)\n(.*?)```/gs)].map(([, path = '', code = '']) => [path, code]),
  )
}

describe('the guide to tests', function () {
  this.timeout(120_000)
  this.slow(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-guide-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  before(() => {
    // The one in a browser has its package from a reader's own project: test/browser has the same.
    const files = [...filesIn('roles.md'), ...filesIn('testing.md')].filter(([path]) => path !== 'test/browser.test.ts')
    for (const [path, code] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  })

  it('compiles, strictly', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(({ stdout }) => {
      throw new Error(stdout)
    })
  })

  for (const name of [...filesIn('testing.md').keys()].filter(
    (path) => path.endsWith('.test.ts') && path !== 'test/browser.test.ts',
  )) {
    it(`${name} passes`, async () => {
      const env = { ...process.env, AUTH_SECRET: 'a-secret-for-tests-of-32-characters', NODE_OPTIONS: '' }
      const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
      await run(process.execPath, [tsx, '--test', name], { cwd: folder, env }).catch(({ stdout, stderr }) => {
        throw new Error(`${stdout}\n${stderr}`)
      })
    })
  }

  it('is all there', () => {
    const found = readdirSync(join(folder, 'test')).filter((each) => each.endsWith('.test.ts'))
    if (found.length < 5) throw new Error(`only ${found.join(', ')}`)
  })
})
