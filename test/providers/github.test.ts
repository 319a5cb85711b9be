/** A whole sign-in with GitHub, as its servers answer. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import GitHub, { type GitHubOptions } from '../../lib/providers/github.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { target } from '../support/app.js'
import { answerAt, asked, lastRequest, reroute } from './internet.js'

const [tokenUrl, userUrl, emailsUrl] = [
  'github.com/login/oauth/access_token',
  'api.github.com/user',
  'api.github.com/user/emails',
]
const octocat = {
  id: 583231,
  login: 'octocat',
  name: 'The Octocat',
  email: null as string | null,
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
}
const addresses = [
  { email: 'old@example.com', primary: false, verified: true, visibility: null },
  { email: 'Octocat@Example.com', primary: true, verified: true, visibility: 'private' },
]

describe('GitHub', () => {
  const stage = useStage()
  const tokens = { access_token: 'gho_16C7e42F292c6912E7', token_type: 'bearer', scope: 'read:user,user:email' }

  async function start(options: GitHubOptions = {}) {
    const given = { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'github-secret', ...options }
    await stage.restart({}, { providers: [GitHub({ [customFetch]: reroute(stage.provider), ...given })] })
  }

  beforeEach(async () => {
    answerAt(stage.provider, { [tokenUrl]: tokens, [userUrl]: octocat, [emailsUrl]: addresses })
    await start()
  })

  /** GitHub names its issuer in the answer (RFC 9207). */
  async function signIn(changes: Readonly<Record<string, string | null>> = {}) {
    const url = stage.provider.authorize(await stage.begin('github'), {
      iss: 'https://github.com/login/oauth',
      ...changes,
    })
    return stage.browser.get(url)
  }

  it('signs in, and finds the primary address where none is public', async () => {
    await stage.expectSignedIn(await signIn())
    expect(asked(stage.provider)).to.deep.equal([tokenUrl, userUrl, emailsUrl])
    const [told] = stage.signedIn
    expect(told?.user).to.include({
      name: 'The Octocat',
      email: 'octocat@example.com',
      image: 'https://avatars.githubusercontent.com/u/583231?v=4',
    })
    expect(told?.account).to.deep.equal({
      ...tokens,
      provider: 'github',
      type: 'oauth',
      providerAccountId: '583231',
    })
  })

  it('asks for JSON with the secret in the header, and reads the user with a User-Agent', async () => {
    await stage.expectSignedIn(await signIn())
    const asking = lastRequest(stage.provider, tokenUrl)
    expect(asking.headers.accept).to.include('application/json')
    const basic = Buffer.from('Iv1.8a61f9b3a7aba766:github-secret').toString('base64')
    expect(asking.headers.authorization).to.equal(`Basic ${basic}`)
    expect(asking.body).to.include({
      grant_type: 'authorization_code',
      redirect_uri: `${stage.app.origin}/auth/callback/github`,
    })
    expect(asking.body.code_verifier).to.match(/^[\w-]{43}$/)
    for (const url of [userUrl, emailsUrl]) {
      const { method, headers } = lastRequest(stage.provider, url)
      expect(method).to.equal('GET')
      expect(headers).to.include({
        authorization: `Bearer ${tokens.access_token}`,
        accept: 'application/vnd.github+json',
      })
      expect(headers['user-agent']).to.match(/\S/)
    }
  })

  it('reads a token answer that is form-encoded', async () => {
    const body = new URLSearchParams(tokens).toString()
    answerAt(stage.provider, {
      [tokenUrl]: () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body }),
    })
    await stage.expectSignedIn(await signIn())
    expect(stage.signedIn[0]?.account).to.include(tokens)
  })

  it('reports an error that comes with status 200', async () => {
    answerAt(stage.provider, {
      [tokenUrl]: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    })
    await stage.expectRefused(await signIn(), 'OAuthCallbackError', /bad_verification_code/)
    expect(asked(stage.provider)).to.deep.equal([tokenUrl])
  })

  it('does not ask for addresses where one is public', async () => {
    answerAt(stage.provider, { [userUrl]: { ...octocat, email: 'public@example.com' } })
    await stage.expectSignedIn(await signIn())
    expect(stage.signedIn[0]?.user.email).to.equal('public@example.com')
    expect(asked(stage.provider)).not.to.include(emailsUrl)
  })

  for (const [what, answer, email] of [
    ['the scope does not reach that far', () => ({ status: 404, body: { message: 'Not Found' } }), null],
    ['there are none', [], null],
    ['none is verified', [{ email: 'ceo@corp.example', primary: true, verified: false }], null],
    [
      'the primary one is not verified',
      [
        { email: 'ceo@corp.example', primary: true, verified: false },
        { email: 'own@example.com', primary: false, verified: true },
      ],
      'own@example.com',
    ],
  ] as const) {
    it(`signs in all the same, with ${email ?? 'no address'}, where ${what}`, async () => {
      answerAt(stage.provider, { [emailsUrl]: answer })
      await stage.expectSignedIn(await signIn())
      expect(stage.signedIn[0]?.user.email).to.equal(email)
    })
  }

  for (const [what, email, proved] of [
    ['takes an address from the list of verified ones for proved', null, true],
    ['takes a public address for one of which nothing is said', 'public@example.com', false],
  ] as const) {
    it(what, async () => {
      const given = { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'github-secret' }
      const provider = GitHub({ [customFetch]: reroute(stage.provider), ...given })
      await stage.restart({}, { providers: [provider], adapter: memoryAdapter() })
      answerAt(stage.provider, { [userUrl]: { ...octocat, email } })
      await stage.expectSignedIn(await signIn())
      const user: object = stage.signedIn[0]?.user ?? {}
      expect('emailVerified' in user && user.emailVerified instanceof Date).to.equal(proved)
    })
  }

  it('signs no user in if the user cannot be read', async () => {
    answerAt(stage.provider, { [userUrl]: () => ({ status: 403, body: { message: 'rate limit' } }) })
    await stage.expectRefused(await signIn(), 'OAuthCallbackError', /\/user with status 403/)
  })

  it('refuses an answer of another issuer', async () => {
    await stage.expectRefused(await signIn({ iss: 'https://evil.test' }), 'OAuthCallbackError', /"iss"/)
  })

  it('reports a cancellation by the user', async () => {
    const response = await signIn({ code: null, error: 'access_denied', error_description: 'The user has denied' })
    await stage.expectCancelled(response)
  })

  describe('Enterprise Server', () => {
    for (const slash of ['', '/']) {
      it(`is asked at its own addresses, written with "${slash}" at the end`, async () => {
        await start({ enterprise: { baseUrl: `https://github.corp.example${slash}` } })
        answerAt(stage.provider, {
          'github.corp.example/login/oauth/access_token': tokens,
          'github.corp.example/api/v3/user': octocat,
          'github.corp.example/api/v3/user/emails': addresses,
        })
        const begun = await stage.begin('github')
        expect(begun).to.match(/^https:\/\/github\.corp\.example\/login\/oauth\/authorize\?/)
        await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(begun, { iss: null })))
        expect(asked(stage.provider)).to.deep.equal([
          'github.corp.example/login/oauth/access_token',
          'github.corp.example/api/v3/user',
          'github.corp.example/api/v3/user/emails',
        ])
        expect(stage.signedIn[0]?.user.email).to.equal('octocat@example.com')
      })
    }

    it('on loopback may be http: its `baseUrl` is all there is to say', async () => {
      await start({ enterprise: { baseUrl: stage.provider.origin }, [customFetch]: fetch })
      stage.provider.routes.set('/login/oauth/access_token', () => ({ body: tokens }))
      stage.provider.routes.set('/api/v3/user', () => ({ body: { ...octocat, email: 'a@b.example' } }))
      const response = await stage.browser.submit('/auth/signin/github', { callbackUrl: '/welcome' })
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(target(response), { iss: null })))
    })
  })
})
