import { expect } from 'chai'
import { type SealPurpose, seal, unseal } from '../../lib/crypto/seal.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'
import { flipBit } from '../support/jwe.js'

const secrets = ['a-test-secret-of-more-than-32-characters']
const purposes = Object.keys({
  transaction: true,
  'email-attempt': true,
  'passkey-challenge': true,
  logout: true,
  'user-list': true,
  'form-post': true,
  'redirect-proxy': true,
  'email-change': true,
  'typed-fields': true,
  'provider-session': true,
  connection: true,
  'password-link': true,
  'password-reset': true,
  impersonator: true,
  'pending-factor': true,
  reauthentication: true,
  'factor-setup': true,
  'mailed-address': true,
} satisfies Record<SealPurpose, true>) as SealPurpose[]

describe('seal(purpose, payload) and unseal', () => {
  afterEach(restoreClock)

  it('give the payload back, with its end', async () => {
    freezeClock()
    const sealed = await seal('transaction', { state: 's', list: [1] }, { secrets, maxAge: 60 })
    expect(await unseal('transaction', sealed, secrets)).to.deep.equal({ state: 's', list: [1], exp: seconds() + 60 })
  })

  it('PC-03 do not let a payload choose its own end', async () => {
    freezeClock()
    const sealed = await seal('transaction', { exp: 9e12 }, { secrets, maxAge: 60 })
    expect(await unseal('transaction', sealed, secrets)).to.deep.equal({ exp: seconds() + 60 })
  })

  it('end at the second they should', async () => {
    freezeClock()
    const sealed = await seal('form-post', {}, { secrets, maxAge: 60 })
    advanceClock(59)
    expect(await unseal('form-post', sealed, secrets)).to.not.equal(null)
    advanceClock(1)
    expect(await unseal('form-post', sealed, secrets)).to.equal(null)
  })

  for (const minted of purposes) {
    for (const redeemed of purposes) {
      const good = minted === redeemed
      it(`PC-03 a ${minted} is ${good ? 'good' : 'worthless'} as ${redeemed}`, async () => {
        const sealed = await seal(minted, { a: 1 }, { secrets, maxAge: 60 })
        const opened = await unseal(redeemed, sealed, secrets)
        if (good) expect(opened).to.include({ a: 1 })
        else expect(opened).to.equal(null)
      })
    }
  }

  it('seal under the first secret, open under each', async () => {
    const [old = ''] = secrets
    const sealed = await seal('transaction', { a: 1 }, { secrets, maxAge: 60 })
    expect(await unseal('transaction', sealed, ['newer', old])).to.include({ a: 1 })
    expect(await unseal('transaction', sealed, ['newer'])).to.equal(null)
    const renewed = await seal('transaction', { a: 1 }, { secrets: ['newer', old], maxAge: 60 })
    expect(await unseal('transaction', renewed, ['newer'])).to.include({ a: 1 })
    expect(await unseal('transaction', renewed, secrets)).to.equal(null)
  })

  it('refuse what was touched or is no seal', async () => {
    const sealed = await seal('transaction', { a: 1 }, { secrets, maxAge: 60 })
    const other = (await seal('transaction', { a: 2 }, { secrets, maxAge: 60 })).split('.')
    const spliced = [...sealed.split('.').slice(0, 4), other[4]].join('.')
    for (const text of [
      ...[0, 2, 3, 4].map((part) => flipBit(sealed, part)),
      spliced,
      `${sealed}=`,
      '',
      'a.b.c',
      '%',
    ]) {
      expect(await unseal('transaction', text, secrets), text).to.equal(null)
    }
  })
})
