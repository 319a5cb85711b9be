/** Guards with requirements: where they redirect users, how they answer API clients, and who may answer. */
import { expect } from 'chai'
import type { OAuthConfig, OIDCConfig } from '../../lib/types/provider.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { sessionName } from '../support/session.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  fieldIn,
  mailProvider,
  openFactorStage,
  type Person,
  plain,
  stopClock,
  strategies,
  whereTo,
} from './stage.js'

const navigation = { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } }

for (const [door, open, strategy] of strategies.flatMap((each) =>
  Object.entries(doors).map(([name, opener]) => [name, opener, each] as const),
)) {
  describe(`guards with requirements, ${strategy}, ${door}`, () => {
    let stage: FactorStage
    beforeEach(async () => {
      stopClock()
      stage = await openFactorStage(open, { session: { strategy } })
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    async function signedIn(email = 'ann@example.com'): Promise<Person> {
      const person = stage.stranger()
      await person.followLink(email)
      expect(await person.session()).to.have.nested.property('user.email', email)
      return person
    }

    it('MF-10: a session of 300 seconds is allowed, one of 301 is redirected to its second factor and returns', async () => {
      const ann = await enrolled(stage)
      advanceClock(270)
      expect((await ann.ask('/guarded-fresh?a=1', navigation)).text).to.equal('{"inside":true}')
      advanceClock(1)
      const sent = await ann.ask('/guarded-fresh?a=1&b=%2F', navigation)
      expect(sent.status).to.equal(302)
      expect(sent.headers['cache-control']).to.match(/no-store/)
      const page = await ann.ask(whereTo(sent))
      expect(page.status).to.equal(200)
      const back = await ann.answer(
        'totp',
        { code: ann.code(), callbackUrl: fieldIn(page.text, 'callbackUrl') },
        '?max_age=300',
      )
      expect(whereTo(back)).to.equal('/guarded-fresh?a=1&b=%2F')
      expect((await ann.ask(whereTo(back), navigation)).text).to.equal('{"inside":true}')
    })

    it('MF-10: API clients get 401 with the challenge of RFC 9470 §3', async () => {
      const ann = await signedIn()
      advanceClock(301)
      for (const question of [{}, { headers: { accept: 'application/json' } }]) {
        const answer = await ann.ask('/guarded-fresh', question)
        expect(answer.status).to.equal(401)
        expect(answer.headers['www-authenticate']).to.equal(
          'Bearer error="insufficient_user_authentication", error_description="A stronger or more recent authentication is required", max_age="300"',
        )
        expect(answer.body).to.deep.include({ error: 'insufficient_user_authentication' })
        expect(answer.headers['cache-control']).to.match(/no-store/)
      }
      // A form gets the same in a page.
      const page = await ann.ask('/guarded-fresh', { method: 'POST', headers: navigation.headers })
      expect(page.status).to.equal(401)
      expect(page.headers['www-authenticate']).to.match(/^Bearer error="insufficient_user_authentication"/)
      expect(page.headers['content-type']).to.match(/^text\/html/)
      const twice = await ann.ask('/guarded-twice')
      expect(twice.headers['www-authenticate']).to.match(/, acr_values="aal2"$/)
      // Visitors receive no challenge.
      const nobody = await stage.stranger().ask('/guarded-fresh')
      expect(nobody.status).to.equal(401)
      expect(nobody.headers).to.not.have.property('www-authenticate')
    })

    it('checks `allow` first: a user without the right gets 403, and is not redirected to a step-up', async () => {
      const ann = await signedIn()
      advanceClock(301)
      for (const question of [navigation, { method: 'HEAD', ...navigation }, {}, { method: 'POST' }]) {
        const answer = await ann.ask('/guarded-for-bob', question)
        expect(answer.status).to.equal(403)
        expect(answer.headers).to.not.have.any.keys('location', 'www-authenticate')
        expect(answer.headers['cache-control']).to.match(/^private\b.*\bno-store$/)
      }
      const page = await ann.ask('/guarded-for-bob', { method: 'POST', ...navigation })
      expect([page.status, page.headers['content-type']]).to.deep.equal([403, 'text/html; charset=utf-8'])
      expect(page.text).to.not.match(/two-factor|reauth/)

      const bob = await signedIn('bob@example.com')
      for (const method of ['GET', 'HEAD']) {
        expect(whereTo(await bob.ask('/guarded-for-bob', { method, ...navigation }))).to.equal(
          `${base}/two-factor?aal=2&max_age=300&amr=otp+mfa&callbackUrl=%2Fguarded-for-bob`,
        )
      }
      const answer = await bob.ask('/guarded-for-bob', { method: 'POST' })
      expect([answer.status, answer.body.error]).to.deep.equal([401, 'insufficient_user_authentication'])
    })

    it('requires the proofs of the session that it read, even if `allow` starts a stronger one', async () => {
      const ann = await signedIn()
      const user = (await stage.adapter.getUserByEmail?.('ann@example.com'))?.id ?? ''
      expect((await ann.ask(`/guarded-replacing?user=${user}`)).status).to.equal(401)
      expect((await ann.ask('/guarded-twice')).text).to.equal('{"inside":true}')
    })

    it('MF-10: a user with one factor signs in again, and returns with another session token', async () => {
      const ann = await signedIn()
      const before = await ann.session()
      const old = new Map(ann.cookies)
      advanceClock(301)
      const sent = await ann.ask('/guarded-fresh', navigation)
      const again = await ann.ask(whereTo(sent))
      expect(whereTo(again))
        .to.match(/\/signin\?/)
        .and.match(/reauth=300/)
      expect((await ann.ask(whereTo(again))).status).to.equal(200)
      await ann.followLink('ann@example.com')
      expect((await ann.ask('/guarded-fresh', navigation)).text).to.equal('{"inside":true}')
      const after = await ann.session()
      expect(after?.user).to.deep.equal(before?.user)
      if (strategy === 'database') {
        const thief = stage.stranger()
        for (const [name, value] of old) thief.cookies.set(name, value)
        expect(await thief.session()).to.equal(null)
      }
    })

    it('MF-10: a user who returns as another one is rejected, and keeps the session; no user is created or linked', async () => {
      const ann = await signedIn()
      await signedIn('bob@example.com')
      advanceClock(301)
      for (const email of ['bob@example.com', 'new@example.com']) {
        await ann.ask(whereTo(await ann.ask(`${base}/two-factor?max_age=300`)))
        const answer = await ann.followLink(email)
        expect(whereTo(answer), email).to.match(/error=AccountMismatch/)
        expect(await ann.session()).to.have.nested.property('user.email', 'ann@example.com')
        expect((await ann.ask('/guarded-fresh')).status).to.equal(401)
      }
      expect(await stage.adapter.getUserByEmail?.('new@example.com')).to.equal(null)
      expect(stage.signIns).to.have.length(2)
      // Without the mark any user may sign in.
      await ann.ask(`${base}/signin`)
      await ann.followLink('bob@example.com')
      expect(await ann.session()).to.have.nested.property('user.email', 'bob@example.com')
    })

    it('MF-10: the requirement holds even if a form leaves it out, and not for a user who has signed out', async () => {
      const ann = await signedIn()
      await ann.ask(`${base}/signin?reauth=300`)
      expect(whereTo(await ann.followLink('bob@example.com'))).to.match(/error=AccountMismatch/)
      await ann.ask(`${base}/signin?reauth=300`)
      await ann.ask(`${base}/signout`, { form: { csrfToken: true } })
      await ann.followLink('bob@example.com')
      expect(await ann.session()).to.have.nested.property('user.email', 'bob@example.com')
    })
  })
}

describe('reauthentication by a provider', () => {
  let provider: HostileProvider
  let stage: FactorStage
  const sub = 'ann-there'
  before(async () => {
    provider = await startHostileProvider()
  })
  after(() => provider.close())
  beforeEach(async () => {
    stopClock()
    provider.reset()
    provider.person = { sub, name: 'Ann', email: 'ann@example.com', email_verified: true }
    const oidc: OIDCConfig = { type: 'oidc', id: 'test', name: 'Test', ...provider.settings, trustAcr: ['urn:two'] }
    const oauth: OAuthConfig = {
      type: 'oauth',
      id: 'plain',
      name: 'Plain',
      clientId: 'plain',
      clientSecret: 'plain-secret-of-at-least-32-characters',
      authorization: `${provider.origin}/authorize`,
      token: `${provider.origin}/plain-token`,
      userinfo: `${provider.origin}/userinfo`,
      profile: (profile) => ({ id: String(profile.sub), name: 'Ann', email: 'ann@example.com' }),
      emailVerified: () => true,
    }
    provider.routes.set('/plain-token', () => ({ body: { access_token: 'plain', token_type: 'bearer' } }))
    stage = await openFactorStage(doors.express, { providers: [oidc, oauth, mailProvider([])] })
  })
  afterEach(async () => {
    restoreClock()
    await stage.close()
  })

  /** Signs in at the provider once. @param query The query that the page adds for a reauthentication. */
  async function goTo(person: Person, id: string, query = '') {
    const begun = await person.ask(`${base}/signin/${id}${query}`, { form: { csrfToken: true } })
    const location = begun.headers.location ?? ''
    const url = new URL(provider.authorize(location))
    return { asked: new URL(location).searchParams, answer: await person.ask(url.pathname + url.search) }
  }

  async function asked(): Promise<Person> {
    const ann = stage.stranger()
    const { answer } = await goTo(ann, 'test')
    expect(answer.status, answer.text).to.equal(302)
    expect(await ann.session()).to.have.nested.property('user.email', 'ann@example.com')
    advanceClock(301)
    await ann.ask(whereTo(await ann.ask(`${base}/two-factor?max_age=60`)))
    return ann
  }

  it('MF-10: the page makes the provider ask the user, with the maximum age and the methods of the guard', async () => {
    const ann = await asked()
    const page = await ann.ask(`${base}/signin?reauth=60`)
    const action = plain(/action="[^"]*\/signin\/test(\?[^"]*)"/.exec(page.text)?.[1] ?? '')
    // OAuth 2 does not report when the user signed in.
    expect(page.text).to.not.include('/signin/plain')
    const { asked: params } = await goTo(ann, 'test', action)
    expect(params.get('prompt')).to.equal('login')
    expect(params.get('max_age')).to.equal('60')
    expect(params.get('acr_values')).to.equal('urn:two')
  })

  it('MF-10: the maximum age of the guard applies to the sign-in, if users have factors and this one has none', async () => {
    const ann = await asked()
    const sent = await ann.ask(`${base}/two-factor?max_age=60`)
    expect(whereTo(sent)).to.match(/reauth=60(&|$)/)
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  for (const [what, claims] of Object.entries({
    'does not say when': () => ({ auth_time: undefined }),
    'says long ago': () => ({ auth_time: seconds() - 60 - 16 }),
    'says it in text': () => ({ auth_time: String(seconds()) }),
  })) {
    it(`MF-10: a provider that ${what} proves nothing`, async () => {
      const ann = await asked()
      const before = ann.cookies.get(sessionName)
      expect(before).to.be.a('string')
      provider.onToken = (body) => provider.tokens(body, claims())
      const { answer } = await goTo(ann, 'test')
      expect(whereTo(answer)).to.match(/error=/)
      expect((await ann.ask('/guarded-fresh')).status).to.equal(401)
      expect(ann.cookies.get(sessionName)).to.equal(before)
      expect(stage.signIns).to.have.length(1)
    })
  }

  it('MF-10: a provider that has just asked proves it; another user there does not', async () => {
    const ann = await asked()
    provider.onToken = (body) =>
      provider.tokens(body, { auth_time: seconds(), sub: 'somebody-else', email: 'eve@example.com' })
    provider.person = { ...provider.person, sub: 'somebody-else', email: 'eve@example.com' }
    expect(whereTo((await goTo(ann, 'test')).answer)).to.match(/error=AccountMismatch/)
    expect(await stage.adapter.getUserByEmail?.('eve@example.com')).to.equal(null)
    await ann.ask(`${base}/signin?reauth=60`)
    provider.person = { ...provider.person, sub, email: 'ann@example.com' }
    provider.onToken = (body) => provider.tokens(body, { auth_time: seconds() })
    expect(whereTo((await goTo(ann, 'test')).answer)).to.equal('/')
    expect((await ann.ask('/guarded-fresh')).text).to.equal('{"inside":true}')
  })

  it('MF-10: OAuth 2 proves nothing', async () => {
    const ann = await asked()
    expect(whereTo((await goTo(ann, 'plain')).answer)).to.match(/error=/)
    expect((await ann.ask('/guarded-fresh')).status).to.equal(401)
    expect(stage.signIns).to.have.length(1)
  })

  for (const [what, acr, level] of [
    ['what is trusted', 'urn:two', 2],
    ['anything else', 'urn:one', 1],
    ['a list', ['urn:two'], 1],
    ['nothing', undefined, 1],
  ] as const) {
    it(`MF-03: an \`acr\` of ${what} is level ${level}`, async () => {
      provider.onToken = (body) => provider.tokens(body, { acr })
      const ann = stage.stranger()
      await goTo(ann, 'test')
      expect(await ann.session()).to.have.nested.property('assurance.aal', level)
    })
  }

  it('MF-02: a user with a second factor is asked for it, unless the provider did', async () => {
    const ann = await enrolledThere()
    const one = stage.stranger()
    expect(whereTo((await goTo(one, 'test')).answer)).to.match(/two-factor/)
    expect(await one.session()).to.equal(null)
    provider.onToken = (body) => provider.tokens(body, { acr: 'urn:two' })
    const two = stage.stranger()
    expect(whereTo((await goTo(two, 'test')).answer)).to.equal('/')
    expect(await two.session()).to.have.nested.property('assurance.aal', 2)
    void ann
  })

  async function enrolledThere(): Promise<Person> {
    const ann = stage.stranger()
    await goTo(ann, 'test')
    expect((await ann.addApp()).status).to.equal(200)
    return ann
  }
})

for (const [what, trustAcr, level] of [
  ['returns 2', ({ acr }: Readonly<Record<string, unknown>>) => (acr === 'urn:two' ? 2 : 1), 2],
  ['returns nonsense', () => 'yes' as unknown as 2, 1],
  ['returns 1', () => 1 as const, 1],
] as const) {
  it(`MF-03: \`trustAcr\` that ${what} is level ${level}`, async () => {
    const provider = await startHostileProvider()
    const oidc: OIDCConfig = { type: 'oidc', id: 'test', name: 'Test', ...provider.settings, trustAcr }
    const stage = await openFactorStage(doors.express, { providers: [oidc, mailProvider([])] })
    provider.onToken = (body) => provider.tokens(body, { acr: 'urn:two' })
    const ann = stage.stranger()
    const begun = await ann.ask(`${base}/signin/test`, { form: { csrfToken: true } })
    const url = new URL(provider.authorize(begun.headers.location ?? ''))
    await ann.ask(url.pathname + url.search)
    expect(await ann.session()).to.have.nested.property('assurance.aal', level)
    await Promise.all([stage.close(), provider.close()])
  })
}

describe('reauthentication by the real provider', () => {
  let provider: OpenIdProvider
  let stage: FactorStage
  before(async () => {
    provider = await startOpenIdProvider()
  })
  after(() => provider.close())
  afterEach(() => stage.close())

  it('MF-10: it asks again, returns the time, and is accepted', async () => {
    const oidc: OIDCConfig = { type: 'oidc', id: 'test', name: 'Test', ...provider.settings() }
    stage = await openFactorStage(doors.express, { providers: [oidc, mailProvider([])] })
    const ann = stage.stranger()
    const jar = new Map<string, string>()
    const round = async (query: string) => {
      const begun = await ann.ask(`${base}/signin/test${query}`, { form: { csrfToken: true } })
      const url = new URL(await provider.signInAs(begun.headers.location ?? '', 'alice', jar))
      return ann.ask(url.pathname + url.search)
    }
    await round('')
    const before = await ann.session()
    expect(before).to.have.nested.property('user.email', 'alice@example.com')
    provider.requests.length = 0
    const page = await ann.ask(`${base}/signin?reauth=300&callbackUrl=%2Fguarded-fresh`)
    const action = plain(/action="[^"]*\/signin\/test(\?[^"]*)"/.exec(page.text)?.[1] ?? '')
    const back = await round(action)
    expect(whereTo(back)).to.not.match(/error=/)
    const [authorization] = provider.requests.filter(({ path }) => path === '/auth')
    expect(authorization?.query.get('max_age')).to.equal('300')
    // The login page of the provider was filled in.
    expect(
      provider.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/interaction/')),
    ).to.not.deep.equal([])
    expect(stage.signIns).to.have.length(2)
    expect(stage.ended.map(({ reason }) => reason)).to.include('replaced')
  })
})
