/**
 * A database that gives the id of a deleted user to a new one, and stores beside the adapter's that do not know of the
 * deletion.
 */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { target } from '../support/app.js'
import { factorsIn, tokensIn } from '../support/stores.js'
import { better, expectSignedIn, good, places, sessionOf, startStage } from './stage.js'

const [old, next] = ['old@example.com', 'next@example.com']

for (const { name, start, strategy } of places) {
  it(`LK-14 a new user inherits nothing of a deleted one with the same id (${name})`, async () => {
    const adapter = memoryAdapter()
    // Inside a transaction it would be the adapter's own `createUser`.
    const { transaction: _transaction, ...plain } = adapter
    const [factors, passwords, tokens] = [memoryStore(), memoryStore(), memoryStore()]
    const issuer = 'http://127.0.0.1:9/'
    const oidc = { id: 'one', name: 'One', type: 'oidc', issuer, clientId: 'c', clientSecret: 's' } as OIDCConfig
    const stage = await startStage({
      start,
      password: { store: passwords },
      more: [oidc],
      config: {
        ...sessionOf(strategy),
        adapter: { ...plain, createUser: (user) => adapter.createUser({ ...user, id: '1' }) },
        factors: { methods: [Totp(), RecoveryCodes()], store: factors },
        tokens: { store: tokens },
      },
    })
    await stage.register(stage.browser(), old, good)
    const row = { userId: '1', id: 'app', type: 'totp', name: null, data: 'x', usedAt: null, expiresAt: null }
    await factorsIn(factors).write({ ...row, createdAt: new Date() }, 0)
    const kept = { provider: 'one', providerAccountId: 'a', userId: '1', sealed: 'x', scope: null, expiresAt: null }
    await tokensIn(tokens).write({ ...kept, needsConsent: false }, 0)
    await adapter.deleteUser('1')

    const browser = stage.browser()
    await stage.register(browser, next, better)
    await expectSignedIn(browser, next)
    expect(await factorsIn(factors).list('1')).to.deep.equal([])
    expect(await tokensIn(tokens).findByUser('1')).to.deep.equal([])
    expect(target(await stage.signIn(stage.browser(), next, good)), 'the old password').to.include('error=')
    expect(target(await stage.signIn(stage.browser(), next, better))).to.equal(`${stage.app.origin}/`)
    await stage.close()
  })
}
