/** Changes during a ceremony: of the rules, the session, the passkey, the database. */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { present, usePasskeys } from './stage.js'

const email = 'ann@example.com'

describe('a passkey, and changes during its ceremony', () => {
  const stage = usePasskeys()

  it('creates no account by a challenge of a time, or of another application, in which accounts were created', async () => {
    await stage.start()
    const ann = stage.person()
    const options = await ann.options('register', { email })
    const closed = await stage.serve({ passkey: { formFields: {} } })
    const { browser } = stage.person({ app: closed })
    for (const [name, value] of ann.browser.cookies) browser.cookies.set(name, value)
    const there = ann.with({ browser })
    const response = await stage.expectNoWrite(() => there.send('register', ann.key.create(options)))
    expect(response.status).to.equal(400)
    expect(response.text).to.include('A passkey cannot create an account here')
  })

  it('is rejected with a challenge of another mount of the same application', async () => {
    await stage.start()
    const ann = await stage.member(email)
    const options = await ann.options('authenticate')
    const admin = await stage.serve({}, { mount: '/admin-auth' })
    const browser = admin.browser()
    for (const [name, value] of ann.browser.cookies) browser.cookies.set(name, value)
    const data = JSON.stringify(ann.key.get(options))
    const response = await browser.submit('/admin-auth/callback/passkey', { action: 'authenticate', data })
    expect(target(response)).to.include('/admin-auth/error?error=InvalidCheck')
  })

  it('signs no user in if it is removed during the sign-in', async () => {
    const during: Array<() => Promise<unknown>> = []
    const signIn = async () => {
      await during.shift()?.()
      return true
    }
    await stage.start({ callbacks: { signIn } })
    const ann = await stage.member(email)
    await ann.with({ key: new Authenticator() }).register()
    const first = present(ann.key.passkeys[0]).id.toString('base64')
    during.push(async () => stage.stored.deleteAuthenticator?.(first))
    const thief = ann.with({ browser: stage.app.browser() })
    await stage.expectRefused(await thief.signIn(), 'WebAuthnVerificationError', thief)
  })

  it('is not kept if the session that it is added to ends in the meantime', async () => {
    await stage.start()
    const ann = await stage.member(email)
    const { id } = await stage.userOf(email)
    stage.db.replace('transaction', async (real, ...args) => {
      await stage.db.real.deleteSessionsByUserId(id)
      return real(...args)
    })
    const response = await ann.with({ key: new Authenticator() }).register()
    stage.db.repair()
    await stage.expectRefused(response, 'InvalidCheck', ann.with({ browser: stage.app.browser() }))
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })

  it('creates the account at the next try, if the first failed half-way without a transaction', async () => {
    await stage.start({ without: ['transaction'] })
    stage.db.replace('createAuthenticator', () => {
      throw new Error('away')
    })
    const ann = stage.person()
    expect((await ann.register({ email })).status).to.equal(503)
    stage.db.repair()
    stage.app.log.errors.splice(0)
    const again = ann.with({ key: new Authenticator() })
    await stage.expectSignedIn(await again.register({ email }), again, email)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })
})
