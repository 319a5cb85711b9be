/**
 * Our tokens for another purpose: the redirect proxy's `state`, made by hand. The rest is in
 * `token-purpose-doors.test.ts`, `test/session/purpose.test.ts`, `test/crypto/seal.test.ts` and
 * `test/flows/oauth/redirect-proxy.test.ts`.
 */
import { expect } from 'chai'
import { type SealPurpose, seal } from '../../lib/crypto/seal.js'
import { encode } from '../../lib/jwt.js'
import { useStage } from '../flows/oauth/stage.js'
import { credentials, secret, target } from '../support/app.js'
import { advanceClock } from '../support/clock.js'
import { heldToken, sessionName } from '../support/session.js'

const listed = 'https://preview-1.app.test'
const other = 'another-secret-of-more-than-32-characters'

describe('the redirect proxy with a `state` made by hand', () => {
  const stage = useStage()
  beforeEach(async () => {
    process.env.AUTH_URL = 'https://app.test'
    try {
      await stage.restart({}, { redirectProxyOrigins: [listed, 'https://*.preview.app.test'] })
    } finally {
      delete process.env.AUTH_URL
    }
  })

  interface Made {
    readonly to?: unknown
    readonly provider?: string
    readonly secret?: string
    readonly purpose?: SealPurpose
  }
  function make({ to = `${listed}/auth/callback/test`, provider = 'test', purpose = 'redirect-proxy', ...made }: Made) {
    return seal(purpose, { to, provider, random: 'r' }, { secrets: [made.secret ?? secret], maxAge: 900 })
  }
  async function answerTo(state: string) {
    const response = await stage.browser.get(`/auth/callback/test?${new URLSearchParams({ code: 'c', state })}`)
    return target(response)
  }
  const refused = () => 'https://app.test/auth/error?error=InvalidCheck'

  it('(control) forwards to a listed origin', async () => {
    for (const to of [`${listed}/auth/callback/test`, 'https://a.preview.app.test/auth/callback/test']) {
      expect((await answerTo(await make({ to }))).startsWith(`${to}?code=c&state=`)).to.equal(true)
    }
  })

  for (const to of [
    'https://evil.test/auth/callback/test',
    'https://preview-1.app.test.evil.test/',
    'https://preview-1.app.test@evil.test/',
    'https://preview-1.app.test:8443/',
    'http://preview-1.app.test/',
    'https://preview-1xapp.test/',
    'https://preview.app.test/',
    'https://a.b.preview.app.test/',
    'https://.preview.app.test/',
    'https://evil.test/.preview.app.test',
    'https://evil.test?.preview.app.test',
    'https://evil.test#.preview.app.test',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    it(`RD-22 sends nothing to ${to}, although the seal is genuine`, async () => {
      expect(await answerTo(await make({ to }))).to.equal(refused())
    })
  }

  it('PC-04 sends nothing by a seal of another secret, provider or purpose, or by none', async () => {
    const unsealed = Buffer.from(JSON.stringify({ to: `${listed}/`, provider: 'test' })).toString('base64url')
    const session = await encode({ token: { to: `${listed}/`, provider: 'test' }, secret, salt: sessionName })
    for (const state of [
      await make({ secret: other }),
      await make({ provider: 'second' }),
      await make({ purpose: 'transaction' }),
      await make({ purpose: 'form-post' }),
      await make({ to: 7 }),
      unsealed,
      `e30.${unsealed}.`,
      session,
    ]) {
      expect(await answerTo(state)).to.equal(refused())
    }
  })

  it('PC-04 sends nothing after fifteen minutes', async () => {
    const state = await make({})
    advanceClock(901)
    expect(await answerTo(state)).to.equal(refused())
  })

  it('forwards nothing if one of two states is for another place: no attempt here has them', async () => {
    await stage.begin()
    const own = new URL(await stage.begin()).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ code: 'c', state: own })
    query.append('state', await make({}))
    expect(target(await stage.browser.get(`/auth/callback/test?${query}`))).to.equal(refused())
  })
})

describe('a session token as the other kind of bearer', () => {
  const stage = useStage()

  it('PC-06 is accepted in a header only if the configuration says so, and never on our own routes', async () => {
    for (const bearer of [false, true]) {
      await stage.restart({}, { providers: [credentials()], session: { bearer } })
      await stage.browser.signIn()
      const authorization = `Bearer ${heldToken(stage.browser)}`
      const stranger = stage.app.browser()
      expect((await stranger.get('/me', { authorization })).body !== null, `bearer: ${bearer}`).to.equal(bearer)
      expect((await stranger.get('/auth/session', { authorization })).body).to.equal(null)
      const update = await stranger.submit('/auth/session', { data: { name: 'x' } }, { authorization })
      expect(update.body).to.equal(null)
      expect([...stranger.cookies.keys()]).to.not.include(sessionName)
    }
  })
})
