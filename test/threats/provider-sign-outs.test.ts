/** Sign-outs at a provider, sent by an attacker or by a hostile provider. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { base, doors, type LogoutStage, locationOf, startLogoutStage } from '../flows/oauth/logout-stage.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'

let stage: LogoutStage
async function stop() {
  restoreClock()
  await stage.close()
}

async function start(logout: OIDCConfig['logout'], config: Partial<FullStackAuthConfig> = {}) {
  stage = await startLogoutStage(doors.express, { logout }, config)
  return stage
}

describe('the values that a provider returns at the sign-in', () => {
  afterEach(stop)

  for (const claim of ['login_hint', 'sid']) {
    it(`are kept for the sign-out if they fit: ${claim} of 8,000 characters`, async () => {
      const { signIn, signOut, session } = await start({})
      await signIn({ [claim]: 'x'.repeat(8_000) })
      expect(await session()).to.be.an('object')
      const to = locationOf(await signOut({ federated: 'true' }))
      expect(to.href.length).to.be.below(4_000)
      expect(await session()).to.equal(null)
    })
  }
})

describe('AZ-08 frames of strangers', () => {
  afterEach(stop)

  const frame = (sid: string) =>
    stage.door
      .browser()
      .ask(`${base}/frontchannel-logout/test?${new URLSearchParams({ iss: stage.provider.issuer, sid })}`)

  it('leave nothing in the store of ended sessions: every user can still sign out', async () => {
    const revocation = memoryStore({ maxRecords: 50 })
    const { signIn, signOut, session } = await start({ frontchannel: true }, { session: { revocation } })
    await signIn({ sid: 'op-session' })
    for (let count = 0; count < 60; count += 1) expect((await frame(`made-up-${count}`)).status).to.equal(200)
    const answer = await signOut()
    expect(answer.headers.location).to.not.include('error')
    expect(await session()).to.equal(null)
  })

  it('DOS-09 while the metadata are unavailable: one request to the provider and one error in the log, for any number of requests', async () => {
    const revocation = memoryStore()
    const { provider, door } = await start({ frontchannel: true, backchannel: true }, { session: { revocation } })
    freezeClock()
    provider.onDiscovery = () => ({ status: 500 })
    const at = '/.well-known/openid-configuration'
    const before = provider.count(at)
    for (let count = 0; count < 20; count += 1) expect((await frame(`made-up-${count}`)).status).to.equal(503)
    expect(provider.count(at) - before).to.equal(1)
    expect(door.log.errors).to.have.length(1)
    advanceClock(61)
    for (let count = 0; count < 20; count += 1) expect((await frame(`made-up-${count}`)).status).to.equal(503)
    expect(provider.count(at) - before).to.equal(2)
    expect(door.log.errors, 'and again in a minute').to.have.length(2)
  })

  it('end no later session: its name was not known when they were requested', async () => {
    const revocation = memoryStore()
    const { signIn, session } = await start({ frontchannel: true }, { session: { revocation } })
    await frame('op-session')
    await signIn({ sid: 'op-session' })
    expect(await session()).to.be.an('object')
    await frame('op-session')
    expect(await session(), '(control) the same frame, now of a session that is there').to.equal(null)
  })

  it('(control) a session that was extended is known for as long as it lives', async () => {
    const revocation = memoryStore()
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

describe('AZ-08 logout tokens of a hostile provider', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const strategies = {
    jwt: () => ({ session: { revocation: memoryStore() } }),
    database: () => ({ adapter: memoryAdapter() }),
  }
  let evil: HostileProvider
  afterEach(async () => {
    await stop()
    await evil.close()
  })

  for (const [strategy, config] of Object.entries(strategies)) {
    it(`end no session of another provider’s user (${strategy})`, async () => {
      evil = await startHostileProvider()
      const logout = { backchannel: true, frontchannel: true }
      const other = { id: 'evil', name: 'Evil', type: 'oidc' as const, ...evil.settings, logout }
      const { door, provider, session, signIn } = await start(logout, { ...config(), providers: [other] })
      await signIn({ sid: 'op-session' })
      const post = async (to: string, logout_token: string) =>
        (await door.browser().ask(`${base}/backchannel-logout/${to}`, { form: { logout_token } })).status
      const claims = (iss: string, jti: string) => ({
        iss,
        aud: provider.settings.clientId,
        iat: seconds(),
        exp: seconds() + 120,
        jti,
        events: { [event]: {} },
        sub: 'person-1',
        sid: 'op-session',
      })
      const typed = { header: { typ: 'logout+jwt' } }
      // The token names its own users, with the names of the other provider's users.
      expect(await post('evil', await evil.signIdToken(claims(evil.issuer, 'own'), typed))).to.equal(200)
      // In the other one's name, to either route.
      const mixed = await evil.signIdToken(claims(provider.issuer, 'mixed'), typed)
      expect(await post('test', mixed)).to.equal(400)
      expect(await post('evil', mixed)).to.equal(400)
      expect(await post('test', await evil.signIdToken(claims(evil.issuer, 'own'), typed))).to.equal(400)
      // A good token of the other one's, to the wrong route.
      expect(await post('evil', await provider.signIdToken(claims(provider.issuer, 'good'), typed))).to.equal(400)
      for (const iss of [evil.issuer, provider.issuer]) {
        const query = new URLSearchParams({ iss, sid: 'op-session' })
        await door.browser().ask(`${base}/frontchannel-logout/evil?${query}`)
      }
      expect(await session()).to.be.an('object')
      expect(await post('test', await provider.signIdToken(claims(provider.issuer, 'good'), typed))).to.equal(200)
      expect(await session(), '(control)').to.equal(null)
    })
  }

  it('cannot bring their own keys: in the header, or by a URL in it, which is not followed', async () => {
    evil = await startHostileProvider()
    const { door, provider, session, signIn } = await start({ backchannel: true }, strategies.jwt())
    await signIn({ sid: 'op-session' })
    const [key] = evil.jwks.keys
    const headers: object[] = [
      { jwk: key },
      { jku: `${evil.issuer}/jwks` },
      { x5u: `${evil.issuer}/cert` },
      { jwk: key, jku: `${evil.issuer}/jwks`, kid: provider.jwks.keys[0]?.kid },
      { zip: 'DEF' },
    ]
    for (const [at, header] of headers.entries()) {
      const claims = {
        iss: provider.issuer,
        aud: provider.settings.clientId,
        iat: seconds(),
        exp: seconds() + 120,
        jti: `key-${at}`,
        events: { [event]: {} },
        sub: 'person-1',
      }
      const logout_token = await evil.signIdToken(claims, { header: { typ: 'logout+jwt', ...header } })
      const answer = await door.browser().ask(`${base}/backchannel-logout/test`, { form: { logout_token } })
      expect(answer.status, JSON.stringify(header).slice(0, 40)).to.equal(400)
    }
    expect(evil.requests).to.deep.equal([])
    expect(await session()).to.be.an('object')
  })
})
