/** Providers with invalid user ids: tests that `test/flows/oauth/` does not have. */
import { expect } from 'chai'
import GitLab from '../../lib/providers/gitlab.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { startApp, type TestApp, target } from '../support/app.js'

describe('OA-06 users without an id at their provider never become one user', () => {
  describe('where `profile` converts any value to text', () => {
    const stage = useStage({ profile: (profile: { number?: unknown }) => ({ id: String(profile.number) }) })

    for (const number of [undefined, null, Number.NaN, {}, ['a', {}].slice(1)]) {
      it(`rejects ${String(JSON.stringify(number))}`, async () => {
        // NaN is no JSON: it can only come of a calculation in `profile`.
        if (Number.isNaN(number)) await stage.restart({ profile: () => ({ id: String(Number('x')) }) })
        stage.provider.person.number = number
        await stage.expectRefused(await stage.signIn(), 'OAuthProfileParseError', /must return an `id`/)
      })
    }

    it('accepts a number', async () => {
      stage.provider.person.number = 7
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('7')
    })
  })

  describe('at a provider of the catalogue with an unexpected answer', () => {
    let app: TestApp
    afterEach(() => app.close())

    it('signs no user in', async () => {
      const answers = async (input: string | URL | Request) =>
        Response.json(String(input).endsWith('/token') ? { access_token: 'a', token_type: 'bearer' } : { message: 'x' })
      app = await startApp({
        providers: [GitLab({ clientId: 'c', clientSecret: 's', [customFetch]: answers as typeof fetch })],
      })
      const browser = app.browser()
      const state = new URL(target(await browser.submit('/auth/signin/gitlab'))).searchParams.get('state')
      const response = await browser.get(`/auth/callback/gitlab?code=c&state=${state}`)
      expect(target(response)).to.equal(`${app.origin}/auth/error?error=Configuration`)
      expect(await browser.session()).to.equal(null)
    })
  })
})
