/** A provider that says that its id_tokens lack the nonce (`nonce: false`). */
import { expect } from 'chai'
import { useStage } from './stage.js'

describe('nonce: false', () => {
  const stage = useStage({ nonce: false })

  it('sends none, and takes an id_token without one', async () => {
    const url = new URL(await stage.begin())
    expect(url.searchParams.has('nonce')).to.equal(false)
    expect(url.searchParams.get('state')).to.match(/^[\w-]{43}$/)
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url.href)))
  })

  it('refuses an id_token with a nonce: it belongs to somebody’s other sign-in', async () => {
    stage.provider.onToken = (body) => stage.provider.tokens(body, { nonce: 'unasked' })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /nonce/)
  })

  it('requires state all the same', async () => {
    const response = await stage.signIn({ state: 'another' })
    await stage.expectRefused(response, 'InvalidCheck', /./)
  })

  it('is for the provider to say: without it a nonce is required back', async () => {
    await stage.restart({ nonce: undefined })
    stage.provider.onToken = (body) => stage.provider.tokens(body, { nonce: undefined })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /nonce/)
  })
})
