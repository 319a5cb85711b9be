/** The lock of a security profile: each option that is missing, or weaker, is refused, and all of them are named at once. */
import { expect } from 'chai'
import { exportJWK, generateKeyPair } from 'jose'
import { resolveConfig } from '../../lib/config/resolve.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { secret } from '../support/app.js'
import { clientCertificate } from '../support/certificates.js'

describe('securityProfile', () => {
  let keys: Record<string, object>
  let pair: Record<string, object>
  before(async () => {
    keys = {}
    pair = {}
    for (const alg of ['PS256', 'ES256', 'RS256', 'ES384']) {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      keys[alg] = { ...(await exportJWK(privateKey)), kid: alg, alg }
      pair[alg] = privateKey
    }
  })

  const resolve = (own: object) =>
    resolveConfig({
      secret,
      providers: [
        { id: 'bank', name: 'Bank', type: 'oidc', issuer: 'https://bank.example', clientId: 'c', ...own } as never,
      ],
    })
  const good = (own: object = {}) => ({
    securityProfile: 'fapi2',
    pushedAuthorizationRequests: true,
    dpop: true,
    client: { token_endpoint_auth_method: 'private_key_jwt', id_token_signed_response_alg: 'PS256' },
    token: { clientPrivateKey: [keys.PS256] },
    ...own,
  })
  const signing = (own: object = {}) =>
    good({
      securityProfile: 'fapi2-message-signing',
      requestObject: { keys: [keys.ES256] },
      responseMode: 'form_post.jwt',
      client: {
        token_endpoint_auth_method: 'private_key_jwt',
        id_token_signed_response_alg: 'PS256',
        authorization_signed_response_alg: 'ES256',
      },
      ...own,
    })

  it('opens for what keeps it', () => {
    const provider = [...resolve(good()).providers.values()][0]
    expect(provider).to.have.nested.property('protocol.profile', 'fapi2')
    resolve(good({ token: { clientPrivateKey: { key: pair.ES256, kid: 'k' } } }))
    resolve(good({ token: { clientPrivateKey: pair.PS256 } }))
    const byCertificate = { token_endpoint_auth_method: 'tls_client_auth', id_token_signed_response_alg: 'ES256' }
    resolve(good({ dpop: undefined, clientCertificate, client: byCertificate, token: undefined }))
    resolve(signing())
  })

  const client = (own: object) => ({
    client: { token_endpoint_auth_method: 'private_key_jwt', id_token_signed_response_alg: 'PS256', ...own },
  })
  const wrong: ReadonlyArray<[what: string, own: () => object, message: string]> = [
    ['a plain request', () => ({ pushedAuthorizationRequests: undefined }), '`pushedAuthorizationRequests: true`'],
    [
      'a pushed request that may be plain',
      () => ({ pushedAuthorizationRequests: 'auto' }),
      '`pushedAuthorizationRequests: true`',
    ],
    ['no PKCE', () => ({ checks: ['none'] }), 'PKCE'],
    ['a secret', () => ({ clientSecret: 's'.repeat(40) }), 'no `clientSecret`'],
    [
      'a secret to authenticate with',
      () => ({ clientSecret: 's'.repeat(40), ...client({ token_endpoint_auth_method: 'client_secret_jwt' }) }),
      '"private_key_jwt"',
    ],
    ['a public client', () => client({ token_endpoint_auth_method: 'none' }), '"private_key_jwt"'],
    ['tokens of whoever has them', () => ({ dpop: false }), '`dpop: true`, or `clientCertificate`'],
    ['another curve', () => ({ dpop: { alg: 'ES384' } }), '`dpop` with ES256'],
    [
      'id_tokens with RS256',
      () => client({ id_token_signed_response_alg: 'RS256' }),
      '`client.id_token_signed_response_alg`',
    ],
    [
      'id_tokens with whatever',
      () => client({ id_token_signed_response_alg: undefined }),
      '`client.id_token_signed_response_alg`',
    ],
    [
      'userinfo with RS256',
      () => client({ userinfo_signed_response_alg: 'RS256' }),
      '`client.userinfo_signed_response_alg`',
    ],
    ['a key for RS256', () => ({ token: { clientPrivateKey: [keys.RS256] } }), '`token.clientPrivateKey`'],
    [
      'a second key for RS256',
      () => ({ token: { clientPrivateKey: [keys.PS256, keys.RS256] } }),
      '`token.clientPrivateKey`',
    ],
    [
      'a Web Crypto key for RS256',
      () => ({ token: { clientPrivateKey: { key: pair.RS256, kid: 'k' } } }),
      '`token.clientPrivateKey`',
    ],
    ['a Web Crypto key for ES384', () => ({ token: { clientPrivateKey: pair.ES384 } }), '`token.clientPrivateKey`'],
    ['http', () => ({ allowInsecureIssuer: true }), '`allowInsecureIssuer`'],
    ['a request of its own', () => ({ userinfo: { request: () => ({}) } }), '`userinfo.request`'],
    ['a signed request with RS256', () => ({ requestObject: { keys: [keys.RS256] } }), '`requestObject.keys`'],
    [
      'no discovery',
      () => ({
        issuer: undefined,
        type: 'oauth',
        authorization: 'https://b.example/a',
        token: { url: 'https://b.example/t', clientPrivateKey: [keys.PS256] },
        userinfo: 'https://b.example/u',
      }),
      '`issuer`',
    ],
  ]
  for (const [what, own, message] of wrong) {
    it(`refuses ${what}`, () => {
      expect(() => resolve(good(own()))).to.throw(InvalidConfiguration, message)
    })
  }

  const unsigned: ReadonlyArray<[what: string, own: object, message: string]> = [
    ['a request that is not signed', { requestObject: undefined }, '`requestObject`'],
    ['an answer that is not signed', { responseMode: 'query', ...client({}) }, '`responseMode`'],
    [
      'an answer that is signed with RS256',
      client({ authorization_signed_response_alg: 'RS256' }),
      '`client.authorization_signed_response_alg`',
    ],
  ]
  for (const [what, own, message] of unsigned) {
    it(`of signed messages refuses ${what}`, () => {
      expect(() => resolve(signing(own))).to.throw(InvalidConfiguration, message)
    })
  }

  it('tells all at once', () => {
    expect(() => resolve({ securityProfile: 'fapi2', clientSecret: 's'.repeat(40) }))
      .to.throw(InvalidConfiguration)
      .with.property('message')
      .that.satisfies((message: string) => (message.match(/;/g) ?? []).length === 4)
    expect(() => resolve({ securityProfile: 'fapi1' })).to.throw(InvalidConfiguration, 'fapi2-message-signing')
  })
})
