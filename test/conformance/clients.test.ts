/**
 * Clients as providers know them: each kind of authentication, signature, encryption, request, answer and binding that
 * oidc-provider is certified with signs a user in, renews the token and calls an API. Doors and kinds of sessions take
 * turns.
 */
import { randomBytes, X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, importSPKI, type JWK } from 'jose'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import { Agent, fetch as fetchOverTls } from 'undici'
import { customFetch, type ServerAuthConfig } from '../../lib/index.js'
import type { PrivateJwk } from '../../lib/types/protocol.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { type Browser, target } from '../support/app.js'
import { authority, clientCertificate } from '../support/certificates.js'
import type { DoorApp } from '../support/doors.js'
import { type OpenIdProvider, startOpenIdProvider, type TestClient } from '../support/openid-provider.js'
import { askToken, places, tokenDoors } from '../tokens/stage.js'

type Row = {
  /** The client as the provider knows it. */
  readonly there?: Omit<TestClient, 'clientId'>
  readonly metadata?: Record<string, unknown>
  /** The options of the application. */
  readonly own?: Partial<OIDCConfig>
  /** A client of FAPI 2.0. */
  readonly isFapi?: boolean
}

const clientSecret = 'a-client-secret-of-more-than-32-characters'
const secretClient = { clientSecret }
const certificate = { ...clientCertificate, ca: authority }
const keys = new Map<string, PrivateJwk>()
const key = (alg: string): PrivateJwk => keys.get(alg) ?? expect.fail(alg)
const published = () => ({
  keys: [...keys.values()].map(({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open }) => ({
    ...open,
    use: /OAEP|ECDH/.test(open.alg) ? 'enc' : 'sig',
  })) as JWK[],
})
const idTokenAlg = (alg: TestClient['idTokenAlg']): Row => ({
  there: { ...secretClient, idTokenAlg: alg },
  own: { client: { id_token_signed_response_alg: alg } },
})
const authenticated = (method: 'client_secret_post' | 'client_secret_jwt'): Row => ({
  there: { ...secretClient, authMethod: method },
  own: { client: { token_endpoint_auth_method: method } },
})
const userinfo = (metadata: Record<string, unknown>, own: Partial<OIDCConfig>): Row => ({
  there: secretClient,
  metadata,
  own: { idToken: false, ...own },
})

/** The clients. They are functions, because the keys are made before the tests begin. */
const rows: Readonly<Record<string, () => Row>> = {
  'none, a public client': () => ({ there: { authMethod: 'none' } }),
  client_secret_basic: () => ({ there: secretClient }),
  client_secret_post: () => authenticated('client_secret_post'),
  client_secret_jwt: () => authenticated('client_secret_jwt'),
  'private_key_jwt, ES256': () => withKey('ES256'),
  'private_key_jwt, PS256': () => withKey('PS256'),
  tls_client_auth: () => ({
    metadata: { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=client of the tests' },
    own: { client: { token_endpoint_auth_method: 'tls_client_auth' }, clientCertificate: certificate },
  }),
  self_signed_tls_client_auth: () => ({
    metadata: { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: certificateKeys },
    own: { client: { token_endpoint_auth_method: 'self_signed_tls_client_auth' }, clientCertificate: certificate },
  }),
  'id_token with PS256': () => idTokenAlg('PS256'),
  'id_token with ES256': () => idTokenAlg('ES256'),
  'id_token with EdDSA': () => idTokenAlg('EdDSA'),
  'id_token with HS256': () => idTokenAlg('HS256'),
  'pairwise subject': () => ({ there: secretClient, metadata: { subject_type: 'pairwise' } }),
  'claims one by one': () => ({
    there: secretClient,
    own: { claims: { id_token: { email: { essential: true } }, userinfo: { name: null } } },
  }),
  'userinfo in JSON': () => userinfo({}, {}),
  'userinfo signed with RS256': () => userinfo({ userinfo_signed_response_alg: 'RS256' }, {}),
  'userinfo signed with ES256': () =>
    userinfo({ userinfo_signed_response_alg: 'ES256' }, { client: { userinfo_signed_response_alg: 'ES256' } }),
  'userinfo encrypted for RSA': () => encrypted('userinfo', 'RSA-OAEP-256', 'A256GCM'),
  'userinfo encrypted on a curve': () => encrypted('userinfo', 'ECDH-ES', 'A128CBC-HS256'),
  'id_token encrypted for RSA, A256GCM': () => encrypted('id_token', 'RSA-OAEP-256', 'A256GCM'),
  'id_token encrypted for RSA, A128CBC-HS256': () => encrypted('id_token', 'RSA-OAEP-256', 'A128CBC-HS256'),
  'id_token encrypted on a curve, A256GCM': () => encrypted('id_token', 'ECDH-ES', 'A256GCM'),
  'id_token encrypted on a curve, A128CBC-HS256': () => encrypted('id_token', 'ECDH-ES', 'A128CBC-HS256'),
  'a pushed request': () => ({
    there: secretClient,
    metadata: { require_pushed_authorization_requests: true },
    own: { pushedAuthorizationRequests: true },
  }),
  'a signed request, PS256': () => signedRequest('PS256'),
  'a signed request, ES256': () => signedRequest('ES256'),
  'a request that is signed and pushed': () => {
    const { metadata, own, ...rest } = signedRequest('ES256')
    return {
      ...rest,
      metadata: { ...metadata, require_pushed_authorization_requests: true },
      own: { ...own, pushedAuthorizationRequests: true },
    }
  },
  'an answer by form_post': () => ({ there: secretClient, own: { responseMode: 'form_post' } }),
  'a signed answer, query.jwt, RS256': () => signedAnswer('query.jwt', 'RS256'),
  'a signed answer, query.jwt, ES256': () => signedAnswer('query.jwt', 'ES256'),
  'a signed answer, form_post.jwt, PS256': () => signedAnswer('form_post.jwt', 'PS256'),
  'a pushed request, and a signed answer by form_post.jwt': () => {
    const { own, ...rest } = signedAnswer('form_post.jwt', 'ES256')
    return { ...rest, own: { ...own, pushedAuthorizationRequests: 'auto' } }
  },
  'DPoP, a public client': () => ({
    there: { authMethod: 'none' },
    metadata: { dpop_bound_access_tokens: true },
    own: { dpop: true },
  }),
  'DPoP, a confidential client that pushes': () => ({
    there: secretClient,
    metadata: { dpop_bound_access_tokens: true },
    own: { dpop: true, pushedAuthorizationRequests: true },
  }),
  'tokens bound to a certificate, private_key_jwt': () => {
    const { own, metadata, ...rest } = withKey('ES256')
    return {
      ...rest,
      metadata: { ...metadata, tls_client_certificate_bound_access_tokens: true },
      own: { ...own, clientCertificate: certificate },
    }
  },
  'fapi2-security-profile-final-client-test-happy-path: private_key_jwt and DPoP': () =>
    fapi({ dpop: true }, { dpop_bound_access_tokens: true }),
  'fapi2-security-profile-final-client-test-happy-path-no-mtls-endpoint-aliases: private_key_jwt and mTLS': () =>
    fapi({ clientCertificate: certificate }, { tls_client_certificate_bound_access_tokens: true }),
  'FAPI 2.0 Message Signing': () =>
    fapi(
      {
        dpop: true,
        securityProfile: 'fapi2-message-signing',
        requestObject: { keys: [key('PS256')] },
        responseMode: 'query.jwt',
        client: { ...fapiClient, authorization_signed_response_alg: 'PS256' },
      },
      {
        dpop_bound_access_tokens: true,
        request_object_signing_alg: 'PS256',
        require_signed_request_object: true,
      },
    ),
}

const fapiClient = { token_endpoint_auth_method: 'private_key_jwt', id_token_signed_response_alg: 'PS256' } as const

function fapi(own: Partial<OIDCConfig>, metadata: Record<string, unknown>): Row {
  return {
    isFapi: true,
    there: { authMethod: 'private_key_jwt', idTokenAlg: 'PS256' },
    metadata: {
      jwks: published(),
      token_endpoint_auth_signing_alg: 'PS256',
      // This provider wants it of all clients of FAPI 2.0.
      authorization_signed_response_alg: 'PS256',
      ...metadata,
    },
    own: {
      securityProfile: 'fapi2',
      pushedAuthorizationRequests: true,
      client: fapiClient,
      token: { clientPrivateKey: [key('PS256')] },
      ...own,
    },
  }
}

function withKey(alg: string): Row {
  return {
    there: { authMethod: 'private_key_jwt' },
    metadata: { jwks: published(), token_endpoint_auth_signing_alg: alg },
    own: { client: { token_endpoint_auth_method: 'private_key_jwt' }, token: { clientPrivateKey: [key(alg)] } },
  }
}

function encrypted(what: 'id_token' | 'userinfo', alg: string, enc: string): Row {
  return {
    there: secretClient,
    metadata: {
      jwks: published(),
      [`${what}_encrypted_response_alg`]: alg,
      [`${what}_encrypted_response_enc`]: enc,
      ...(what === 'userinfo' && { userinfo_signed_response_alg: 'RS256' }),
    },
    own: {
      ...(what === 'userinfo' && { idToken: false }),
      decryptionKeys: [key(alg)],
      client: { [`${what}_encrypted_response_alg`]: alg },
    },
  }
}

function signedRequest(alg: string): Row {
  return {
    there: secretClient,
    metadata: { jwks: published(), request_object_signing_alg: alg, require_signed_request_object: true },
    own: { requestObject: { keys: [key(alg)] } },
  }
}

function signedAnswer(responseMode: 'query.jwt' | 'form_post.jwt', alg: string): Row {
  return {
    there: secretClient,
    metadata: { authorization_signed_response_alg: alg },
    own: { responseMode, client: { authorization_signed_response_alg: alg } },
  }
}

let certificateKeys: { keys: JWK[] }

const socketOf = (ctx: { socket: unknown }) => ctx.socket as TLSSocket

const features = (isFapi: boolean): Configuration['features'] => ({
  devInteractions: { enabled: false },
  claimsParameter: { enabled: true },
  dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => false },
  encryption: { enabled: true },
  jwtResponseModes: { enabled: true },
  jwtUserinfo: { enabled: true },
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
  pushedAuthorizationRequests: { enabled: true },
  requestObjects: { enabled: true },
  revocation: { enabled: true, allowedPolicy: () => true },
  ...(isFapi && { fapi: { enabled: true, profile: '2.0' } }),
})

const trusting = new Agent({ connect: { ca: authority } })

/** The `fetch` of Node, with a certificate authority with which Node would have to be started. */
const trustingFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const { url, method, headers, body } = request
  const sent = {
    method,
    headers: [...headers] as Array<[string, string]>,
    redirect: 'manual',
    dispatcher: trusting,
  } as const
  const answer = await fetchOverTls(url, body ? { ...sent, body: await request.text() } : sent)
  return new Response(await answer.text(), {
    status: answer.status,
    headers: [...answer.headers] as Array<[string, string]>,
  })
}

describe('38 clients of a certified provider', function () {
  this.timeout(20_000)
  const providers = new Map<boolean, OpenIdProvider>()
  let app: DoorApp | undefined
  const ids = Object.keys(rows)
  const idOf = (name: string) => `client-${ids.indexOf(name)}`

  before(async () => {
    for (const alg of ['PS256', 'ES256', 'RSA-OAEP-256', 'ECDH-ES']) {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      keys.set(alg, { ...(await exportJWK(privateKey)), kid: `${alg}-key`, alg } as PrivateJwk)
    }
    const { publicKey, raw } = new X509Certificate(clientCertificate.cert)
    const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const jwk = await exportJWK(await importSPKI(spki, 'ES256', { extractable: true }))
    certificateKeys = { keys: [{ ...jwk, kty: 'EC', x5c: [raw.toString('base64')] }] }
    const all = Object.entries(rows).map(([name, row]) => ({ name, ...row() }))
    for (const isFapi of [false, true]) {
      const clients = all
        .filter((row) => (row.isFapi ?? false) === isFapi)
        .map(({ name, there, metadata }) => ({
          ...there,
          clientId: idOf(name),
          metadata: { ...metadata } as Partial<ClientMetadata>,
        }))
      providers.set(
        isFapi,
        await startOpenIdProvider({
          tls: true,
          clients,
          configuration: {
            features: features(isFapi),
            clientAuthMethods: [
              'none',
              'client_secret_basic',
              'client_secret_post',
              'client_secret_jwt',
              'private_key_jwt',
              'tls_client_auth',
              'self_signed_tls_client_auth',
            ],
            subjectTypes: ['public', 'pairwise'],
            pairwiseIdentifier: (_ctx, accountId, client) => `${client.clientId}:${accountId}`,
            scopes: ['openid', 'offline_access'],
            issueRefreshToken: () => true,
            rotateRefreshToken: true,
          },
        }),
      )
    }
  })
  afterEach(async () => {
    await app?.close()
    app = undefined
  })
  after(() => Promise.all([...providers.values()].map((provider) => provider.close())))

  it('are that many', () => {
    expect(ids).to.have.length(38)
  })

  const doors = [tokenDoors.express, tokenDoors.shim]
  const sessions = [places['a store, database sessions'], places['a store, JWT sessions']]

  for (const [turn, name] of ids.entries()) {
    it(name, async () => {
      const { own = {}, isFapi = false } = rows[name]?.() ?? {}
      const provider = providers.get(isFapi) ?? expect.fail()
      const start = doors[turn % 2] ?? expect.fail()
      const configure = sessions[Math.floor(turn / 2) % 2] ?? expect.fail()
      app = await start({
        providers: [
          {
            id: 'test',
            name: 'Test',
            type: 'oidc',
            ...provider.settings(idOf(name)),
            authorization: { params: { scope: 'openid profile email offline_access', prompt: 'consent' } },
            ...(!own.clientCertificate && { [customFetch]: trustingFetch }),
            ...own,
          } as NonNullable<ServerAuthConfig['providers']>[number],
        ],
        ...configure(),
      })
      const browser = app.browser()
      const begun = target(await browser.submit('/auth/signin/test', { callbackUrl: '/welcome' }))
      const said = () => app?.log.errors.map(({ message }) => message).join()
      expect(begun, said()).to.include(`${provider.issuer}/auth?`)
      const { method, url, body } = await provider.answerTo(begun, 'alice')
      const end = await comeBack(browser, { method, url, body })
      expect(target(end), said()).to.equal(`${app.origin}/welcome`)
      expect(await browser.session()).to.have.nested.property('user.email', 'alice@example.com')
      const first = await askToken(browser)
      const api = `/call?${new URLSearchParams({ url: `${provider.issuer}/me` })}`
      expect((await browser.get(api)).body, said()).to.include({ status: 200 })
      const renewed = await askToken(browser, { forceRefresh: true })
      expect(renewed.accessToken, JSON.stringify(renewed) + said())
        .to.be.a('string')
        .and.not.equal(first.accessToken)
      expect((await browser.get(api)).body).to.include({ status: 200 })
    })
  }
})

async function comeBack(
  browser: Browser,
  { method, url, body }: Awaited<ReturnType<OpenIdProvider['answerTo']>>,
): ReturnType<Browser['get']> {
  const { pathname, search } = new URL(url)
  if (method === 'GET') return browser.get(pathname + search)
  const bounced = new URL(target(await browser.post(pathname, body)))
  return browser.get(bounced.pathname + bounced.search)
}
