/**
 * The first proof of an address while a stranger with a passkey sends requests: in any order, the owner's user belongs
 * to the owner alone.
 */

import { clearSiteMemories } from '../../../lib/base/memory.js'
import type { AdapterMethod } from '../../../lib/types/adapter.js'
import type { Door } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import type { PasskeyPerson } from '../../support/passkey-person.js'
import { comes, email, expectOwned } from './proof.js'
import { usePasskeys } from './stage.js'

describe('the first proof of an address, in another process, while a stranger with a passkey', () => {
  const stage = usePasskeys()

  /** The moment of the owner's sign-in: before or after a method of the stranger's request has done its work. */
  type Moment = readonly [when: 'before' | 'after', method: AdapterMethod, nth?: number]

  /** Signs the owner in at this moment, by an application that shares only the database with the stranger's. */
  function meanwhile([when, method, nth = 1]: Moment, other: Door): { readonly victim: () => PasskeyPerson } {
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

  /** Sends a stranger's request, with an application for the stranger and one for the owner. */
  async function race(moment: Moment, without: AdapterMethod[], act: (mallory: PasskeyPerson) => Promise<unknown>) {
    await stage.start({ without })
    const own = stage.app
    const mallory = stage.person({ app: own })
    const { victim } = await prepared(moment, mallory, act)
    await expectOwned(stage, victim, mallory)
  }

  async function prepared(moment: Moment, mallory: PasskeyPerson, act: (mallory: PasskeyPerson) => Promise<unknown>) {
    clearSiteMemories()
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
      it(`signs up: the passkey is not there (the owner signs in ${titled(moment)}${how})`, async () => {
        await race(moment, [...without], async (mallory) => {
          const answer = mallory.key.create(await mallory.options('register', { email }))
          await mallory.send('register', answer)
        })
      })

      // To add one, its account is there already.
      if (moment[1] === 'linkAccount') continue
      it(`adds one: neither is there (the owner signs in ${titled(moment)}${how})`, async () => {
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

  const signingIn: Moment[] = [
    ['before', 'getAuthenticator'],
    ['after', 'getAuthenticator'],
    ['after', 'getAccount'],
    ['after', 'getUser'],
    ['before', 'updateAuthenticatorCounter'],
    ['after', 'updateAuthenticatorCounter'],
    ['before', 'getUserByAccount'],
    ['after', 'getUserByAccount'],
    ['before', 'createSession'],
    ['after', 'createSession'],
  ]
  for (const moment of signingIn) {
    it(`signs in: not as the owner (the owner signs in ${titled(moment)})`, async () => {
      await stage.start()
      const mallory = await stage.member(email)
      await mallory.signOut()
      const answer = mallory.key.get(await mallory.options('authenticate'))
      const { victim } = await prepared(moment, mallory, () => mallory.send('authenticate', answer))
      await expectOwned(stage, victim, mallory)
    })
  }
})
