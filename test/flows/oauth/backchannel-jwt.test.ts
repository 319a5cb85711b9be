/** A provider ends JWT sessions, if `session.revocation` stores their ends. */
import { expect } from 'chai'
import { memoryStore } from '../../../lib/adapters/memory/index.js'
import type { SessionEndedMessage } from '../../../lib/types/config.js'
import type { LogStore } from '../../../lib/types/store.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../../support/clock.js'
import type { Browser } from '../../support/http-browser.js'
import { base, doors, type LogoutStage, startLogoutStage } from './logout-stage.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'

for (const [name, open] of Object.entries(doors)) {
  describe(`a sign-out that the provider reports, ${name}, JWT sessions`, () => {
    let stage: LogoutStage
    let store: LogStore
    let second: Browser
    let stranger: Browser
    let jti = 0
    const told: SessionEndedMessage[] = []
    beforeEach(async () => {
      store = memoryStore().log
      told.length = 0
      const events = { sessionEnded: (message: SessionEndedMessage) => void told.push(message) }
      const logout = { backchannel: true, frontchannel: true }
      stage = await startLogoutStage(open, { logout }, { events, session: { revocation: { log: store } } })
      second = stage.door.browser()
      stranger = stage.door.browser()
      await stage.signIn({ sid: 'op-session' })
      await stage.signIn({ sid: 'op-phone' }, second)
      await stage.signIn({ sid: 'op-other', sub: 'person-2' }, stranger)
    })
    afterEach(() => {
      restoreClock()
      return stage.close()
    })

    async function send(claims: object = {}): Promise<number> {
      const logout_token = await stage.provider.signIdToken(
        {
          iss: stage.provider.issuer,
          aud: stage.provider.settings.clientId,
          iat: seconds(),
          exp: seconds() + 120,
          jti: `jwt-${name}-${++jti}`,
          events: { [event]: {} },
          sub: 'person-1',
          sid: 'op-session',
          ...claims,
        },
        { header: { typ: 'logout+jwt' } },
      )
      const answer = await stage.door.browser().ask(`${base}/backchannel-logout/test`, { form: { logout_token } })
      return answer.status
    }
    const alive = () =>
      Promise.all([stage.visitor, second, stranger].map(async (visitor) => (await stage.session(visitor)) !== null))

    it('oidcc-client-test-rp-backchannel-rpinitlogout: a copy of the cookie is invalid, other sessions continue', async () => {
      const copy = stage.door.browser()
      for (const [cookie, value] of stage.visitor.cookies) copy.cookies.set(cookie, value)
      expect(await stage.session(copy)).to.be.an('object')
      expect(await send()).to.equal(200)
      expect(await stage.session(copy)).to.equal(null)
      // JWT sessions are not stored, so the event cannot name them.
      expect(told.map(({ request, ...others }) => others)).to.deep.equal([{ reason: 'provider', provider: 'test' }])
      expect(await alive()).to.deep.equal([false, true, true])
    })

    it('with a sub alone all sessions of the user end, and a new sign-in is valid', async () => {
      freezeClock()
      expect(await send({ sid: undefined })).to.equal(200)
      expect(await alive()).to.deep.equal([false, false, true])
      advanceClock(1)
      await stage.signIn({ sid: 'op-new' })
      expect(await alive()).to.deep.equal([true, false, true])
    })

    it('with a sid also one whose sign-in did not have it', async () => {
      await stage.signIn({ sid: undefined }, second)
      expect(await alive()).to.deep.equal([true, true, true])
      expect(await send()).to.equal(200)
      expect(await alive()).to.deep.equal([false, false, true])
    })

    it('a sign-in by a session that has ended at the provider is rejected', async () => {
      expect(await send({ sid: 'op-late' })).to.equal(200)
      const late = stage.door.browser()
      const answer = await stage.signIn({ sid: 'op-late' }, late)
      expect(answer.headers.location).to.match(/error=AccessDenied/)
      expect(await stage.session(late)).to.equal(null)
    })

    it('AZ-08 a wrong token ends nothing', async () => {
      expect(await send({ nonce: 'n' })).to.equal(400)
      expect(await alive()).to.deep.equal([true, true, true])
    })

    it('oidcc-client-test-rp-frontchannel-opinitlogout: a frame ends the session that it names', async () => {
      const frame = async (sid: string) => {
        const query = new URLSearchParams({ iss: stage.provider.issuer, sid })
        return (await stage.door.browser().ask(`${base}/frontchannel-logout/test?${query}`)).status
      }
      expect(await frame('made-up')).to.equal(200)
      expect(told, 'anybody can open such a frame').to.deep.equal([])
      expect(await frame('op-session')).to.equal(200)
      expect(await alive()).to.deep.equal([false, true, true])
      expect(told).to.have.length(1)
    })

    it('503 if the store is unavailable, so that it is sent again', async () => {
      const { add } = store
      store.add = async () => {
        throw new Error('away')
      }
      expect(await send()).to.equal(503)
      store.add = add
      expect(await send()).to.equal(200)
      expect(await alive()).to.deep.equal([false, true, true])
    })

    it('a token is used up once the store has it, and only then: 503 until then', async () => {
      const { add, find } = store
      // The end itself is noted, and that the token was used is not.
      store.add = (entries) => {
        if (entries.some(({ key }) => key.startsWith('t.'))) throw new Error('away')
        return add.call(store, entries)
      }
      const jti = `kept-${name}`
      expect(await send({ jti })).to.equal(503)
      store.add = add
      expect(await send({ jti })).to.equal(200)
      store.find = () => {
        throw new Error('away')
      }
      expect(await send({ sid: 'op-phone' })).to.equal(503)
      store.find = find
      expect(await alive(), 'nothing ends by a token that may have been used').to.deep.equal([false, true, true])
      expect(await send({ jti })).to.equal(400)
    })

    it('the names belong to the engine: no callback sees them change, and tokens stay the same', async () => {
      const before = stage.visitor.cookies.get('auth.session-token')
      expect(await stage.session()).to.be.an('object')
      expect(stage.visitor.cookies.get('auth.session-token')).to.equal(before)
    })
  })
}
