/** Passwords without optional packages, or with a broken one: in a process of its own each. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Says of a package that it is not there, as Node does; or that it is there, and fails. */
const hide = (what: 'missing' | 'broken') => `
  import { register } from 'node:module'
  register('data:text/javascript,' + encodeURIComponent(\`
    export async function resolve(specifier, context, next) {
      if (specifier !== '@node-rs/argon2' && specifier !== '@node-rs/bcrypt') return next(specifier, context)
      if ('${what}' === 'broken') return { url: 'data:text/javascript,throw new Error("Cannot find native binding")', shortCircuit: true }
      const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL)
      error.code = 'ERR_MODULE_NOT_FOUND'
      throw error
    }
  \`))
`

const program = `
  const { argon2id, bcrypt, defaultHasher } = await import('./lib/features/passwords/index.ts')
  const messageOf = (work) => Promise.resolve(work()).then(String, (error) => error.name + ': ' + error.message)
  const hasher = defaultHasher()
  const argon2 = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$lPV8JKSCg4hKWHfqs2sLFEkEbvBDRu6jNyBSB1tMJlA'
  const made = await messageOf(() => hasher.hash('correct horse'))
  console.log(JSON.stringify({
    made,
    verified: await messageOf(() => hasher.verify(made, 'correct horse')),
    needsRehash: hasher.needsRehash(made),
    argon2: await messageOf(() => hasher.verify(argon2, 'correct horse')),
    explicit: await messageOf(() => argon2id().hash('correct horse')),
    bcrypt: await messageOf(() => bcrypt().verify('$2b$04$' + 'a'.repeat(53), 'correct horse')),
  }))
`

async function run(what: 'missing' | 'broken'): Promise<Record<string, unknown>> {
  const hook = `data:text/javascript,${encodeURIComponent(hide(what))}`
  const args = ['--import', 'tsx', '--import', hook, '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

describe('passwords without optional packages', function () {
  this.timeout(30_000)
  this.slow(5_000)

  it('are hashed by scrypt, and hashes that need a package report it instead of a wrong password', async () => {
    const result = await run('missing')
    expect(result.made).to.match(/^\$scrypt\$ln=14,r=8,p=5\$/)
    expect(result).to.include({ verified: 'true', needsRehash: false })
    expect(result.argon2).to.match(/^InvalidConfiguration: .*npm install @node-rs\/argon2/)
    expect(result.explicit).to.match(/^InvalidConfiguration: argon2id\(\) .*npm install @node-rs\/argon2/)
    expect(result.bcrypt).to.match(/^InvalidConfiguration: .*npm install @node-rs\/bcrypt/)
  })

  it('are not hashed in another way where the package is there, and broken', async () => {
    const result = await run('broken')
    expect(result.made).to.match(/^InvalidConfiguration: .*@node-rs\/argon2 is installed and could not be loaded/)
    expect(result.argon2).to.match(/^InvalidConfiguration: .*@node-rs\/argon2 is installed and could not be loaded/)
  })
})
