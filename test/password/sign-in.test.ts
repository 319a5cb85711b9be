/** Signing in with a password: rejections that disclose nothing, limits, and hashes that are replaced. */

import { expect } from 'chai'
import { target } from '../support/app.js'
import { passwordsIn } from '../support/stores.js'
import {
  better,
  expectNobody,
  expectSignedIn,
  good,
  open,
  places,
  quickHasher,
  type Stage,
  send,
  sessionOf,
  startStage,
} from './stage.js'

const ann = 'ann@example.com'
const refused = /\/auth\/signin\?error=CredentialsSignin&code=credentials$/

for (const { name, start, strategy } of places) {
  describe(`signing in with a password (${name})`, () => {
    let stage: Stage

    beforeEach(async () => {
      stage = await startStage({ start, config: sessionOf(strategy) })
      await stage.register(stage.browser(), ann)
    })
    afterEach(() => stage.close())

    it('CD-01: unknown, wrong and passwordless do the same work', async () => {
      await stage.adapter.createUser({ id: 'bob-1', email: 'bob@example.com', emailVerified: new Date() })
      await stage.signIn(stage.browser(), 'nobody@example.com')
      const { calls } = stage.hasher
      for (const email of [ann, 'nobody@example.com', 'bob@example.com', 'no address']) {
        const before = { ...calls }
        expect(target(await stage.signIn(stage.browser(), email, better))).to.match(refused)
        expect({ verify: calls.verify - before.verify, hash: calls.hash - before.hash }).to.deep.equal({
          verify: 1,
          hash: 0,
        })
      }
    })

    it('CD-02: the same answer for unknown, wrong, unproved, and what is no address', async () => {
      const passwords = passwordsIn(stage.adapter.store())
      await stage.adapter.createUser({ id: 'carl-1', email: 'carl@example.com', emailVerified: null })
      await passwords.write({ userId: 'carl-1', hash: await stage.hasher.hash(good), changedAt: new Date() }, 0)
      const answers = []
      for (const [email, password] of [
        [ann, better],
        ['nobody@example.com', good],
        ['carl@example.com', good],
        ['carl@example.com', better],
        ['no address', good],
        [ann, 'x'.repeat(2000)],
      ]) {
        const browser = stage.browser()
        const answer = await stage.signIn(browser, email ?? '', password)
        await expectNobody(browser)
        const cookies = Object.keys(Object.fromEntries(browser.cookies)).sort()
        answers.push({ status: answer.status, text: answer.text, to: target(answer), cookies })
      }
      expect(new Set(answers.map((each) => JSON.stringify(each))).size, JSON.stringify(answers)).to.equal(1)
      // A user who knows the password of an unverified address gets a link there.
      const link = await stage.link('carl@example.com', 'reset-password')
      const browser = stage.browser()
      await send(browser, await open(browser, link), { password: better })
      await expectSignedIn(browser, 'carl@example.com')
      expect((await stage.adapter.getUserByEmail('carl@example.com'))?.emailVerified).to.be.an.instanceOf(Date)
    })

    it('CD-06: spellings of one password are one, spaces count, and nothing is cut off', async () => {
      const dana = 'dana@example.com'
      const typed = `  caf\u00e9 ${'x'.repeat(80)} `
      await stage.register(stage.browser(), dana, typed)
      const outcomes = []
      for (const password of [
        typed,
        `  cafe\u0301 ${'x'.repeat(80)} `,
        typed.trim(),
        typed.slice(0, 74),
        `${typed}\0`,
      ]) {
        outcomes.push(refused.test(target(await stage.signIn(stage.browser(), dana, password))))
      }
      expect(outcomes).to.deep.equal([false, false, true, true, true])
    })

    it('CD-06: a password beyond the limit is never hashed', async () => {
      const before = { ...stage.hasher.calls }
      await stage.signIn(stage.browser(), ann, 'y'.repeat(1025))
      expect(stage.hasher.calls).to.deep.equal(before)
      const answer = await stage.signUp(stage.browser(), 'new@example.com', 'y'.repeat(1025))
      expect(answer.text).to.include('too long')
      expect(stage.hasher.calls).to.deep.equal(before)
    })

    it('arrays, objects and duplicates are refused', async () => {
      const before = { ...stage.hasher.calls }
      const browser = stage.browser()
      const csrfToken = await browser.csrf()
      for (const json of [
        { email: [ann], password: good },
        { email: ann, password: [good, better] },
        { email: ann, password: { $ne: '' } },
        { email: ann },
      ]) {
        const answer = await browser.send('post', '/auth/callback/password', { json: { csrfToken, ...json } })
        expect(target(answer)).to.match(refused)
      }
      for (const path of ['signup/password', 'password/forgot']) {
        const json = { csrfToken, email: [ann, 'mallory@example.com'], password: good }
        const answer = await browser.send('post', `/auth/${path}`, { json, headers: { accept: 'application/json' } })
        expect([answer.status, answer.body.error]).to.deep.equal([400, 'EmailSignInError'])
      }
      // A hash is computed instead of a missing one.
      expect(stage.hasher.calls.hash).to.be.at.most(before.hash + 1)
      await stage.settle()
      expect(stage.mails).to.have.lengthOf(1)
    })

    it('CD-07: a hash of less work is replaced at the next sign-in, in the background', async () => {
      const passwords = passwordsIn(stage.adapter.store())
      const user = await stage.adapter.getUserByEmail(ann)
      const old = await passwords.find(user?.id ?? '')
      if (!old) throw new Error('There is no password.')
      const weak = await quickHasher(0).hash(good)
      await passwords.write({ userId: old.userId, hash: weak, changedAt: old.changedAt }, old.version)
      const browser = stage.browser()
      await stage.signIn(browser, ann)
      await expectSignedIn(browser, ann)
      await stage.settle()
      const renewed = await passwords.find(old.userId)
      expect(renewed?.hash).to.match(/^\$quick\$1\$/)
      expect(renewed?.changedAt).to.deep.equal(old.changedAt)
      expect(target(await stage.signIn(stage.browser(), ann))).to.equal(`${stage.app.origin}/`)
    })

    it('CD-07: a malformed hash is a wrong password', async () => {
      const user = await stage.adapter.getUserByEmail(ann)
      const passwords = passwordsIn(stage.adapter.store())
      await passwords.write({ userId: user?.id ?? '', hash: 'nonsense', changedAt: new Date() }, 1)
      expect(target(await stage.signIn(stage.browser(), ann))).to.match(refused)
      expect(stage.app.log.errors.map(({ message }) => message)).to.include('A stored password could not be checked.')
    })

    it('CD-11: a password in a query is never looked at', async () => {
      const before = { ...stage.hasher.calls }
      const answer = await stage
        .browser()
        .get(`/auth/callback/password?email=${ann}&password=${encodeURIComponent(good)}`)
      expect(answer.status).to.equal(405)
      expect(stage.hasher.calls).to.deep.equal(before)
    })

    it('CD-12: no event, callback or log has the password', async () => {
      await stage.signIn(stage.browser(), ann)
      await stage.signIn(stage.browser(), ann, better)
      const told = JSON.stringify(stage.events)
      expect(told).to.not.include(good).and.not.include(better).and.not.include('$quick$')
    })
  })
}

describe('signing in with a password, counted', () => {
  it('CD-05: of a hundred guesses at once no more are looked at than the limit', async () => {
    const rateLimit = { rules: { credentials: { perAccount: 5, window: 3600 } } }
    const stage = await startStage({ config: { rateLimit } })
    await stage.register(stage.browser(), ann)
    const browser = stage.browser()
    const csrfToken = await browser.csrf()
    await stage.signIn(stage.browser(), 'warm@example.com')
    const before = stage.hasher.calls.verify
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        browser.post('/auth/callback/password', { csrfToken, email: ann, password: `guess number ${at} of many` }),
      ),
    )
    expect(stage.hasher.calls.verify - before).to.be.at.most(5)
    expect(answers.filter(({ status }) => status === 429)).to.have.lengthOf.at.least(95)
    expect(stage.events.some(([event]) => event === 'denied')).to.equal(true)
    await stage.close()
  })

  it('CD-04: the browser that set the password gets in while strangers are slowed down', async () => {
    const rateLimit = { rules: { credentials: { perAccount: 3, window: 3600 } } }
    const stage = await startStage({ config: { rateLimit } })
    const own = stage.browser()
    await stage.register(own, ann)
    await own.submit('/auth/signout')
    for (let count = 0; count < 5; count += 1) await stage.signIn(stage.browser(), ann, better)
    expect((await stage.signIn(stage.browser(), ann)).status).to.equal(429)
    expect(target(await stage.signIn(own, ann))).to.equal(`${stage.app.origin}/`)
    await stage.close()
  })
})
