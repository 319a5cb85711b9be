/** Each value of one tenant at another one: at both entry points, with both strategies, in one database and in two. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { stopClock } from '../factors/stage.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { type TenantStage, tenantDoors } from './stage.js'
import { enrol, kinds, richConfig, type Side, type Strategy } from './values.js'

const strategies: readonly Strategy[] = ['jwt', 'database']

/** An adapter that shows the tokens that the engine of a tenant stores, before they get the name of the tenant. */
function watched(adapter: ReturnType<typeof memoryAdapter>, stored: Side['stored']): ReturnType<typeof memoryAdapter> {
  const { createSession, createVerificationToken } = adapter
  return Object.assign(Object.create(adapter), {
    ...adapter,
    createSession(session: Parameters<typeof createSession>[0]) {
      stored.session = session.sessionToken
      return createSession.call(adapter, session)
    },
    createVerificationToken(token: Parameters<typeof createVerificationToken>[0]) {
      stored.link = token.token
      return createVerificationToken.call(adapter, token)
    },
  })
}

for (const [door, open] of tenantDoors) {
  for (const strategy of strategies) {
    for (const databases of ['one database', 'a database for each']) {
      describe(`values of a tenant at another one (${door}, ${strategy}, ${databases})`, () => {
        let stage: TenantStage
        const sides = new Map<string, Side>()
        const side = (id: string): Side => {
          const found = sides.get(id)
          if (!found) throw new Error(`no side ${id}`)
          return found
        }

        before(async () => {
          stopClock()
          const shared = memoryAdapter()
          for (const id of ['acme', 'beta']) {
            const mails: VerificationRequest[] = []
            const stored: Side['stored'] = {}
            const adapter = watched(databases === 'one database' ? shared : memoryAdapter(), stored)
            sides.set(id, { id, mails, stored, adapter, browser: () => stage.browser(`${id}.test`) })
          }
          stage = await open({ load: (id) => richConfig(strategy, side(id)) })
          for (const each of sides.values()) {
            const { key, codes } = await enrol(each, 'both@x.test')
            Object.assign(each, { app: key, codes })
          }
        })
        after(async () => {
          await stage.close()
          restoreClock()
        })

        for (const [name, { only, make, accepts }] of Object.entries(kinds)) {
          if (only !== undefined && only !== strategy) continue
          it(`TN-01 rejects ${name}, which its own tenant accepts afterwards`, async () => {
            const [acme, beta] = [side('acme'), side('beta')]
            const value = await make(acme)
            expect(await accepts(beta, value), 'at the other one').to.equal(false)
            expect(await accepts(acme, value), 'at its own').to.equal(true)
            advanceClock(30)
          })
        }
      })
    }
  }
}
