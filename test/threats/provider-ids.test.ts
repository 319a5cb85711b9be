/** Providers that name people badly: what `test/flows/oauth/` does not have. */
import { expect } from 'chai'
import GitLab from '../../lib/providers/gitlab.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { startApp, type TestApp, target } from '../support/app.js'

describe('OA-06 people without an id at their provider never become one person', () => {
  describe('where `profile` makes a text of whatever is there', () => {
    const stage = useStage({ profile: (profile: { number?: unknown }) => ({ id: String(profile.number) }) })

    for (const number of [undefined, null, Number.NaN, {}, ['a', {}].slice(1)]) {
      it(`refuses ${String(JSON.stringify(number))}`, async () => {
        // NaN is no JSON: it can only come of a calculation in `profile`.
        if (Number.isNaN(number)) await stage.restart({ profile: () => ({ id: String(Number('x')) }) })
        stage.provider.person.number = number
        await stage.expectRefused(await stage.signIn(), 'OAuthProfileParseError', /must return an `id`/)
      })
    }

    it('takes a number', async () => {
      stage.provider.person.number = 7
      await stage.expectSignedIn(await stage.signIn())
      expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('7')
    })
  })

  describe('at a provider of the catalogue that answers something else', () => {
    let app: TestApp
    afterEach(() => app.close())

    it('signs nobody in', async () => {
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
