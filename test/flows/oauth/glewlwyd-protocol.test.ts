/** Advanced protocol features with Glewlwyd, which shares no code with the other providers of the tests. */
import { expect } from 'chai'
import { exportJWK, generateKeyPair } from 'jose'
import type { ServerAuthConfig } from '../../../lib/index.js'
import type { PrivateJwk } from '../../../lib/types/protocol.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { type Browser, target } from '../../support/app.js'
import type { DoorApp } from '../../support/doors.js'
import { type GlewlwydProvider, missingGlewlwyd, startGlewlwyd } from '../../support/glewlwyd.js'
import { skip } from '../../support/skip.js'
import { askToken, places, tokenDoors } from '../../tokens/stage.js'

describe('Glewlwyd, advanced features', () => {
  let provider: GlewlwydProvider
  let key: PrivateJwk
  before(async function () {
    const missing = missingGlewlwyd()
    if (missing !== undefined) skip(this, missing)
    provider = await startGlewlwyd()
    const { privateKey } = await generateKeyPair('PS256', { extractable: true })
    key = { ...(await exportJWK(privateKey)), kid: 'ours', alg: 'PS256' } as PrivateJwk
  })
  after(() => provider?.close())

  let app: DoorApp
  afterEach(() => app?.close())
  let clients = 0

  /** Signs a user in. @returns The browser of the user, and the URL of its first redirect. */
  async function signIn(
    door: keyof typeof tokenDoors,
    own: Partial<OIDCConfig>,
  ): Promise<[browser: Browser, begun: URL]> {
    const client = { clientId: `deep-${door}-${++clients}`, clientSecret: 'a-client-secret-of-more-than-32-characters' }
    app = await tokenDoors[door]({
      providers: [
        {
          id: 'test',
          name: 'Glewlwyd',
          type: 'oidc',
          issuer: provider.issuer,
          ...client,
          authorization: { params: { scope: 'openid' } },
          ...own,
        } as NonNullable<ServerAuthConfig['providers']>[number],
      ],
      ...(clients % 2 ? places['a store, database sessions']() : places['a store, JWT sessions']()),
    })
    const at = `${app.origin}/auth`
    await provider.register({
      ...client,
      redirectUri: `${at}/callback/test`,
      postLogoutUri: `${at}/signout/test`,
      jwksUri: `${at}/jwks`,
    })
    const browser = app.browser()
    const said = () => app.log.errors.map(({ message }) => message).join()
    const begun = new URL(target(await browser.submit('/auth/signin/test')))
    expect(begun.href, said()).to.include(provider.issuer)
    const back = new URL(await provider.signIn(begun.href, new Map()))
    const end = await browser.get(back.pathname + back.search)
    expect(target(end), said()).to.equal(`${app.origin}/`)
    return [browser, begun]
  }

  for (const door of ['express', 'shim'] as const) {
    it(`accepts a request that is pushed (${door})`, async () => {
      const [, begun] = await signIn(door, { pushedAuthorizationRequests: true })
      expect([...begun.searchParams.keys()].sort()).to.deep.equal(['client_id', 'request_uri'])
    })

    it(`accepts a request that is signed; it finds the key at our own URL (${door})`, async () => {
      const [, begun] = await signIn(door, { requestObject: { keys: [key] } })
      expect(begun.searchParams.has('request')).to.equal(true)
    })

    it(`issues tokens that are bound to a key, and new ones for the same key (${door})`, async () => {
      const [browser] = await signIn(door, { dpop: true })
      const token = await askToken(browser)
      expect(token.tokenType).to.equal('dpop')
      const api = `/call?${new URLSearchParams({ url: `${provider.issuer}/userinfo` })}`
      expect((await browser.get(api)).body).to.include({ status: 200 })
      const renewed = await askToken(browser, { forceRefresh: true })
      expect(renewed.accessToken, JSON.stringify(renewed)).to.be.a('string').and.not.equal(token.accessToken)
      expect((await browser.get(api)).body).to.include({ status: 200 })
    })
  }
})
