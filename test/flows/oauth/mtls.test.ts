/** Client certificates (RFC 8705), with a real provider over TLS. */

import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { exportJWK, importSPKI } from 'jose'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import { resolveConfig } from '../../../lib/config/resolve.js'
import { InvalidConfiguration } from '../../../lib/errors.js'
import { customFetch, type ServerAuthConfig } from '../../../lib/index.js'
import { type Browser, secret, target } from '../../support/app.js'
import { authority, clientCertificate, otherCertificate } from '../../support/certificates.js'
import type { DoorApp } from '../../support/doors.js'
import { type OpenIdProvider, startOpenIdProvider, type TestClient } from '../../support/openid-provider.js'
import { askToken, places, tokenDoors } from '../../tokens/stage.js'

const socketOf = (ctx: { socket: unknown }) => ctx.socket as TLSSocket

/** The metadata, with the endpoints for the certificate at another name of the same server. */
const configuration =
  (withAliases: boolean) =>
  (issuer: string): Configuration => ({
    scopes: ['openid', 'offline_access'],
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    clientAuthMethods: ['none', 'tls_client_auth', 'self_signed_tls_client_auth'],
    ...(withAliases && {
      discovery: {
        mtls_endpoint_aliases: Object.fromEntries(
          Object.entries({ token: 'token', userinfo: 'me', pushed_authorization_request: 'request' }).map(
            ([name, path]) => [`${name}_endpoint`, `${issuer.replace('localhost', '127.0.0.1')}/${path}`],
          ),
        ),
      },
    }),
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: true,
        getCertificate: (ctx) => socketOf(ctx).getPeerX509Certificate(),
        certificateAuthorized: (ctx) => socketOf(ctx).authorized,
        certificateSubjectMatches: (ctx, _property, expected) =>
          socketOf(ctx).getPeerX509Certificate()?.subject === expected,
      },
    },
  })

async function selfSigned(): Promise<Partial<ClientMetadata>> {
  const { publicKey, raw } = new X509Certificate(clientCertificate.cert)
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const jwk = await exportJWK(await importSPKI(spki, 'ES256'))
  return {
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    jwks: { keys: [{ ...jwk, kty: 'EC', x5c: [raw.toString('base64')] }] },
  } as Partial<ClientMetadata>
}

const bound = { tls_client_certificate_bound_access_tokens: true }
const byAuthority = {
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_subject_dn: 'CN=client of the tests',
} as Partial<ClientMetadata>

describe('clientCertificate, with a real provider over TLS', () => {
  let provider: OpenIdProvider
  let app: DoorApp
  let browser: Browser
  afterEach(async () => {
    await app?.close()
    await provider.close()
  })

  interface Scene {
    readonly metadata: Partial<ClientMetadata>
    readonly own?: object
    readonly withAliases?: boolean
    readonly door?: keyof typeof tokenDoors
  }

  async function open({ metadata, own = {}, withAliases = true, door = 'express' }: Scene): Promise<string> {
    const client: TestClient = { clientId: 'client', metadata: { ...bound, ...metadata } as Partial<ClientMetadata> }
    provider = await startOpenIdProvider({
      tls: true,
      clients: [client],
      claimsIn: 'userinfo',
      configuration: configuration(withAliases),
    })
    const method = metadata.token_endpoint_auth_method
    app = await tokenDoors[door]({
      providers: [
        {
          id: 'test',
          name: 'Test',
          type: 'oidc',
          ...provider.settings(),
          authorization: { params: { scope: 'openid profile email offline_access', prompt: 'consent' } },
          idToken: false,
          client: { token_endpoint_auth_method: method },
          clientCertificate: { ...clientCertificate, ca: authority },
          ...own,
        } as NonNullable<ServerAuthConfig['providers']>[number],
      ],
      ...places['a store, database sessions'](),
    })
    browser = app.browser()
    const begun = target(await browser.submit('/auth/signin/test'))
    if (!begun.startsWith(provider.issuer)) return begun
    const back = new URL(await provider.signInAs(begun, 'alice'))
    return target(await browser.get(back.pathname + back.search))
  }

  const call = async (url: string) => (await browser.get(`/call?${new URLSearchParams({ url })}`)).body
  const said = () => app.log.errors.map(({ message }) => message).join()

  for (const door of ['express', 'shim'] as const) {
    for (const [method, metadata] of [
      ['tls_client_auth', async () => byAuthority],
      ['self_signed_tls_client_auth', selfSigned],
      ['none', async () => ({ token_endpoint_auth_method: 'none' }) as Partial<ClientMetadata>],
    ] as const) {
      for (const withAliases of [true, false]) {
        it(`${method}, ${withAliases ? 'endpoints of their own' : 'the usual endpoints'}: signs in, renews, calls the API (${door})`, async () => {
          expect(await open({ metadata: await metadata(), withAliases, door }), said()).to.equal(`${app.origin}/`)
          const token = await askToken(browser)
          const api = `${provider.issuer}/me`
          expect(await call(api)).to.include({ status: 200 })
          expect((await askToken(browser, { forceRefresh: true })).accessToken).to.not.equal(token.accessToken)
          expect(await call(api)).to.include({ status: 200 })
          const { accessToken } = await askToken(browser)
          app.log.errors.length = 0
          const { Agent, fetch } = await import('undici')
          for (const certificate of [{}, otherCertificate]) {
            const dispatcher = new Agent({ connect: { ca: authority, ...certificate } })
            const stolen = await fetch(api, { headers: { authorization: `Bearer ${accessToken}` }, dispatcher })
            expect(stolen.status).to.equal(401)
          }
        })
      }
    }
  }

  it('sends requests to the endpoints for certificates', async () => {
    await open({ metadata: byAuthority, own: { pushedAuthorizationRequests: true } })
    const hosts = provider.requests
      .filter(({ path }) => ['/token', '/me', '/request'].includes(path))
      .map(({ host, path }) => `${path} ${host.split(':')[0]}`)
    expect(hosts).to.deep.equal(['/request 127.0.0.1', '/token 127.0.0.1', '/me 127.0.0.1'])
  })

  it('rejects the certificate of another client', async () => {
    expect(
      await open({ metadata: byAuthority, own: { clientCertificate: { ...otherCertificate, ca: authority } } }),
    ).to.include('error=OAuthCallbackError')
  })

  it('trusts only servers that the authorities know', async () => {
    expect(await open({ metadata: byAuthority, own: { clientCertificate } })).to.include('error=OAuthSignInError')
  })
})

describe('clientCertificate', () => {
  const resolve = (own: object) =>
    resolveConfig({
      secret,
      providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: 'https://op.example', clientId: 'c', ...own } as never],
    })

  it('is checked when the configuration is resolved', () => {
    const { cert, key } = clientCertificate
    const wrong: ReadonlyArray<[own: object, message: string]> = [
      [{ clientCertificate: 'x' }, 'clientCertificate'],
      [{ clientCertificate: { cert } }, '{ cert, key }'],
      [{ clientCertificate: { cert: 'x', key } }, 'cannot be used'],
      [{ clientCertificate: { cert, key: otherCertificate.key } }, 'cannot be used'],
      [{ clientCertificate: { cert, key, more: 1 } }, 'more'],
      [{ clientCertificate, [customFetch]: fetch }, '[customFetch]'],
      [{ client: { token_endpoint_auth_method: 'tls_client_auth' } }, 'needs `clientCertificate`'],
    ]
    for (const [own, message] of wrong) expect(() => resolve(own), message).to.throw(InvalidConfiguration, message)
    const secretLines = key.split('\n').filter((line) => line !== '' && !line.startsWith('-'))
    for (const [own] of wrong) {
      try {
        resolve(own)
      } catch (error) {
        for (const line of secretLines) expect(inspect(error, { depth: 9 })).to.not.include(line)
      }
    }
  })

  it('is not visible in the printed configuration', () => {
    const shown = inspect(resolve({ clientCertificate }).providers, { depth: 20 })
    expect(shown).to.not.include('PRIVATE KEY')
  })
})
