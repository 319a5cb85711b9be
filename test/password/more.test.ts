/** Passwords together with other features: counts, captchas, second factors, first proofs, and published clients. */

import { expect } from 'chai'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import Email from '../../lib/providers/email.js'
import Password from '../../lib/providers/password.js'
import { target } from '../support/app.js'
import { formIn } from '../support/mail-server.js'
import { passwordsIn } from '../support/stores.js'
import { better, expectNobody, expectSignedIn, good, open, type Stage, send, sessionOf, startStage } from './stage.js'

const ann = 'ann@example.com'

describe('passwords, counted', () => {
  let stage: Stage
  afterEach(() => stage.close())

  it('EM-17: mails to an address end after some, whether it is known or not', async () => {
    stage = await startStage({ config: { rateLimit: { rules: { mail: { perAccount: 2, window: 3600 } } } } })
    await stage.adapter.createUser({ id: '1', email: ann, emailVerified: new Date() })
    for (const email of [ann, 'nobody@example.com']) {
      const statuses = []
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await stage.browser().submit('/auth/password/forgot', { email })).status)
      }
      expect(statuses).to.deep.equal([303, 303, 429, 429])
    }
    const refused = await stage
      .browser()
      .submit('/auth/password/forgot', { email: ann }, { accept: 'application/json' })
    expect([refused.status, refused.body.error]).to.deep.equal([429, 'TooManyRequests'])
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0)
  })

  it('the rules `signUp` and `reset` come before the hash, and count each step by itself', async () => {
    const rules = { signUp: { perClient: 2, window: 60 }, reset: { perClient: 3, window: 60 } }
    stage = await startStage({ config: { rateLimit: { rules } } })
    const statuses = []
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await stage.signUp(stage.browser(), `p${count}@example.com`)).status)
    }
    expect(statuses).to.deep.equal([303, 303, 429, 429])
    expect(stage.hasher.calls.hash).to.equal(2)
    const resets = []
    for (let count = 0; count < 5; count += 1) {
      resets.push((await stage.browser().submit('/auth/password/forgot', { email: `p${count}@example.com` })).status)
    }
    expect(resets).to.deep.equal([303, 303, 303, 429, 429])
  })

  it('a captcha is asked for on the page itself, and lets the sign-up pass', async () => {
    const captcha = {
      ...{
        field: 'answer',
        script: 'https://captcha.test/widget.js',
        origins: ['https://captcha.test'],
        siteKey: 'key',
      },
      verify: async (token: string) => token === 'human',
      required: () => true,
    }
    stage = await startStage({ config: { rateLimit: { captcha } } })
    const browser = stage.browser()
    const shown = await browser.get('/auth/signup/password')
    expect(shown.text).to.include('https://captcha.test/widget.js')
    const { fields } = formIn(shown.text, '/auth/signup/')
    const typed = { ...fields, email: ann, password: good }
    const refused = await browser.post('/auth/signup/password', typed)
    expect(refused.status).to.equal(403)
    expect(refused.text).to.include('https://captcha.test/widget.js').and.include(`value="${ann}"`)
    expect((await browser.post('/auth/signup/password', { ...typed, answer: 'human' })).status).to.equal(303)
    await send(browser, await open(browser, await stage.link(ann, 'sign-up')))
    await expectSignedIn(browser, ann)
  })
})

describe('passwords and the first proof of an address', () => {
  for (const strategy of ['jwt', 'database'] as const) {
    it(`LK-02: by another user removes the password (${strategy})`, async () => {
      const links: string[] = []
      const sendVerificationRequest = ({ url }: { url: string }) => void links.push(url)
      const stage = await startStage({ config: sessionOf(strategy) })
      const mail = Email({ sendVerificationRequest })
      const merged = await startStage({
        config: {
          ...sessionOf(strategy),
          adapter: stage.adapter,
          providers: [Password({ hash: stage.hasher }), mail],
          allowDangerousUnprovedAddressMerge: true,
        },
      })
      const passwords = passwordsIn(stage.adapter.store())
      await stage.adapter.createUser({ id: 'eve', email: ann, emailVerified: null })
      await passwords.write({ userId: 'eve', hash: await stage.hasher.hash(good), changedAt: new Date() }, 0)
      const eve = merged.browser()
      await merged.signIn(eve, ann, good)
      await expectSignedIn(eve, ann)
      const owner = merged.browser()
      await owner.submit('/auth/signin/email', { email: ann })
      await merged.settle()
      await owner.get(links[0] ?? '')
      await expectSignedIn(owner, ann)
      expect((await passwords.find('eve'))?.hash, 'removed').to.equal('!')
      await expectNobody(eve)
      await Promise.all([stage.close(), merged.close()])
    })

    it(`a sign-up proves an address that another user only claims, who loses it (${strategy})`, async () => {
      const stage = await startStage({ config: sessionOf(strategy) })
      await stage.adapter.createUser({ id: 'eve', email: ann, emailVerified: null })
      const browser = stage.browser()
      await stage.register(browser, ann)
      await expectSignedIn(browser, ann)
      expect((await stage.adapter.getUserByEmail(ann))?.id).to.not.equal('eve')
      expect((await stage.adapter.getUser('eve'))?.email).to.equal(null)
      await stage.close()
    })
  }
})

describe('passwords and published clients', () => {
  it('`signIn("password", …, { redirect: false })` of next-auth/react works: it is a provider of credentials', async () => {
    const stage = await startStage()
    await stage.register(stage.browser(), ann)
    const browser = stage.browser()
    const { body: providers } = await browser.get('/auth/providers')
    expect(providers.password).to.include({ id: 'password', name: 'Password', type: 'credentials' })
    const csrfToken = await browser.csrf()
    const ask = (password: string) =>
      browser.send('post', '/auth/callback/password?', {
        fields: { email: ann, password, csrfToken, callbackUrl: `${stage.app.origin}/login` },
        headers: { 'X-Auth-Return-Redirect': '1' },
      })
    const wrong = await ask(better)
    expect(new URL(wrong.body.url).searchParams.get('error')).to.equal('CredentialsSignin')
    const right = await ask(good)
    expect([right.status, right.body]).to.deep.equal([200, { url: `${stage.app.origin}/login` }])
    await expectSignedIn(browser, ann)
    await stage.close()
  })
})

describe('the sign-in page, with passwords', () => {
  it('leads to who is new and to who has forgotten, and shows again what was typed', async () => {
    const stage = await startStage()
    const browser = stage.browser()
    const page = await browser.get('/auth/signin')
    expect(page.text).to.include(`${stage.app.origin}/auth/password/forgot`).and.include('/auth/signup/password')
    const { fields } = formIn(page.text, '/callback/')
    const refused = await browser.post('/auth/callback/password', { ...fields, email: ann, password: better })
    const again = await browser.get(target(refused))
    expect(again.text).to.include(`value="${ann}"`).and.not.include(better)
    await stage.close()
  })
})

describe('passwords and second factors', () => {
  it('CD-14: neither a sign-up nor a reset goes past the second factor, and the password is set all the same', async () => {
    const stage = await startStage({
      config: { ...sessionOf('database'), factors: { methods: [Totp()], require: () => 2 } },
    })
    const browser = stage.browser()
    expect(target(await stage.register(browser, ann))).to.include('/auth/two-factor')
    await expectNobody(browser)
    await stage.browser().submit('/auth/password/forgot', { email: ann })
    const other = stage.browser()
    const page = await open(other, await stage.link(ann, 'reset-password'))
    expect(target(await send(other, page, { password: better }))).to.include('/auth/two-factor')
    await expectNobody(other)
    const again = stage.browser()
    expect(target(await stage.signIn(again, ann, good))).to.include('error=CredentialsSignin')
    expect(target(await stage.signIn(again, ann, better))).to.include('/auth/two-factor')
    await stage.close()
  })
})
