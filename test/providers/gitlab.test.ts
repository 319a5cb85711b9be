/** A whole sign-in with GitLab, as its servers answer. */
import { expect } from 'chai'
import GitLab from '../../lib/providers/gitlab.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { answerAt, asked, lastRequest, reroute } from './internet.js'

const ada = {
  id: 1574083,
  username: 'ada',
  name: 'Ada Lovelace',
  state: 'active',
  email: 'ada@example.com',
  avatar_url: 'https://gitlab.com/uploads/-/system/user/avatar/1574083/avatar.png',
}

describe('GitLab', () => {
  const stage = useStage()
  const tokens = {
    access_token: 'de6780bc506a0446309bd9362820ba8aed28aa506c71eedbe1c5c4f9dd350e54',
    token_type: 'Bearer',
    expires_in: 7200,
    refresh_token: '8257e65c97202ed1726cf9571600918f3bffb2544b26e00a61df9897668c33a1',
    scope: 'read_user',
    created_at: 1795266229,
  }

  for (const [what, baseUrl, host] of [
    ['gitlab.com', undefined, 'gitlab.com'],
    ['a GitLab of one’s own', 'https://git.corp.example/gitlab/', 'git.corp.example/gitlab'],
  ] as const) {
    it(`signs in at ${what}`, async () => {
      const given = { clientId: 'app-id', clientSecret: 'gloas-secret', ...(baseUrl !== undefined && { baseUrl }) }
      await stage.restart({}, { providers: [GitLab({ ...given, [customFetch]: reroute(stage.provider) })] })
      answerAt(stage.provider, { [`${host}/oauth/token`]: tokens, [`${host}/api/v4/user`]: ada })
      const begun = await stage.begin('gitlab')
      expect(begun.startsWith(`https://${host}/oauth/authorize?`), begun).to.equal(true)
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(begun, { iss: null })))
      expect(asked(stage.provider)).to.deep.equal([`${host}/oauth/token`, `${host}/api/v4/user`])
      expect(lastRequest(stage.provider, `${host}/api/v4/user`).headers.authorization).to.equal(
        `Bearer ${tokens.access_token}`,
      )
      const [told] = stage.signedIn
      expect(told?.user).to.include({ name: ada.name, email: ada.email, image: ada.avatar_url })
      expect(told?.account).to.include({
        provider: 'gitlab',
        providerAccountId: '1574083',
        token_type: 'bearer',
        refresh_token: tokens.refresh_token,
      })
      expect(told?.account?.expires_at).to.be.closeTo(Date.now() / 1000 + 7200, 30)
    })
  }

  it('signs no user in if GitLab rejects the token', async () => {
    const given = { clientId: 'app-id', clientSecret: 'gloas-secret' }
    await stage.restart({}, { providers: [GitLab({ ...given, [customFetch]: reroute(stage.provider) })] })
    answerAt(stage.provider, {
      'gitlab.com/oauth/token': tokens,
      'gitlab.com/api/v4/user': () => ({ status: 403, body: { error: 'insufficient_scope' } }),
    })
    const response = await stage.browser.get(stage.provider.authorize(await stage.begin('gitlab'), { iss: null }))
    await stage.expectRefused(response, 'OAuthCallbackError', /status 403/)
  })
})
