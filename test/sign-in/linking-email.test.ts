/**
 * A user with a new account, and an address that another user has: the provider's claim about the address, whether it
 * may link, and whether the stored address was ever verified.
 */
import { expect } from 'chai'
import { target } from '../support/app.js'
import { gate, present, strategies, useLinking } from './linking-stage.js'

const email = 'ann@example.com'

/** Values of `email_verified` from the provider, and their meaning. */
const claims = [
  ['true', true, 'proved'],
  ['false', false, 'denied'],
  ['"true"', 'true', 'denied'],
  ['1', 1, 'denied'],
  ['null', null, 'denied'],
  ['nothing', undefined, 'unknown'],
] as const

const stored = [
  ['proved', new Date('2024-01-01')],
  ['unproved', null],
] as const

type Outcome = 'OAuthAccountNotLinked' | 'linked' | 'a user of their own'

describe('an address that another user has', () => {
  const stage = useLinking()

  for (const strategy of strategies) {
    for (const allowed of [false, true]) {
      for (const [state, emailVerified] of stored) {
        for (const [said, claim, worth] of claims) {
          const expected = outcome()
          it(`LK-03 ${expected}: ${strategy} sessions, linking ${allowed ? 'on' : 'off'}, stored ${state}, email_verified ${said}`, async () => {
            await stage.start({ strategy, one: { allowDangerousEmailAccountLinking: allowed } })
            const user = await stage.have({ email, emailVerified }, ['other:stranger'])
            await stage.recorder.inner.createSession?.({
              sessionToken: 'stranger',
              userId: user.id,
              expires: new Date(Date.now() + 60_000),
            })
            stage.recorder.clear()
            const browser = stage.app.browser()
            const response = await stage.signIn(browser, 'one', { sub: 'ann', email, email_verified: claim })
            const now = present(await stage.userByEmail(email))
            if (expected === 'OAuthAccountNotLinked') {
              await stage.expectRefused(response, expected, browser)
              expect(stage.recorder.writes()).to.deep.equal([])
            } else {
              stage.expectNoFault()
              expect(await stage.who(browser)).to.equal(now.id)
            }
            const isNew = expected === 'a user of their own'
            expect(now.id === user.id).to.equal(!isNew)
            expect(stage.recorder.names(/createUser/)).to.have.length(isNew ? 2 : 0)
            expect(await stage.recorder.accountsOf(user)).to.deep.equal([
              ...(expected === 'linked' ? ['one:ann'] : []),
              'other:stranger',
            ])
            expect(await stage.recorder.inner.getSessionAndUser?.('stranger'), 'nobody is signed out').to.not.equal(
              null,
            )
            expect(now.emailVerified !== null).to.equal(Boolean(emailVerified) || isNew)
          })

          function outcome(): Outcome {
            if (worth === 'proved' && state === 'unproved') return 'a user of their own'
            return !allowed || worth === 'denied' ? 'OAuthAccountNotLinked' : 'linked'
          }
        }
      }
    }
  }
})

describe('the address of a new user', () => {
  const stage = useLinking()

  for (const [said, claim, worth] of claims) {
    it(`LK-03 counts as ${worth === 'proved' ? 'proved' : 'unproved'} where the provider says ${said}`, async () => {
      await stage.start()
      await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: claim })
      const user = present(await stage.userByEmail(email))
      expect(user.emailVerified !== null).to.equal(worth === 'proved')
    })
  }

  for (const profile of [
    ({ sub }: { sub?: string | null }) => ({ id: String(sub), email: 'victim@example.com' }),
    ({ sub }: { sub?: string | null }) => ({ id: String(sub), email: 'ann@example.com.' }),
  ]) {
    const { email: chosen } = profile({ sub: 'ann' })
    it(`is not proved by a claim about another one: ${chosen}`, async () => {
      await stage.start({ one: { profile } })
      await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: true })
      expect(present(await stage.userByEmail(chosen)).emailVerified).to.equal(null)
    })

    it(`does not link by a claim about another one: ${chosen}`, async () => {
      await stage.start({ one: { profile, allowDangerousEmailAccountLinking: true } })
      const user = await stage.have({ email: chosen })
      const response = await stage.signIn(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: true })
      await stage.expectRefused(response, 'OAuthAccountNotLinked')
      expect(await stage.recorder.accountsOf(user)).to.deep.equal([])
    })
  }

  it('is not proved by a claim without an address', async () => {
    await stage.start({ one: { profile: ({ sub }) => ({ id: String(sub), email }) } })
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email_verified: true })
    expect(present(await stage.userByEmail(email)).emailVerified).to.equal(null)
  })

  for (const told of [7, ['ann@example.com'], { toLowerCase: 1 }]) {
    it(`is not proved where the claim is about ${JSON.stringify(told)}`, async () => {
      await stage.start({ one: { profile: ({ sub }) => ({ id: String(sub), email }) } })
      await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email: told, email_verified: true })
      expect(present(await stage.userByEmail(email)).emailVerified).to.equal(null)
    })
  }
})

describe('an address that a provider proves later', () => {
  const stage = useLinking()

  it('is noted for who has the account', async () => {
    await stage.start()
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: false })
    const id = await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: true })
    expect(await stage.userByEmail(email))
      .to.have.property('emailVerified')
      .that.is.a('date')
    expect(stage.recorder.details('events.updateUser')).to.have.length(1)
    expect(stage.recorder.details('events.updateUser')[0]).to.have.nested.property('user.id', id)
    expect(stage.recorder.details('events.updateUser')[0]).to.not.have.property('firstProof')
    stage.recorder.clear()
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: true })
    expect(stage.recorder.names(/updateUser/), 'once').to.deep.equal([])
  })

  it('is not the stored one, if the user has changed it', async () => {
    await stage.start()
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: false })
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann', email: 'new@example.com', email_verified: true })
    expect(await stage.userByEmail(email)).to.have.property('emailVerified', null)
    expect(await stage.userByEmail('new@example.com'), 'the stored address stays').to.equal(null)
  })

  it('is noted for who links the account while signed in, who loses nothing', async () => {
    for (const strategy of strategies) {
      await stage.start({ strategy })
      const browser = stage.app.browser()
      const elsewhere = stage.app.browser()
      const id = await stage.enter(browser, 'one', { sub: 'ann', email })
      await stage.enter(elsewhere, 'one', { sub: 'ann', email })
      await stage.enter(browser, 'two', { sub: 'ann-at-two', email, email_verified: true })
      const user = present(await stage.userByEmail(email))
      expect(user.emailVerified).to.be.a('date')
      expect(await stage.recorder.accountsOf(user)).to.deep.equal(['one:ann', 'two:ann-at-two'])
      expect([await stage.who(browser), await stage.who(elsewhere)]).to.deep.equal([id, id])
    }
  })
})

describe('allowDangerousEmailAccountLinking', () => {
  const stage = useLinking()

  it('LK-10 warns at the start, once for each provider that has it', async () => {
    const app = await stage.start({ two: { allowDangerousEmailAccountLinking: true } })
    const warned = app.log.warnings.filter(({ code }) => code === 'dangerous-linking')
    expect(warned).to.have.length(1)
    expect(warned[0]?.details[0]).to.include('"two"')
  })

  it('LK-10 does not spill over to another provider', async () => {
    await stage.start({ two: { allowDangerousEmailAccountLinking: true } })
    const user = await stage.have({ email, emailVerified: new Date() })
    const refused = await stage.signIn(stage.app.browser(), 'one', { sub: 'ann', email, email_verified: true })
    await stage.expectRefused(refused, 'OAuthAccountNotLinked')
    stage.forgive()
    expect(await stage.enter(stage.app.browser(), 'two', { sub: 'ann', email, email_verified: true })).to.equal(user.id)
    expect(await stage.recorder.accountsOf(user)).to.deep.equal(['two:ann'])
  })

  it('does not move an account of another user', async () => {
    await stage.start({ one: { allowDangerousEmailAccountLinking: true } })
    const bob = await stage.enter(stage.app.browser(), 'one', { sub: 'bob', email: 'bob@example.com' })
    await stage.have({ email, emailVerified: new Date() })
    // Bob's account says now that it has Ann's address.
    expect(await stage.enter(stage.app.browser(), 'one', { sub: 'bob', email, email_verified: true })).to.equal(bob)
  })
})

describe('the spelling of an address', () => {
  const stage = useLinking()

  it('LK-12 is one person’s in upper and lower case', async () => {
    await stage.start({ two: { allowDangerousEmailAccountLinking: true } })
    const id = await stage.enter(stage.app.browser(), 'one', {
      sub: 'ann',
      email: 'Ann@Example.COM',
      email_verified: true,
    })
    expect(await stage.userByEmail(email)).to.have.property('id', id)
    expect(
      await stage.enter(stage.app.browser(), 'two', { sub: 'a', email: 'aNN@example.com', email_verified: true }),
    ).to.equal(id)
  })

  it('is one person’s for an adapter that holds it in upper case', async () => {
    await stage.start({ two: { allowDangerousEmailAccountLinking: true }, without: ['transaction'] })
    const user = await stage.have({ email: 'Ann@Example.com', emailVerified: new Date() })
    stage.recorder.inner.getUserByEmail = async (asked) => (asked.toLowerCase() === email ? user : null)
    expect(await stage.enter(stage.app.browser(), 'two', { sub: 'a', email, email_verified: true })).to.equal(user.id)
  })

  for (const similar of ['änn@example.com', 'ann@example.com ', 'ａnn@example.com', 'ann@exampIe.com']) {
    it(`is not one person’s where only the database says so: ${JSON.stringify(similar)}`, async () => {
      await stage.start({ one: { allowDangerousEmailAccountLinking: true }, without: ['transaction'] })
      const victim = await stage.have({ email, emailVerified: new Date() })
      // A collation that compares without accents, widths and spaces at the end.
      stage.recorder.inner.getUserByEmail = async () => victim
      const browser = stage.app.browser()
      await stage.signIn(browser, 'one', { sub: 'mallory', email: similar, email_verified: true })
      expect(await stage.recorder.accountsOf(victim)).to.deep.equal([])
      expect(await stage.who(browser)).to.not.equal(victim.id)
    })
  }

  it('is not one person’s, nor proved, where lower case makes one letter of two: the Kelvin sign', async () => {
    await stage.start({ two: { allowDangerousEmailAccountLinking: true } })
    const victim = await stage.have({ email: 'kim@example.com', emailVerified: new Date() })
    const kelvin = { email: '\u212aim@example.com', email_verified: true }
    const mallory = await stage.enter(stage.app.browser(), 'two', { sub: 'mallory', ...kelvin })
    expect(mallory).to.not.equal(victim.id)
    expect(await stage.recorder.accountsOf(victim)).to.deep.equal([])
    expect(await stage.userByEmail(kelvin.email), 'as typed').to.include({ id: mallory, emailVerified: null })
  })

  it('is not one user’s by an email link either', async () => {
    await stage.start({
      without: ['transaction'],
      callbacks: {
        signIn: ({ user }) => user.email !== email,
      },
    })
    const victim = await stage.have({ email, emailVerified: new Date() })
    const browser = stage.app.browser()
    const link = await stage.askForLink(browser, 'mallory@example.com')
    stage.recorder.inner.getUserByEmail = async () => victim
    await browser.get(link)
    expect(await stage.who(browser)).to.not.equal(victim.id)
    expect(stage.recorder.details('db.updateUser')).to.deep.equal([])
  })
})

describe('an address that is the name of a lock', () => {
  const stage = useLinking()

  it('blocks no user for ever, when an event handler never returns', async () => {
    let isStuck = false
    const stuck = gate()
    await stage.start({
      timeout: 1,
      events: {
        linkAccount: () => {
          if (isStuck) return
          isStuck = true
          return stuck.opened
        },
      },
    })
    const mallory = stage.app.browser()
    const authorizationUrl = await stage.begin(mallory, 'one')
    const waiting = stage.finish(mallory, authorizationUrl, { sub: 'mallory', email })
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    stuck.open()
    await waiting
    expect(await stage.who(browser)).to.be.a('string')
  })

  it('blocks no other user', async () => {
    await stage.start()
    const browser = stage.app.browser()
    const strange = JSON.stringify(['one', 'mallory'])
    const response = await stage.signIn(browser, 'one', { sub: 'mallory', email: strange })
    expect(target(response)).to.equal(`${stage.app.origin}/welcome`)
    await stage.enter(stage.app.browser(), 'one', { sub: 'mallory', email: strange })
  })
})
