/** A company whose identity provider is Glewlwyd of Debian. Its administrator registers the redirect URI that `create` returned. */
import { expect } from 'chai'
import { type GlewlwydProvider, missingGlewlwyd, startGlewlwyd } from '../support/glewlwyd.js'
import { skip } from '../support/skip.js'
import { base, openWorld, stagesOf, strategies, type World } from './stage.js'

describe('Glewlwyd as the identity provider of a company', () => {
  let world: World
  let provider: GlewlwydProvider
  before(async function () {
    const missing = missingGlewlwyd()
    if (missing !== undefined) skip(this, missing)
    provider = await startGlewlwyd()
    world = await openWorld()
  })
  after(() => Promise.all([world?.close(), provider?.close()]))

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const [turn, strategy] of strategies.entries()) {
      it(`signs its users in at ${door}, with ${strategy} sessions`, async () => {
        const connections = { privateOrigins: [provider.origin], provision: 'everybody' } as const
        const stage = await at(strategy)({ connections })
        try {
          const owner = await stage.signIn('owner@acme.example')
          stage.members.set(owner.userId, 'acme', 'owner')
          const clientId = `company-${door}-${turn}`
          const client = { clientId, clientSecret: 'a-client-secret-of-more-than-32-characters' }
          const { issuer } = provider
          const made = await stage.call(owner.browser, 'create', {
            organization: 'acme',
            name: 'Acme',
            issuer,
            ...client,
          })
          if (!made.ok) throw new Error(`the connection was not created: ${made.reason}`)
          await provider.register({ ...client, redirectUri: made.redirectUri, postLogoutUri: stage.origin })
          await stage.call(owner.browser, 'set', made.id, { state: 'on' })
          const signIn = async () => {
            const browser = stage.browser()
            const { headers } = await browser.submit(`${base}/signin/${made.id}`, { callbackUrl: '/done' })
            const done = await browser.get(await provider.signIn(headers.location ?? '', new Map()))
            expect(done.headers.location).to.equal(`${stage.origin}/done`)
            return (await browser.session(base)).user.id
          }
          expect(await signIn()).to.equal(await signIn())
        } finally {
          await stage.close()
        }
      })
    }
  }
})
