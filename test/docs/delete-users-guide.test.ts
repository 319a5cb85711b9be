/** The guide to the deletion and export of users: its scripts, run as it says. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { readAudit } from '../../lib/audit/index.js'
import { compile, remove, unpack } from './guide-code.js'

const run = promisify(execFile)

describe('the guide to the deletion of users', function () {
  this.timeout(90_000)
  this.slow(20_000)
  const folder = unpack('guides/delete-users.md')
  const url = `sqlite:${join(folder, 'app.db')}`
  const db = connect<Record<string, Record<string, unknown>>>(url)
  const adapter = sqlAdapter(db)

  after(async () => {
    await db.destroy()
    remove(folder)
  })

  /** Runs a script of the guide. */
  const script = async (name: string, ...words: string[]) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: url,
      AUTH_SECRET: 'a-secret-for-tests-of-32-characters',
    }
    const options = { cwd: folder, env, timeout: 30_000 }
    return (await run(process.execPath, ['--import', 'tsx', name, ...words], options)).stdout
  }
  const order = (userId: string, paid: number) =>
    db
      .insertInto('orders')
      .values({ userId, item: `book of ${userId}`, paid })
      .execute()

  it('compiles', () => compile(folder))

  it('DL-01 deletes, exports, refuses and finishes', async () => {
    expect(await script('finish-deletions.ts'), 'it also creates the tables').to.equal('')
    for (const id of ['ann', 'eve']) {
      await adapter.createUser({ id, name: `Name of ${id}`, email: `${id}@example.com`, emailVerified: new Date() })
      await order(id, id === 'ann' ? 1 : 0)
    }
    const exported = JSON.parse(await script('export-user.ts', 'ann'))
    expect(exported.user).to.include({ id: 'ann', email: 'ann@example.com' })
    expect(exported.orders).to.deep.equal([{ userId: 'ann', item: 'book of ann', paid: 1 }])
    expect(JSON.parse(await script('delete-user.ts', 'eve', 'ticket 1'))).to.deep.equal({
      ok: false,
      reason: 'refused',
    })
    expect(JSON.parse(await script('delete-user.ts', 'ann', 'ticket 2'))).to.nested.include({
      ok: true,
      'report.reason': 'ticket 2',
    })
    expect(JSON.parse(await script('delete-user.ts', 'nobody', 'ticket 3'))).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    expect(await adapter.getUser('ann')).to.equal(null)
    expect((await adapter.getUser('eve'))?.email).to.equal('eve@example.com')
    const { rows } = await sql<{ userId: string }>`select "userId" from orders`.execute(db)
    expect(rows).to.deep.equal([{ userId: 'eve' }])
    expect((await readAudit(db, { userId: 'ann' }))[0]).to.deep.include({
      type: 'userDeleted',
      detail: { reason: 'ticket 2' },
    })
  })

  it('DL-03 finishes a deletion that failed', async () => {
    await adapter.createUser({ id: 'bob', name: 'Bob', email: 'bob@example.com', emailVerified: new Date() })
    await db.schema.alterTable('auth_audit').renameTo('moved').execute()
    const failed = await script('delete-user.ts', 'bob', 'ticket 4').catch(({ stderr }) => String(stderr))
    expect(failed).to.include('EventError')
    await db.schema.alterTable('moved').renameTo('auth_audit').execute()
    expect(await script('finish-deletions.ts')).to.equal('Finished the deletion of bob\n')
    expect(await script('finish-deletions.ts')).to.equal('')
    expect(await adapter.getUser('bob')).to.equal(null)
  })
})
