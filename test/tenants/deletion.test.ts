/** The deletion of a user of two tenants with one database: each removes its own sessions and records. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { createScope } from '../../lib/tenants/scope.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { stopClock } from '../factors/stage.js'
import { restoreClock } from '../support/clock.js'
import { type TenantStage, tenantDoors } from './stage.js'
import { address, enrol, richConfig, type Side, signInByMail } from './values.js'

for (const [door, open] of tenantDoors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`a user whom another tenant has deleted (${door}, ${strategy})`, () => {
      let stage: TenantStage
      let beta: Side
      let adapter: ReturnType<typeof memoryAdapter>
      beforeEach(async () => {
        stopClock()
        adapter = memoryAdapter()
        const mails: VerificationRequest[] = []
        beta = { id: 'beta', mails, adapter, stored: {}, browser: () => stage.browser('beta.test') }
        stage = await open({ load: (id) => ({ ...richConfig(strategy, { id, mails, adapter }), deletion: true }) })
      })
      afterEach(async () => {
        await stage.close()
        restoreClock()
      })

      const userId = async () => (await adapter.getUserByEmail(address))?.id ?? ''
      const deleteAt = async (tenant: string, id: string) =>
        (await stage.auth.of(tenant)).users.delete(id, { reason: 'ticket 7' })

      it('TN-18 is deleted there too, with sessions and second factors', async () => {
        const { browser } = await enrol(beta, address)
        const id = await userId()
        const name = createScope('beta', new Set()).name(id)
        const factors = async () => adapter.store().records.list(factorsTable, name)
        expect(await factors()).to.not.deep.equal([])
        expect(await deleteAt('acme', id)).to.have.property('ok', true)
        expect(await deleteAt('beta', id)).to.have.property('ok', true)
        expect(await browser.session()).to.equal(null)
        expect(await factors()).to.deep.equal([])
      })

      it('TN-18 has no sessions there afterwards, if there were no records', async () => {
        const browser = await signInByMail(beta)
        const id = await userId()
        await deleteAt('acme', id)
        expect(await deleteAt('beta', id)).to.deep.equal({ ok: false, reason: 'unknown' })
        expect(await browser.session()).to.equal(null)
      })
    })
  }
}
