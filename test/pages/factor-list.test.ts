import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import type { EnrolledFactor, FactorType } from '../../lib/features/factors/types.js'
import { renderFactorList } from '../../lib/pages/index.js'

function render(addable: readonly FactorType[], recommended?: FactorType, factors: readonly EnrolledFactor[] = []) {
  return renderFactorList({
    frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' },
    ...{ csrfToken: 'token', callbackUrl: '/', action: '/auth/two-factor', mustEnrol: false, factors, recommended },
    addable: addable.map((type) => ({ type, url: `/auth/two-factor/${type}` })),
  })
}

/** The classes of the buttons by type. */
const buttons = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<a class="(button[^"]*)" href="\/auth\/two-factor\/(\w+)"/g)].map(([, look, type]) => [
      type,
      look,
    ]),
  )

describe('renderFactorList(page): the recommended second factor', () => {
  it('is the only filled button, and says why', () => {
    const page = render(['totp', 'email', 'passkey'], 'passkey')
    expect(buttons(page)).to.deep.equal({ totp: 'button quiet', email: 'button quiet', passkey: 'button' })
    expect(page).to.include('aria-describedby="recommended recommended-why"')
    expect(page).to.include('<span class="mark" id="recommended">Recommended</span>')
    expect(page).to.include('id="recommended-why">A passkey is quick, and no false site can use it.</p>')
    expect(render(['totp', 'email'], 'totp')).to.include('An app works without a network')
  })

  it('is not named without a choice, or for a user who has a factor', () => {
    expect(render(['totp'])).to.not.include('Recommended')
    expect(buttons(render(['totp']))).to.deep.equal({ totp: 'button' })
    const factor = { id: '1', type: 'totp', name: null, createdAt: new Date(), usedAt: null } as const
    expect(buttons(render(['totp', 'email'], undefined, [factor]))).to.deep.equal({
      totp: 'button quiet',
      email: 'button quiet',
    })
  })
})
