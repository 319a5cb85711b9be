/** A hash that is replaced at a sign-in, and comes late: after the password was removed, and another one set. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { getSharedEngine } from '../../lib/engine/index.js'
import type { PasswordHasher } from '../../lib/features/passwords/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { gate } from '../sign-in/linking-stage.js'
import { target } from '../support/app.js'
import { passwordsIn } from '../support/stores.js'
import { better, good, places, quickHasher, sessionOf, startStage } from './stage.js'

const email = 'ann@example.com'

for (const { name, start, strategy } of places) {
  for (const kind of ['memory', 'sqlite'] as const) {
    it(`CD-17 a late hash of a removed password does not replace the next one (${name}, ${kind})`, async () => {
      const db = kind === 'sqlite' ? connect(':memory:') : undefined
      if (db) await migrate(db)
      const adapter = db ? sqlAdapter(db) : memoryAdapter()
      const [inner, slow] = [quickHasher(), gate()]
      let isSlow = false
      const hash: PasswordHasher = {
        ...inner,
        async hash(password) {
          const made = inner.hash(password)
          if (isSlow && password === good) await slow.opened
          return made
        },
      }
      const stage = await startStage({ start, password: { hash }, config: { ...sessionOf(strategy), adapter } })
      const { id } = await adapter.createUser({ id: 'ann', email, emailVerified: new Date() })
      await adapter.linkAccount({ userId: id, provider: 'password', providerAccountId: id, type: 'credentials' })
      const weak = await quickHasher(0).hash(good)
      await passwordsIn(adapter.store()).write({ userId: id, hash: weak, changedAt: new Date(0) }, 0)
      isSlow = true
      expect(target(await stage.signIn(stage.browser(), email, good))).to.equal(`${stage.app.origin}/`)
      // The password is removed by `unlinkAccount`, or because another user verified the address.
      const provider = getSharedEngine(stage.app.config).config.providers.get('password')
      if (provider?.kind !== 'credentials') throw new Error('There is no provider of passwords.')
      await provider.password?.store.remove(id)
      expect(await provider.password?.store.find(id)).to.equal(null)
      expect(target(await stage.signIn(stage.browser(), email, good)), 'removed').to.include('error=')
      const req = { headers: { host: new URL(stage.app.origin).host }, protocol: 'http' }
      await expressFunctions(stage.app.config).passwords.set({ userId: id, password: better }, req)
      slow.open()
      await stage.settle()
      expect(target(await stage.signIn(stage.browser(), email, good)), 'the old one').to.include('error=')
      expect(target(await stage.signIn(stage.browser(), email, better)), 'the new one').to.equal(`${stage.app.origin}/`)
      await stage.close()
      await db?.destroy()
    })
  }
}
