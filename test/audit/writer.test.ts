/**
 * Tests of an audit database that fails, hangs or comes back: no request waits for long, no row is lost that fits into
 * memory, and the log reports it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { AuditRow } from '../../lib/adapters/sql/audit-table.js'
import { connect, migrate } from '../../lib/adapters/sql/index.js'
import { auditLog, readAudit } from '../../lib/audit/index.js'
import { createRowMaker } from '../../lib/audit/rows.js'
import { AuditWriter, type WriterOptions } from '../../lib/audit/writer.js'
import { startApp } from '../support/app.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'

const createRow = createRowMaker()
const row = (userId = 'ann') => createRow('signIn', { userId })

/** A table in memory that can be made unavailable. */
class Table {
  readonly rows = new Map<string, AuditRow>()
  state: 'well' | 'failing' | 'hanging' = 'well'
  calls = 0

  readonly append: WriterOptions['append'] = async (rows) => {
    this.calls += 1
    if (this.state === 'failing') throw new Error('the table is gone')
    if (this.state === 'hanging') await new Promise(() => {})
    for (const each of rows) this.rows.set(each.id, each)
  }

  writer(options: Partial<WriterOptions> = {}): AuditWriter {
    const gap = (dropped: number) => createRow('gap', { detail: { dropped } })
    return new AuditWriter({
      append: this.append,
      gap,
      wait: 100,
      limit: 10,
      retryDelay: 20,
      statementTimeout: 60,
      ...options,
    })
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work().catch(() => {})
  return performance.now() - begun
}

describe('the writer of the audit log', () => {
  let table: Table
  beforeEach(() => {
    table = new Table()
  })

  it('waits until the row is stored', async () => {
    await table.writer().add(row(), false)
    expect(table.rows.size).to.equal(1)
  })

  it('writes simultaneous rows in few statements', async () => {
    const writer = table.writer({ limit: 1000 })
    await Promise.all(Array.from({ length: 300 }, () => writer.add(row(), false)))
    expect([table.rows.size, table.calls < 10]).to.deep.equal([300, true])
  })

  it('a database that fails: it is reported once, no request waits for it, and the rows are stored later', async () => {
    table.state = 'failing'
    const writer = table.writer()
    const error = await rejectionOf(writer.add(row(), false))
    expect(error.message).to.match(/could not be written: 1 rows are pending/)
    expect(String(error.cause)).to.contain('the table is gone')
    expect(await took(() => writer.add(row(), false))).to.be.lessThan(50)
    // A stranger who fails often must not fill the log.
    await writer.add(row(), false)
    table.state = 'well'
    await pause(150)
    expect(table.rows.size).to.equal(3)
  })

  it('a row that the database cannot store blocks no other row, and is a gap', async () => {
    const append: WriterOptions['append'] = async (rows) => {
      if (rows.some(({ userId }) => userId === 'poison')) throw new Error('invalid byte sequence')
      await table.append(rows)
    }
    const writer = table.writer({ append, limit: 1000, retryDelay: 1, wait: 0 })
    const users = Array.from({ length: 150 }, (_each, at) => (at % 50 === 7 ? 'poison' : `user-${at}`))
    await Promise.all(users.map((user) => writer.add(row(user), false).catch(() => {})))
    for (let more = 0; more < 20; more += 1) {
      await pause(20)
      await writer.add(row(`later-${more}`), false).catch(() => {})
    }
    await writer.flush(5000)
    const stored = [...table.rows.values()]
    expect(stored.filter(({ type }) => type === 'signIn')).to.have.length(147 + 20)
    const gaps = stored.filter(({ type }) => type === 'gap').map(({ detail }) => JSON.parse(detail).dropped)
    expect(gaps.reduce((sum, dropped) => sum + dropped, 0)).to.equal(3)
  })

  it('while it fails, and comes and goes, no row is taken for one that it cannot hold', async () => {
    const writer = table.writer({ limit: 1000, retryDelay: 1, wait: 0 })
    for (let spell = 0; spell < 8; spell += 1) {
      table.state = spell % 2 === 0 ? 'failing' : 'well'
      await Promise.all(Array.from({ length: 20 }, () => writer.add(row(), false).catch(() => {})))
      await pause(40)
    }
    table.state = 'well'
    await writer.flush(5000)
    expect([table.rows.size, [...table.rows.values()].some(({ type }) => type === 'gap')]).to.deep.equal([160, false])
  })

  it('a database that hangs: the first request waits for the limit, the next ones do not wait', async () => {
    table.state = 'hanging'
    const writer = table.writer({ wait: 80 })
    const error = await rejectionOf(writer.add(row(), false))
    expect(String(error.cause)).to.contain('longer than')
    expect(await took(() => writer.add(row(), false))).to.be.lessThan(50)
  })

  it('keeps few connections that hang', async () => {
    table.state = 'hanging'
    const writer = table.writer({ statementTimeout: 10, retryDelay: 5 })
    await writer.add(row(), false).catch(() => {})
    await pause(300)
    expect(table.calls).to.equal(2)
  })

  it('a row whose statement was lost on the way back is stored once', async () => {
    const ids: string[] = []
    let lost = true
    const append: WriterOptions['append'] = async (rows) => {
      ids.push(...rows.map(({ id }) => id))
      await table.append(rows)
      if (!lost) return
      lost = false
      throw new Error('no answer')
    }
    const writer = table.writer({ append })
    await writer.add(row(), false).catch(() => {})
    await writer.flush(1000)
    expect([ids.length, table.rows.size]).to.deep.equal([2, 1])
  })

  it('rows that do not fit into memory are counted in the table; failures, which any client can cause, are dropped first', async () => {
    table.state = 'failing'
    const writer = table.writer({ limit: 10 })
    const add = (isCheap: boolean) => writer.add(row(isCheap ? 'stranger' : 'ann'), isCheap).catch(() => {})
    for (let count = 0; count < 20; count += 1) await add(true)
    for (let count = 0; count < 7; count += 1) await add(false)
    table.state = 'well'
    await writer.flush(1000)
    const rows = [...table.rows.values()]
    expect(rows.filter(({ userId }) => userId === 'stranger')).to.have.length(5)
    expect(rows.filter(({ userId }) => userId === 'ann')).to.have.length(5)
    expect(rows.filter(({ type }) => type === 'gap').map(({ detail }) => detail)).to.deep.equal(['{"dropped":17}'])
  })

  it('flush tries immediately, and reports lost rows if it cannot', async () => {
    table.state = 'failing'
    const writer = table.writer({ retryDelay: 60_000 })
    await writer.add(row(), false).catch(() => {})
    expect((await rejectionOf(writer.flush(150))).message).to.contain('1 rows are pending')
    table.state = 'well'
    await writer.flush(1000)
    expect(table.rows.size).to.equal(1)
    await writer.flush(0)
  })

  it('with `wait: 0` no request waits', async () => {
    table.state = 'hanging'
    expect(await took(() => table.writer({ wait: 0 }).add(row(), false))).to.be.lessThan(50)
  })
})

for (const kind of ['postgres', 'mysql'] as const) {
  describe(`auditLog on ${kind}, when the database hangs`, function () {
    this.timeout(30_000)
    let database: TestDatabase
    let proxy: TcpProxy
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
      const url = new URL(database.url)
      proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    })
    after(async () => {
      await proxy?.stop()
      await database?.close()
    })

    it('users sign in within the limit, the log reports it, and the rows are stored later', async () => {
      const url = new URL(database.url)
      url.port = String(proxy.port)
      const db = connect(url.href, { timeout: 2 })
      const audit = auditLog(db, { wait: 2 })
      const app = await startApp({ events: audit.events })
      const signIn = async () => {
        const browser = app.browser()
        const milliseconds = await took(() => browser.signIn())
        expect(await browser.session()).to.have.nested.property('user.name', 'ann')
        return milliseconds
      }
      await signIn()
      expect(app.log.errors).to.deep.equal([])
      proxy.hurt('hanging', { delay: 0, opening: Buffer.alloc(0) })
      expect(await signIn(), 'the first').to.be.within(1900, 10_000)
      for (let count = 0; count < 5; count += 1) expect(await signIn(), 'a later one').to.be.lessThan(1900)
      expect(app.log.errors).to.have.length(1)
      expect(app.log.errors[0]).to.have.property('type', 'EventError')
      await rejectionOf(audit.flush(0.2))
      proxy.heal()
      proxy.cut()
      await audit.flush(15)
      expect(await readAudit(database.db)).to.have.length(7)
      await app.close()
      await db.destroy()
    })
  })
}
