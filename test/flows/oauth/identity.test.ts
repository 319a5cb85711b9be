/** From a provider's answer to a user: userinfo, `profile`, user and account. */
import { expect } from 'chai'
import { startApp, target } from '../../support/app.js'
import type { Reply, SignOptions } from '../../support/hostile-provider.js'
import { startOpenIdProvider } from '../../support/openid-provider.js'
import { type SignedIn, useStage } from './stage.js'

describe('userinfo (OpenID Connect Core §5.3)', () => {
  const stage = useStage({ idToken: false })

  async function expectRefused(reason: RegExp) {
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
  }

  it('is requested with the access token, for a provider with `idToken: false`', async () => {
    await stage.expectSignedIn(await stage.signIn())
    const [asked] = stage.provider.requests.filter(({ path }) => path === '/userinfo')
    expect(asked?.method).to.equal('GET')
    expect(asked?.headers.authorization).to.equal(`Bearer ${stage.signedIn[0]?.account?.access_token}`)
    expect(stage.signedIn[0]?.profile).to.deep.equal(stage.provider.person)
  })

  it('is not requested otherwise', async () => {
    await stage.restart({ idToken: true })
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.count('/userinfo')).to.equal(0)
  })

  it('returns claims that the id_token of a real provider lacks', async () => {
    const provider = await startOpenIdProvider({ claimsIn: 'userinfo' })
    const signedIn: SignedIn[] = []
    const providers = [false, true].map((idToken) => ({
      id: `id-token-${idToken}`,
      name: 'Test',
      type: 'oidc' as const,
      idToken,
      ...provider.settings(),
    }))
    const app = await startApp({ providers, events: { signIn: (message) => void signedIn.push(message) } })
    for (const { id } of providers) {
      const browser = app.browser()
      const start = await browser.submit(`/auth/signin/${id}`)
      const end = await browser.get(await provider.signInAs(target(start), 'alice'))
      expect(target(end)).to.equal(`${app.origin}/`)
    }
    await Promise.all([app.close(), provider.close()])
    expect(app.log.errors).to.deep.equal([])
    expect(signedIn.map(({ user }) => [user.name, user.email])).to.deep.equal([
      ['Alice Example', 'alice@example.com'],
      [null, null],
    ])
    expect(signedIn.map(({ account }) => account?.providerAccountId)).to.deep.equal(['alice-sub', 'alice-sub'])
  })

  for (const sub of ['somebody-else', 'PERSON-1', 'person-1 ', '', undefined, null, 7, ['person-1']]) {
    it(`OA-03 rejects the subject ${JSON.stringify(sub)}`, async () => {
      stage.provider.onUserinfo = () => ({ body: { ...stage.provider.person, sub } })
      await expectRefused(/"sub"/)
    })
  }

  const refused: ReadonlyArray<[what: string, reason: RegExp, reply: () => Reply]> = [
    ['500', /unexpected HTTP response status/, () => ({ status: 500, body: 'oops' })],
    [
      '401',
      /WWW_AUTHENTICATE/,
      () => ({ status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    ],
    ['a redirect', /unexpected HTTP response status/, () => ({ status: 302, headers: { location: '/elsewhere' } })],
    ['HTML', /NOT_JSON/, () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' })],
    ['an array', /top level object/, () => ({ body: [] })],
    ['2 MiB', /longer than/, () => ({ body: ' '.repeat(2 * 1024 * 1024) })],
    ['a cut connection', /fetch failed/, () => ({ reset: true })],
  ]
  for (const [what, reason, reply] of refused) {
    it(`rejects ${what}`, async () => {
      stage.provider.onUserinfo = reply
      await expectRefused(reason)
      expect(stage.provider.count('/elsewhere')).to.equal(0)
    })
  }

  describe('OA-04 as a JWT', () => {
    const pinned = { client: { userinfo_signed_response_alg: 'RS256' } }

    function answerWith(claims: object, options?: SignOptions) {
      const { issuer, person, jwks } = stage.provider
      const good = { ...person, iss: issuer, aud: 'hostile-client' }
      const signed = { kid: jwks.keys[0]?.kid ?? '', ...options }
      stage.provider.onUserinfo = async () => ({
        headers: { 'content-type': 'application/jwt' },
        body: await stage.provider.signIdToken({ ...good, ...claims }, signed),
      })
    }

    it('is accepted if its algorithm is pinned', async () => {
      await stage.restart(pinned)
      answerWith({ name: 'By JWT' })
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.signedIn[0]?.user.name).to.equal('By JWT')
    })

    it('is rejected if none is', async () => {
      answerWith({})
      await expectRefused(/configuration to verify used JWT "alg"/)
    })

    for (const [what, claims, options, reason] of [
      ['unsigned', {}, { alg: 'none' }, /unexpected JWT "alg"/],
      ["signed by a stranger under a real key's kid", {}, { key: 'stranger' }, /signature/],
      ['for another client', { aud: 'somebody-else' }, {}, /"aud"/],
      ['of another issuer', { iss: 'https://evil.test' }, {}, /"iss"/],
      ['of another person', { sub: 'somebody-else' }, {}, /"sub"/],
    ] as const) {
      it(`is rejected ${what}`, async () => {
        await stage.restart(pinned)
        answerWith(claims, options)
        await expectRefused(reason)
      })
    }
  })

  it('rejects a provider that has none', async () => {
    delete stage.provider.discovery.userinfo_endpoint
    await expectRefused(/userinfo_endpoint/)
  })

  describe('hook userinfo.request', () => {
    it('reads the profile in its own way, with our fetch', async () => {
      stage.provider.routes.set('/me', ({ headers }) => ({
        body: { ...stage.provider.person, name: headers.authorization },
      }))
      await stage.restart({
        userinfo: {
          request: async ({ fetch, tokens }: { fetch: typeof globalThis.fetch; tokens: { access_token: string } }) => {
            const headers = { authorization: `Token ${tokens.access_token}` }
            return (await fetch(`${stage.provider.issuer}/me`, { headers })).json()
          },
        },
      })
      await stage.expectSignedIn(await stage.signIn())
      const [told] = stage.signedIn
      expect(told?.user.name).to.equal(`Token ${told?.account?.access_token}`)
      expect(stage.provider.count('/userinfo')).to.equal(0)
    })

    for (const [what, request, reason] of [
      ['tells of another user', () => ({ sub: 'somebody-else' }), /another user/],
      ['tells of nobody', () => null, /not a JSON object/],
      ['tells an array', () => [], /not a JSON object/],
      ['throws', () => Promise.reject(new Error('hook failed')), /hook failed/],
    ] as const) {
      it(`that ${what} signs no user in`, async () => {
        await stage.restart({ userinfo: { request } })
        await expectRefused(reason)
      })
    }
  })
})

describe('profile', () => {
  const stage = useStage()

  it('returns by default the standard claims, with the address in lower case', async () => {
    Object.assign(stage.provider.person, {
      email: 'Person@Example.COM',
      picture: 'https://example.com/p.png',
      extra: 'not shown',
    })
    await stage.expectSignedIn(await stage.signIn())
    const [told] = stage.signedIn
    const { id, ...user } = told?.user ?? {}
    expect(user).to.deep.equal({
      name: 'Hostile Person',
      email: 'person@example.com',
      image: 'https://example.com/p.png',
    })
    expect(id).to.match(/^[0-9a-f-]{36}$/)
    expect(id).not.to.equal('person-1')
    expect(told?.account?.providerAccountId).to.equal('person-1')
    expect(told?.profile).to.include({ sub: 'person-1', extra: 'not shown' })
  })

  it('gets the claims and the tokens, and its own fields reach the callbacks', async () => {
    const seen: unknown[] = []
    await stage.restart({
      profile: (profile: object, tokens: object) => {
        seen.push(profile, tokens)
        return { id: 'own-id', name: 'Own', role: 'admin' }
      },
    })
    await stage.expectSignedIn(await stage.signIn())
    expect(seen[0]).to.include({ sub: 'person-1', iss: stage.provider.issuer })
    expect(seen[1]).to.include.keys('access_token', 'id_token', 'expires_at')
    expect(stage.signedIn[0]?.user).to.include({ name: 'Own', role: 'admin' })
    expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('own-id')
  })

  it('accepts an integer as id, 0 among them', async () => {
    const ids: unknown[] = []
    for (const id of [0, 7, -1, Number.MAX_SAFE_INTEGER]) {
      await stage.restart({ profile: () => ({ id }) })
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.signedIn[0]?.account?.providerAccountId).to.equal(String(id))
      ids.push(stage.signedIn[0]?.user.id)
    }
    expect(new Set(ids).size, 'four people').to.equal(4)
  })

  const noIds = {
    'an empty text': '',
    null: null,
    undefined,
    'an object': { $ne: 1 },
    'an array': ['a'],
    true: true,
    'a fraction': 1.5,
    NaN: Number.NaN,
    'an unsafe number': 2 ** 60,
    '256 characters': 'x'.repeat(256),
  }
  for (const [what, id] of Object.entries(noIds)) {
    it(`OA-05 rejects the id ${what}`, async () => {
      await stage.restart({ profile: () => ({ id, name: 'Nobody' }) })
      await stage.expectRefused(await stage.signIn(), 'OAuthProfileParseError', /must return an `id`/)
    })
  }

  for (const [what, user] of [
    ['nothing', undefined],
    ['null', null],
    ['text', 'user'],
    ['an array', [{ id: 'x' }]],
  ] as const) {
    it(`OA-06 that returns ${what} signs no user in`, async () => {
      await stage.restart({ profile: () => user })
      await stage.expectRefused(await stage.signIn(), 'OAuthProfileParseError', /returned no user/)
    })
  }

  it('OA-06 that throws signs no user in, and no code is in the URL', async () => {
    for (const profile of [
      () => {
        throw new Error('profile failed')
      },
      () => Promise.reject(new Error('profile failed')),
      () => Promise.reject('profile failed, as text'),
    ]) {
      await stage.restart({ profile })
      const response = await stage.signIn()
      await stage.expectRefused(response, 'OAuthProfileParseError', /`profile` of the provider "test" threw/)
      expect(target(response)).to.equal(`${stage.app.origin}/auth/error?error=Configuration`)
    }
  })

  it('OA-05 PP-05 with __proto__ in the claims pollutes nothing', async () => {
    await stage.restart({ idToken: false })
    stage.provider.onUserinfo = () => ({
      body: JSON.stringify(stage.provider.person).replace(
        /^\{/,
        '{"__proto__":{"polluted":true},"constructor":{"x":1},',
      ),
    })
    await stage.expectSignedIn(await stage.signIn())
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
    expect(stage.signedIn[0]?.profile?.polluted).to.equal(undefined)
  })
})

describe('callbacks of a sign-in through a provider', () => {
  const stage = useStage()

  it('run in order, each with user, account and profile', async () => {
    const calls: Array<[name: string, params: Record<string, unknown>]> = []
    const note = (name: string) => (params: object) => void calls.push([name, params as Record<string, unknown>])
    await stage.restart(
      {},
      {
        callbacks: {
          signIn: (params) => {
            note('signIn')(params)
            return true
          },
          jwt: (params) => {
            note('jwt')(params)
            return { ...params.token, ...(params.trigger && { provider: params.account?.provider }) }
          },
        },
        events: { signIn: note('event') },
      },
    )
    expect(target(await stage.signIn())).to.equal(`${stage.app.origin}/welcome`)
    expect(calls.map(([name]) => name)).to.deep.equal(['signIn', 'jwt', 'event'])
    for (const [name, { user, account, profile }] of calls) {
      expect(user, name).to.include({ name: 'Hostile Person', email: 'person@example.com' })
      expect(account, name).to.include({ provider: 'test', type: 'oidc', providerAccountId: 'person-1' })
      expect(profile, name).to.include({ sub: 'person-1', email_verified: true })
    }
    const [, jwt] = calls[1] ?? []
    expect(jwt?.trigger).to.equal('signIn')
    const user = calls[0]?.[1].user as { id: string } | undefined
    expect(user?.id).to.be.a('string')
    expect(jwt?.token).to.deep.equal({
      name: 'Hostile Person',
      email: 'person@example.com',
      picture: null,
      sub: user?.id,
    })
  })

  it('receive no user id of the provider: the engine determines the user of an account', async () => {
    const told: unknown[] = []
    await stage.restart({}, { callbacks: { signIn: ({ account }) => told.push(account?.userId) > 0 } })
    stage.provider.onToken = async (body) => {
      const reply = await stage.provider.tokens(body)
      return { ...reply, body: { ...(reply.body as object), userId: 'the-admin' } }
    }
    await stage.expectSignedIn(await stage.signIn())
    expect([...told, stage.signedIn[0]?.account?.userId]).to.deep.equal([undefined, undefined])
  })

  for (const [what, signIn, location] of [
    ['refuses', () => false, '/auth/error?error=AccessDenied'],
    ['throws', () => Promise.reject(new Error('no')), '/auth/error?error=AccessDenied'],
    ['sends elsewhere', () => '/waiting-list', '/waiting-list'],
  ] as const) {
    it(`start no session if \`signIn\` ${what}`, async () => {
      await stage.restart({}, { callbacks: { signIn } })
      const response = await stage.signIn()
      expect(target(response)).to.equal(`${stage.app.origin}${location}`)
      expect(await stage.browser.session()).to.equal(null)
      expect(stage.signedIn).to.deep.equal([])
      expect(stage.transactions()).to.deep.equal([])
    })
  }
})
