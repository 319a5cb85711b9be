/** Guessed passwords: how many are checked, and how the owner of the account still signs in. */
import { expect } from 'chai'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Browser } from '../support/http-browser.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

for (const [name, open] of Object.entries(doors)) {
  describe(`guessed passwords, ${name}`, () => {
    let stage: LimitStage
    beforeEach(async () => {
      // On a busy machine more than a second may pass between two guesses.
      freezeClock()
      stage = await openLimitStage(open)
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    /** Guesses until it is rejected. @returns The answer that rejects. */
    async function guessUntilRefused(who: Browser, username: string) {
      for (;;) {
        const answer = await stage.guess(who, username)
        if (answer.status === 429) return answer
        expect(answer.status).to.equal(401)
      }
    }

    it('RL-01 are checked five times, then rejected with 429 and the time to wait', async () => {
      const refused = await guessUntilRefused(stage.stranger(), 'ann')
      expect(stage.evaluated).to.have.length(5)
      expect(refused.headers['retry-after']).to.equal('1')
      expect(refused.headers['cache-control']).to.include('no-store')
      expect(refused.body).to.deep.equal({
        error: 'TooManyRequests',
        message: 'Too many requests. Try again in 1 second.',
      })
    })

    it('are rejected by a page to browsers, which needs no script', async () => {
      await guessUntilRefused(stage.stranger(), 'ann')
      const page = await stage.guess(stage.stranger(), 'ann', 'wrong', { accept: 'text/html' })
      expect(page.status).to.equal(429)
      expect(page.headers['content-type']).to.match(/^text\/html/)
      expect(Number(page.headers['retry-after'])).to.be.within(1, 900)
      expect(page.text).to.include('Too many tries').and.not.include('<script')
      expect(page.text).to.not.include('ann')
    })

    it('find the form as it was after a rejection, without a script and without the password', async () => {
      await guessUntilRefused(stage.stranger(), 'ann')
      const person = stage.stranger()
      const form = {
        csrfToken: true,
        username: 'ann',
        password: 'open-sesame',
        navigation: 'form',
        callbackUrl: '/inbox',
      } as const
      const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
      const refused = await person.ask(`${base}/callback/credentials`, { form, headers })
      expect([refused.status, refused.text.includes(`${base}/signin"`)]).to.deep.equal([429, true])
      const page = await person.ask(`${base}/signin`)
      expect(page.text)
        .to.include('value="ann"')
        .and.include(`value="${await person.csrf()}"`)
        .and.include('/inbox')
      expect(page.text + refused.text).to.not.include('open-sesame')
    })

    it('wait twice as long after each failure, 15 minutes at the most', async () => {
      const waits: string[] = []
      for (let failures = 5; failures <= 17; failures += 1) {
        const refused = await guessUntilRefused(stage.stranger(), 'ann')
        waits.push(refused.headers['retry-after'] ?? '')
        advanceClock(Number(refused.headers['retry-after']))
      }
      expect(waits.map(Number)).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
      expect(stage.evaluated).to.have.length(17)
    })

    it('CD-05 RC-06 are checked five times, of 200 at once', async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, () => stage.guess(stage.stranger(), 'ann')))
      expect(stage.evaluated).to.have.length(5)
      expect(answers.filter(({ status }) => status === 429)).to.have.length(195)
    })

    it('RL-07 are rejected in the same way for unknown names', async () => {
      const seen = []
      for (const username of ['ann', 'no-such-person']) {
        const { status, headers, text: body } = await guessUntilRefused(stage.stranger(), username)
        seen.push({ status, wait: headers['retry-after'], body })
      }
      expect(seen[0]).to.deep.equal(seen[1])
    })

    it('RL-05 count together however name and path are spelt', async () => {
      const spellings = ['ann', 'ANN', ' ann ', 'a\u200bnn', 'ａｎｎ', 'ánn', 'Ánn']
      for (const username of spellings) await stage.guess(stage.stranger(), username)
      expect(stage.evaluated).to.have.length(5)
      const again = await stage.stranger().ask(`${base}/callback/credentials?x=1`, {
        form: { username: 'ann', password: 'wrong' },
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin' },
      })
      expect(again.status).to.equal(429)
    })

    it('CD-04 do not delay a browser that has signed in to the account before', async () => {
      const owner = stage.stranger()
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
      expect([...owner.cookies.keys()]).to.include('auth.device')
      const attack = Promise.all(Array.from({ length: 100 }, () => stage.guess(stage.stranger(), 'ann')))
      // The clock stands still: what had to wait would be refused.
      const answer = await stage.guess(owner, 'ann', 'right')
      expect([answer.status, answer.text.includes('error=')]).to.deep.equal([200, false])
      await attack
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(429)
    })

    it('CD-04 let the owner sign in elsewhere after 15 minutes at the most, and lock no user out', async () => {
      for (let at = 0; at < 30; at += 1) {
        const refused = await guessUntilRefused(stage.stranger(), 'ann')
        if (at < 29) advanceClock(Number(refused.headers['retry-after']))
        else expect(Number(refused.headers['retry-after'])).to.equal(900)
      }
      advanceClock(899)
      expect((await stage.guess(stage.stranger(), 'ann', 'right')).status).to.equal(429)
      advanceClock(1)
      const owner = stage.stranger()
      expect((await stage.guess(owner, 'ann', 'right')).status).to.equal(200)
      expect(await owner.ask(`${base}/session`).then(({ text: body }) => JSON.parse(body).user.name)).to.equal('ann')
    })

    it('in a known browser have a count of their own, of another account none', async () => {
      const owner = stage.stranger()
      await stage.guess(owner, 'ann', 'right')
      await guessUntilRefused(stage.stranger(), 'ann')
      await guessUntilRefused(owner, 'ann')
      expect(stage.evaluated).to.have.length(1 + 5 + 5)
      await guessUntilRefused(stage.stranger(), 'bob')
      expect((await stage.guess(owner, 'bob', 'right')).status).to.equal(429)
    })

    it('do not accept a cookie of a known browser that was made up, or made for another account', async () => {
      const owner = stage.stranger()
      await stage.guess(owner, 'ann', 'right')
      await guessUntilRefused(stage.stranger(), 'bob')
      const cookie = owner.cookies.get('auth.device') ?? ''
      for (const value of [cookie, cookie.replace('.', 'x.'), `${'A'.repeat(22)}.${'A'.repeat(22)}`, '~~~', '']) {
        const liar = stage.stranger()
        liar.cookies.set('auth.device', value)
        expect((await stage.guess(liar, 'bob')).status, value).to.equal(429)
      }
    })

    it('recognise a browser for several accounts', async () => {
      const family = stage.stranger()
      for (const username of ['ann', 'bob']) await stage.guess(family, username, 'right')
      for (const username of ['ann', 'bob']) await guessUntilRefused(stage.stranger(), username)
      for (const username of ['ann', 'bob']) {
        expect((await stage.guess(family, username, 'right')).status, username).to.equal(200)
      }
    })

    it('RL-02 count failures only, and a success resets no other account', async () => {
      const person = stage.stranger()
      for (let at = 0; at < 20; at += 1) await stage.guess(person, 'ann', 'right')
      for (let at = 0; at < 4; at += 1) await stage.guess(stage.stranger(), 'bob')
      await stage.guess(stage.stranger(), 'mallory', 'right')
      await stage.guess(stage.stranger(), 'bob')
      expect((await stage.guess(stage.stranger(), 'bob')).status).to.equal(429)
    })

    it('of a page of another site are not counted', async () => {
      for (let at = 0; at < 10; at += 1) {
        const answer = await stage.guess(stage.stranger(), 'ann', 'wrong', {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
        expect(answer.status).to.equal(403)
      }
      expect((await stage.guess(stage.stranger(), 'ann')).status).to.equal(401)
    })

    it('are reported to `events.denied`, without typed values', async () => {
      await guessUntilRefused(stage.stranger(), 'ann')
      const [denied] = stage.denied
      expect(denied).to.deep.include({ rule: 'credentials', by: 'account', provider: 'credentials' })
      expect(denied?.key).to.match(/^[\w-]{22}$/)
      expect(denied?.retryAfter).to.be.within(0, 1)
      expect(JSON.stringify(stage.denied)).to.not.include('ann')
      await guessUntilRefused(stage.stranger(), 'ann')
      expect(stage.denied[1]?.key).to.equal(denied?.key)
    })
  })
}
