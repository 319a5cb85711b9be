/** A provider reports sign-outs to us: OpenID Connect Back-Channel Logout 1.0, and Front-Channel Logout 1.0. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import type { SessionEndedMessage } from '../../../lib/types/config.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../../support/clock.js'
import type { Door } from '../../support/doors.js'
import type { Claims, SignOptions } from '../../support/hostile-provider.js'
import type { Answer, Browser } from '../../support/http-browser.js'
import { startLoopbackServer } from '../../support/loopback-server.js'
import { type ProviderCookies, startOpenIdProvider } from '../../support/openid-provider.js'
import { base, doors, type LogoutStage, locationOf, pathOf, startLogoutStage } from './logout-stage.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const url = `${base}/backchannel-logout/test`
const typed: SignOptions = { header: { typ: 'logout+jwt' } }

describe('a sign-out that the provider reports', () => {
  let stage: LogoutStage
  let ended: SessionEndedMessage[]
  let failures: string[]
  let adapter: Adapter
  let jti = 0

  async function start(open = doors.express, own: Partial<OIDCConfig> = {}) {
    ended = []
    failures = []
    adapter = memoryAdapter()
    stage = await startLogoutStage(
      open,
      { logout: { backchannel: true, frontchannel: true }, client: { id_token_signed_response_alg: 'RS256' }, ...own },
      {
        adapter,
        events: {
          // It is not a sign-out by the user.
          signOut: () => void failures.push('told as a sign-out'),
          sessionEnded: (message) => void ended.push(message),
          failure: ({ type }) => void failures.push(type),
        },
      },
    )
  }
  afterEach(async () => {
    restoreClock()
    await stage.close()
  })

  const claimsOf = (claims: Claims = {}): Claims => ({
    iss: stage.provider.issuer,
    aud: stage.provider.settings.clientId,
    iat: seconds(),
    exp: seconds() + 120,
    jti: `token-${++jti}`,
    events: { [event]: {} },
    sub: 'person-1',
    sid: 'op-session',
    ...claims,
  })
  const tokenOf = (claims: Claims = {}, options: SignOptions = typed) =>
    stage.provider.signIdToken(claimsOf(claims), options)
  const post = (logout_token: string): Promise<Answer> => stage.door.browser().ask(url, { form: { logout_token } })
  const send = async (claims: Claims = {}, options: SignOptions = typed) => post(await tokenOf(claims, options))

  for (const [name, open] of Object.entries(doors)) {
    describe(name, () => {
      beforeEach(async () => {
        await start(open)
        await stage.signIn({ sid: 'op-session' })
      })

      it('oidcc-client-test-rp-backchannel-rpinitlogout: ends the session, and is answered with 200', async () => {
        expect(await stage.session()).to.be.an('object')
        const answer = await send()
        expect(answer.status).to.equal(200)
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(answer.cookies).to.deep.equal([])
        expect(await stage.session()).to.equal(null)
        expect(ended).to.have.length(1)
        expect(failures).to.deep.equal([])
        const { sid, userId, request, ...told } = ended[0] ?? { reason: 'replaced' }
        expect(told).to.deep.equal({ reason: 'provider', provider: 'test' })
        expect(sid).to.match(/^[\w-]{43}$/)
        expect(await adapter.getUser?.(String(userId))).to.include({ name: 'Hostile Person' })
        expect(request, 'of the provider').to.be.an('object')
      })

      const refused: ReadonlyArray<[name: string, claims: Claims, options?: SignOptions]> = [
        ['-alg-none', {}, { alg: 'none' }],
        ['-no-event', { events: undefined }],
        ['-with-nonce', { nonce: 'n' }],
        ['-wrong-alg', {}, { alg: 'ES256' }],
        ['-wrong-alg, with the client secret', {}, { alg: 'HS256' }],
        ['-wrong-aud', { aud: 'another-client' }],
        ['-wrong-event', { events: { 'http://schemas.openid.net/event/other': {} } }],
        ['-wrong-iss', { iss: 'https://op.example' }],
        ['another type of token', {}, { header: { typ: 'at+jwt' } }],
        ['an unpublished key', {}, { key: 'stranger' }],
        ['an unpublished key under a known name', {}, { key: 'stranger', kid: 'same' }],
        ['an event that is no object', { events: { [event]: true } }],
        ['events in a list', { events: [event] }],
        ['a nonce that is null', { nonce: null }],
        ['no jti', { jti: undefined }],
        ['no sub and no sid', { sub: undefined, sid: undefined }],
        ['a sid that is no text', { sid: { $ne: '' } }],
        ['no iat', { iat: undefined }],
        ['an exp that is no number', { exp: 'never' }],
        ['an exp that is null', { exp: null }],
        ['an end that has passed', { exp: seconds() - 60 }],
        ['no iss', { iss: undefined }],
        ['an authorized party that is another one', { azp: 'another-client' }],
      ]
      for (const [title, claims, options] of refused) {
        const module = title.startsWith('-') ? `oidcc-client-test-rp-backchannel-rpinitlogout${title}` : title
        it(`${module}: 400, and nothing ends`, async () => {
          const own = options?.kid === 'same' ? { ...options, kid: stage.provider.jwks.keys[0]?.kid ?? null } : options
          const answer = await send(claims, own ?? typed)
          expect(answer.status).to.equal(400)
          expect(answer.body.error).to.equal('invalid_request')
          expect(answer.headers['cache-control']).to.include('no-store')
          expect(await stage.session()).to.be.an('object')
          expect(ended).to.deep.equal([])
          expect(failures).to.deep.equal(['InvalidCheck'])
          expect(stage.door.log.errors).to.deep.equal([])
        })
      }

      it('oidcc-client-test-rp-frontchannel-opinitlogout: a frame ends the session that it names', async () => {
        const { issuer } = stage.provider
        const other = stage.door.browser()
        await stage.signIn({ sid: 'other-session' }, other)
        const frame = `${base}/frontchannel-logout/test?${new URLSearchParams({ iss: issuer, sid: 'op-session' })}`
        expect((await stage.door.browser().ask(frame, { method: 'HEAD' })).status).to.equal(200)
        expect(await stage.session()).to.be.an('object')
        const answer = await stage.door.browser().ask(frame, { headers: { 'sec-fetch-dest': 'iframe' } })
        expect(answer.status).to.equal(200)
        expect(answer.headers['content-security-policy']).to.match(
          new RegExp(`frame-ancestors ${issuer}$`.replaceAll('.', '\\.')),
        )
        expect(answer.headers).to.not.have.property('x-frame-options')
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(answer.cookies).to.deep.equal([])
        expect(await stage.session()).to.equal(null)
        expect(await stage.session(other)).to.be.an('object')
      })

      it('a frame that does not name issuer and session ends nothing', async () => {
        const { issuer } = stage.provider
        const queries: ReadonlyArray<Record<string, string>> = [
          {},
          { sid: 'op-session' },
          { iss: issuer },
          { iss: issuer, sid: '' },
          { iss: issuer, sid: 'unknown' },
          { iss: `${issuer}/`, sid: 'op-session' },
        ]
        for (const query of queries) {
          const answer = await stage.visitor.ask(`${base}/frontchannel-logout/test?${new URLSearchParams(query)}`)
          expect(answer.status).to.equal(200)
          expect(await stage.session()).to.be.an('object')
        }
      })
    })
  }

  describe('which sessions', () => {
    let second: Browser
    let stranger: Browser
    beforeEach(async () => {
      await start()
      second = stage.door.browser()
      stranger = stage.door.browser()
      await stage.signIn({ sid: 'op-session' })
      await stage.signIn({ sid: 'op-phone' }, second)
      await stage.signIn({ sid: 'op-other', sub: 'person-2', email: 'other@example.com' }, stranger)
    })
    const alive = async () =>
      Promise.all([stage.visitor, second, stranger].map(async (visitor) => (await stage.session(visitor)) !== null))

    it('with a sid that one, and no other of the user', async () => {
      expect((await send()).status).to.equal(200)
      expect(await alive()).to.deep.equal([false, true, true])
    })
    it('with a sid alone, too', async () => {
      expect((await send({ sub: undefined })).status).to.equal(200)
      expect(await alive()).to.deep.equal([false, true, true])
    })
    it('with a sub alone all of the user, and of no other user', async () => {
      expect((await send({ sid: undefined })).status).to.equal(200)
      expect(await alive()).to.deep.equal([false, false, true])
      expect(ended).to.have.length(2)
    })
    it('none if sid and sub belong to two users', async () => {
      expect((await send({ sid: 'op-other' })).status).to.equal(200)
      expect(await alive()).to.deep.equal([true, true, true])
    })
    it('none that is unknown, or gone already: 200 all the same', async () => {
      expect((await send({ sid: 'unknown' })).status).to.equal(200)
      expect((await send()).status).to.equal(200)
      expect((await send()).status).to.equal(200)
      expect(ended).to.have.length(1)
      expect(await alive()).to.deep.equal([false, true, true])
    })
    it('also one whose sign-in did not have the sid', async () => {
      await stage.signIn({ sid: undefined }, second)
      expect((await send()).status).to.equal(200)
      expect(await alive()).to.deep.equal([false, false, true])
    })
    it('none that begins later', async () => {
      freezeClock()
      expect((await send({ sid: undefined })).status).to.equal(200)
      advanceClock(1)
      await stage.signIn({ sid: 'op-new' })
      expect(await alive()).to.deep.equal([true, false, true])
    })
    it('one that was being stored in the meantime', async () => {
      const { linkSession } = adapter
      adapter.linkSession = async (link) => {
        expect((await send({ sid: 'op-late' })).status).to.equal(200)
        return linkSession?.(link)
      }
      const late = stage.door.browser()
      const answer = await stage.signIn({ sid: 'op-late' }, late)
      expect(answer.headers.location).to.match(/error=ReauthenticationRequired/)
      expect(await stage.session(late)).to.equal(null)
    })
    it('a sign-in fails if the link cannot be stored', async () => {
      adapter.linkSession = async () => {
        throw new Error('no')
      }
      const late = stage.door.browser()
      await stage.signIn({ sid: 'op-late' }, late)
      expect(await stage.session(late)).to.equal(null)
    })
  })

  describe('the token', () => {
    beforeEach(async () => {
      await start()
      await stage.signIn({ sid: 'op-session' })
    })

    it('AZ-08 works once', async () => {
      const token = await tokenOf()
      expect((await post(token)).status).to.equal(200)
      await stage.signIn({ sid: 'op-session' })
      expect((await post(token)).status).to.equal(400)
      expect(await stage.session()).to.equal(null)
      expect((await post(await tokenOf({ jti: 'fresh' }))).status).to.equal(200)
    })

    it('is valid for five minutes, and no longer than it says', async () => {
      freezeClock()
      const [old, short] = [await tokenOf({ exp: seconds() + 3600 }), await tokenOf({ exp: seconds() + 10 })]
      advanceClock(26)
      expect((await post(short)).status).to.equal(400)
      advanceClock(300)
      expect((await post(old)).status).to.equal(400)
      expect((await send({ iat: seconds() + 60 })).status).to.equal(400)
      expect(await stage.session()).to.be.an('object')
      expect((await send()).status).to.equal(200)
    })

    it('may have no type, or the general one', async () => {
      expect((await send({}, {})).status).to.equal(200)
      expect((await send({}, { header: { typ: 'JWT' } })).status).to.equal(200)
    })

    it('may omit its expiry, and is invalid after five minutes then, too', async () => {
      freezeClock()
      const old = await tokenOf({ exp: undefined })
      expect((await send({ exp: undefined })).status).to.equal(200)
      advanceClock(5 * 60 + 16)
      expect((await post(old)).status).to.equal(400)
    })

    it('cannot be an id_token', async () => {
      const { iss, aud, iat, exp, sub, sid } = claimsOf()
      for (const header of [{}, { typ: 'JWT' }]) {
        const token = await stage.provider.signIdToken({ iss, aud, iat, exp, sub, sid, jti: 'id' }, { header })
        expect((await post(token)).status).to.equal(400)
      }
    })

    it('AZ-08 cannot be garbage, which costs the provider nothing', async () => {
      stage.provider.requests.length = 0
      const long = `${await tokenOf()}${'A'.repeat(17_000)}`
      for (const token of ['', 'x', 'a.b.c', '..', `${'e30'}.e30.`, 'e30.bnVsbA.x', long]) {
        expect((await post(token)).status, token.slice(0, 20)).to.equal(400)
      }
      const twice = await stage.door.browser().ask(url, {
        form: { logout_token: [await tokenOf(), await tokenOf()] },
      })
      expect(twice.status).to.equal(400)
      expect((await stage.door.browser().ask(url, { method: 'POST' })).status).to.equal(400)
      expect(stage.provider.requests).to.deep.equal([])
      expect(await stage.session()).to.be.an('object')
    })

    it('AZ-08 is valid in one spelling only', async () => {
      const token = await tokenOf()
      const dot = token.lastIndexOf('.')
      const last = token.at(-1) ?? ''
      // Bits at the end that no byte has room for: `A` and `B`, `Q` and `R`, ….
      const sibling = String.fromCharCode(last.charCodeAt(0) + 1)
      for (const other of [
        `${token.slice(0, dot + 9)} ${token.slice(dot + 9)}`,
        `${token}=`,
        `${token.slice(0, -1)}${sibling}`,
      ]) {
        expect((await post(other)).status, other.slice(dot)).to.equal(400)
      }
      expect((await post(token)).status).to.equal(200)
    })

    it('a flood of them requests keys, and their location, once in half a minute', async () => {
      freezeClock()
      expect((await send({ sid: 'nobody' })).status).to.equal(200)
      advanceClock(31)
      stage.provider.requests.length = 0
      const junk = await Promise.all(Array.from({ length: 50 }, () => tokenOf({}, { ...typed, key: 'stranger' })))
      for (const answer of await Promise.all(junk.map(post))) expect(answer.status).to.equal(400)
      const asked = ['/jwks', '/.well-known/openid-configuration']
      expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(asked)
      expect((await send()).status).to.equal(200)
      expect(stage.provider.requests.length).to.equal(2)
    })

    it('keys that were replaced are fetched again', async () => {
      freezeClock()
      expect((await send({ sid: 'nobody' })).status).to.equal(200)
      advanceClock(31)
      await stage.provider.rotateKeys()
      expect((await send()).status).to.equal(200)
      expect(await stage.session()).to.equal(null)
    })

    it('keys that were replaced and moved are found', async () => {
      freezeClock()
      expect((await send({ sid: 'nobody' })).status).to.equal(200)
      advanceClock(31)
      await stage.provider.rotateKeys()
      stage.provider.routes.set('/jwks', () => ({ status: 404 }))
      stage.provider.routes.set('/new/jwks', () => ({ body: stage.provider.jwks }))
      stage.provider.discovery.jwks_uri = `${stage.provider.issuer}/new/jwks`
      expect((await send()).status).to.equal(200)
      expect(await stage.session()).to.equal(null)
    })

    it('503, and it works later: keys unavailable, and a flood that requests them once in half a minute', async () => {
      freezeClock()
      advanceClock(11 * 60)
      stage.provider.onJwks = () => ({ status: 500 })
      stage.provider.requests.length = 0
      for (let count = 0; count < 20; count += 1) {
        const answer = await send()
        expect(answer.status).to.equal(503)
        expect(answer.headers['retry-after']).to.equal('30')
        expect(answer.headers['cache-control']).to.include('no-store')
      }
      expect(stage.provider.count('/jwks')).to.equal(1)
      stage.provider.onJwks = () => ({ body: stage.provider.jwks })
      advanceClock(31)
      expect((await send()).status).to.equal(200)
      expect(await stage.session()).to.equal(null)
    })

    it('503, and it works later: the database unavailable', async () => {
      const { deleteSession } = adapter
      adapter.deleteSession = async () => {
        throw new Error('away')
      }
      const token = await tokenOf()
      expect((await post(token)).status).to.equal(503)
      expect(await stage.session()).to.be.an('object')
      if (deleteSession) adapter.deleteSession = deleteSession
      expect((await post(token)).status).to.equal(200)
      expect(await stage.session()).to.equal(null)
      const text = JSON.stringify([stage.door.log.errors, stage.door.log.warnings]) + String(stage.door.log.errors)
      expect(text).to.not.include(token.slice(0, 40))
    })

    it('is not in the log', async () => {
      const token = await tokenOf({ sub: 'very-private-subject', nonce: 'x' })
      await post(token)
      const text = JSON.stringify([stage.door.log.debugs, stage.door.log.errors, stage.door.log.warnings])
      expect(text).to.include('a logout token has no nonce')
      expect(text).to.not.include('very-private-subject').and.not.include(token.split('.')[1])
    })

    it('is a POST', async () => {
      const answer = await stage.visitor.ask(`${url}?logout_token=${await tokenOf()}`)
      expect(answer.status).to.equal(405)
      expect(answer.headers.allow).to.equal('POST')
    })
  })

  it('has no route for a provider without this option, and for other kinds', async () => {
    await start(doors.express, { logout: {} })
    for (const path of [url, `${base}/backchannel-logout/nobody`]) {
      expect((await stage.door.browser().ask(path, { form: { logout_token: 'x' } })).status).to.equal(404)
    }
    expect((await stage.visitor.ask(`${base}/frontchannel-logout/test?iss=x&sid=y`)).status).to.equal(404)
  })

  it('is accepted with HS256 if the provider pins it', async () => {
    const client = { id_token_signed_response_alg: 'HS256' }
    await start(doors.express, { client })
    stage.provider.onToken = (body) => stage.provider.tokens(body, { sid: 'op-session' }, { alg: 'HS256' })
    const begun = await stage.visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
    await stage.visitor.ask(pathOf(stage.provider.authorize(begun.headers.location ?? '')))
    expect(await stage.session()).to.be.an('object')
    expect((await send({}, { alg: 'RS256' })).status).to.equal(400)
    expect((await send({}, { alg: 'HS256', secret: 'another-secret-of-more-than-32-characters' })).status).to.equal(400)
    expect(await stage.session()).to.be.an('object')
    expect((await send({}, { alg: 'HS256' })).status).to.equal(200)
    expect(await stage.session()).to.equal(null)
  })

  it('oidc-provider sends such tokens itself, when a user signs out there', async () => {
    let door: Door | undefined
    const relay = await startLoopbackServer(
      async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
        const answer = await fetch(`${door?.origin}${request.url}`, {
          method: 'POST',
          headers: { 'content-type': String(request.headers['content-type']) },
          body: Buffer.concat(chunks).toString(),
        })
        response.writeHead(answer.status).end()
      },
      { host: 'localhost' },
    )
    const real = await startOpenIdProvider({
      clients: [
        {
          clientId: 'real',
          clientSecret: 'a-client-secret-of-more-than-32-characters',
          metadata: { backchannel_logout_uri: `${relay.origin}${url}`, backchannel_logout_session_required: true },
        },
      ],
      configuration: {
        fetch: (input, options) => fetch(input, { ...options, dispatcher: undefined } as RequestInit),
        features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      },
    })
    await start(doors.express, { ...real.settings() })
    door = stage.door
    const signInAs = async (visitor: Browser, cookies: ProviderCookies) => {
      const begun = await visitor.ask(`${base}/signin/test`, { form: { csrfToken: true } })
      await visitor.ask(pathOf(await real.signInAs(begun.headers.location ?? '', 'alice', cookies)))
    }
    const [laptop, phone] = [new Map<string, string>(), new Map<string, string>()]
    const second = stage.door.browser()
    await signInAs(stage.visitor, laptop)
    await signInAs(second, phone)
    expect(await stage.session(second)).to.be.an('object')

    const to = locationOf(await stage.signOut({ federated: 'true' }))
    to.searchParams.delete('post_logout_redirect_uri')
    // An attacker copied the session before: it ends only by the message of the provider.
    const copy = stage.door.browser()
    await signInAs(copy, laptop)
    expect(await stage.session(copy)).to.be.an('object')
    const cookie = () => [...laptop].map(([name, value]) => `${name}=${value}`).join('; ')
    const asked = await fetch(to, { headers: { cookie: cookie() } })
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await asked.text())?.[1] ?? ''
    for (const line of asked.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      laptop.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const confirmed = await fetch(`${real.issuer}/session/end/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie() },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    expect(confirmed.status).to.be.oneOf([302, 303])
    expect(await stage.session(copy)).to.equal(null)
    expect(await stage.session(second)).to.be.an('object')
    await relay.close()
    await real.close()
  })
})
