/** The answer of one provider, delivered as that of another. The rest is in `test/flows/oauth/mix-up.test.ts`. */
import { expect } from 'chai'
import { useStage } from '../flows/oauth/stage.js'
import { credentials, target } from '../support/app.js'
import { heldToken } from '../support/session.js'

describe('an attempt at one provider, delivered at another while a user is signed in', () => {
  const stage = useStage()

  it('MX-02 links nothing and leaves the session as it was', async () => {
    const providers = [credentials(), stage.config(), stage.config({ id: 'other', name: 'Other' })]
    await stage.restart({}, { providers, events: { signIn: (message) => void stage.signedIn.push(message) } })
    await stage.browser.signIn({ username: 'ann' })
    const before = heldToken(stage.browser)
    const callback = stage.provider.authorize(await stage.begin('other'))
    const response = await stage.browser.get(callback.replace('/callback/other', '/callback/test'))
    expect(target(response)).to.equal(`${stage.app.origin}/auth/error?error=InvalidCheck`)
    expect(heldToken(stage.browser)).to.equal(before)
    expect(stage.signedIn.map(({ account }) => account?.provider)).to.deep.equal(['credentials'])
    expect(stage.provider.count('/token')).to.equal(0)
  })
})
