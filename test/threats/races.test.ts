/** Races of sign-ins, and the state after a fault half-way. */

import { expect } from 'chai'
import type { AdapterMethod } from '../../lib/types/adapter.js'
import { adapterKinds, type OpenAdapter, openAdapter } from '../sign-in/linking-databases.js'
import {
  extensions,
  type LinkingOptions,
  type Person,
  present,
  strategies,
  useLinking,
} from '../sign-in/linking-stage.js'
import { type Browser, type Door, target } from '../support/app.js'
import { inTurn } from '../support/extent.js'
import { cookieLines } from '../support/session.js'

let people = 0
/** Returns a new user at the provider, so that tests can share a database. */
function nobodyYet(claims: object = {}): Person & { email: string } {
  people += 1
  return { sub: `person-${people}`, email: `person-${people}@example.com`, ...claims }
}

const kinds = [...adapterKinds, 'memory without transactions'] as const

for (const [turn, kind] of kinds.entries()) {
  describe(`at the same time, with the adapter ${kind}`, () => {
    const stage = useLinking()
    let opened: OpenAdapter
    const without = kind === 'memory without transactions' ? extensions : []
    before(async function () {
      opened = await openAdapter(this, kind === 'memory without transactions' ? 'memory' : kind)
    })
    after(async () => {
      await opened?.close()
    })
    const start = (options: LinkingOptions = {}) => stage.start({ adapter: opened.adapter, without, ...options })

    /** Returns from the provider in all browsers at once, and collects the answers. */
    async function together(attempts: ReadonlyArray<{ app: Door; id: string; person: Person; browser?: Browser }>) {
      const ready = await Promise.all(
        attempts.map(async ({ app, id, person, browser = app.browser() }) => {
          const url = target(await browser.submit(`/auth/signin/${id}`, { callbackUrl: '/welcome' }))
          return { browser, url, person }
        }),
      )
      return Promise.all(
        ready.map(async ({ browser, url, person }) => {
          const response = await stage.finish(browser, url, person)
          return { browser, to: target(response), session: cookieLines(response).length }
        }),
      )
    }

    for (const strategy of inTurn(strategies, turn)) {
      it(`RC-05 20 first sign-ins of one user create one user (${strategy})`, async () => {
        const app = await start({ strategy })
        const person = nobodyYet()
        const answers = await together(Array.from({ length: 20 }, () => ({ app, id: 'one', person })))
        stage.expectNoFault()
        const ids = new Set(await Promise.all(answers.map(({ browser }) => stage.who(browser))))
        expect(ids.size).to.equal(1)
        const user = present(await stage.userByEmail(person.email))
        expect(ids.has(user.id)).to.equal(true)
        expect(await stage.recorder.users()).to.have.length(1)
        expect(await stage.recorder.accountsOf(user)).to.deep.equal([`one:${person.sub}`])
        expect(stage.recorder.names(/events\.(createUser|linkAccount)/)).to.deep.equal([
          'events.createUser',
          'events.linkAccount',
        ])
        const told = stage.recorder.details('events.signIn') as Array<{ isNewUser: boolean }>
        expect(told.filter(({ isNewUser }) => isNewUser)).to.have.length(1)
      })

      it(`two processes with the same user create one user, and trying again repairs it (${strategy})`, async () => {
        const apps = [await start({ strategy }), await stage.serve({ strategy })]
        const person = nobodyYet()
        await expectOneUser(
          apps.flatMap((app) => Array.from({ length: 5 }, () => ({ app, id: 'one', person }))),
          person.email,
        )
      })

      it(`RC-05 two processes and two providers with one address create one user (${strategy})`, async () => {
        const two = { allowDangerousEmailAccountLinking: true }
        const one = two
        const apps = [await start({ strategy, one, two }), await stage.serve({ strategy, one, two })]
        const person = nobodyYet({ email_verified: true })
        const attempts = apps.flatMap((app) => ['one', 'two'].map((id) => ({ app, id, person })))
        await expectOneUser([...attempts, ...attempts], person.email)
        const user = present(await stage.userByEmail(person.email))
        expect(await stage.recorder.accountsOf(user)).to.deep.equal([`one:${person.sub}`, `two:${person.sub}`])
      })
    }

    it('two providers with one address create one user if linking is off; the second one gets an error', async () => {
      const app = await start()
      const person = nobodyYet({ email_verified: true })
      const attempts = ['one', 'two', 'one', 'two'].map((id) => ({ app, id, person }))
      const answers = await together(attempts)
      expect(await stage.recorder.users()).to.have.length(1)
      const entered = answers.filter(({ to }) => to.endsWith('/welcome'))
      expect(entered).to.have.length(2)
      expect(new Set(stage.faults())).to.deep.equal(new Set(['OAuthAccountNotLinked']))
      expect(await stage.recorder.accountsOf(await stage.userByEmail(person.email))).to.have.length(1)
    })

    it('an email link and a provider, for a new address: one user', async () => {
      const two = { allowDangerousEmailAccountLinking: true }
      const apps = [await start({ two }), await stage.serve({ two })]
      const [first, second] = [present(apps[0]), present(apps[1])]
      const person = nobodyYet({ email_verified: true })
      const reader = first.browser()
      await reader.submit('/auth/signin/email', { email: person.email })
      const link = present(stage.mails.at(-1)).url
      const writer = second.browser()
      const url = target(await writer.submit('/auth/signin/two', { callbackUrl: '/welcome' }))
      await Promise.all([reader.get(link), stage.finish(writer, url, person)])
      const user = present(await stage.userByEmail(person.email))
      expect(await stage.recorder.users()).to.have.length(1)
      for (const browser of [reader, writer]) expect([undefined, user.id]).to.include(await stage.who(browser))
      stage.forgive()
      expect(await stage.enter(writer, 'two', person)).to.equal(user.id)
    })

    it('two users who link the same account: one has it, and the other one gets an error', async () => {
      const apps = [await start(), await stage.serve()]
      const owners = await Promise.all(
        apps.map(async (app) => {
          const browser = app.browser()
          const person = nobodyYet()
          await stage.finish(browser, target(await browser.submit('/auth/signin/one')), person)
          return { app, browser, id: present(await stage.who(browser)) }
        }),
      )
      stage.expectNoFault()
      const account = nobodyYet()
      const answers = await together(owners.map(({ app, browser }) => ({ app, browser, id: 'two', person: account })))
      expect(answers.filter(({ to }) => to.endsWith('/welcome'))).to.have.length(1)
      expect(stage.faults()).to.deep.equal(['OAuthAccountNotLinked'])
      const linked = await Promise.all(owners.map(({ id }) => stage.recorder.accountsOf({ id })))
      expect(linked.map((accounts) => accounts.length).sort()).to.deep.equal([1, 2])
      for (const { browser, id } of owners) expect(await stage.who(browser), 'the session stays').to.equal(id)
    })

    for (const strategy of inTurn(strategies, turn)) {
      it(`RC-02 one callback 50 times requests tokens once and starts one session (${strategy})`, async () => {
        const app = await start({ strategy })
        const browser = app.browser()
        const person = nobodyYet()
        const url = await stage.begin(browser, 'one')
        const callback = stage.provider.authorize(url)
        const { onToken } = stage.provider
        stage.provider.onToken = async (body) => stage.provider.tokens(body, { sub: person.sub, email: person.email })
        const jars = Array.from({ length: 50 }, () => {
          const jar = app.browser()
          for (const [name, value] of browser.cookies) jar.cookies.set(name, value)
          return jar
        })
        const answers = await Promise.all(jars.map((jar) => jar.get(callback)))
        stage.provider.onToken = onToken
        expect(stage.provider.count('/token')).to.equal(1)
        expect(answers.filter((response) => cookieLines(response).length > 0)).to.have.length(1)
        expect(stage.recorder.names(/createSession/)).to.have.length(strategy === 'database' ? 1 : 0)
        expect(stage.recorder.names(/events\.signIn/)).to.have.length(1)
        expect(stage.faults()).to.deep.equal(Array.from({ length: 49 }, () => 'InvalidCheck'))
      })
    }

    /** Checks that rejected browsers can sign in by trying again, and that all are the same user. */
    async function expectOneUser(attempts: Parameters<typeof together>[0], email: string): Promise<void> {
      const answers = await together(attempts)
      const tried = answers.map((answer, index) => ({ ...answer, ...present(attempts[index]) }))
      for (const { browser, to, id, person } of tried) {
        if (to.endsWith('/welcome')) continue
        const again = await stage.finish(
          browser,
          target(await browser.submit(`/auth/signin/${id}`, { callbackUrl: '/welcome' })),
          person,
        )
        expect(target(again)).to.match(/\/welcome$/)
      }
      expect(await stage.recorder.users()).to.have.length(1)
      const user = present(await stage.userByEmail(email))
      for (const { browser } of tried) {
        // A first proof ends the sessions that were there before it.
        expect([undefined, user.id]).to.include(await stage.who(browser))
      }
      expect(stage.recorder.names(/events\.createUser/)).to.have.length(1)
    }
  })
}

describe('an adapter that fails at one step of a first sign-in', () => {
  const stage = useLinking()
  const ann = { sub: 'ann', email: 'ann@example.com' }
  const gone = () => {
    throw new Error('the database is gone')
  }

  /** Signs in with the fault, and then without. Returns the numbers of users and sessions left each time. */
  async function failAndRetry(method: AdapterMethod, when: 'before' | 'after', without: readonly AdapterMethod[]) {
    await stage.start({ without })
    const browser = stage.app.browser()
    stage.recorder[when].set(method, gone)
    await stage.expectRefused(await stage.signIn(browser, 'one', ann), 'AdapterError', browser)
    stage.recorder[when].clear()
    stage.forgive()
    const left = (await stage.recorder.users()).length
    const id = await stage.enter(browser, 'one', ann)
    const whole = (await stage.recorder.users()).filter((each) => each.email)
    expect(whole).to.have.length(1)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
    expect(stage.recorder.names(/events\.(createUser|linkAccount)/)).to.deep.equal([
      'events.createUser',
      'events.linkAccount',
    ])
    return { left, sessions: await stage.recorder.sessionsOf({ id }) }
  }

  const transactions = { with: [], without: ['transaction'] } as const
  for (const [how, without] of Object.entries(transactions)) {
    for (const when of ['before', 'after'] as const) {
      for (const method of ['getUserByAccount', 'getUserByEmail'] as const) {
        it(`signs no user in and creates none: ${method}, ${when} its work, ${how} transactions`, async () => {
          expect(await failAndRetry(method, when, without)).to.deep.equal({ left: 0, sessions: 1 })
        })
      }
    }
    it(`signs no user in and creates none: createUser, before its work, ${how} transactions`, async () => {
      expect(await failAndRetry('createUser', 'before', without)).to.deep.equal({ left: 0, sessions: 1 })
    })
    it(`RC-10 signs no user in, and the next try succeeds: linkAccount, before its work, ${how} transactions`, async () => {
      const left = how === 'with' ? 0 : 1
      expect(await failAndRetry('linkAccount', 'before', without)).to.deep.equal({ left, sessions: 1 })
    })
    it(`signs no user in: createSession, before its work, ${how} transactions`, async () => {
      expect(await failAndRetry('createSession', 'before', without)).to.deep.equal({ left: 1, sessions: 1 })
    })
    it(`signs no user in: createSession, after its work, ${how} transactions: a session whose token no browser has`, async () => {
      expect(await failAndRetry('createSession', 'after', without)).to.deep.equal({ left: 1, sessions: 2 })
    })
  }

  for (const method of ['createUser', 'linkAccount'] as const) {
    it(`undoes all changes if the answer of ${method} is lost in a transaction`, async () => {
      expect(await failAndRetry(method, 'after', [])).to.deep.equal({ left: 0, sessions: 1 })
    })
  }

  it('signs in if the answer of linkAccount is lost without a transaction: the second read finds it', async () => {
    await stage.start({ without: ['transaction'] })
    stage.recorder.after.set('linkAccount', gone)
    const id = await stage.enter(stage.app.browser(), 'one', ann)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:ann'])
  })

  it('cannot determine the user if the answer of createUser is lost without a transaction', async () => {
    await stage.start({ without: ['transaction'] })
    stage.recorder.after.set('createUser', gone)
    const browser = stage.app.browser()
    await stage.expectRefused(await stage.signIn(browser, 'one', ann), 'OAuthAccountNotLinked', browser)
  })

  it('does not sign in a returning user: getAccount', async () => {
    await stage.start()
    const id = await stage.enter(stage.app.browser(), 'one', ann)
    const browser = stage.app.browser()
    stage.recorder.before.set('getAccount', gone)
    await stage.expectRefused(await stage.signIn(browser, 'one', ann), 'AdapterError', browser)
    stage.recorder.before.clear()
    stage.forgive()
    expect(await stage.enter(browser, 'one', ann)).to.equal(id)
  })

  it('keeps the session that was there', async () => {
    await stage.start()
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    for (const method of ['getUserByAccount', 'linkAccount', 'createSession', 'deleteSession'] as const) {
      let faults = method === 'deleteSession' ? 1 : Number.POSITIVE_INFINITY
      stage.recorder.before.set(method, () => {
        if (faults-- > 0) gone()
      })
      const response = await stage.signIn(browser, 'two', { sub: `late-${method}` })
      stage.recorder.before.clear()
      await stage.expectRefused(response, 'AdapterError', browser, id)
      expect(await stage.recorder.sessionsOf({ id }), method).to.equal(1)
      stage.forgive()
    }
  })
})

describe('a user whose account could not be linked, and who cannot be removed', () => {
  const stage = useLinking()
  const ann = { sub: 'ann', email: 'ann@example.com' }

  async function interrupt(options: LinkingOptions = {}, person: Person = ann): Promise<void> {
    await stage.start({ without: extensions, ...options })
    stage.recorder.before.set('linkAccount', () => {
      throw new Error('the database is gone')
    })
    await stage.expectRefused(await stage.signIn(stage.app.browser(), 'one', person), 'AdapterError')
    expect(stage.recorder.names(/^events/), 'nothing is told').to.deep.equal([])
    expect(await stage.recorder.users()).to.have.length(1)
    stage.recorder.before.clear()
    stage.forgive()
  }

  for (const strategy of strategies) {
    it(`loses the address: the next try creates another one, with one event (${strategy})`, async () => {
      await interrupt({ strategy, pages: { newUser: '/hello' } })
      expect((await stage.recorder.users()).map(({ email }) => email)).to.deep.equal([null])
      const browser = stage.app.browser()
      expect(target(await stage.signIn(browser, 'one', ann))).to.include('/hello?')
      await stage.signIn(stage.app.browser(), 'one', ann)
      stage.expectNoFault()
      expect(stage.recorder.names(/events\.(createUser|linkAccount)/)).to.deep.equal([
        'events.createUser',
        'events.linkAccount',
      ])
      expect(await stage.who(browser)).to.equal((await stage.userByEmail(ann.email))?.id)
    })
  }
})
