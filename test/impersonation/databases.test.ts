/** Impersonation with real databases, whose columns are short and compare in their own ways. */
import { expect } from 'chai'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { auditLog, readAudit } from '../../lib/audit/index.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { strategies } from '../support/world.js'
import { openStage, type Stage } from './stage.js'

for (const kind of ['sqlite', 'postgres', 'mysql'] as const) {
  for (const strategy of strategies) {
    describe(`impersonation (${kind}, ${strategy} sessions)`, function () {
      this.timeout(60_000)
      let database: TestDatabase
      let stage: Stage
      let audit: ReturnType<typeof auditLog>
      before(async function () {
        database = await requireDatabase(this, kind)
        await migrate(database.db)
        audit = auditLog(database.db)
        stage = await openStage('Express', strategy, { adapter: sqlAdapter(database.db), events: audit.events })
      })
      after(async () => {
        await stage?.close()
        await database?.close()
      })

      it('AZ-03 begins, is listed and ends, with the longest reason', async () => {
        const { root, ann } = stage
        const [person, victim] = [stage.browser(), stage.browser()]
        await person.signInAs(root)
        await victim.signInAs(ann)
        const reason = '字'.repeat(100)
        expect((await person.own('begin', { user: ann.id, reason })).returned).to.deep.equal({ ok: true })
        expect((await person.me()).act).to.include({ userId: root.id, reason })
        const { sessions } = (await victim.own('account')).returned
        const [support] = sessions.filter((session: { support?: object }) => session.support)
        expect(reason.startsWith(support.support.reason.replace('…', ''))).to.equal(true)
        expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: true })
        expect(await person.me()).to.have.nested.property('user.id', root.id)
        await person.own('begin', { user: ann.id, reason: 'ticket 7' })
        const listed = (await victim.own('account')).returned.sessions
        const { id } = listed.find((session: { support?: object }) => session.support)
        expect((await victim.own('end-session', { id })).returned).to.deep.equal({ ok: true })
        expect(await person.me()).to.equal(null)
      })

      it('AZ-03 is in the audit log, with the actor and the reason', async () => {
        const { root, ann } = stage
        const person = await stage.impersonating()
        expect((await person.own('call', { name: 'factors.enrolTotp' })).thrown).to.equal('ImpersonatedSession')
        await person.submit('/api/auth/callback/credentials', { username: 'ann', password: 'right' })
        await person.own('end')
        await audit.flush()
        for (const type of ['impersonationBegan', 'impersonationEnded'] as const) {
          const [row] = await readAudit(database.db, { type })
          expect(row).to.include({ userId: ann.id, actor: root.id })
          expect(row?.detail).to.deep.include({ reason: 'ticket 7' })
        }
        const [refused] = await readAudit(database.db, { type: 'failure' })
        expect(refused).to.include({ actor: root.id })
        expect(refused?.detail).to.deep.include({ error: 'ImpersonatedSession' })
      })
    })
  }
}
