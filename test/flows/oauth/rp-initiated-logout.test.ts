/** Signing out at the provider, too: OpenID Connect RP-Initiated Logout 1.0. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { credentials } from '../../support/app.js'
import { inTurn } from '../../support/extent.js'
import { startOpenIdProvider } from '../../support/openid-provider.js'
import { base, doors, type LogoutStage, locationOf, pathOf, startLogoutStage } from './logout-stage.js'

const strategies = { jwt: () => ({}), database: () => ({ adapter: memoryAdapter() }) }
const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }

describe('a sign-out at the provider', () => {
  let stage: LogoutStage
  afterEach(() => stage.close())

  for (const [turn, [name, open]] of Object.entries(doors).entries()) {
    for (const [strategy, config] of inTurn(Object.entries(strategies), turn)) {
      const start = async (logout: OIDCConfig['logout'] = {}) => {
        stage = await startLogoutStage(open, { logout }, config())
        return stage
      }

      describe(`${name}, ${strategy} sessions`, () => {
        it('oidcc-client-test-rp-init-logout: ends the session, goes to the provider, returns to its page', async () => {
          const { door, provider, signIn, signOut, session, visitor } = await start()
          await signIn({ sid: 'op-session' })
          expect(await session()).to.be.an('object')
          const to = locationOf(await signOut({ federated: 'true', callbackUrl: '/bye?x=1' }))
          expect(await session()).to.equal(null)
          expect(to.origin + to.pathname).to.equal(`${provider.issuer}/logout`)
          const { state, id_token_hint: hint = '', ...others } = Object.fromEntries(to.searchParams)
          expect(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())).to.include({
            sub: 'person-1',
            sid: 'op-session',
          })
          expect(others).to.deep.equal({
            client_id: provider.settings.clientId,
            logout_hint: 'op-session',
            post_logout_redirect_uri: `${door.origin}${base}/signout/test`,
          })
          const back = `${base}/signout/test?${new URLSearchParams({ state: state ?? '' })}`
          const first = await visitor.ask(back)
          expect(first.status).to.equal(302)
          expect(first.headers.location).to.equal(`${door.origin}/bye?x=1`)
          // Once.
          expect((await visitor.ask(back)).status).to.equal(200)
        })

        it('oidcc-client-test-rp-init-logout-no-state, oidcc-client-test-rp-init-logout-other-state: shows whether the user is signed in, and follows no URL', async () => {
          const { door, signIn, signOut, visitor } = await start()
          await signIn()
          const to = locationOf(await signOut({ federated: 'true', callbackUrl: '/bye' }))
          const state = to.searchParams.get('state') ?? ''
          const changed = `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`
          for (const query of [
            '',
            '?state=',
            '?state=abc',
            `?state=${changed}`,
            `?state=${state}&state=${state}`,
            '?callbackUrl=/bye',
          ]) {
            const answer = await visitor.ask(`${base}/signout/test${query}`)
            expect(answer.status).to.equal(200)
            expect(answer.headers).to.not.have.any.keys('location', 'refresh')
            expect(answer.text).to.include('You are not signed in')
            expect(answer.text).to.not.include('/bye')
          }
          const stranger = await door.browser().ask(`${base}/signout/test?state=${state}`)
          expect(stranger.status).to.equal(200)
        })

        it('must be requested: without the field only the session here ends', async () => {
          const { door, signIn, signOut, session, visitor } = await start()
          await signIn()
          for (const federated of ['false', '', '0']) {
            expect(locationOf(await signOut({ federated, callbackUrl: '/bye' })).href).to.equal(`${door.origin}/bye`)
            expect(await session()).to.equal(null)
            expect(visitor.cookies.has('auth.logout')).to.equal(false)
            await signIn()
          }
        })

        it('always happens if the provider is set to `always`, whatever the form says', async () => {
          const { provider, signIn, signOut } = await start({ rpInitiated: 'always' })
          await signIn()
          expect(locationOf(await signOut({ federated: 'false' })).origin).to.equal(provider.origin)
        })

        it('never happens if it is set to `never`, and nothing is stored for it', async () => {
          const { door, signIn, signOut, visitor } = await start({ rpInitiated: 'never' })
          await signIn()
          expect(visitor.cookies.has('auth.logout')).to.equal(false)
          expect(locationOf(await signOut({ federated: 'true' })).origin).to.equal(door.origin)
        })

        it('returns its `url` to the published client, and JSON to others', async () => {
          const { provider, signIn, signOut } = await start()
          await signIn()
          const published = await signOut({ federated: 'true' }, { 'x-auth-return-redirect': '1' })
          expect(published.status).to.equal(200)
          expect(new URL(published.body.url).origin).to.equal(provider.origin)
          await signIn()
          const json = await stage.visitor.ask(`${base}/signout`, {
            json: { csrfToken: await stage.visitor.csrf(), federated: true },
            headers: { accept: 'application/json' },
          })
          expect(new URL(json.body.url).origin).to.equal(provider.origin)
        })

        it('is offered by a second button of the page', async () => {
          const { provider, signIn, signOut, visitor } = await start()
          expect((await visitor.ask(`${base}/signout`)).text).to.not.include('name="federated"')
          await signIn()
          const { text: body } = await visitor.ask(`${base}/signout`)
          expect(body).to.match(/<button [^>]*name="federated" value="true">Also sign out of Test<\/button>/)
          const answer = await signOut({ federated: 'true', navigation: 'form' }, page)
          expect(answer.status).to.equal(200)
          expect(answer.headers.refresh).to.match(new RegExp(`^0;url=${provider.issuer}/logout`))
        })
      })
    }
  }

  const express = (own: Partial<OIDCConfig> = {}, config = {}) => startLogoutStage(doors.express, own, config)

  it('goes to the endpoint that the option names', async () => {
    stage = await express({ logout: { url: 'https://op.example/logout?tenant=1' } })
    delete stage.provider.discovery.end_session_endpoint
    await stage.signIn()
    const { origin, pathname, searchParams } = locationOf(await stage.signOut({ federated: 'true' }))
    expect(origin + pathname).to.equal('https://op.example/logout')
    expect(searchParams.get('tenant')).to.equal('1')
    expect(searchParams.has('id_token_hint')).to.equal(true)
  })

  it('stores nothing if the provider has no endpoint, and does not warn', async () => {
    stage = await express()
    delete stage.provider.discovery.end_session_endpoint
    await stage.signIn()
    expect(stage.visitor.cookies.has('auth.logout')).to.equal(false)
    expect(locationOf(await stage.signOut({ federated: 'true' })).origin).to.equal(stage.door.origin)
    expect(stage.door.log.warnings).to.deep.equal([])
  })

  it('ends the session and warns once if the provider cannot be reached', async () => {
    stage = await express()
    await stage.signIn()
    // Another process, which has not sent any request yet.
    const other = await startLogoutStage(doors.express)
    await other.provider.close()
    const down = { ...stage.provider.settings, issuer: other.provider.issuer }
    const second = await doors.express({ providers: [{ id: 'test', name: 'Test', type: 'oidc', ...down }] })
    const visitor = second.browser()
    for (const [name, value] of stage.visitor.cookies) visitor.cookies.set(name, value)
    expect((await visitor.ask(`${base}/signout`)).text).to.not.include('name="federated"')
    const answer = await visitor.ask(`${base}/signout`, {
      form: { csrfToken: true, federated: 'true', callbackUrl: '/bye' },
    })
    expect(answer.headers.location).to.equal(`${second.origin}/bye`)
    expect((await visitor.ask(`${base}/session`)).body).to.equal(null)
    expect(second.log.warnings.filter(({ code }) => code === 'provider-sign-out')).to.have.length(1)
    await second.close()
    await other.door.close()
  })

  it('does not redirect to an endpoint that is not https', async () => {
    stage = await express()
    stage.provider.discovery.end_session_endpoint = 'http://op.example/logout'
    await stage.signIn()
    expect(locationOf(await stage.signOut({ federated: 'true' })).origin).to.equal(stage.door.origin)
    expect(stage.door.log.warnings[0]?.details.join()).to.match(/not https/)
  })

  it('keeps a long id_token out of the cookie: the provider receives the hint alone', async () => {
    stage = await express()
    await stage.signIn({ groups: Array.from({ length: 200 }, (_, at) => `group-${at}`), login_hint: 'opaque' })
    expect(stage.visitor.cookies.get('auth.logout')?.length).to.be.lessThan(3073)
    const { searchParams } = locationOf(await stage.signOut({ federated: 'true' }))
    expect(searchParams.has('id_token_hint')).to.equal(false)
    expect(searchParams.get('logout_hint')).to.equal('opaque')
    expect(searchParams.get('client_id')).to.equal(stage.provider.settings.clientId)
  })

  it('restricts the cookie to the mount, sealed, and away from scripts', async () => {
    stage = await express()
    const { cookies } = await stage.signIn()
    const line = cookies.find((cookie) => cookie.startsWith('auth.logout='))
    expect(line).to.match(/; Path=\/api\/auth; /)
    expect(line).to.match(/HttpOnly; SameSite=Lax/)
    expect(Buffer.from(line?.split('.')[3] ?? '', 'base64url').toString()).to.not.include('person-1')
  })

  it('ignores a cookie of another browser, and invalid ones', async () => {
    stage = await express()
    await stage.signIn()
    const planted = stage.visitor.cookies.get('auth.logout') ?? ''
    const victim = stage.door.browser()
    await stage.signIn({ sub: 'victim' }, victim)
    for (const value of [planted, 'x', victim.cookies.get('auth.session-token') ?? '']) {
      victim.cookies.set('auth.logout', value)
      const answer = await victim.ask(`${base}/signout`, { form: { csrfToken: true, federated: 'true' } })
      expect(locationOf(answer).origin).to.equal(stage.door.origin)
    }
  })

  it('is forgotten with a sign-in by other means', async () => {
    stage = await express({}, { providers: [credentials()] })
    await stage.signIn()
    expect(stage.visitor.cookies.has('auth.logout')).to.equal(true)
    await stage.visitor.signIn()
    expect(stage.visitor.cookies.has('auth.logout')).to.equal(false)
    expect((await stage.visitor.ask(`${base}/signout`)).text).to.not.include('name="federated"')
  })

  it('still goes to the provider when the session here has expired', async () => {
    stage = await express()
    await stage.signIn()
    stage.visitor.cookies.delete('auth.session-token')
    expect(locationOf(await stage.signOut({ federated: 'true' })).origin).to.equal(stage.provider.origin)
  })

  it('asks a user who returns signed in, as the page does; and the way back knows its providers', async () => {
    stage = await express({}, { providers: [credentials()], pages: { signOut: '/own-page' } })
    await stage.signIn()
    const { text: body } = await stage.visitor.ask(`${base}/signout/test`)
    expect(body).to.include('Do you want to sign out of')
    expect((await stage.visitor.ask(`${base}/signout/nobody`)).status).to.equal(404)
    expect((await stage.visitor.ask(`${base}/signout/credentials`)).status).to.equal(404)
    expect((await stage.visitor.ask(`${base}/signout/test`, { method: 'POST' })).status).to.equal(405)
  })

  it('HEAD of the way back uses nothing up', async () => {
    stage = await express()
    await stage.signIn()
    const to = locationOf(await stage.signOut({ federated: 'true', callbackUrl: '/bye' }))
    const back = `${base}/signout/test?state=${to.searchParams.get('state')}`
    expect((await stage.visitor.ask(back, { method: 'HEAD' })).status).to.equal(200)
    expect((await stage.visitor.ask(back)).status).to.equal(302)
  })

  it('RD-17 ignores a return URL of the request', async () => {
    stage = await express()
    await stage.signIn()
    const answer = await stage.visitor.ask(
      `${base}/signout?post_logout_redirect_uri=https://evil.example&ui_locales=de%20en`,
      {
        form: {
          csrfToken: true,
          federated: 'true',
          post_logout_redirect_uri: 'https://evil.example',
          callbackUrl: 'https://evil.example',
        },
      },
    )
    const { searchParams } = locationOf(answer)
    expect(searchParams.get('post_logout_redirect_uri')).to.equal(`${stage.door.origin}${base}/signout/test`)
    expect(searchParams.get('ui_locales')).to.equal('de en')
    const end = await stage.visitor.ask(`${base}/signout/test?state=${searchParams.get('state')}`)
    expect(end.headers.location).to.equal(`${stage.door.origin}/`)
  })

  it('needs the CSRF token', async () => {
    stage = await express()
    await stage.signIn()
    const answer = await stage.visitor.ask(`${base}/signout`, { form: { federated: 'true' } })
    expect(answer.headers.location).to.match(/error=MissingCSRF/)
    expect(await stage.session()).to.be.an('object')
  })

  it('works with oidc-provider', async () => {
    const real = await startOpenIdProvider({
      clients: [
        {
          clientId: 'real',
          clientSecret: 'a-client-secret-of-more-than-32-characters',
          metadata: { post_logout_redirect_uris: ['http://127.0.0.1/x'] },
        },
      ],
      configuration: {
        features: {
          devInteractions: { enabled: false },
          rpInitiatedLogout: {
            enabled: true,
            logoutSource(ctx, form) {
              ctx.body = form
            },
          },
        },
      },
    })
    stage = await express({ ...real.settings(), logout: { rpInitiated: 'always' } })
    const { visitor } = stage
    const begun = await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
    const cookies = new Map<string, string>()
    await visitor.ask(pathOf(await real.signInAs(begun.headers.location ?? '', 'alice', cookies)))
    expect(await stage.session()).to.be.an('object')
    const to = locationOf(await stage.signOut())
    expect(to.pathname).to.equal('/session/end')
    to.searchParams.delete('post_logout_redirect_uri')
    const asked = await fetch(to, {
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    // It knows the id_token, and whose it is: the form that ends the session, and no error.
    expect(asked.status).to.equal(200)
    expect(await asked.text()).to.match(/name="xsrf"/)
    await real.close()
  })
})
