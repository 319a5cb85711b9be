/** The challenge of a ceremony: for one browser, provider, ceremony and session, for a limited time, and once. */
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import { secret, setCookies, target } from '../../support/app.js'
import { heldToken, sessionName } from '../../support/session.js'
import { emailOf, present, usePasskeys } from './stage.js'

const email = 'ann@example.com'
const cookie = 'auth.browser'

describe('the challenge of a passkey', () => {
  const stage = usePasskeys()
  const start = () => stage.start({ more: [WebAuthn({ enableConditionalUI: false })] })
  beforeEach(start)

  /** Returns a user with a passkey, who is signed out. */
  async function guest() {
    const ann = await stage.member(email)
    await ann.signOut()
    return ann
  }

  it('is bound to the browser by a cookie of its own, which stays', async () => {
    const ann = await guest()
    ann.browser.cookies.delete(cookie)
    const asked = await ann.ask({ action: 'authenticate' })
    const [line = '', ...others] = setCookies(asked).filter((each) => each.startsWith(cookie))
    expect(others).to.deep.equal([])
    expect(line).to.match(/^auth\.browser=[\w-]{22}; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
    const id = ann.browser.cookies.get(cookie)
    await ann.send('authenticate', ann.key.get(asked.body.options))
    expect(ann.browser.cookies.get(cookie)).to.match(new RegExp(`^${id}\\.[\\w-]{22}$`))
  })

  it('discloses no facts about its ceremony', async () => {
    const { challenge } = await stage.person().options('register', { email, name: 'Ann' })
    const parts = Buffer.from(challenge, 'base64url').toString().split('.')
    expect(parts).to.have.length(5)
    for (const part of parts) expect(Buffer.from(part, 'base64url').toString('latin1')).to.not.match(/ann|register/i)
  })

  it('that another site has requested in a session cannot be read by it, and links nothing from another site', async () => {
    const ann = await stage.member(email)
    const mallory = stage.person()
    const path = '/auth/webauthn-options/passkey?action=register'
    const asked = await ann.browser.get(path, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })
    expect(asked.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(asked.headers).to.not.have.any.keys('access-control-allow-origin', 'access-control-allow-credentials')
    const answer = mallory.key.create(asked.body.options)
    const elsewhere = await stage.expectNoWrite(() => mallory.send('register', answer))
    await stage.expectRefused(elsewhere, 'InvalidCheck', mallory)
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    const forged = await stage.expectNoWrite(() => ann.send('register', answer, { headers }))
    await stage.expectRefused(forged, 'MissingCSRF', ann, email)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })

  it('of one tab is valid after another tab requested one, and that one as well', async () => {
    const ann = await guest()
    const first = await ann.options('authenticate')
    const held = ann.browser.cookies.get(cookie) ?? ''
    await ann.options('register', { email: 'other@example.com' })
    expect(ann.browser.cookies.get(cookie)).to.equal(held)
    await stage.expectSignedIn(await ann.send('authenticate', ann.key.get(first)), ann, email)
  })

  it('is rejected without the cookie, with another one, with that of another browser', async () => {
    const ann = await guest()
    const other = stage.person()
    await other.options('authenticate')
    const own = ann.browser.cookies.get(cookie) ?? ''
    for (const value of [undefined, '', 'x', 'A'.repeat(22), other.browser.cookies.get(cookie)]) {
      ann.browser.cookies.set(cookie, own)
      const answer = ann.key.get(await ann.options('authenticate'))
      if (value === undefined) ann.browser.cookies.delete(cookie)
      else ann.browser.cookies.set(cookie, value)
      const response = await stage.expectNoWrite(() => ann.send('authenticate', answer))
      await stage.expectRefused(response, 'InvalidCheck', ann)
    }
  })

  it('to create a passkey is rejected for signing in, and the other way round', async () => {
    const ann = await guest()
    const made = await ann.options('register', { email: 'new@example.com' })
    const used = ann.key.get({ challenge: made.challenge, rpId: made.rp.id ?? '' })
    await stage.expectRefused(await ann.send('authenticate', used), 'InvalidCheck', ann)
    const asked = await ann.options('authenticate')
    const fresh = ann.key.create({ ...made, challenge: asked.challenge })
    await stage.expectRefused(await ann.send('register', fresh), 'InvalidCheck', ann)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })

  it('of one provider is rejected by another one', async () => {
    const ann = await guest()
    const other = ann.with({ provider: 'webauthn' })
    const asked = await other.options('authenticate', { email })
    await stage.expectRefused(await ann.send('authenticate', ann.key.get(asked)), 'InvalidCheck', ann)
    const made = await other.options('register', { email: 'new@example.com' })
    await stage.expectRefused(await ann.send('register', ann.key.create(made)), 'InvalidCheck', ann)
  })

  it('that comes again by a reload redirects, and starts no second session', async () => {
    const ann = await guest()
    const answer = ann.key.get(await ann.options('authenticate'))
    const held = ann.browser.cookies.get(cookie) ?? ''
    await ann.send('authenticate', answer)
    const token = heldToken(ann.browser)
    ann.browser.cookies.set(cookie, held)
    const again = await stage.expectNoWrite(() =>
      ann.send('authenticate', answer, { fields: { callbackUrl: '/inbox' } }),
    )
    expect(target(again)).to.equal(`${stage.app.origin}/inbox`)
    expect(heldToken(ann.browser)).to.equal(token)
  })

  it('of a session is rejected after sign-out, in the session of another user, and in the next one', async () => {
    const ann = await stage.member(email)
    const bob = await stage.member('bob@example.com')
    for (const leave of [
      () => ann.signOut(),
      async () => void ann.browser.cookies.set(sessionName, heldToken(bob.browser)),
      async () => {
        await ann.signOut()
        await ann.signIn()
      },
    ]) {
      await ann.signOut()
      await ann.signIn()
      const made = ann.key.create(await ann.options('register'))
      const used = ann.key.assert(present(ann.key.passkeys[0]), await ann.options('authenticate'))
      const held = ann.browser.cookies.get(cookie) ?? ''
      await leave()
      const before = emailOf(await ann.browser.session())
      for (const [action, answer] of [
        ['register', made],
        ['authenticate', used],
      ] as const) {
        ann.browser.cookies.set(cookie, held)
        const response = await ann.send(action, answer)
        await stage.expectRefused(response, 'InvalidCheck', ann, before)
      }
      ann.key.passkeys.splice(1)
    }
    expect(await stage.passkeysOf(email)).to.have.length(1)
    expect(await stage.passkeysOf('bob@example.com')).to.have.length(1)
  })

  it('of a visitor adds nothing to a session that began in the meantime: it creates an account, as it says', async () => {
    const ann = stage.person()
    const options = await ann.options('register', { email: 'new@example.com' })
    const held = ann.browser.cookies.get(cookie) ?? ''
    await ann.browser.signIn({ username: 'bob' })
    ann.browser.cookies.set(cookie, held)
    await stage.expectSignedIn(await ann.send('register', ann.key.create(options)), ann, 'new@example.com')
    expect(await stage.passkeysOf('bob@example.com')).to.deep.equal([])
  })

  it('remains valid after a new secret in front of the old one', async () => {
    const ann = await guest()
    const options = await ann.options('authenticate')
    const rotated = await stage.serve({ secret: ['another-secret-of-more-than-32-characters', secret] })
    const { browser } = stage.person({ app: rotated })
    for (const [name, value] of ann.browser.cookies) browser.cookies.set(name, value)
    const there = ann.with({ browser })
    await stage.expectSignedIn(await there.send('authenticate', ann.key.get(options)), there, email)
  })

  it('to create an account, answered twenty times at once, creates one', async () => {
    const ann = stage.person()
    const data = JSON.stringify(ann.key.create(await ann.options('register', { email })))
    const fields = { action: 'register', data, csrfToken: await ann.browser.csrf() }
    const sent = Array.from({ length: 20 }, () => ann.browser.post('/auth/callback/passkey', fields))
    const responses = await Promise.all(sent)
    expect(responses.filter((each) => target(each) === `${stage.app.origin}/`)).to.have.length(1)
    expect(stage.events.map(({ name }) => name)).to.deep.equal(['createUser', 'linkAccount', 'signIn'])
    expect(await stage.db.sessions()).to.have.length(1)
  })

  describe('CS-16 is not checked without the form’s token:', () => {
    const ways: Record<string, { csrfToken?: string; headers?: Record<string, string> }> = {
      none: {},
      'a wrong one': { csrfToken: 'a'.repeat(64) },
      'from another site': { headers: { 'sec-fetch-site': 'cross-site' } },
      'from another origin': { headers: { origin: 'https://evil.test' } },
    }
    for (const [what, { csrfToken, headers }] of Object.entries(ways)) {
      it(what, async () => {
        const ann = await guest()
        const data = JSON.stringify(ann.key.get(await ann.options('authenticate')))
        const own = await ann.browser.csrf()
        const token = headers ? own : csrfToken
        const fields = { action: 'authenticate', data, ...(token && { csrfToken: token }) }
        const refused = await stage.expectNoWrite(() => ann.browser.post('/auth/callback/passkey', fields, headers))
        await stage.expectRefused(refused, 'MissingCSRF', ann)
        stage.forgive()
        const accepted = await ann.browser.post('/auth/callback/passkey', { ...fields, csrfToken: own })
        await stage.expectSignedIn(accepted, ann, email)
      })
    }
  })
})
