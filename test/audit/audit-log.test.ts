/** Tests of `auditLog` end to end on each database: the data that the table has, and the data that it never has. */

import { expect } from 'chai'
import express from 'express'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { type AuditLog, auditLog, readAudit } from '../../lib/audit/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { stopClock } from '../../lib/testing/index.js'
import { startApp } from '../support/app.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { type AppendedEvents, messages, personal } from './messages.js'

for (const kind of databaseKinds) {
  describe(`auditLog on ${kind}`, () => {
    let database: TestDatabase
    let audit: AuditLog
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
    })
    after(() => database?.close())
    beforeEach(async () => {
      await database.db.deleteFrom('auth_audit').execute()
      audit = auditLog(database.db)
    })

    /** Returns the rows, oldest first, without the values that differ each time. */
    const told = async (): Promise<Record<string, unknown>[]> =>
      (await readAudit(database.db))
        .reverse()
        .map(({ id: _id, at: _at, detail: { sid: _sid, ...detail }, ...row }) => ({
          ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
          ...(Object.keys(detail).length > 0 && { detail }),
        }))

    it('a user signs in, fails, and signs out, and a support desk disables them', async () => {
      const store = memoryStore()
      const app = await startApp(
        { events: audit.events, session: { revocation: store } },
        {
          after(server, config: ServerAuthConfig) {
            server.post('/disable', express.urlencoded(), (req, res, next) => {
              expressFunctions(config)
                .users.disable(req.body.id, req)
                .then(() => res.json({}), next)
            })
            server.post('/enable', express.urlencoded(), (req, res, next) => {
              expressFunctions(config)
                .users.enable(req.body.id, req)
                .then(() => res.json({}), next)
            })
          },
        },
      )
      const browser = app.browser()
      await browser.signIn({ password: 'wrong' })
      await browser.signIn()
      await browser.post('/disable', { id: 'mallory' })
      await browser.post('/enable', { id: 'mallory' })
      await browser.submit('/auth/signout')
      await app.close()
      const here = { network: '127.0.0.0/24' }
      expect(await told()).to.deep.equal([
        {
          type: 'failure',
          provider: 'credentials',
          ...here,
          detail: { error: 'CredentialsSignin', action: 'callback' },
        },
        {
          ...{ type: 'signIn', userId: 'id-of-ann', actor: 'id-of-ann', provider: 'credentials', ...here },
          detail: { kind: 'credentials' },
        },
        { type: 'userDisabled', userId: 'mallory', ...here },
        { type: 'sessionEnded', userId: 'mallory', ...here, detail: { reason: 'disableUser' } },
        { type: 'userEnabled', userId: 'mallory', ...here },
        { type: 'signOut', ...here, detail: { sub: 'id-of-ann' } },
      ])
      const sids = (await readAudit(database.db)).map(({ detail }) => detail.sid).filter(Boolean)
      expect(sids, 'sign-in and sign-out of one session').to.have.length(2)
      expect(new Set(sids)).to.have.property('size', 1)
      const whole = JSON.stringify(await database.db.selectFrom('auth_audit').selectAll().execute())
      expect(whole).to.not.match(/127\.0\.0\.1|example\.com|wrong/)
    })

    it('with stored users: who they are, who did it, and their new account', async () => {
      const adapter = sqlAdapter(database.db)
      const links: string[] = []
      const app = await startApp(
        {
          ...{ adapter, events: audit.events, session: { revocation: true } },
          providers: [
            {
              id: 'mail',
              type: 'email',
              name: 'Mail',
              from: 'a@app.example',
              sendVerificationRequest: ({ url }) => void links.push(url),
            },
          ],
        },
        {
          after(server, config: ServerAuthConfig) {
            server.post('/disable', express.urlencoded(), (req, res, next) => {
              expressFunctions(config)
                .users.disable('mallory', req)
                .then(() => res.json({}), next)
            })
          },
        },
      )
      const browser = app.browser()
      await browser.submit('/auth/signin/mail', { email: 'ann@example.com' })
      await browser.get(links[0] ?? '')
      await browser.post('/disable')
      await browser.submit('/auth/signout')
      await app.close()
      const ann = (await adapter.getUserByEmail('ann@example.com'))?.id ?? ''
      const here = { network: '127.0.0.0/24' }
      const own = { userId: ann, actor: ann }
      const rows = (await told()).filter(({ type }) => type !== 'linkAccount')
      expect(rows).to.deep.equal([
        { type: 'createUser', ...own },
        { type: 'signIn', ...own, provider: 'mail', ...here, detail: { isNewUser: true, kind: 'email' } },
        { type: 'userDisabled', userId: 'mallory', actor: ann, ...here },
        { type: 'signOut', ...own, ...here },
      ])
    })

    it('all events, without a name, an address, a token or a whole IP address', async () => {
      const names = Object.keys(audit.events) as Array<keyof AppendedEvents>
      expect(Object.keys(messages)).to.have.members(names)
      for (const name of names) {
        const tell: (message: never) => unknown = audit.events[name]
        await tell(messages[name] as never)
      }
      const rows = await database.db.selectFrom('auth_audit').selectAll().execute()
      expect(rows.map(({ type }) => type)).to.have.members(names)
      const whole = JSON.stringify(rows)
      expect(personal.filter((each) => whole.includes(each))).to.deep.equal([])
      expect(whole).to.contain('203.0.113.0/24')
    })

    it('accepts values that no column could hold: an id of another length, NUL, half a character', async () => {
      const { request } = messages.userDisabled
      for (const userId of ['x'.repeat(300), 'a\0b', '\ud800', '']) await audit.events.userDisabled({ userId, request })
      await audit.events.signIn({ ...messages.signIn, user: { id: 'ann' }, sid: 'a\0b\ud800' })
      const entries = await readAudit(database.db)
      expect(entries.map(({ userId }) => userId)).to.deep.equal(['ann', null, null, null, null])
      expect(entries[0]?.detail.sid).to.equal('a\0b\ud800')
    })

    it('is read by user, by event, by time, and page by page', async () => {
      const clock = stopClock()
      try {
        for (let count = 0; count < 5; count += 1) {
          await audit.events.userDisabled({ userId: `user-${count % 2}`, by: 'desk' })
          clock.advance(60)
        }
        await audit.events.userEnabled({ userId: 'user-0', by: 'ann' })
        const read = async (query: Parameters<typeof readAudit>[1]) => (await readAudit(database.db, query)).length
        expect(await read({ userId: 'user-0' })).to.equal(4)
        expect(await read({ userId: 'user-0', type: 'userDisabled' })).to.equal(3)
        expect(await read({ actor: 'ann' })).to.equal(1)
        expect(await read({ userId: 'USER-0' })).to.equal(0)
        expect(await read({ since: new Date(Date.now() - 119_000) })).to.equal(2)
        expect(await read({ until: new Date(Date.now() - 119_000) })).to.equal(4)
        const first = await readAudit(database.db, { limit: 4 })
        const second = await readAudit(database.db, { limit: 4, before: first.at(-1)?.id ?? '' })
        expect([first.length, second.length]).to.deep.equal([4, 2])
        const times = [...first, ...second].map(({ at }) => at.getTime())
        expect(times).to.deep.equal(times.toSorted((one, other) => other - one))
        expect(first[0]).to.include({ type: 'userEnabled', userId: 'user-0', actor: 'ann', provider: null })
      } finally {
        clock.restore()
      }
    })

    it('removes what is older than `retention`, and nothing else', async () => {
      const clock = stopClock()
      try {
        const kept = auditLog(database.db, { retention: 30 })
        await kept.events.userDisabled({ userId: 'old' })
        clock.advance(29 * 24 * 60 * 60)
        await kept.events.userDisabled({ userId: 'new' })
        expect(await kept.prune()).to.equal(0)
        clock.advance(2 * 24 * 60 * 60)
        expect(await audit.prune(), 'without `retention`').to.equal(0)
        // The removal runs automatically after a row was written.
        await kept.events.userDisabled({ userId: 'newest' })
        const users = async () => (await readAudit(database.db)).map(({ userId }) => userId)
        for (let tries = 0; tries < 100 && (await users()).includes('old'); tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        expect(await users()).to.deep.equal(['newest', 'new'])
      } finally {
        clock.restore()
      }
    })

    it('says that the table has to be created', async () => {
      await database.db.schema.dropTable('auth_audit').execute()
      await database.db.deleteFrom('auth_migrations').where('name', '=', 'default-0008-audit').execute()
      const app = await startApp({ events: audit.events })
      const browser = app.browser()
      await browser.signIn()
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      await app.close()
      const [error] = app.log.errors
      expect(error).to.have.property('type', 'EventError')
      expect(String((error as { cause?: { err?: Error } }).cause?.err?.cause)).to.contain('npx server-auth migrate')
      expect((await rejectionOf(readAudit(database.db))).message).to.contain('npx server-auth migrate')
      await migrate(database.db)
      await audit.flush()
      expect((await told()).map(({ type }) => type)).to.deep.equal(['signIn'])
    })
  })
}

describe('auditLog', () => {
  it('says what is wrong with an option', async () => {
    const database = await requireDatabase(undefined as unknown as Mocha.Context, 'sqlite')
    const { db } = database
    expect(() => auditLog({} as typeof db)).to.throw(TypeError, 'Kysely instance')
    expect(() => auditLog(db, { retention: 0 })).to.throw(TypeError, '`retention`')
    expect(() => auditLog(db, { wait: Number.NaN })).to.throw(TypeError, '`wait`')
    expect(() => auditLog(db, { limit: 0.5 })).to.throw(TypeError, '`limit`')
    for (const query of [{ limit: 0 }, { limit: 1001 }, { since: new Date('x') }]) {
      expect(await rejectionOf(readAudit(db, query))).to.be.instanceOf(TypeError)
    }
    await database.close()
  })

  it('a query for an unknown user does not return the rows of all users', async () => {
    const database = await requireDatabase(undefined as unknown as Mocha.Context, 'sqlite')
    const { db } = database
    await migrate(db)
    await auditLog(db).events.signOut(messages.signOut)
    const nobody: { id?: string } = {}
    for (const query of [{ userId: nobody.id }, { actor: nobody.id }, JSON.parse('{"userId":null}')]) {
      expect(await rejectionOf(readAudit(db, query))).to.be.instanceOf(TypeError)
    }
    // As a parser of queries makes them.
    for (const query of ['{"userId":["a","b"]}', '{"actor":{"id":"a"}}', '{"type":["signIn"]}', '{"before":{}}']) {
      expect(await rejectionOf(readAudit(db, JSON.parse(query))), query).to.be.instanceOf(TypeError)
    }
    expect(await readAudit(db, { userId: '' })).to.have.length(0)
    expect(await readAudit(db, { before: undefined, type: undefined })).to.have.length(1)
    await database.close()
  })
})
