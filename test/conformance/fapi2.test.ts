/**
 * The modules of `fapi2-security-profile-final-client-test-plan` that are about answers of the provider, by their names. The
 * client is a confidential one as FAPI 2.0 wants it (`private_key_jwt`, ES256, PKCE, `iss` of the response), but for pushed
 * requests and sender-constrained tokens: see `docs/conformance.md`.
 */
import { expect } from 'chai'
import { useStage } from '../flows/oauth/stage.js'
import type { Claims, SignOptions } from '../support/hostile-provider.js'
import { borrowKeys } from '../support/key-loan.js'
import { refuse, refuseAnswer, useTokens } from './stage.js'

const prefix = 'fapi2-security-profile-final-client-test'
const es256: SignOptions = { alg: 'ES256' }

describe('fapi2-security-profile-final-client-test-plan, answers of the provider', () => {
  const stage = useStage()
  const loan = borrowKeys()
  after(() => loan.giveBack())
  beforeEach(async () => {
    const { privateKey } = await loan.take('ES256')
    stage.provider.discovery.token_endpoint_auth_methods_supported = ['private_key_jwt']
    stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'ES256', 'PS256']
    await stage.restart({
      client: { token_endpoint_auth_method: 'private_key_jwt', id_token_signed_response_alg: 'ES256' },
      clientSecret: undefined,
      token: { clientPrivateKey: { key: privateKey, kid: 'client-key' } },
      // A sign-in that got as far as the access token would use it here.
      idToken: false,
    })
    useTokens(stage, {}, es256)
  })

  it('(control) a good answer signs in, with a client assertion and without a secret', async () => {
    await stage.expectSignedIn(await stage.signIn())
    const [exchange] = stage.provider.requests.filter(({ path }) => path === '/token')
    expect(exchange?.body.client_assertion).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(exchange?.headers).to.not.have.property('authorization')
    expect(stage.provider.count('/userinfo')).to.equal(1)
  })

  it(`${prefix}-discovery-issuer-mismatch: redirects to no provider whose metadata are of another issuer`, async () => {
    await stage.restart()
    stage.provider.discovery.issuer = `${stage.provider.issuer}/invalid`
    await stage.browser.submit('/auth/signin/test')
    expect(stage.lastFault()).to.match(/issuer/)
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/.well-known/openid-configuration'])
  })

  const now = () => Math.floor(Date.now() / 1000)
  const idTokens: Readonly<Record<string, readonly [reason: RegExp, claims: () => Claims, options?: SignOptions]>> = {
    'invalid-iss': [/"iss"/, () => ({ iss: 'https://op.example' })],
    'invalid-aud': [/"aud"/, () => ({ aud: 'another-client' })],
    'invalid-secondary-aud': [/untrusted audiences/, () => ({ aud: ['hostile-client', 'another-client'] })],
    'invalid-null-alg': [/unexpected JWT "alg"|unsupported JWS/, () => ({}), { alg: 'none' }],
    'invalid-alternate-alg': [/unexpected JWT "alg"/, () => ({}), { alg: 'RS256' }],
    'invalid-expired-exp': [/"exp"/, () => ({ exp: now() - 6 * 60 })],
    'invalid-missing-exp': [/"exp"/, () => ({ exp: undefined })],
    'invalid-missing-aud': [/"aud"/, () => ({ aud: undefined })],
    'invalid-missing-iss': [/"iss"/, () => ({ iss: undefined })],
    'invalid-nonce': [/"nonce"/, () => ({ nonce: 'of-another-request' })],
    'invalid-missing-nonce': [/"nonce"/, () => ({ nonce: undefined })],
  }
  for (const [name, [reason, claims, options = es256]] of Object.entries(idTokens)) {
    it(`${prefix}-${name}: is rejected, and the access token is not used`, async () => {
      await refuse(stage, reason, claims(), options)
    })
  }

  it(`${prefix}-valid-aud-as-array: accepts an audience in an array of one`, async () => {
    useTokens(stage, { aud: ['hostile-client'] }, es256)
    await stage.expectSignedIn(await stage.signIn())
  })

  const responses: Readonly<
    Record<string, readonly [changes: Record<string, string | null>, type: string, reason: RegExp]>
  > = {
    'invalid-authorization-response-iss': [{ iss: 'https://op.example' }, 'OAuthCallbackError', /"iss"/],
    'remove-authorization-response-iss': [{ iss: null }, 'OAuthCallbackError', /"iss"/],
    'ensure-authorization-response-with-invalid-state-fails': [{ state: 'another-state' }, 'InvalidCheck', /state/],
    'ensure-authorization-response-with-invalid-missing-state-fails': [{ state: null }, 'InvalidCheck', /state/],
  }
  for (const [name, [changes, ...refusal]] of Object.entries(responses)) {
    it(`${prefix}-${name}: is rejected, and the code is not redeemed`, async () => {
      await refuseAnswer(stage, refusal, changes)
    })
  }

  const answers: Readonly<Record<string, object>> = {
    'token-endpoint-response-without-expires_in': { expires_in: undefined },
    'token-type-case-insensitivity': { token_type: 'bEARER' },
  }
  for (const [name, changes] of Object.entries(answers)) {
    it(`${prefix}-${name}: signs in, and the access token is used`, async () => {
      stage.provider.onToken = async (body) => {
        const { body: good } = await stage.provider.tokens(body, {}, es256)
        return { body: { ...(good as object), ...changes } }
      }
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.provider.count('/userinfo')).to.equal(1)
    })
  }
})
