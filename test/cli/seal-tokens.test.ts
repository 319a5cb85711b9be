/** `npx server-auth migrate --seal-tokens`: no token is lost, and none stays unencrypted or is printed. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import type { StoredTokens } from '../../lib/features/tokens/description.js'
import { openTokens, sealTokens } from '../../lib/features/tokens/seal.js'
import type { AdapterAccount } from '../../lib/types/adapter.js'
import { compileScript } from '../support/child-script.js'
import { databaseKinds, openDatabase, requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { tokensIn } from '../support/stores.js'

const program = await compileScript('lib/cli/index.ts')
const secret = 'a secret of at least thirty-two characters'
const older = 'another secret of at least thirty-two characters'

const environment = (env: Record<string, string>) => {
  const { DATABASE_URL, AUTH_SECRET, ...inherited } = process.env
  return { ...inherited, ...env }
}

interface Outcome {
  readonly exitCode: unknown
  readonly stdout: string
  readonly stderr: string
}

function run(url: string, args: readonly string[] = [], env: Record<string, string> = { AUTH_SECRET: secret }) {
  return new Promise<Outcome>((resolve) => {
    const words = [program, 'migrate', '--url', url, '--seal-tokens', ...args]
    execFile(process.execPath, words, { env: environment(env) }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? error.code : 0, stdout, stderr }),
    )
  })
}

const tokensOf = (id: string) => ({
  access_token: `access-of-${id}`,
  refresh_token: `refresh-of-${id}`,
  id_token: `identity-of-${id}`,
  token_type: 'bearer' as const,
  scope: 'openid email',
  expires_at: 1_900_000_000,
})

const account = (id: string): AdapterAccount => ({
  type: 'oidc',
  provider: 'op',
  providerAccountId: id,
  userId: 'ada',
  ...tokensOf(id),
})

for (const kind of databaseKinds) {
  describe(`npx server-auth migrate --seal-tokens on ${kind}`, function () {
    this.timeout(60_000)
    let database: TestDatabase
    beforeEach(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      await sqlAdapter(database.db).createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    })
    afterEach(() => database?.close())

    async function fill(count: number): Promise<readonly string[]> {
      const ids = Array.from({ length: count }, (_none, at) => `id-${at}`)
      for (let at = 0; at < count; at += 100) {
        const rows = ids.slice(at, at + 100).map((id) => ({ ...account(id) }))
        await database.db.insertInto('auth_accounts').values(rows).execute()
      }
      return ids
    }

    const stored = async () => tokensIn(sqlStore(database.db)).findByUser('ada')
    const open = (row: StoredTokens | undefined, secrets = [secret]) =>
      row ? openTokens(row.sealed, row, secrets) : Promise.resolve(null)

    /** Returns the ids of accounts whose tokens are stored unencrypted. */
    async function inTheClear(): Promise<readonly string[]> {
      const rows = await database.db.selectFrom('auth_accounts').selectAll().execute()
      const complete = rows.filter(
        ({ access_token, refresh_token, id_token }) => access_token && refresh_token && id_token,
      )
      return complete.map(({ providerAccountId }) => String(providerAccountId))
    }

    it('leaves no token in the tables, and prints none', async () => {
      const ids = await fill(3)
      const planned = await run(database.url, ['--dry-run'], {})
      expect(planned).to.deep.equal({
        exitCode: 0,
        stdout: '-- up to date\n-- 3 accounts to seal the tokens of\n',
        stderr: '',
      })
      expect(await inTheClear()).to.have.length(3)
      const done = 'The database is up to date.\nSealed the tokens of 3 accounts.\n'
      expect(await run(database.url)).to.deep.equal({ exitCode: 0, stdout: done, stderr: '' })
      const rows = await stored()
      for (const row of rows) {
        expect(row).to.include({ version: 1, expiresAt: 1_900_000_000, scope: 'openid email', needsConsent: false })
        expect(await open(row)).to.deep.equal(tokensOf(row.providerAccountId))
      }
      const dump = JSON.stringify([rows, await database.db.selectFrom('auth_accounts').selectAll().execute()])
      for (const id of ids) {
        expect(dump).to.contain(id)
        for (const token of [`access-of-${id}`, `refresh-of-${id}`, `identity-of-${id}`])
          expect(dump).not.to.contain(token)
      }
      expect((await run(database.url)).stdout).to.contain('Sealed the tokens of 0 accounts.')
    })

    it('seals all of them again after a change of the secret', async () => {
      // More than are read at once: that is tried on one database.
      const ids = await fill(kind === 'sqlite' || extent === 'all' ? 150 : 20)
      await run(database.url, [], { AUTH_SECRET: older })
      const { stdout } = await run(database.url, [], { AUTH_SECRET: older, AUTH_SECRET_1: secret })
      expect(stdout).to.contain(`Sealed again with the newest secret: ${ids.length} accounts.`)
      const rows = await stored()
      expect(rows).to.have.length(ids.length)
      for (const row of rows) {
        expect(await open(row, [older])).to.equal(null)
        expect(await open(row)).to.deep.equal(tokensOf(row.providerAccountId))
      }
    })

    // The kind of database makes no difference to the data that a killed process has written.
    const each = kind === 'sqlite' || extent === 'all' ? it : undefined
    each?.('loses nothing if one of two is killed', async () => {
      const ids = await fill(1500)
      const env = environment({ AUTH_SECRET: secret })
      const words = [program, 'migrate', '--url', database.url, '--seal-tokens']
      const child: ChildProcess = spawn(process.execPath, words, { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      const isMoving = async () => (await stored()).length > 0
      while (child.exitCode === null && !(await isMoving())) await new Promise((resolve) => setTimeout(resolve, 5))
      const other = run(database.url)
      child.kill('SIGKILL')
      await ended
      expect((await other).exitCode, (await other).stderr).to.equal(0)
      expect((await run(database.url)).exitCode).to.equal(0)
      const rows = await stored()
      expect(rows.map(({ providerAccountId }) => providerAccountId).sort()).to.deep.equal([...ids].sort())
      for (const row of rows) expect(await open(row)).to.deep.equal(tokensOf(row.providerAccountId))
      expect(await inTheClear()).to.deep.equal([])
    })

    each?.('has each token in one place after it was killed', async () => {
      const ids = await fill(3000)
      const env = environment({ AUTH_SECRET: secret })
      const child = spawn(process.execPath, [program, 'migrate', '--url', database.url, '--seal-tokens'], { env })
      const ended = once(child, 'exit')
      while (child.exitCode === null && (await stored()).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
      child.kill('SIGKILL')
      await ended
      const sealed = (await stored()).map(({ providerAccountId }) => providerAccountId)
      const clear = await inTheClear()
      expect(clear, 'it was done before it was killed').not.to.have.length(0)
      expect([...sealed, ...clear].sort()).to.deep.equal([...ids].sort())
    })
  })
}

describe('npx server-auth migrate --seal-tokens', function () {
  this.timeout(30_000)
  let database: TestDatabase
  beforeEach(async function () {
    database = await requireDatabase(this, 'sqlite')
    await migrate(database.db)
    const adapter = sqlAdapter(database.db)
    await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    await adapter.linkAccount(account('one'))
  })
  afterEach(() => database?.close())

  const owner = { provider: 'op', providerAccountId: 'one', userId: 'ada' }
  const find = async () => tokensIn(sqlStore(database.db)).find(owner)
  const access = async () => (await sqlAdapter(database.db).getAccount('one', 'op'))?.access_token

  /** Stores tokens as a sign-in with a store does in the meantime. */
  async function signIn(tokens: Record<string, unknown>, secrets = [secret]): Promise<void> {
    const sealed = await sealTokens(tokens, owner, secrets)
    const row = { ...owner, sealed, expiresAt: 1_900_000_999, scope: 'openid', needsConsent: false }
    expect(await tokensIn(sqlStore(database.db)).write(row, 0)).to.equal(true)
  }

  it('needs the secret, before it changes anything', async () => {
    const empty = await openDatabase('sqlite')
    const { exitCode, stdout, stderr } = await run(empty.url, [], {})
    const tables = await empty.db.introspection.getTables()
    await empty.close()
    expect({ exitCode, stdout, tables }).to.deep.equal({ exitCode: 2, stdout: '', tables: [] })
    expect(stderr).to.contain('set AUTH_SECRET').and.contain('Usage: npx server-auth migrate')
  })

  it('creates missing tables first', async () => {
    const empty = await openDatabase('sqlite')
    const planned = await run(empty.url, ['--dry-run'])
    const done = await run(empty.url)
    await empty.close()
    expect(planned.stdout).to.match(/create table .*auth_provider_tokens[\s\S]*-- 0 accounts to seal the tokens of\n$/)
    expect(done.stdout).to.match(/^Applied:[\s\S]*records-auth_\w+\nSealed the tokens of 0 accounts\.\n$/)
  })

  it('seals with the newest of several secrets', async () => {
    await run(database.url, [], { AUTH_SECRET: older, AUTH_SECRET_1: secret })
    const row = await find()
    expect(await openTokens(row?.sealed ?? '', owner, [secret])).to.deep.equal(tokensOf('one'))
    expect(await openTokens(row?.sealed ?? '', owner, [older])).to.equal(null)
  })

  describe('after a change of the secret', () => {
    const both = { AUTH_SECRET: older, AUTH_SECRET_1: secret }
    const tokens = { access_token: 'old', refresh_token: 'old too' }

    it('seals again the tokens that the older secret has sealed, and changes nothing else of the row', async () => {
      await run(database.url)
      const untouched = await find()
      const other = { ...owner, providerAccountId: 'two' }
      const sealed = await sealTokens(tokens, other, [older])
      const facts = { expiresAt: 1_900_000_999, scope: 'openid', needsConsent: true }
      await tokensIn(sqlStore(database.db)).write({ ...other, sealed, ...facts }, 0)
      const { stdout } = await run(database.url, [], both)
      expect(stdout).to.match(/Sealed the tokens of 0 accounts\.\nSealed again with the newest secret: 1 account\.\n$/)
      const row = await tokensIn(sqlStore(database.db)).find(other)
      expect(row).to.include({ ...other, ...facts, version: 2 })
      expect(await openTokens(row?.sealed ?? '', other, [secret])).to.deep.equal(tokens)
      expect(await find()).to.deep.equal(untouched)
      expect((await run(database.url, [], both)).stdout).to.contain('newest secret: 0 accounts.')
    })

    it('leaves tokens that another process is renewing, and tokens that no secret opens, and reports them', async () => {
      const store = tokensIn(sqlStore(database.db))
      for (const [id, by] of [
        ['a', older],
        ['b', older],
        ['c', 'a third secret of at least thirty-two characters'],
      ] as const) {
        const key = { ...owner, providerAccountId: id }
        const row = { ...key, sealed: await sealTokens(tokens, key, [by]), expiresAt: null, scope: null }
        await store.write({ ...row, needsConsent: false }, 0)
      }
      const busy = { ...owner, providerAccountId: 'b' }
      await store.lease(busy, { version: 1, leaseId: 'x'.repeat(22), seconds: 300 })
      const { stdout } = await run(database.url, [], both)
      expect(stdout).to.include('newest secret: 1 account.\nIn use just now, so run it again: 1 account.')
      expect(stdout).to.include('Sealed with none of the secrets: 1 account.').and.not.include('old too')
      expect(await openTokens((await store.find(busy))?.sealed ?? '', busy, [older])).to.deep.equal(tokens)
    })
  })

  it('keeps tokens that a sign-in has stored in the meantime', async () => {
    await signIn({ access_token: 'new', refresh_token: 'new too' })
    expect((await run(database.url)).stdout).to.contain('Sealed the tokens of 1 account.')
    const row = await find()
    expect(row).to.include({ version: 1, expiresAt: 1_900_000_999 })
    expect(await access()).to.equal(undefined)
  })

  it('keeps the refresh token if a later sign-in returned none', async () => {
    await signIn({ access_token: 'new', expires_at: 1_900_000_999 })
    await run(database.url)
    const row = await find()
    expect(row).to.include({ version: 2, expiresAt: 1_900_000_999, scope: 'openid' })
    expect(await openTokens(row?.sealed ?? '', owner, [secret])).to.deep.equal({
      access_token: 'new',
      refresh_token: 'refresh-of-one',
      expires_at: 1_900_000_999,
    })
  })

  it('gives tokens to the user of the account', async () => {
    const stranger = { ...owner, userId: 'eve' }
    const sealed = await sealTokens({ access_token: 'old' }, stranger, [secret])
    const facts = { sealed, expiresAt: null, scope: null, needsConsent: false }
    await tokensIn(sqlStore(database.db)).write({ ...stranger, ...facts }, 0)
    await run(database.url)
    const row = await find()
    expect(row).to.include({ userId: 'ada', version: 2 })
    expect(await openTokens(row?.sealed ?? '', owner, [secret])).to.deep.equal(tokensOf('one'))
  })

  it('seals nothing if the application has another secret', async () => {
    await signIn({ access_token: 'new' }, [older])
    const { exitCode, stdout, stderr } = await run(database.url)
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' })
    expect(stderr).to.contain('sealed with another secret').and.not.contain('-of-one')
    expect(await access()).to.equal('access-of-one')
  })
})
