/** Sign-outs at a provider, by who is no provider, and by a provider that means no good. */
import { expect } from 'chai'
import { memoryRevocations } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { base, doors, type LogoutStage, locationOf, startLogoutStage } from '../flows/oauth/logout-stage.js'
import { Visitor } from '../shim/doors.js'
import { advanceClock, restoreClock } from '../support/clock.js'

let stage: LogoutStage
async function stop() {
  restoreClock()
  await stage.close()
}

async function start(logout: OIDCConfig['logout'], config: Partial<FullStackAuthConfig> = {}) {
  stage = await startLogoutStage(doors.express, { logout }, config)
  return stage
}

describe('what a provider says of a person at the sign-in', () => {
  afterEach(stop)

  for (const claim of ['login_hint', 'sid']) {
    it(`is kept for the sign-out as far as it fits: ${claim} of 8,000 characters`, async () => {
      const { signIn, signOut, session } = await start({})
      await signIn({ [claim]: 'x'.repeat(8_000) })
      expect(await session()).to.be.an('object')
      const to = locationOf(await signOut({ federated: 'true' }))
      expect(to.href.length).to.be.below(4_000)
      expect(await session()).to.equal(null)
    })
  }
})

describe('frames of strangers', () => {
  afterEach(stop)

  const frame = (sid: string) =>
    new Visitor(stage.door).ask(
      `${base}/frontchannel-logout/test?${new URLSearchParams({ iss: stage.provider.issuer, sid })}`,
    )

  it('leave nothing in the store of ended sessions: nobody is kept from signing out', async () => {
    const revocation = memoryRevocations({ maxRecords: 50 })
    const { signIn, signOut, session } = await start({ frontchannel: true }, { session: { revocation } })
    await signIn({ sid: 'op-session' })
    for (let count = 0; count < 60; count += 1) expect((await frame(`made-up-${count}`)).status).to.equal(200)
    const answer = await signOut()
    expect(answer.headers.location).to.not.include('error')
    expect(await session()).to.equal(null)
  })

  it('end nothing that somebody signs in with later: the name was not known when they came', async () => {
    const revocation = memoryRevocations()
    const { signIn, session } = await start({ frontchannel: true }, { session: { revocation } })
    await frame('op-session')
    await signIn({ sid: 'op-session' })
    expect(await session()).to.be.an('object')
    await frame('op-session')
    expect(await session(), '(control) the same frame, now of a session that is there').to.equal(null)
  })

  it('(control) a session that was extended is known for as long as it lives', async () => {
    const revocation = memoryRevocations()
    const { signIn, session } = await start(
      { frontchannel: true },
      { session: { revocation, maxAge: 600, updateAge: 0 } },
    )
    await signIn({ sid: 'op-session' })
    for (let count = 0; count < 3; count += 1) {
      advanceClock(500)
      expect(await session()).to.be.an('object')
    }
    await frame('op-session')
    expect(await session()).to.equal(null)
  })
})
