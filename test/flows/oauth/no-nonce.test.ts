/** A provider whose id_tokens lack the nonce, as it says (`nonce: false`). */
import { expect } from 'chai'
import { useStage } from './stage.js'

describe('nonce: false', () => {
  const stage = useStage({ nonce: false })

  it('sends none, and accepts an id_token without one', async () => {
    const url = new URL(await stage.begin())
    expect(url.searchParams.has('nonce')).to.equal(false)
    expect(url.searchParams.get('state')).to.match(/^[\w-]{43}$/)
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url.href)))
  })

  it('rejects an id_token with a nonce, because it belongs to another sign-in', async () => {
    stage.provider.onToken = (body) => stage.provider.tokens(body, { nonce: 'unasked' })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /nonce/)
  })

  it('requires state all the same', async () => {
    const response = await stage.signIn({ state: 'another' })
    await stage.expectRefused(response, 'InvalidCheck', /./)
  })

  it('must be set for the provider: without it a nonce is required', async () => {
    await stage.restart({ nonce: undefined })
    stage.provider.onToken = (body) => stage.provider.tokens(body, { nonce: undefined })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /nonce/)
  })
})
