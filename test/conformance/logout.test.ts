/**
 * The modules of the logout plans of relying parties, by their names: `oidcc-client-rp-initiated-logout-rp-basic`,
 * `oidcc-client-back-channel-logout-rp-basic` and `oidcc-client-front-channel-logout-rp-basic`. Each has all steps of
 * the official one: sign in, sign out at the provider, the provider reports the logout, the browser comes back.
 * `docs/conformance.md` lists which module is tried where.
 */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { base, doors, type LogoutStage, locationOf, startLogoutStage } from '../flows/oauth/logout-stage.js'
import { seconds } from '../support/clock.js'
import { inTurn } from '../support/extent.js'
import type { Claims, SignOptions } from '../support/hostile-provider.js'
import type { Browser } from '../support/http-browser.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const strategies = {
  jwt: () => ({ session: { revocation: memoryStore() } }),
  database: () => ({ adapter: memoryAdapter() }),
}

for (const [turn, [door, open]] of Object.entries(doors).entries()) {
  for (const [strategy, config] of inTurn(Object.entries(strategies), turn)) {
    describe(`logout plans of relying parties: ${door}, ${strategy} sessions`, () => {
      let stage: LogoutStage
      /**
       * Another browser in the same session of the provider. The sign-out here does not end its session; the message of
       * the provider does.
       */
      let second: Browser
      let endSession: URL

      beforeEach(async () => {
        const logout = { backchannel: true, frontchannel: true }
        // As registered: the suite signs with RS256.
        const client = { id_token_signed_response_alg: 'RS256' }
        stage = await startLogoutStage(open, { logout, client }, config())
        second = stage.door.browser()
        await stage.signIn({ sid: 'op-session' })
        await stage.signIn({ sid: 'op-session' }, second)
        expect(await stage.session()).to.be.an('object')
        endSession = locationOf(await stage.signOut({ federated: 'true', callbackUrl: '/bye' }))
        expect(endSession.origin + endSession.pathname).to.equal(`${stage.provider.issuer}/logout`)
        expect(await stage.session()).to.equal(null)
      })
      afterEach(() => stage.close())

      /**
       * Redirects back as the provider does after `end_session_endpoint`. @param state `null`: the provider omits it.
       */
      async function comeBack(state: string | null = endSession.searchParams.get('state')) {
        const uri = new URL(endSession.searchParams.get('post_logout_redirect_uri') ?? '')
        expect(uri.origin + uri.pathname).to.equal(`${stage.door.origin}${base}/signout/test`)
        if (state !== null) uri.searchParams.set('state', state)
        return stage.visitor.ask(uri.pathname + uri.search)
      }
      async function expectDone() {
        const back = await comeBack()
        expect([back.status, back.headers.location]).to.deep.equal([302, `${stage.door.origin}/bye`])
      }
      /** Returns `null` unless the session of the second browser is valid. */
      const secondSession = () => stage.session(second)

      it('oidcc-client-test-rp-init-logout: id_token_hint, registered return, state; returns with it to the page that the user asked for', async () => {
        const { id_token_hint: hint = '', state } = Object.fromEntries(endSession.searchParams)
        expect(state).to.match(/^\S{20,}$/)
        const payload = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())
        expect(payload).to.include({ iss: stage.provider.issuer, sid: 'op-session' })
        await expectDone()
      })

      for (const [module, state] of [
        ['oidcc-client-test-rp-init-logout-other-state', 'a-random-state-of-the-provider'],
        ['oidcc-client-test-rp-init-logout-no-state', null],
      ] as const) {
        it(`${module}: shows that the user is signed out, and follows no URL`, async () => {
          const back = await comeBack(state)
          expect(back.status).to.equal(200)
          expect(back.headers).to.not.have.any.keys('location', 'refresh')
          expect(back.text).to.include('You are not signed in').and.not.include('/bye')
          expect(await stage.session()).to.equal(null)
        })
      }

      async function tell(claims: Claims = {}, options: SignOptions = {}) {
        const good = {
          iss: stage.provider.issuer,
          aud: stage.provider.settings.clientId,
          iat: seconds(),
          exp: seconds() + 120,
          jti: 'logout-1',
          events: { [event]: {} },
          sub: 'person-1',
          sid: 'op-session',
        }
        const logout_token = await stage.provider.signIdToken({ ...good, ...claims }, options)
        return stage.door.browser().ask(`${base}/backchannel-logout/test`, { form: { logout_token } })
      }

      it('oidcc-client-test-rp-backchannel-rpinitlogout: 200, and each session of that sid has ended', async () => {
        expect(await secondSession()).to.be.an('object')
        const answer = await tell()
        expect(answer.status).to.equal(200)
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(await secondSession()).to.equal(null)
        await expectDone()
      })

      const refused: Readonly<Record<string, readonly [claims: Claims, options?: SignOptions]>> = {
        'alg-none': [{}, { alg: 'none' }],
        'no-event': [{ events: undefined }],
        'with-nonce': [{ nonce: 'a-nonce' }],
        'wrong-alg': [{}, { alg: 'HS256' }],
        'wrong-aud': [{ aud: 'another-client' }],
        'wrong-event': [{ events: { 'http://schemas.openid.net/event/other': {} } }],
        'wrong-iss': [{ iss: 'https://op.example' }],
      }
      for (const [name, [claims, options]] of Object.entries(refused)) {
        it(`oidcc-client-test-rp-backchannel-rpinitlogout-${name}: 400, and nothing has ended`, async () => {
          const answer = await tell(claims, options)
          expect(answer.status).to.equal(400)
          expect(answer.body.error).to.equal('invalid_request')
          expect(answer.headers['cache-control']).to.include('no-store')
          expect(await secondSession()).to.be.an('object')
          await expectDone()
        })
      }

      for (const [module, who] of [
        ['oidcc-client-test-rp-frontchannel-rpinitlogout', 'after our own sign-out'],
        ['oidcc-client-test-rp-frontchannel-opinitlogout', 'by itself'],
      ] as const) {
        it(`${module}: the frame that the provider shows ${who} ends the session`, async () => {
          // The second browser did not sign out here. It has the session at the provider.
          expect(await secondSession()).to.be.an('object')
          const query = new URLSearchParams({ iss: stage.provider.issuer, sid: 'op-session' })
          // The request is cross-site, so the browser does not send our cookie.
          const headers = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
          const frame = await stage.door.browser().ask(`${base}/frontchannel-logout/test?${query}`, { headers })
          expect(frame.status).to.equal(200)
          expect(frame.headers['content-security-policy']).to.include(`frame-ancestors ${stage.provider.origin}`)
          expect(frame.headers['cache-control']).to.include('no-store')
          expect(await secondSession()).to.equal(null)
          if (module.endsWith('rpinitlogout')) await expectDone()
        })
      }
    })
  }
}
