import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { sqlAdapter } from '../../lib/adapters/sql/index.js'
import { compileScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'

const program = await compileScript('lib/cli/index.ts')

interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

describe('npx server-auth migrate', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-cli-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  function run(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
    const { DATABASE_URL, ...inherited } = process.env
    return new Promise((resolve, reject) => {
      const options = { cwd: folder, env: { ...inherited, ...env } }
      execFile(process.execPath, [program, 'migrate', ...args], options, (error, stdout, stderr) => {
        const exitCode = error ? error.code : 0
        if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr })
        else reject(error)
      })
    })
  }

  for (const kind of databaseKinds) {
    it(`makes the tables on ${kind}, and is up to date then`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        const planned = await run(['--url', database.url, '--dry-run'])
        expect(planned).to.include({ exitCode: 0, stderr: '' })
        expect(planned.stdout).to.match(/^create table .*auth_migrations[\s\S]*;\n$/)
        expect(await run(['--url', database.url])).to.deep.equal({
          exitCode: 0,
          stdout:
            'Applied:\n  default-0001-tables\n  default-0002-revocations\n  default-0003-session-links\n  default-0004-session-data\n  default-0005-limits\n  default-0006-session-devices\n  default-0007-provider-tokens\n  default-0008-audit\n  default-0009-factors\n  default-0010-passwords\n  default-0011-user-lists\n  default-records-auth_api_keys\n  default-records-auth_app_codes\n  default-records-auth_connections\n  default-records-auth_domains\n  default-records-auth_deletions\n  default-records-auth_organizations\n  default-records-auth_organization_slugs\n  default-records-auth_members\n  default-records-auth_invitations\n',
          stderr: '',
        })
        const again = await run([], { DATABASE_URL: database.url })
        expect(again).to.include({ exitCode: 0, stdout: 'The database is up to date.\n' })
        expect(await sqlAdapter(database.db).getUser('x')).to.equal(null)
      } finally {
        await database.close()
      }
    })
  }

  it("adds the columns that the configuration's adapter declares, and ends although the application runs on", async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const sql = pathToFileURL(await compileScript('lib/adapters/sql/index.ts')).href
    writeFileSync(
      join(folder, 'auth.mjs'),
      `import { connect, sqlAdapter } from '${sql}'
       setInterval(() => {}, 1000)
       const adapter = sqlAdapter(connect('sqlite:own.db'), { user: { role: { type: ['reader'], default: 'reader' } } })
       export const config = { providers: [], adapter }`,
    )
    const planned = await run(['--config', 'auth.mjs', '--dry-run'])
    expect(planned.stdout).to.match(/alter table "auth_users" add column "role" text default 'reader' not null;\n$/)
    expect((await run(['--config', 'auth.mjs'])).stdout).to.match(/\n {2}auth_users\.role\n$/)
    expect((await run(['--config', 'auth.mjs'])).stdout).to.equal('The database is up to date.\n')
    expect(await run(['--config', 'auth.mjs', '--url', 'sqlite:x.db'])).to.have.property('exitCode', 2)
  })

  it('takes the URL of the option before DATABASE_URL', async () => {
    const { exitCode } = await run(['--url', 'sqlite:chosen.db'], { DATABASE_URL: 'sqlite:other.db' })
    expect(exitCode).to.equal(0)
    expect([existsSync(join(folder, 'chosen.db')), existsSync(join(folder, 'other.db'))]).to.deep.equal([true, false])
  })

  const failures: ReadonlyArray<[what: string, args: string[], message: string]> = [
    ['nobody listens', ['--url', 'postgres://app:pa55word@localhost:9/app'], 'ECONNREFUSED'],
    ['nobody listens', ['--url', 'mysql://app:pa55word@localhost:9/app'], 'ECONNREFUSED'],
    ['the URL is none', ['--url', 'postgres//app:pa55word@localhost'], 'must begin with'],
    ['the URL cannot be read', ['--url', 'mysql://app:pa55word@:99999/x'], 'The URL of the database is invalid'],
    [
      'the folder is not there',
      ['--url', 'sqlite:no/such/folder/x.db'],
      '/no/such/folder of the SQLite file does not exist. Create it: mkdir -p no/such/folder',
    ],
    ['the tables of a preset are not there', ['--url', 'sqlite:empty.db', '--preset', 'kysely'], 'Missing: User'],
  ]
  for (const [what, args, message] of failures) {
    it(`fails with a message, and without the password, when ${what}: ${args[1]?.split(':')[0]}`, async () => {
      const { exitCode, stdout, stderr } = await run(args)
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' })
      expect(stderr).to.contain(message).and.not.contain('pa55word').and.not.contain('    at ')
    })
  }

  for (const args of [[], ['sqlite:x.db'], ['--url', 'sqlite:x.db', '--preset', 'x'], ['--ulr', 'x'], ['--url']]) {
    it(`answers "migrate ${args.join(' ')}" with the help and exit code 2`, async () => {
      const { exitCode, stdout, stderr } = await run(args)
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(stderr).to.contain('Usage: npx server-auth migrate')
    })
  }
})
