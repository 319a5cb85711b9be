/**
 * Advanced protocol features, with a real OpenID provider: pushed and signed requests, signed answers, encrypted
 * tokens, claims.
 */
import { inspect } from 'node:util'
import { expect } from 'chai'
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import type { Profile } from '../../../lib/index.js'
import type { PrivateJwk } from '../../../lib/types/protocol.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { type Browser, startApp, type TestApp, target } from '../../support/app.js'
import type { SignOptions } from '../../support/hostile-provider.js'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.js'
import { useStage } from './stage.js'

const secret = 'a-client-secret-of-more-than-32-characters'

/** The features of the provider, beside its defaults. */
const features = {
  devInteractions: { enabled: false },
  pushedAuthorizationRequests: { enabled: true },
  requestObjects: { enabled: true },
  jwtResponseModes: { enabled: true },
  encryption: { enabled: true },
  jwtUserinfo: { enabled: true },
  claimsParameter: { enabled: true },
} satisfies Configuration['features']

async function privateKey(alg: string, kid = `${alg}-key`): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg } as PrivateJwk
}

function publicKey({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open }: PrivateJwk, use: string): JWK {
  return { ...open, use } as JWK
}

describe('advanced protocol features, with a real provider', () => {
  let provider: OpenIdProvider
  let app: TestApp
  let browser: Browser
  const keys = new Map<string, PrivateJwk>()
  const key = (alg: string): PrivateJwk => keys.get(alg) ?? expect.fail(alg)
  before(async () => {
    for (const alg of ['PS256', 'ES256', 'RSA-OAEP-256', 'ECDH-ES']) keys.set(alg, await privateKey(alg))
  })
  afterEach(async () => {
    await app.close()
    await provider.close()
  })

  interface Case {
    readonly own?: Partial<OIDCConfig>
    readonly metadata?: Partial<ClientMetadata>
    readonly published?: readonly JWK[]
    readonly claimsIn?: 'userinfo'
    readonly more?: Configuration
  }

  async function start({ own = {}, metadata = {}, published = [], claimsIn, more = {} }: Case): Promise<void> {
    const isJwtClient = metadata.token_endpoint_auth_method === 'private_key_jwt'
    provider = await startOpenIdProvider({
      ...(claimsIn && { claimsIn }),
      clients: [
        {
          clientId: 'client',
          ...(!isJwtClient && { clientSecret: secret }),
          metadata: {
            ...metadata,
            ...(published.length > 0 && { jwks: { keys: [...published] } }),
          } as Partial<ClientMetadata>,
        },
      ],
      configuration: { ...more, features: { ...features, ...more.features } as Configuration['features'] },
    })
    app = await startApp({
      callbacks: {
        signIn: ({ profile }) => {
          seen = profile
          return true
        },
      },
      providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings(), ...own }],
    })
    browser = app.browser()
  }
  let seen: Profile | undefined

  /** Signs in, from the button to the session. @returns The URL of the first redirect. */
  async function signIn(): Promise<URL> {
    const begun = await browser.submit('/auth/signin/test', { callbackUrl: '/welcome' })
    const to = target(begun)
    expect(to, String(app.log.errors.at(-1)?.message)).to.include(`${provider.issuer}/auth?`)
    const answer = await provider.answerTo(to, 'alice')
    const back = new URL(answer.url)
    let end =
      answer.method === 'POST'
        ? await browser.post(back.pathname, answer.body)
        : await browser.get(back.pathname + back.search)
    if (answer.method === 'POST') end = await browser.get(new URL(target(end)).pathname + new URL(target(end)).search)
    expect(app.log.errors.map(({ message }) => message)).to.deep.equal([])
    expect(target(end)).to.equal(`${app.origin}/welcome`)
    expect(await browser.session()).to.have.property('user')
    return new URL(to)
  }

  const names = (url: URL) => [...url.searchParams.keys()].sort()

  it('PAR: the browser’s URL has only the client and a reference', async () => {
    await start({
      own: { pushedAuthorizationRequests: true },
      metadata: { require_pushed_authorization_requests: true },
    })
    expect(names(await signIn())).to.deep.equal(['client_id', 'request_uri'])
  })

  it('PAR, "auto": by the metadata of the provider', async () => {
    await start({ own: { pushedAuthorizationRequests: 'auto' } })
    expect(names(await signIn())).to.deep.equal(['client_id', 'request_uri'])
    await app.close()
    await provider.close()
    const off = { pushedAuthorizationRequests: { enabled: false } }
    await start({ own: { pushedAuthorizationRequests: 'auto' }, more: { features: off } })
    expect(names(await signIn())).to.include('code_challenge')
  })

  it('PAR that the provider lacks: the sign-in does not continue without it', async () => {
    const off = { pushedAuthorizationRequests: { enabled: false } }
    await start({ own: { pushedAuthorizationRequests: true }, more: { features: off } })
    const begun = await browser.submit('/auth/signin/test')
    expect(target(begun)).to.equal(`${app.origin}/auth/signin?error=OAuthSignInError`)
    expect(app.log.errors.at(-1)?.message).to.include('pushed_authorization_request_endpoint')
  })

  for (const alg of ['PS256', 'ES256']) {
    it(`JAR with ${alg}: the request is signed, and our key is published`, async () => {
      await start({
        own: { requestObject: { keys: [key(alg)] } },
        metadata: { request_object_signing_alg: alg, require_signed_request_object: true } as Partial<ClientMetadata>,
        published: [publicKey(key(alg), 'sig')],
      })
      expect(names(await signIn())).to.deep.equal(['client_id', 'request'])
      const { keys: told } = (await browser.get('/auth/jwks')).body
      expect(told).to.deep.equal([publicKey(key(alg), 'sig')])
    })
  }

  for (const responseMode of ['query.jwt', 'form_post.jwt'] as const) {
    it(`JARM, ${responseMode}: a signed answer signs in`, async () => {
      await start({ own: { responseMode } })
      expect((await signIn()).searchParams.get('response_mode')).to.equal(responseMode)
    })

    it(`PAR, JAR and JARM (${responseMode}) together`, async () => {
      await start({
        own: { responseMode, pushedAuthorizationRequests: true, requestObject: { keys: [key('PS256')] } },
        metadata: { request_object_signing_alg: 'PS256' },
        published: [publicKey(key('PS256'), 'sig')],
      })
      expect(names(await signIn())).to.deep.equal(['client_id', 'request_uri'])
    })
  }

  it('JARM: the provider’s error is signed, too, and a cancelled sign-in is one', async () => {
    await start({ own: { responseMode: 'query.jwt' } })
    const begun = await browser.submit('/auth/signin/test')
    const back = new URL(await provider.refuse(target(begun)))
    expect([...back.searchParams.keys()]).to.deep.equal(['response'])
    expect(target(await browser.get(back.pathname + back.search))).to.equal(
      `${app.origin}/auth/signin?error=OAuthCallbackError`,
    )
    expect(app.log.errors).to.deep.equal([])
  })

  for (const alg of ['RSA-OAEP-256', 'ECDH-ES']) {
    for (const enc of alg === 'ECDH-ES' ? ['A256GCM', 'A128CBC-HS256'] : ['A256GCM']) {
      it(`an id_token encrypted with ${alg} and ${enc}; a userinfo answer, too`, async () => {
        await start({
          claimsIn: 'userinfo',
          own: {
            idToken: false,
            decryptionKeys: [await privateKey(alg, 'next'), key(alg)],
            client: {
              id_token_encrypted_response_alg: alg,
              userinfo_encrypted_response_alg: alg,
              userinfo_signed_response_alg: 'RS256',
            },
          },
          metadata: {
            id_token_encrypted_response_alg: alg,
            id_token_encrypted_response_enc: enc,
            userinfo_signed_response_alg: 'RS256',
            userinfo_encrypted_response_alg: alg,
            userinfo_encrypted_response_enc: enc,
          } as Partial<ClientMetadata>,
          published: [publicKey(key(alg), 'enc')],
        })
        await signIn()
        expect(seen).to.include({ sub: 'alice-sub', email: 'alice@example.com' })
      })
    }
  }

  it('an encrypted id_token without a key for it: no user is signed in, and the log says what to set', async () => {
    const alg = 'RSA-OAEP-256'
    await start({
      metadata: {
        id_token_encrypted_response_alg: alg,
        id_token_encrypted_response_enc: 'A256GCM',
      } as Partial<ClientMetadata>,
      published: [publicKey(key(alg), 'enc')],
    })
    const begun = await browser.submit('/auth/signin/test')
    const back = new URL(await provider.signInAs(target(begun), 'alice'))
    expect(target(await browser.get(back.pathname + back.search))).to.include('error=OAuthCallbackError')
    expect(inspect(app.log.errors.at(-1))).to.include('set `decryptionKeys`')
    expect(await browser.session()).to.equal(null)
  })

  it('private_key_jwt with JSON Web Keys: the first signs, all are published', async () => {
    const next = await privateKey('ES256', 'next')
    await start({
      own: {
        client: { token_endpoint_auth_method: 'private_key_jwt' },
        token: { clientPrivateKey: [key('ES256'), next] },
      },
      metadata: { token_endpoint_auth_method: 'private_key_jwt' },
      published: [publicKey(key('ES256'), 'sig')],
    })
    await signIn()
    const { keys: told } = (await browser.get('/auth/jwks')).body
    expect(told).to.deep.equal([publicKey(key('ES256'), 'sig'), publicKey(next, 'sig')])
    expect(JSON.stringify(told)).not.to.include(String(next.d))
  })

  it('there is no list of keys without keys', async () => {
    await start({})
    expect((await browser.get('/auth/jwks')).status).to.equal(404)
  })

  it('claims that are requested one by one are returned, and cannot be set by a browser', async () => {
    await start({ own: { claims: { id_token: { auth_time: null } } } })
    const to = await signIn()
    expect(JSON.parse(to.searchParams.get('claims') ?? '')).to.deep.equal({ id_token: { auth_time: null } })
  })
})

describe('advanced protocol features with a hostile provider', () => {
  const key: { jwk?: PrivateJwk } = {}
  before(async () => {
    key.jwk = await privateKey('RSA-OAEP-256')
  })
  const stage = useStage()

  describe('an essential acr', () => {
    const claims = { id_token: { acr: { essential: true, values: ['gold', 'silver'] } } }
    for (const [acr, isGood] of [
      ['gold', true],
      ['silver', true],
      ['bronze', false],
      [undefined, false],
      [['gold'], false],
    ] as const) {
      it(`${JSON.stringify(acr)} ${isGood ? 'signs in' : 'signs no user in'}`, async () => {
        await stage.restart({ claims })
        stage.provider.onToken = (body) => stage.provider.tokens(body, { acr })
        const answer = await stage.signIn()
        if (isGood) await stage.expectSignedIn(answer)
        else await stage.expectRefused(answer, 'OAuthCallbackError', /claims\.id_token\.acr/)
      })
    }
  })

  describe('a signed answer (JARM)', () => {
    type Change = { claims?: Record<string, unknown>; sign?: SignOptions; plain?: boolean; drop?: string }
    const good = { signIn: true, change: {} }
    const cases: Readonly<Record<string, { signIn?: boolean; change: Change; error?: string }>> = {
      'in order signs in': good,
      'fapi2-security-profile-final-client-test-ensure-jarm-without-iss-fails': { change: { drop: 'iss' } },
      'fapi2-security-profile-final-client-test-ensure-jarm-without-aud-fails': { change: { drop: 'aud' } },
      'fapi2-security-profile-final-client-test-ensure-jarm-without-exp-fails': { change: { drop: 'exp' } },
      'fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-iss-fails': {
        change: { claims: { iss: 'https://evil.test' } },
      },
      'fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-aud-fails': {
        change: { claims: { aud: 'somebody-else' } },
      },
      'fapi2-security-profile-final-client-test-ensure-jarm-with-expired-exp-fails': {
        change: { claims: { exp: 1000 } },
      },
      'fapi2-security-profile-final-client-test-ensure-jarm-with-invalid-sig-fails': {
        change: { sign: { key: 'stranger', kid: 'RS256' } },
      },
      'fapi2-security-profile-final-client-test-ensure-jarm-signature-is-not-none': {
        change: { sign: { alg: 'none' } },
      },
      'with the state of nobody': { change: { claims: { state: 'x' } }, error: 'InvalidCheck' },
      'ensure-authorization-response-with-missing-state-fails': { change: { drop: 'state' }, error: 'InvalidCheck' },
      'that is plain': { change: { plain: true }, error: 'InvalidCheck' },
    }
    for (const [name, { signIn = false, change, error = 'OAuthCallbackError' }] of Object.entries(cases)) {
      it(`${name}${signIn ? '' : ': signs no user in'}`, async () => {
        await stage.restart({ responseMode: 'query.jwt' })
        const plain = new URL(stage.provider.authorize(await stage.begin()))
        const { issuer, clientId } = stage.provider.settings
        const now = Math.floor(Date.now() / 1000)
        const said = {
          ...Object.fromEntries(plain.searchParams),
          iss: issuer,
          aud: clientId,
          exp: now + 300,
          ...change.claims,
        }
        const kept = Object.fromEntries(Object.entries(said).filter(([claim]) => claim !== change.drop))
        const response = await stage.provider.signIdToken(kept, change.sign)
        const query = change.plain ? plain.searchParams : new URLSearchParams({ response })
        const answer = await stage.browser.get(`${plain.pathname}?${query}`)
        if (signIn) await stage.expectSignedIn(answer)
        else await stage.expectRefused(answer, error, /./)
      })
    }
  })

  describe('an encrypted id_token', () => {
    const cases: Readonly<
      Record<string, [reason: RegExp | undefined, header: Record<string, unknown>, inner?: SignOptions]>
    > = {
      'encrypted-idtoken': [undefined, {}],
      'that is compressed: signs nobody in': [/opens the id_token/, { zip: 'DEF' }],
      'encrypted-idtoken-usingrsa15: signs nobody in': [/another algorithm/, { alg: 'RSA1_5' }],
      'for a key that we do not have: signs nobody in': [/opens the id_token/, { kid: 'other' }],
      'with a signature of a stranger inside: signs nobody in': [/./, {}, { key: 'stranger', kid: 'RS256' }],
      'with nothing signed inside: signs nobody in': [/./, {}, { alg: 'none' }],
      'with an access token inside: signs nobody in': [/typ/, {}, { header: { typ: 'at+jwt' } }],
    }
    for (const [name, [reason, header, inner]] of Object.entries(cases)) {
      it(`${name}`, async () => {
        const jwk = key.jwk ?? expect.fail()
        await stage.restart({ decryptionKeys: [jwk], client: { id_token_encrypted_response_alg: 'RSA-OAEP-256' } })
        stage.provider.onToken = async (body) => {
          const reply = await stage.provider.tokens(body, {}, inner)
          const answer = reply.body as { id_token: string }
          return { body: { ...answer, id_token: await encryptFor(jwk, answer.id_token, header) } }
        }
        const answer = await stage.signIn()
        if (reason) await stage.expectRefused(answer, 'OAuthCallbackError', reason)
        else await stage.expectSignedIn(answer)
      })
    }

    it('that is not encrypted, although required: signs no user in', async () => {
      await stage.restart({
        decryptionKeys: [key.jwk ?? expect.fail()],
        client: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
      })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /is not encrypted/)
    })
  })
})

/**
 * Encrypts a token. Wrong values of a header overwrite the true ones: such a token opens with no key, and must not open
 * with ours.
 */
async function encryptFor(jwk: PrivateJwk, token: string, header: Record<string, unknown>): Promise<string> {
  const open = await importJWK(publicKey(jwk, 'enc'), jwk.alg)
  const made = await new CompactEncrypt(new TextEncoder().encode(token))
    .setProtectedHeader({ alg: jwk.alg, enc: 'A256GCM', kid: jwk.kid, cty: 'JWT' })
    .encrypt(open)
  if (Object.keys(header).length === 0) return made
  const [first = '', ...rest] = made.split('.')
  const told = { ...JSON.parse(Buffer.from(first, 'base64url').toString()), ...header }
  return [Buffer.from(JSON.stringify(told)).toString('base64url'), ...rest].join('.')
}
