/** The requirements of an id_token (OpenID Connect Core §3.1.3.7, RFC 8725). Any other token signs no user in. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect } from 'chai'
import type { JWK } from 'jose'
import { startApp, type TestApp, target } from '../../support/app.js'
import { advanceClock } from '../../support/clock.js'
import type { Claims, SignOptions, TokenAnswer } from '../../support/hostile-provider.js'
import type { Answer } from '../../support/http-browser.js'
import { type OpenIdProvider, type SigningAlgorithm, startOpenIdProvider } from '../../support/openid-provider.js'
import { rejectionOf } from '../../support/rejection.js'
import { useStage } from './stage.js'

const now = () => Math.floor(Date.now() / 1000)
const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Creates an RS256 signature without a library that could reject it. `payload` may be JSON text. */
function signByHand(key: KeyObject, header: object, payload: unknown): string {
  const signed = `${encode({ alg: 'RS256', ...header })}.${encode(payload)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

const rsaPairs = new Map<string, { privateKey: KeyObject; publicKey: KeyObject }>()

/**
 * Returns the title of a row whose name begins with cases: `ID-03 another issuer` is `ID-03 refuses another issuer`.
 */
const named = (verb: string, row: string) => row.replace(/^((?:[A-Z]+-\d{2} )*)/, `$1${verb} `)

/** Returns a key that is made once for each length and number. */
function rsaKey(modulusLength = 2048, number = 0) {
  const name = `${modulusLength}-${number}`
  const pair = rsaPairs.get(name) ?? generateKeyPairSync('rsa', { modulusLength })
  rsaPairs.set(name, pair)
  const { privateKey, publicKey } = pair
  return {
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'by-hand', alg: 'RS256', use: 'sig' } as JWK,
  }
}

describe('GET /auth/callback/:provider (id_token)', () => {
  const stage = useStage()

  /** Returns token answers with another id_token. `make` gets the claims of a correct one. */
  function answerWith(make: (claims: Record<string, unknown>) => unknown): TokenAnswer {
    return async (body) => {
      const reply = await stage.provider.tokens(body, {}, { alg: 'none' })
      const tokens = reply.body as { id_token: string }
      const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString())
      return { body: { ...tokens, id_token: await make(claims) } }
    }
  }

  function useClaims(claims: Claims, options?: SignOptions) {
    stage.provider.onToken = (body) => stage.provider.tokens(body, claims, options)
  }

  async function expectRefused(reason: RegExp, response?: Answer) {
    await stage.expectRefused(response ?? (await stage.signIn()), 'OAuthCallbackError', reason)
    expect(stage.provider.count('/token')).to.equal(1)
  }

  it('is accepted if it is correct: the control of this suite', async () => {
    useClaims({})
    await stage.expectSignedIn(await stage.signIn())
  })

  describe('claims', () => {
    const refused: ReadonlyArray<[what: string, claims: () => Claims, reason: RegExp]> = [
      ['ID-03 another issuer', () => ({ iss: 'https://evil.test' }), /"iss"/],
      ['ID-03 the issuer with a slash more', () => ({ iss: `${stage.provider.issuer}/` }), /"iss"/],
      ['ID-03 the issuer in capitals', () => ({ iss: stage.provider.issuer.toUpperCase() }), /"iss"/],
      ['ID-03 an array of issuers', () => ({ iss: [stage.provider.issuer] }), /"iss"/],
      ['ID-03 no issuer', () => ({ iss: undefined }), /"iss"/],
      ['ID-03 another audience', () => ({ aud: 'somebody-else' }), /"aud"/],
      ['ID-03 no audience', () => ({ aud: undefined }), /"aud"/],
      ['ID-03 two audiences and no azp', () => ({ aud: ['hostile-client', 'x'] }), /untrusted audiences/],
      ['ID-03 two audiences and another azp', () => ({ aud: ['hostile-client', 'x'], azp: 'x' }), /"azp"/],
      ['ID-03 our audience and another azp', () => ({ azp: 'x' }), /"azp"/],
      ['ID-03 an azp that is no text', () => ({ azp: ['hostile-client'] }), /"azp"/],
      ['ID-05 an end in the past', () => ({ exp: now() - 20 }), /"exp"/],
      ['ID-05 no end', () => ({ exp: undefined }), /"exp"/],
      ['ID-05 an end that is text', () => ({ exp: String(now() + 300) }), /"exp"/],
      ['ID-05 an issue time in the future', () => ({ iat: now() + 20 }), /issued in the future/],
      ['ID-05 no issue time', () => ({ iat: undefined }), /"iat"/],
      ['ID-05 an issue time that is text', () => ({ iat: String(now()) }), /"iat"/],
      ['ID-05 a beginning in the future', () => ({ nbf: now() + 20 }), /"nbf"/],
      ['ID-08 no subject', () => ({ sub: undefined }), /"sub"/],
      ['ID-08 an empty subject', () => ({ sub: '' }), /"sub"/],
      ['ID-08 a subject of 256 characters', () => ({ sub: 'x'.repeat(256) }), /"sub"/],
      ['ID-08 a subject that is a number', () => ({ sub: 7 }), /"sub"/],
      ['ID-08 a subject that is an array', () => ({ sub: ['a'] }), /"sub"/],
      ['ID-08 a subject that is an object', () => ({ sub: { $ne: 1 } }), /"sub"/],
      ['ID-06 ST-10 no nonce', () => ({ nonce: undefined }), /"nonce"/],
      ['ID-06 ST-10 another nonce', () => ({ nonce: 'x'.repeat(43) }), /"nonce"/],
    ]
    for (const [what, claims, reason] of refused) {
      it(`${named('rejects', what)}`, async () => {
        useClaims(claims())
        await expectRefused(reason)
      })
    }

    it('ID-06 ST-10 rejects the nonce in an array', async () => {
      const url = await stage.begin()
      useClaims({ nonce: [new URL(url).searchParams.get('nonce')] })
      await expectRefused(/"nonce"/, await stage.browser.get(stage.provider.authorize(url)))
    })

    it('ID-06 ST-10 rejects the nonce of another attempt of the same browser', async () => {
      const nonce = new URL(await stage.begin()).searchParams.get('nonce')
      useClaims({ nonce })
      await expectRefused(/"nonce"/)
    })

    const taken: ReadonlyArray<[what: string, claims: () => Claims]> = [
      ['an end 10 seconds ago, for clocks differ', () => ({ exp: now() - 10 })],
      ['an issue time in 10 seconds', () => ({ iat: now() + 10 })],
      ['a beginning in 10 seconds', () => ({ nbf: now() + 10 })],
      ['our azp', () => ({ azp: 'hostile-client' })],
      ['two audiences with our azp', () => ({ aud: ['x', 'hostile-client'], azp: 'hostile-client' })],
      ['a subject of 255 characters', () => ({ sub: 'x'.repeat(255) })],
    ]
    for (const [what, claims] of taken) {
      it(`accepts ${what}`, async () => {
        useClaims(claims())
        await stage.expectSignedIn(await stage.signIn())
      })
    }

    it('ID-16 reads one user from a payload with two subjects', async () => {
      const { privateKey, jwk } = rsaKey()
      stage.provider.jwks = { keys: [jwk] }
      stage.provider.onToken = answerWith((claims) => {
        const payload = JSON.stringify(claims)
          .replace(/^\{/, '{"sub":"first",')
          .replace('"sub":"person-1"', '"sub":"last"')
        return signByHand(privateKey, { kid: jwk.kid }, payload)
      })
      await stage.expectSignedIn(await stage.signIn())
      const [told] = stage.signedIn
      expect([told?.account?.providerAccountId, told?.profile?.sub]).to.deep.equal(['last', 'last'])
    })
  })

  describe('max_age', () => {
    const signIn = (maxAge: string) => stage.signIn({}, `?max_age=${maxAge}`)

    it('accepts a younger authentication', async () => {
      useClaims({ auth_time: now() - 50 })
      await stage.expectSignedIn(await signIn('60'))
    })

    it('ID-13 rejects an older one', async () => {
      useClaims({ auth_time: now() - 100 })
      await expectRefused(/since the last End-User authentication/, await signIn('60'))
    })

    it('ID-13 rejects a missing one', async () => {
      await expectRefused(/auth_time/, await signIn('60'))
    })

    it("checks the provider object's own", async () => {
      await stage.restart({ authorization: { params: { scope: 'openid', max_age: 60 } } })
      useClaims({ auth_time: now() - 100 })
      await expectRefused(/since the last End-User authentication/)
    })

    it('checks 0: an authentication at this moment', async () => {
      useClaims({ auth_time: now() - 30 })
      await expectRefused(/since the last End-User authentication/, await signIn('0'))
    })
  })

  describe('presence', () => {
    for (const options of [{}, { idToken: false }]) {
      it(`ID-15 is required with ${JSON.stringify(options)}`, async () => {
        await stage.restart(options)
        stage.provider.onToken = async (body) => {
          const { id_token: _none, ...others } = (await stage.provider.tokens(body)).body as Record<string, unknown>
          return { body: others }
        }
        await expectRefused(/"id_token"/)
        expect(stage.provider.count('/userinfo')).to.equal(0)
      })
    }

    const garbage: Record<string, unknown> = {
      'an empty text': '',
      'a number': 7,
      'an object': { sub: 'person-1' },
      'no JWT': 'garbage',
      'a JWE': 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA',
      'JSON that is no object': `${encode({ alg: 'RS256' })}.${encode('[]')}.AAAA`,
    }
    for (const [what, token] of Object.entries(garbage)) {
      it(`rejects ${what}`, async () => {
        stage.provider.onToken = answerWith(() => token)
        await expectRefused(/id_token|JWT|JWE|JWS|is encrypted/i)
      })
    }
  })

  describe('signature', () => {
    for (const alg of ['none', 'None', 'nOnE', 'NONE']) {
      it(`ID-01 rejects alg ${alg}, even if the provider lists it`, async () => {
        stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', alg]
        useClaims({}, { alg: 'none', header: { alg } })
        await expectRefused(/unsupported JWS/)
      })
    }

    it('ID-01 rejects an empty signature', async () => {
      stage.provider.onToken = async (body) => {
        const tokens = (await stage.provider.tokens(body)).body as { id_token: string }
        return { body: { ...tokens, id_token: tokens.id_token.replace(/[^.]+$/, '') } }
      }
      await expectRefused(/signature/i)
    })

    it('rejects a signature of another token', async () => {
      stage.provider.onToken = async (body) => {
        const [good, other] = await Promise.all(
          [{}, { sub: 'victim' }].map(async (claims) => (await stage.provider.tokens(body, claims)).body),
        )
        const [header, , signature] = (good as { id_token: string }).id_token.split('.')
        const payload = (other as { id_token: string }).id_token.split('.')[1]
        return { body: { ...(good as object), id_token: `${header}.${payload}.${signature}` } }
      }
      await expectRefused(/signature/)
    })

    it('ID-09 rejects another key under the kid of a real one', async () => {
      const { keys } = stage.provider.jwks
      useClaims({}, { key: 'stranger', kid: keys[0]?.kid ?? '' })
      await expectRefused(/signature/)
    })

    it('ID-02 rejects HS256 under the public key, as JWK or PEM', async () => {
      const [jwk] = stage.provider.jwks.keys
      const pem = createPublicKey({ key: jwk as JWK, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      for (const secret of [JSON.stringify(jwk), String(pem), String(pem).trim(), jwk?.n ?? '']) {
        for (const listed of [['RS256'], ['RS256', 'HS256']]) {
          stage.provider.reset()
          await stage.restart()
          stage.provider.discovery.id_token_signing_alg_values_supported = listed
          useClaims({}, { alg: 'HS256', secret, kid: jwk?.kid ?? null })
          await expectRefused(/unsupported JWS|unexpected JWT "alg"/)
        }
      }
    })

    it('ID-02 rejects HS256 under the client secret if no HS256 is pinned', async () => {
      stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'HS256']
      useClaims({}, { alg: 'HS256' })
      await expectRefused(/unsupported JWS/)
    })

    it('ID-17 accepts ES256 if the provider lists it, and not if another one is pinned', async () => {
      useClaims({}, { alg: 'ES256' })
      await stage.expectSignedIn(await stage.signIn())
      await stage.restart({ client: { id_token_signed_response_alg: 'RS256' } })
      stage.provider.requests.length = 0
      await expectRefused(/unexpected JWT "alg"/)
    })

    it('ID-17 rejects an algorithm that the provider does not list', async () => {
      stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256']
      useClaims({}, { alg: 'ES256' })
      await expectRefused(/unexpected JWT "alg"/)
    })

    for (const typ of ['at+jwt', 'logout+jwt', 'application/at+jwt', 'AT+JWT', 'dpop+jwt']) {
      it(`ID-12 rejects a token of type ${typ}`, async () => {
        useClaims({}, { header: { typ } })
        await expectRefused(/"typ"/)
      })
    }

    it('accepts the type JWT', async () => {
      useClaims({}, { header: { typ: 'JWT' } })
      await stage.expectSignedIn(await stage.signIn())
    })

    it('rejects unknown critical header parameters (RFC 7515 §4.1.11)', async () => {
      const { privateKey, jwk } = rsaKey()
      stage.provider.jwks = { keys: [jwk] }
      stage.provider.onToken = answerWith((claims) => signByHand(privateKey, { crit: ['x'], x: 1 }, claims))
      await expectRefused(/crit/)
    })
  })

  describe('under a pinned HS256', () => {
    const pinned = { client: { id_token_signed_response_alg: 'HS256' } }
    beforeEach(async () => {
      stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'HS256', 'none']
      await stage.restart(pinned)
    })

    it('accepts the client secret', async () => {
      useClaims({}, { alg: 'HS256' })
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.provider.count('/jwks')).to.equal(0)
    })

    it('rejects another secret', async () => {
      useClaims({}, { alg: 'HS256', secret: 'x'.repeat(32) })
      await expectRefused(/signature/)
    })

    it('rejects a client without a secret at construction: its key would be empty', async () => {
      const { message } = await rejectionOf(stage.restart({ ...pinned, clientSecret: undefined }))
      expect(message).to.include('HS256 needs `clientSecret`, or AUTH_TEST_SECRET')
    })

    it('ID-01 ID-17 rejects an empty signature, none and RS256', async () => {
      for (const [options, reason] of [
        [{ alg: 'none', header: { alg: 'HS256' } }, /signature/],
        [{ alg: 'none' }, /unexpected JWT "alg"/],
        [{ alg: 'RS256' }, /unexpected JWT "alg"/],
      ] as const) {
        await stage.restart(pinned)
        stage.provider.requests.length = 0
        useClaims({}, options)
        await expectRefused(reason)
      }
    })
  })

  describe('keys', () => {
    const jwks = () => stage.provider.count('/jwks')

    for (const kid of ['unknown', '../../etc/passwd', "' OR 1=1 --", 'https://evil.test/jwks', '__proto__']) {
      it(`ID-09 rejects the unknown kid ${kid}, after requesting the keys again`, async () => {
        await stage.expectSignedIn(await stage.signIn())
        stage.provider.requests.length = 0
        stage.signedIn.length = 0
        stage.newBrowser()
        useClaims({}, { kid })
        await expectRefused(/KEY_SELECTION_FAILED/)
        expect(jwks()).to.equal(1)
      })
    }

    it('ID-09 ID-14 requests an unknown kid once in 30 seconds, for any number of callers', async () => {
      await stage.expectSignedIn(await stage.signIn())
      const refusals = async (count: number) => {
        for (let at = 0; at < count; at++) {
          useClaims({}, { kid: `unknown-${at}` })
          expect(target(await stage.signIn())).to.match(/error=OAuthCallbackError$/)
        }
      }
      await refusals(5)
      expect(jwks(), 'one at first, one for the unknown').to.equal(2)
      advanceClock(31)
      await refusals(2)
      expect(jwks(), 'one more after the cool-down').to.equal(3)
    })

    it('shares the request for an unknown kid among parallel callbacks', async () => {
      await stage.expectSignedIn(await stage.signIn())
      useClaims({}, { kid: 'unknown' })
      const browsers = Array.from({ length: 20 }, () => stage.app.browser())
      const callbacks: string[] = []
      for (const browser of browsers) {
        callbacks.push(stage.provider.authorize(target(await browser.submit('/auth/signin/test'))))
      }
      stage.provider.requests.length = 0
      await Promise.all(browsers.map((browser, at) => browser.get(callbacks[at] ?? '')))
      expect(stage.provider.count('/token')).to.equal(20)
      expect(jwks()).to.equal(1)
    })

    it('shares the first request for keys among parallel callbacks', async () => {
      const browsers = Array.from({ length: 20 }, () => stage.app.browser())
      const callbacks: string[] = []
      for (const browser of browsers) {
        callbacks.push(stage.provider.authorize(target(await browser.submit('/auth/signin/test'))))
      }
      const responses = await Promise.all(browsers.map((browser, at) => browser.get(callbacks[at] ?? '')))
      for (const response of responses) expect(target(response)).to.equal(`${stage.app.origin}/`)
      expect(jwks()).to.equal(1)
    })

    it('ID-14 accepts keys that were rotated between the request and the answer', async () => {
      await stage.expectSignedIn(await stage.signIn())
      const url = await stage.begin()
      await stage.provider.rotateKeys()
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
      expect(jwks()).to.equal(2)
      await stage.expectSignedIn(await stage.signIn())
      expect(jwks(), 'the new keys are known now').to.equal(2)
    })

    it('accepts keys that were rotated twice within the cool-down', async () => {
      await stage.expectSignedIn(await stage.signIn())
      for (const expected of [2, 3]) {
        await stage.provider.rotateKeys()
        await stage.expectSignedIn(await stage.signIn())
        expect(jwks()).to.equal(expected)
      }
    })

    describe('replaced under the same name', () => {
      const replace = () => stage.provider.rotateKeys({ sameNames: true })

      it('are accepted by the next sign-in, whose code is used once', async () => {
        await stage.expectSignedIn(await stage.signIn())
        for (const expected of [2, 3]) {
          await replace()
          stage.newBrowser()
          await stage.expectSignedIn(await stage.signIn())
          expect(jwks()).to.equal(expected)
          expect(stage.provider.count('/token')).to.equal(expected)
        }
        stage.newBrowser()
        await stage.expectSignedIn(await stage.signIn())
        expect(jwks(), 'the new keys are known now').to.equal(3)
      })

      it('are accepted by all parallel callbacks, and requested once', async () => {
        await stage.expectSignedIn(await stage.signIn())
        const browsers = Array.from({ length: 20 }, () => stage.app.browser())
        const callbacks: string[] = []
        for (const browser of browsers) {
          callbacks.push(stage.provider.authorize(target(await browser.submit('/auth/signin/test'))))
        }
        await replace()
        stage.provider.requests.length = 0
        const responses = await Promise.all(browsers.map((browser, at) => browser.get(callbacks[at] ?? '')))
        for (const response of responses) expect(target(response)).to.equal(`${stage.app.origin}/`)
        expect(stage.provider.count('/token')).to.equal(20)
        expect(jwks()).to.equal(1)
      })

      it('do not make an unknown signature valid, and are not requested again and again', async () => {
        await stage.expectSignedIn(await stage.signIn())
        useClaims({}, { key: 'stranger', kid: stage.provider.jwks.keys[0]?.kid ?? null })
        const refusals = async (count: number) => {
          for (let at = 0; at < count; at++) {
            expect(target((await stage.newBrowser()) && (await stage.signIn()))).to.match(/error=OAuthCallbackError$/)
          }
        }
        await refusals(5)
        expect(jwks(), 'one at first, one for the wrong signature').to.equal(2)
        advanceClock(31)
        await refusals(2)
        expect(jwks(), 'one more after the cool-down').to.equal(3)
        expect(stage.lastFault()).to.match(/signature verification failed/)
      })

      it('ID-14 are an error if they cannot be loaded', async () => {
        await stage.expectSignedIn(await stage.signIn())
        await replace()
        stage.signedIn.length = 0
        stage.provider.requests.length = 0
        stage.newBrowser()
        stage.provider.onJwks = () => ({ status: 500 })
        await expectRefused(/signature verification failed/)
      })

      it('verify a signed userinfo answer, too', async () => {
        await stage.restart({ idToken: false, client: { userinfo_signed_response_alg: 'RS256' } })
        stage.provider.onUserinfo = async () => {
          const { issuer, person } = stage.provider
          const body = await stage.provider.signIdToken({
            iss: issuer,
            aud: stage.provider.settings.clientId,
            ...person,
          })
          return { headers: { 'content-type': 'application/jwt' }, body }
        }
        await stage.expectSignedIn(await stage.signIn())
        const plain = stage.provider.onToken
        stage.provider.onToken = async (body, request) => {
          const reply = await plain(body, request)
          // After the id_token was signed: its own signature is right.
          await replace()
          return reply
        }
        stage.newBrowser()
        await stage.expectSignedIn(await stage.signIn())
        expect(jwks()).to.equal(2)
      })
    })

    it('requests keys again after ten minutes', async () => {
      await stage.expectSignedIn(await stage.signIn())
      advanceClock(9 * 60)
      await stage.expectSignedIn(await stage.signIn())
      expect(jwks()).to.equal(1)
      advanceClock(2 * 60)
      await stage.expectSignedIn(await stage.signIn())
      expect(jwks()).to.equal(2)
    })

    it('ID-14 SF-06 reports an error if the keys cannot be loaded, and forgets it', async () => {
      for (const [reply, reason] of [
        [{ status: 500, body: 'oops' }, /unexpected HTTP status 500/],
        [{ status: 302, headers: { location: 'https://evil.test/' } }, /unexpected HTTP status 302/],
        [{ body: '<html>' }, /JSON/],
        [{ body: '{}' }, /keys|JWK/i],
        [{ body: 'null' }, /keys|JWK|body/i],
        [{ body: ' '.repeat(2 * 1024 * 1024) }, /longer than/],
        [{ reset: true }, /fetch failed/],
      ] as const) {
        await stage.restart()
        stage.provider.reset()
        stage.provider.onJwks = () => reply
        await expectRefused(reason)
        stage.app.log.errors.length = 0
        stage.provider.reset()
        await stage.expectSignedIn(await stage.signIn())
      }
    })

    const bad: ReadonlyArray<[what: string, change: (jwk: JWK) => JWK]> = [
      ['for encryption', (jwk) => ({ ...jwk, use: 'enc' })],
      ['whose key_ops are not to verify', (jwk) => ({ ...jwk, key_ops: ['encrypt'] })],
      ['for another algorithm', (jwk) => ({ ...jwk, alg: 'PS256' })],
      ['of another kid', (jwk) => ({ ...jwk, kid: 'other' })],
    ]
    for (const [what, change] of bad) {
      it(`ID-10 rejects a key ${what}`, async () => {
        const { privateKey, jwk } = rsaKey()
        stage.provider.jwks = { keys: [change(jwk)] }
        stage.provider.onToken = answerWith((claims) => signByHand(privateKey, { kid: jwk.kid }, claims))
        await expectRefused(/KEY_SELECTION_FAILED/)
      })
    }

    it('accepts that key unchanged: the control of these four', async () => {
      const { privateKey, jwk } = rsaKey()
      stage.provider.jwks = { keys: [jwk] }
      stage.provider.onToken = answerWith((claims) => signByHand(privateKey, { kid: jwk.kid }, claims))
      await stage.expectSignedIn(await stage.signIn())
    })

    for (const bits of [512, 1024]) {
      it(`ID-10 rejects an RSA key of ${bits} bits`, async () => {
        const { privateKey, jwk } = rsaKey(bits)
        stage.provider.jwks = { keys: [jwk] }
        stage.provider.onToken = answerWith((claims) => signByHand(privateKey, { kid: jwk.kid }, claims))
        await expectRefused(/modulusLength/)
      })
    }

    it('ID-10 rejects a key of another type under the kid', async () => {
      const [rsa, ec] = stage.provider.jwks.keys
      stage.provider.jwks = { keys: [{ ...ec, kid: rsa?.kid ?? '', alg: 'RS256' } as JWK] }
      await expectRefused(/KEY_SELECTION_FAILED/)
    })

    it('ID-10 rejects a point that is not on the curve', async () => {
      const [, ec] = stage.provider.jwks.keys
      stage.provider.jwks = { keys: [{ ...ec, x: encode('x'.repeat(32)) } as JWK] }
      useClaims({}, { alg: 'ES256' })
      await expectRefused(/Invalid keyData/)
    })

    it('ID-10 ID-02 rejects a published symmetric key', async () => {
      const secret = 'a-published-secret-of-32-characters'
      stage.provider.discovery.id_token_signing_alg_values_supported = ['RS256', 'HS256']
      stage.provider.jwks = { keys: [{ kty: 'oct', k: encode(secret), kid: 'oct', alg: 'HS256', use: 'sig' }] }
      useClaims({}, { alg: 'HS256', secret, kid: 'oct' })
      await expectRefused(/unsupported JWS/)
    })

    it('rejects two keys with the kid, and two keys without one', async () => {
      for (const [first, second, header] of [
        ['same', 'same', { kid: 'same' }],
        ['one', 'two', {}],
      ] as const) {
        await stage.restart()
        stage.provider.requests.length = 0
        const [one, two] = [rsaKey(), rsaKey(2048, 1)]
        stage.provider.jwks = {
          keys: [
            { ...one.jwk, kid: first },
            { ...two.jwk, kid: second },
          ],
        }
        stage.provider.onToken = answerWith((claims) => signByHand(one.privateKey, header, claims))
        await expectRefused(/KEY_SELECTION_FAILED/)
      }
    })

    it('never follows a key or a URL in the token itself', async () => {
      const { privateKey, jwk } = rsaKey()
      const evil = `${stage.provider.origin}/evil-jwks`
      stage.provider.routes.set('/evil-jwks', () => ({ body: { keys: [jwk] } }))
      stage.provider.onToken = answerWith((claims) =>
        signByHand(privateKey, { jwk, jku: evil, x5u: evil, kid: jwk.kid }, claims),
      )
      await expectRefused(/KEY_SELECTION_FAILED/)
      expect(stage.provider.count('/evil-jwks')).to.equal(0)
    })
  })
})

describe('sign-in with each algorithm of a real provider', () => {
  const algorithms: readonly SigningAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256']
  let provider: OpenIdProvider
  let app: TestApp

  before(async () => {
    const clients = algorithms.map((idTokenAlg) => ({
      clientId: `client-${idTokenAlg}`,
      clientSecret: `secret-of-${idTokenAlg}-with-more-than-32-characters`,
      idTokenAlg,
    }))
    provider = await startOpenIdProvider({ clients })
    app = await startApp({
      providers: algorithms.map((alg) => ({
        id: alg,
        name: alg,
        type: 'oidc',
        ...provider.settings(`client-${alg}`),
        client: { id_token_signed_response_alg: alg },
      })),
    })
  })
  after(async () => {
    await app.close()
    await provider.close()
  })

  for (const alg of algorithms) {
    it(alg, async () => {
      const browser = app.browser()
      const start = await browser.submit(`/auth/signin/${alg}`)
      const end = await browser.get(await provider.signInAs(target(start), 'alice'))
      expect(app.log.errors).to.deep.equal([])
      expect(target(end)).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.have.nested.property('user.name', 'Alice Example')
    })
  }
})
