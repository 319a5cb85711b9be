/** The facts that a passkey reports at each use: how often it signed, and whether it is in a backup. */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import { strategies, usePasskeys } from './stage.js'

const email = 'ann@example.com'
const type = 'WebAuthnVerificationError'

for (const strategy of strategies) {
  describe(`the counter of a passkey, with ${strategy} sessions`, () => {
    const stage = usePasskeys()
    beforeEach(() => stage.start({ strategy }))

    /** Returns a user whose passkey has this counter, signed out. */
    async function at(counter: number) {
      const ann = await stage.member(email, { counter })
      await ann.signOut()
      return ann
    }
    const stored = async () => (await stage.passkeysOf(email))[0]?.counter

    it('WA-06 may stay at zero', async () => {
      const ann = await at(0)
      for (const _ of [1, 2, 3]) {
        await stage.expectSignedIn(await ann.signIn(), ann, email)
        expect(await stored()).to.equal(0)
      }
    })

    for (const [before, now] of [
      [0, 1],
      [0, 4_294_967_295],
      [5, 6],
      [5, 1000],
      [4_294_967_294, 4_294_967_295],
    ]) {
      it(`may go from ${before} to ${now}`, async () => {
        const ann = await at(before ?? 0)
        await stage.expectSignedIn(await ann.signIn({}, { lies: { counter: now ?? 0 } }), ann, email)
        expect(await stored()).to.equal(now)
      })
    }

    for (const [before, now] of [
      [5, 5],
      [5, 4],
      [5, 0],
      [1, 1],
      [1, 0],
      [4_294_967_295, 0],
    ]) {
      it(`WA-06 may not go from ${before} to ${now}: it is logged and reported, and the sign-in is rejected`, async () => {
        const ann = await at(before ?? 0)
        stage.forgive()
        const response = await stage.expectNoWrite(() => ann.signIn({}, { lies: { counter: now ?? 0 } }))
        await stage.expectRefused(response, type, ann)
        expect(await stored()).to.equal(before)
        const [error] = stage.app.log.errors
        const { id } = await stage.userOf(email)
        const [row] = await stage.passkeysOf(email)
        expect(error?.cause).to.deep.equal({
          reason: 'counter',
          userId: id,
          credentialID: row?.credentialID,
          storedCounter: before,
          receivedCounter: now,
        })
        expect(error?.message).to.match(/counter of a passkey went back: .* Remove it from the account/)
        const [failure, ...others] = stage.failures
        expect(others).to.deep.equal([])
        expect(failure).to.include({ type, action: 'callback', provider: 'passkey', error })
        expect(target(response), 'the outside learns only a type').to.not.include('counter')
      })
    }

    it('that went back once does not lock out the user of the other copy', async () => {
      const ann = await at(5)
      await stage.expectRefused(await ann.signIn({}, { lies: { counter: 3 } }), type, ann)
      stage.forgive()
      await stage.expectSignedIn(await ann.signIn({}, { lies: { counter: 6 } }), ann, email)
    })

    it('is compared one answer after the other: of two with the same counter, one is rejected', async () => {
      const ann = await at(5)
      const people = await Promise.all(
        [stage.person(), stage.person()].map(async (copy) => {
          copy.key.passkeys.push(...ann.key.passkeys)
          return { copy, answer: copy.key.get(await copy.options('authenticate'), { counter: 6 }) }
        }),
      )
      const responses = await Promise.all(people.map(({ copy, answer }) => copy.send('authenticate', answer)))
      expect(responses.filter((each) => target(each).includes(type))).to.have.length(1)
      expect(stage.app.log.errors.map(({ cause }) => (cause as { reason?: string }).reason)).to.deep.equal(['counter'])
    })
  })
}

describe('the backup of a passkey', () => {
  const stage = usePasskeys()
  beforeEach(() => stage.start())
  const row = async () => (await stage.passkeysOf(email))[0]

  for (const be of [true, false]) {
    it(`does not become ${be ? 'impossible' : 'possible'} later`, async () => {
      const ann = await stage.member(email, { be, bs: false })
      await ann.signOut()
      ann.key.traits = { ...ann.key.traits, be: !be }
      const response = await stage.expectNoWrite(() => ann.signIn())
      await stage.expectRefused(response, type, ann)
      expect(stage.app.log.errors[0]?.message).to.include('whether it can be backed up')
    })
  }

  it('does not exist if it is impossible', async () => {
    const ann = await stage.member(email, { be: false, bs: false })
    await ann.signOut()
    ann.key.traits = { ...ann.key.traits, bs: true }
    await stage.expectRefused(await stage.expectNoWrite(() => ann.signIn()), type, ann)
  })

  it('starts and stops', async () => {
    const ann = await stage.member(email, { be: true, bs: false })
    for (const bs of [true, false, true]) {
      ann.key.traits = { ...ann.key.traits, bs }
      await stage.expectSignedIn(await ann.signIn(), ann, email)
      expect(await row()).to.include({ credentialBackedUp: bs, credentialDeviceType: 'multiDevice' })
    }
  })

  it('is not required if the stored row does not have it', async () => {
    const ann = await stage.member(email)
    const known = await row()
    if (!known) throw new Error('no passkey')
    await stage.db.real.deleteAuthenticator(known.credentialID)
    await stage.db.real.createAuthenticator({ ...known, credentialDeviceType: 'unknown' })
    ann.key.traits = { ...ann.key.traits, be: false, bs: false }
    await stage.expectSignedIn(await ann.signIn(), ann, email)
  })
})

describe('a use of a passkey that cannot be stored', () => {
  const stage = usePasskeys()

  it('signs no user in, and is reported as our fault', async () => {
    await stage.start()
    const ann = await stage.member(email)
    await ann.signOut()
    for (const method of ['updateAuthenticatorCounter', 'getAuthenticator', 'getAccount', 'getUser'] as const) {
      stage.forgive()
      stage.db.replace(method, () => {
        throw new Error('down')
      })
      const response = await ann.signIn()
      expect(response.status).to.equal(503)
      expect(stage.faults()).to.deep.equal(['AdapterError'])
      expect(await ann.browser.session()).to.equal(null)
      stage.db.repair()
    }
  })

  it('has a time-out', async () => {
    await stage.start({ timeout: 0.05 })
    const ann = await stage.member(email)
    await ann.signOut()
    stage.db.replace('updateAuthenticatorCounter', () => new Promise(() => {}))
    expect((await ann.signIn()).status).to.equal(503)
    stage.db.repair()
    stage.forgive()
    await stage.expectSignedIn(await ann.signIn(), ann, email)
  })
})
