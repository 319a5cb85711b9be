/** Tokens that are bound to a key (RFC 9449): with a real provider that wants a nonce, and with a scripted one that misbehaves. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, type JWK } from 'jose'
import type { ClientMetadata } from 'oidc-provider'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, target } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { type OpenIdProvider, startOpenIdProvider, type TestClient } from '../support/openid-provider.js'
import { askToken, doorsFor, places, startRotatingProvider, tokenDoors } from './stage.js'

const metadata = { dpop_bound_access_tokens: true } as Partial<ClientMetadata>

const clients: Readonly<Record<string, TestClient>> = {
  'a public client': { clientId: 'client', authMethod: 'none', metadata },
  'a confidential client': { clientId: 'client', clientSecret: 's'.repeat(40), metadata },
}

function startProvider(client: TestClient, nonce: boolean): Promise<OpenIdProvider> {
  return startOpenIdProvider({
    clients: [client],
    claimsIn: 'userinfo',
    configuration: {
      scopes: ['openid', 'offline_access'],
      rotateRefreshToken: true,
      issueRefreshToken: () => true,
      enabledJWA: { dPoPSigningAlgValues: ['ES256', 'ES384'] },
      features: {
        devInteractions: { enabled: false },
        pushedAuthorizationRequests: { enabled: true },
        revocation: { enabled: true, allowedPolicy: () => true },
        dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => nonce },
      },
    },
  })
}

const scope = 'openid profile email offline_access'

interface Scene {
  readonly client: TestClient
  readonly own?: object
  readonly nonce?: boolean
}

for (const [place, configure] of Object.entries(places)) {
  for (const [door, start] of doorsFor(place)) {
    describe(`dpop (${door}, ${place})`, () => {
      let provider: OpenIdProvider
      let app: DoorApp
      let browser: Browser
      afterEach(async () => {
        await app.close()
        await provider.close()
      })

      async function open({ client, own = {}, nonce = true }: Scene): Promise<URL> {
        provider = await startProvider(client, nonce)
        app = await start({
          providers: [
            {
              id: 'test',
              name: 'Test',
              type: 'oidc',
              ...provider.settings(),
              authorization: { params: { scope, prompt: 'consent' } },
              idToken: false,
              dpop: true,
              ...own,
            } as NonNullable<ServerAuthConfig['providers']>[number],
          ],
          ...configure(),
        })
        browser = app.browser()
        const begun = new URL(target(await browser.submit('/auth/signin/test')))
        const back = new URL(await provider.signInAs(begun.href, 'alice'))
        const end = await browser.get(back.pathname + back.search)
        expect(target(end), app.log.errors.map(({ message }) => message).join()).to.not.include('error=')
        return begun
      }
      const call = async (url: string) => (await browser.get(`/call?${new URLSearchParams({ url })}`)).body

      for (const [kind, client] of Object.entries(clients)) {
        it(`${kind}: signs in, calls the API, and goes on with new tokens`, async () => {
          const begun = await open({ client })
          expect(begun.searchParams.get('dpop_jkt')).to.match(/^[\w-]{43}$/)
          const token = await askToken(browser)
          expect(token.tokenType).to.equal('dpop')
          const api = `${provider.issuer}/me`
          expect(await call(api)).to.include({ status: 200 })
          // The nonce is known by now: no request is refused for the want of it.
          provider.requests.length = 0
          expect(await call(api)).to.include({ status: 200 })
          expect(provider.count('/me')).to.equal(1)
          const stolen = await fetch(api, { headers: { authorization: `Bearer ${token.accessToken}` } })
          expect(stolen.status).to.equal(401)
          const renewed = await askToken(browser, { forceRefresh: true })
          expect(renewed.accessToken).to.be.a('string').and.not.equal(token.accessToken)
          expect(await call(api)).to.include({ status: 200 })
          expect((await askToken(browser, { forceRefresh: true })).tokenType).to.equal('dpop')
        })
      }

      it('fapi2-security-profile-final-client-test-happy-path-no-dpop-nonce: binds a request that is pushed', async () => {
        const client = clients['a confidential client'] as TestClient
        await open({ client, own: { pushedAuthorizationRequests: true, dpop: { alg: 'ES384' } }, nonce: false })
        expect(await call(`${provider.issuer}/me`)).to.include({ status: 200 })
      })
    })
  }
}

describe('dpop, where others misbehave', () => {
  let app: DoorApp
  afterEach(() => app.close())

  async function open(more: object = {}) {
    const provider = await startRotatingProvider()
    app = await tokenDoors.express({
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings, dpop: true, ...more }],
      ...places['a store, no adapter'](),
    })
    const browser = app.browser()
    const signIn = async () => {
      const begun = await browser.submit('/auth/signin/test')
      return browser.get(provider.hostile.authorize(target(begun)))
    }
    return { provider, browser, signIn }
  }

  /** The provider says that its tokens are bound. */
  function giveBound(provider: Awaited<ReturnType<typeof open>>['provider'], type = 'DPoP'): void {
    const before = provider.hostile.onToken
    provider.hostile.onToken = async (...request) => {
      const reply = await before(...request)
      return { ...reply, body: { ...(reply.body as object), token_type: type } }
    }
  }

  it('signs no user in with a token that is not bound', async () => {
    const { provider, browser, signIn } = await open()
    expect(target(await signIn())).to.include('error=OAuthCallbackError')
    expect(await browser.session()).to.equal(null)
    expect(app.log.errors.at(-1)?.message).to.include('bound to a key')
    await provider.hostile.close()
  })

  it('takes no token from a refresh that is not bound', async () => {
    const { provider, browser, signIn } = await open()
    const plain = provider.hostile.onToken
    giveBound(provider)
    await signIn()
    provider.hostile.onToken = plain
    expect(await askToken(browser, { forceRefresh: true })).to.include({ error: 'RefreshError', retryable: false })
    await provider.hostile.close()
  })

  it('has a key for each sign-in, and each proof is for one request', async () => {
    const { provider, browser, signIn } = await open()
    giveBound(provider, 'dPoP')
    const proofs: string[] = []
    const api = createServer((request, response) => {
      proofs.push(String(request.headers.dpop), String(request.headers.authorization))
      response.end('{}')
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/things?secret=1`
    const thumbprints = new Set<string>()
    for (const _each of [1, 2]) {
      await signIn()
      await browser.get(`/call?${new URLSearchParams({ url })}`)
      await browser.get(`/call?${new URLSearchParams({ url })}`)
    }
    const [first = '', authorization, second = ''] = proofs
    expect(authorization).to.match(/^DPoP at-/)
    expect(decodeProtectedHeader(first)).to.include({ typ: 'dpop+jwt', alg: 'ES256' })
    expect(decodeProtectedHeader(first).jwk).to.not.have.property('d')
    expect(decodeJwt(first)).to.include({ htm: 'GET', htu: url.replace(/\?.*/, '') })
    expect(decodeJwt(first).ath).to.be.a('string')
    expect(decodeJwt(first).jti).to.not.equal(decodeJwt(second).jti)
    for (const proof of proofs.filter((_text, at) => at % 2 === 0)) {
      thumbprints.add(await calculateJwkThumbprint(decodeProtectedHeader(proof).jwk as JWK))
    }
    expect(thumbprints.size).to.equal(2)
    api.close()
    await provider.hostile.close()
  })

  for (const scheme of ['DPoP', 'dpop', 'DPOP']) {
    it(`fapi2-security-profile-final-client-test-rs-dpop-auth-scheme-case-insensitivity: ${scheme} that wants a nonce`, async () => {
      const { provider, browser, signIn } = await open()
      giveBound(provider)
      await signIn()
      const seen: Array<string | undefined> = []
      const api = createServer((request, response) => {
        const { nonce } = decodeJwt(String(request.headers.dpop))
        seen.push(nonce as string | undefined)
        if (nonce === 'n-1') return void response.end('{"fine":true}')
        response.writeHead(401, { 'www-authenticate': `${scheme} error="use_dpop_nonce"`, 'dpop-nonce': 'n-1' }).end()
      })
      await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`
      const answer = await browser.get(`/call?${new URLSearchParams({ url })}`)
      expect(answer.body).to.deep.equal({ status: 200, body: '{"fine":true}' })
      expect(seen).to.deep.equal([undefined, 'n-1'])
      api.close()
      await provider.hostile.close()
    })
  }

  it('goes round no more where the API is never content', async () => {
    const { provider, browser, signIn } = await open()
    giveBound(provider)
    await signIn()
    let count = 0
    const api = createServer((_request, response) => {
      count += 1
      response.writeHead(401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': `n-${count}` }).end()
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`
    expect((await browser.get(`/call?${new URLSearchParams({ url })}`)).body.status).to.equal(401)
    expect(count).to.be.at.most(2)
    api.close()
    await provider.hostile.close()
  })
})
