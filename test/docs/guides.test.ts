/** Guides whose code is a whole program with tests: it compiles, and its tests pass. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compile, filesIn, remove, unpack } from './guide-code.js'

const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url))
const run = promisify(execFile)

describe('the guide to tests', function () {
  this.timeout(120_000)
  this.slow(60_000)
  const folder = unpack('guides/roles.md', 'guides/testing.md')
  // The one in a browser has its package from a reader's own project: test/browser has the same.
  rmSync(join(folder, 'test/browser.test.ts'))
  after(() => remove(folder))

  it('compiles, strictly', () => compile(folder))

  for (const name of [...filesIn('guides/testing.md').keys()].filter(
    (path) => path.endsWith('.test.ts') && path !== 'test/browser.test.ts',
  )) {
    it(`${name} passes`, async () => {
      const env = { ...process.env, AUTH_SECRET: 'a-secret-for-tests-of-32-characters', NODE_OPTIONS: '' }
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
