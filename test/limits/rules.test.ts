/** Every rule rejects the attempts that it is for, through both doors; and successes are not counted. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Rule, RuleName } from '../../lib/features/limits/types.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

const own = (stage: LimitStage) => ({
  origin: stage.door.origin,
  'sec-fetch-site': 'same-origin',
  accept: 'application/json',
})

for (const [name, open] of Object.entries(doors)) {
  /** The rules that count clients. `test/members` counts invitations. */
  type CountedByClient = Exclude<RuleName, 'signUp' | 'factor' | 'apiKey' | 'invitation' | 'inviter'>

  describe(`the rules, ${name}`, () => {
    let stage: LimitStage
    let provider: OpenIdProvider
    let tokens: string[] = []
    before(async () => {
      provider = await startOpenIdProvider()
    })
    after(() => provider.close())
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const start = async (rule: RuleName, limit: Rule | false, config: Partial<FullStackAuthConfig> = {}) => {
      tokens = []
      stage = await openLimitStage(open, {
        adapter: memoryAdapter(),
        apps: { clients: { cli: { name: 'CLI', loopback: true } } },
        session: { bearer: true, revocation: true },
        experimental: { enableWebAuthn: true },
        rateLimit: { rules: { [rule]: limit } },
        providers: [
          { id: 'test', name: 'Test', type: 'oidc', ...provider.settings(), logout: { backchannel: true } },
          Passkey({ relyingParty: { id: 'localhost', name: 'Test', origin: 'http://localhost' } }),
          credentials(),
          Password(),
          {
            id: 'email',
            name: 'Email',
            type: 'email',
            sendVerificationRequest: ({ token }) => void tokens.push(token),
          },
        ],
        ...config,
      })
    }

    /** Waits for the mail, which is sent after the answer. */
    async function tokenAt(at: number): Promise<void> {
      for (let tries = 0; tokens.length <= at && tries < 200; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      expect(tokens.length).to.be.above(at)
    }

    /** The attempt that each rule counts. */
    const attempts: Record<CountedByClient, (at: number) => Promise<Answer>> = {
      credentials: (at) => stage.guess(stage.stranger(), `person-${at}`),
      mail: (at) =>
        stage.stranger().ask(`${base}/signin/email`, { form: { email: `p${at}@example.com` }, headers: own(stage) }),
      mailToken: (at) =>
        stage.stranger().ask(`${base}/callback/email`, {
          form: { email: `p${at}@example.com`, token: 'x'.repeat(32) },
          headers: own(stage),
        }),
      passkeyOptions: () => stage.stranger().ask(`${base}/webauthn-options/passkey?action=authenticate`),
      passkey: () =>
        stage.stranger().ask(`${base}/callback/passkey`, {
          form: { action: 'authenticate', data: '{}' },
          headers: own(stage),
        }),
      oauthStart: () => stage.stranger().ask(`${base}/signin/test`, { form: {}, headers: own(stage) }),
      oauthCallback: () => stage.stranger().ask(`${base}/callback/test?state=x&code=y`, { headers: own(stage) }),
      reset: (at) =>
        stage.stranger().ask(`${base}/password/forgot`, { form: { email: `p${at}@example.com` }, headers: own(stage) }),
      appToken: () =>
        stage.stranger().ask(`${base}/app-token`, {
          form: { app: 'cli', code: 'x', code_verifier: 'v'.repeat(43), redirect_uri: 'http://127.0.0.1:1024/' },
        }),
      logoutToken: () => stage.stranger().ask(`${base}/backchannel-logout/test`, { form: { logout_token: 'a.b.c' } }),
    }

    for (const [rule, attempt] of Object.entries(attempts) as Array<
      [CountedByClient, (at: number) => Promise<Answer>]
    >) {
      it(`${rule} rejects the third attempt of a client, and allows it after the window`, async () => {
        await start(rule, { perClient: 2, window: 60 })
        freezeClock()
        const statuses = []
        for (let at = 0; at < 2; at += 1) statuses.push((await attempt(at)).status)
        expect(statuses).to.not.include(429)
        const refused = await attempt(2)
        expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '60'])
        expect(refused.body.error).to.equal('TooManyRequests')
        expect(stage.denied.map((each) => [each.rule, each.by])).to.deep.equal([[rule, 'client']])
        advanceClock(60)
        expect((await attempt(3)).status).to.equal(statuses[0])
      })

      it(`${rule} counts nothing if it is off`, async () => {
        await start(rule, false)
        for (let at = 0; at < 8; at += 1) expect((await attempt(at)).status).to.not.equal(429)
      })
    }

    const gets: Partial<Record<RuleName, string>> = {
      mailToken: `callback/email?email=ann%40example.com&token=${'x'.repeat(32)}&change=x`,
      oauthCallback: 'callback/test?state=x&code=y',
      passkeyOptions: 'webauthn-options/passkey?action=authenticate',
    }
    for (const [rule, path] of Object.entries(gets) as [RuleName, string][]) {
      it(`${rule} does not count what a page of another site loads`, async () => {
        await start(rule, { perClient: 2, window: 60 })
        const ask = async (headers: Record<string, string>) =>
          (await stage.stranger().ask(`${base}/${path}`, { headers })).status
        const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
        const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
        const ahead = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' }
        for (const stray of [image, frame, ahead]) {
          expect(await ask({ 'sec-fetch-site': 'cross-site', ...stray })).to.equal(403)
        }
        const person = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
        const statuses = []
        for (let at = 0; at < 3; at += 1) statuses.push(await ask({ 'sec-fetch-site': 'cross-site', ...person }))
        expect(statuses.map((status) => status === 429)).to.deep.equal([false, false, true])
      })
    }

    it('signUp rejects the third new user, and no user who has an account', async () => {
      await start('signUp', { perClient: 2, window: 60 })
      const signIn = async (username: string) => {
        const visitor = stage.door.browser()
        const answer = await visitor.ask(`${base}/callback/credentials`, {
          form: { username, password: 'right' },
          headers: own(stage),
        })
        return answer.status
      }
      expect([await signIn('ann'), await signIn('bob'), await signIn('cid'), await signIn('ann')]).to.deep.equal([
        200, 200, 429, 200,
      ])
    })

    it('mailToken does not count a valid link, and oauthCallback no sign-in', async () => {
      await start('mailToken', { perClient: 1, window: 60 })
      for (let at = 0; at < 3; at += 1) {
        const visitor = stage.door.browser()
        const email = `p${at}@example.com`
        await visitor.ask(`${base}/signin/email`, { form: { email }, headers: own(stage) })
        await tokenAt(at)
        const answer = await visitor.ask(`${base}/callback/email`, {
          form: { email, token: tokens[at] ?? '' },
          headers: own(stage),
        })
        expect(answer.status).to.equal(200)
      }
      await stage.close()
      await start('oauthCallback', { perClient: 1, window: 60 })
      for (let at = 0; at < 3; at += 1) {
        const visitor = stage.door.browser()
        const begun = await visitor.ask(`${base}/signin/test`, { form: {}, headers: own(stage) })
        const back = new URL(await provider.signInAs(begun.body.url, 'alice'))
        expect((await visitor.ask(back.pathname + back.search)).status).to.equal(302)
      }
    })

    it('perAccount of credentials without a delay rejects until the window has passed', async () => {
      await start('credentials', { perAccount: 2, window: 60 })
      freezeClock()
      for (let at = 0; at < 2; at += 1) expect((await stage.guess(stage.stranger(), 'ann')).status).to.equal(401)
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).headers['retry-after']).to.equal('60')
      advanceClock(60)
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(200)
    })

    it('mail of `rateLimit` applies if the provider sets no limit', async () => {
      await start('mail', { perAccount: 1, window: 60 })
      const ask = () =>
        stage.stranger().ask(`${base}/signin/email`, { form: { email: 'ann@example.com' }, headers: own(stage) })
      expect([(await ask()).status, (await ask()).status]).to.deep.equal([200, 429])
    })

    it('an email link makes a browser known for its address, if that is the name of an account', async () => {
      const fields = { email: {}, password: { type: 'password' } }
      const mails = { id: 'email', name: 'Email', type: 'email' as const }
      const sendVerificationRequest = ({ token }: { token: string }) => void tokens.push(token)
      const providers = [credentials({ credentials: fields }), { ...mails, sendVerificationRequest }]
      await start('credentials', { perAccount: 1, window: 600 }, { providers })
      const owner = stage.door.browser()
      const email = 'ann@example.com'
      await owner.ask(`${base}/signin/email`, { form: { email }, headers: own(stage) })
      await tokenAt(0)
      const form = { email, token: tokens[0] ?? '' }
      const liar = stage.door.browser()
      await liar.ask(`${base}/callback/email?${new URLSearchParams({ email, token: 'x'.repeat(32) })}`)
      expect([...liar.cookies.keys()]).to.not.include('auth.device')
      await owner.ask(`${base}/callback/email`, { form, headers: own(stage) })
      expect([...owner.cookies.keys()]).to.include('auth.device')
    })
  })
}

describe('rate limits, by default', () => {
  const before = process.env.NODE_ENV
  afterEach(() => {
    restoreClock()
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })

  async function evaluatedOf(production: boolean, rateLimit: undefined | false): Promise<number> {
    if (production) process.env.NODE_ENV = 'production'
    else delete process.env.NODE_ENV
    freezeClock()
    const stage = await openLimitStage(doors.express, { trustHost: true, rateLimit })
    for (let at = 0; at < 9; at += 1) await stage.guess(stage.stranger(), 'ann')
    await stage.close()
    return stage.evaluated.length
  }

  it('are on in production, and off elsewhere and by `false`', async () => {
    expect(await evaluatedOf(true, undefined)).to.equal(5)
    expect(await evaluatedOf(false, undefined)).to.equal(9)
    expect(await evaluatedOf(true, false)).to.equal(9)
  })
})
