/** The first proof of an address while a stranger with a passkey is at work: whoever is faster, nothing of theirs stays. */
import type { AdapterMethod } from '../../../lib/adapters/types.js'
import { gate } from '../../sign-in/linking-stage.js'
import type { TestApp } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import type { PasskeyPerson } from '../../support/passkey-person.js'
import { comes, email, expectOwned } from './proof.js'
import { present, usePasskeys } from './stage.js'

describe('the first proof of an address, in another process, while a stranger with a passkey', () => {
  const stage = usePasskeys()

  /** When the owner comes: before or after a method of the stranger's request has done its work. */
  type Moment = readonly [when: 'before' | 'after', method: AdapterMethod, nth?: number]

  /** The owner comes at this moment, by an application that shares nothing with the stranger's but the database. */
  function meanwhile([when, method, nth = 1]: Moment, other: TestApp): { readonly victim: () => PasskeyPerson } {
    const came: PasskeyPerson[] = []
    let left = nth
    stage.db.replace(method, async (real, ...args) => {
      left -= 1
      const isNow = left === 0
      if (isNow && when === 'before') came.push(await comes(stage, other))
      const result = await real(...args)
      if (isNow && when === 'after') came.push(await comes(stage, other))
      return result
    })
    return {
      victim: () => {
        stage.db.repair()
        const [victim] = came
        if (!victim) throw new Error(`the owner did not come ${when} ${method}`)
        return victim
      },
    }
  }

  const titled = ([when, method, nth = 1]: Moment) => `${when} ${method}${nth > 1 ? ` (${nth})` : ''}`

  /** A stranger's request, with an application for the stranger and one for the owner. */
  async function race(moment: Moment, without: AdapterMethod[], act: (mallory: PasskeyPerson) => Promise<unknown>) {
    await stage.start({ without })
    const own = stage.app
    const mallory = stage.person({ app: own })
    const { victim } = await prepared(moment, mallory, act)
    await expectOwned(stage, victim, mallory)
  }

  async function prepared(moment: Moment, mallory: PasskeyPerson, act: (mallory: PasskeyPerson) => Promise<unknown>) {
    const other = await stage.serve()
    const { victim } = meanwhile(moment, other)
    await act(mallory)
    return { victim: victim() }
  }

  const whole: Moment[] = [
    ['before', 'getUserByAccount'],
    ['after', 'getUserByAccount'],
    ['before', 'transaction'],
    ['after', 'transaction'],
    ['before', 'createSession'],
  ]
  const inPieces: Moment[] = [
    ['before', 'linkAccount'],
    ['after', 'linkAccount'],
    ['before', 'createAuthenticator'],
    ['after', 'createAuthenticator'],
  ]

  for (const [moments, without] of [
    [whole, []],
    [inPieces, ['transaction']],
  ] as const) {
    for (const moment of moments) {
      const how = without.length > 0 ? ', without transactions' : ''
      it(`signs up: the passkey is not there afterwards (the owner comes ${titled(moment)}${how})`, async () => {
        await race(moment, [...without], async (mallory) => {
          const answer = mallory.key.create(await mallory.options('register', { email }))
          await mallory.send('register', answer)
        })
      })

      // To add one, its account is there already.
      if (moment[1] === 'linkAccount') continue
      it(`adds one: neither is there afterwards (the owner comes ${titled(moment)}${how})`, async () => {
        await stage.start({ without })
        const mallory = await stage.member(email)
        const second = mallory.with({ key: new Authenticator() })
        const answer = second.key.create(await second.options('register'))
        const { victim } = await prepared(moment, second, () => second.send('register', answer))
        await expectOwned(stage, victim, second)
        await expectOwned(stage, victim, mallory)
      })
    }
  }

  const adding: Moment[] = [
    ['before', 'getAuthenticator'],
    ['before', 'getUser'],
    ['after', 'getUser'],
    ['before', 'getUser', 2],
    ['after', 'getUser', 2],
    ['before', 'getSessionAndUser', 2],
    ['after', 'getSessionAndUser', 2],
  ]
  for (const moment of adding) {
    it(`adds one: neither is there afterwards (the owner comes ${titled(moment)})`, async () => {
      await stage.start()
      const mallory = await stage.member(email)
      const second = mallory.with({ key: new Authenticator() })
      const answer = second.key.create(await second.options('register'))
      const { victim } = await prepared(moment, second, () => second.send('register', answer))
      await expectOwned(stage, victim, second)
      await expectOwned(stage, victim, mallory)
    })
  }

  it('signs in by one that is on its way out, as a user who looks proved: the session is none', async () => {
    await stage.start({ without: ['transaction'] })
    const mallory = await stage.member(email)
    const row = present((await stage.passkeysOf(email))[0])
    const { providerAccountId, userId } = row
    const own = stage.app
    const elsewhere = await stage.serve()
    const late = mallory.with({ browser: elsewhere.browser() })
    const [coming, proved] = [gate(), gate()]
    const responses: Array<Promise<unknown>> = []
    stage.db.replace('updateUser', async (real, ...args) => {
      const user = await real(...args)
      // As if it had been written by another process in this moment.
      await stage.db.real.linkAccount({ provider: 'passkey', type: 'webauthn', providerAccountId, userId })
      await stage.db.real.createAuthenticator(row)
      stage.db.replace('createSession', async (create, ...session) => {
        stage.db.repair()
        coming.open()
        await proved.opened
        return create(...session)
      })
      responses.push(late.signIn())
      await coming.opened
      return user
    })
    const victim = await comes(stage, own)
    proved.open()
    await Promise.all(responses)
    await expectOwned(stage, victim, late)
  })

  const signingIn: Moment[] = [
    ['before', 'getAuthenticator'],
    ['after', 'getAuthenticator'],
    ['after', 'getAccount'],
    ['after', 'getUser'],
    ['before', 'updateAuthenticatorCounter'],
    ['after', 'updateAuthenticatorCounter'],
    ['before', 'getUserByAccount'],
    ['after', 'getUserByAccount'],
    ['after', 'getUserByAccount', 2],
    ['before', 'createSession'],
    ['after', 'createSession'],
  ]
  for (const moment of signingIn) {
    it(`signs in: the session is none (the owner comes ${titled(moment)})`, async () => {
      await stage.start()
      const mallory = await stage.member(email)
      await mallory.signOut()
      const answer = mallory.key.get(await mallory.options('authenticate'))
      const { victim } = await prepared(moment, mallory, () => mallory.send('authenticate', answer))
      await expectOwned(stage, victim, mallory)
    })
  }
})
