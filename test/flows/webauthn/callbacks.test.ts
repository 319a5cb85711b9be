/**
 * The influence of the application: the `signIn` callback, events, `getUserInfo`, the form, and the page after a
 * sign-in.
 */
import { expect } from 'chai'
import type { SignInCallbackParams } from '../../../lib/types/config.js'
import type { PasskeyUserInfo } from '../../../lib/types/passkey.js'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { heldToken } from '../../support/session.js'
import { strategies, usePasskeys } from './stage.js'

const email = 'ann@example.com'

describe('the application and passkeys', () => {
  const stage = usePasskeys()

  for (const strategy of strategies) {
    describe(`by its \`signIn\` callback (${strategy})`, () => {
      const asked: SignInCallbackParams[] = []
      const verdict: { say: () => boolean | string } = { say: () => true }
      beforeEach(async () => {
        asked.length = 0
        verdict.say = () => true
        await stage.start({
          strategy,
          callbacks: {
            signIn: (params) => {
              asked.push(params)
              return verdict.say()
            },
          },
        })
      })

      it('is called with the user to be created, the signed-in user, and the stored one', async () => {
        const ann = await stage.member(email)
        const user = await stage.userOf(email)
        const [row] = await stage.passkeysOf(email)
        const account = { provider: 'passkey', type: 'webauthn', providerAccountId: row?.providerAccountId }
        expect(asked[0]?.user).to.include({ email, name: null })
        expect(asked[0]?.account).to.deep.equal({ ...account, credentialID: row?.credentialID })
        await ann.with({ key: new Authenticator() }).register()
        expect(asked[1]?.user).to.include({ id: user.id, email })
        await ann.signOut()
        await ann.signIn()
        expect(asked[2]?.user).to.include({ id: user.id, email })
        expect(asked[2]?.account).to.deep.equal({ ...account, credentialID: row?.credentialID, userId: user.id })
        expect(asked).to.have.length(3)
      })

      const refusals: Record<string, { say: () => boolean | string; type: string }> = {
        'by `false`': { say: () => false, type: 'AccessDenied' },
        'by a throw': {
          say: () => {
            throw new Error('blocked')
          },
          type: 'AccessDenied',
        },
      }
      for (const [how, { say, type }] of Object.entries(refusals)) {
        it(`rejects ${how}: no user is created, nothing is added, no user is signed in`, async () => {
          const ann = await stage.member(email)
          const held = heldToken(ann.browser)
          verdict.say = say
          const other = ann.with({ key: new Authenticator() })
          const added = await stage.expectNoWrite(() => other.register())
          await stage.expectRefused(added, type, ann, email)
          if (strategy === 'database') expect(heldToken(ann.browser)).to.equal(held)
          const bob = stage.person()
          const made = await stage.expectNoWrite(() => bob.register({ email: 'bob@example.com' }))
          await stage.expectRefused(made, type, bob)
          expect(await stage.stored.getUserByEmail?.('bob@example.com')).to.equal(null)
          await ann.signOut()
          await stage.expectRefused(await ann.signIn(), type, ann)
          expect(stage.failures.map((failure) => failure.type)).to.deep.equal([type, type, type])
        })
      }

      it('redirects elsewhere by a URL: no user is signed in or created', async () => {
        const ann = await stage.member(email)
        await ann.signOut()
        for (const [url, to] of [
          ['/waiting', `${stage.app.origin}/waiting`],
          ['https://help.example/', 'https://help.example/'],
        ] as const) {
          verdict.say = () => url
          expect(target(await ann.signIn())).to.equal(to)
          expect(await ann.browser.session()).to.equal(null)
          const bob = stage.person()
          const made = await stage.expectNoWrite(() => bob.register({ email: 'bob@example.com' }))
          expect(target(made)).to.equal(to)
          expect(await bob.browser.session()).to.equal(null)
        }
      })
    })
  }

  it('receives the events, in order', async () => {
    await stage.start()
    const ann = await stage.member(email)
    const { id } = await stage.userOf(email)
    expect(stage.events.map(({ name }) => name)).to.deep.equal(['createUser', 'linkAccount', 'signIn'])
    const [made, linked, signedIn] = stage.events.map(({ message }) => message) as Array<Record<string, never>>
    const account = { provider: 'passkey', type: 'webauthn', userId: id }
    expect(made).to.have.nested.property('user.id', id)
    expect(linked).to.have.nested.property('user.id', id)
    expect(linked?.account).to.include(account)
    expect(signedIn).to.deep.include({ isNewUser: true })
    expect(signedIn?.account).to.include(account)
    stage.events.length = 0
    await ann.with({ key: new Authenticator() }).register()
    expect(stage.events.map(({ name }) => name)).to.deep.equal(['linkAccount', 'signIn'])
    expect(stage.events[1]?.message).to.include({ isNewUser: false })
    stage.events.length = 0
    await ann.signOut()
    await ann.signIn()
    expect(stage.events.map(({ name }) => name)).to.deep.equal(['signIn'])
    expect(stage.events[0]?.message).to.include({ isNewUser: false })
    expect(JSON.stringify(stage.events), 'no key').to.not.match(/credentialPublicKey|challenge/)
  })

  it('receives the failure with client and place, and no event for a wrong address', async () => {
    await stage.start()
    const ann = stage.person()
    await ann.register({ email }, { lies: { origin: 'https://evil.test' }, headers: { 'user-agent': 'test' } })
    const [failure] = stage.failures
    expect(failure).to.deep.include({ type: 'WebAuthnVerificationError', action: 'callback', provider: 'passkey' })
    expect(failure?.request).to.include({ userAgent: 'test' })
    await ann.ask({ action: 'nonsense' })
    await ann.browser.get('/auth/webauthn-options/nobody')
    expect(stage.failures).to.have.length(1)
  })

  describe('by `getUserInfo`', () => {
    const requests: Request[] = []
    const info: { say: () => PasskeyUserInfo | null } = { say: () => null }
    beforeEach(async () => {
      requests.length = 0
      await stage.start({
        passkey: {
          getUserInfo: (request) => {
            requests.push(request)
            return info.say()
          },
        },
      })
    })

    it('returns the user who signs up, from the request, and not the query', async () => {
      info.say = () => ({ email: 'Ann@Example.COM', name: 'Ann from the invitation' })
      const ann = stage.person()
      await stage.expectSignedIn(await ann.register({ invitation: 'x', email: 'mallory@example.com' }), ann, email)
      expect(await stage.userOf(email)).to.include({ name: 'Ann from the invitation', emailVerified: null })
      expect(new URL(requests[0]?.url ?? '').searchParams.get('invitation')).to.equal('x')
    })

    it('creates an account without an address', async () => {
      info.say = () => ({ name: 'Ann' })
      const ann = stage.person()
      expect(target(await ann.register())).to.equal(`${stage.app.origin}/`)
      const { id, ...user } = (await ann.browser.session())?.user ?? {}
      expect(id).to.be.a('string').that.is.not.empty
      expect(user).to.deep.equal({ name: 'Ann', email: null, image: null })
      await ann.signOut()
      await ann.signIn()
      expect(await ann.browser.session()).to.have.nested.property('user.name', 'Ann')
    })

    for (const [what, say] of [
      ['null', () => null],
      ['nothing of use', () => ({})],
      ['no address', () => ({ email: 'ann' })],
      ['an address that is no text', () => ({ email: 7 as unknown as string })],
      ['a text', () => 'ann@example.com' as PasskeyUserInfo],
    ] as const) {
      it(`creates no account for ${what}`, async () => {
        info.say = say
        const response = await stage.person().ask({ action: 'register' })
        expect(response.status).to.equal(400)
        expect(response.body.error).to.equal('InvalidRequest')
      })
    }

    it('that throws is a fault of the application, shown with a reference only', async () => {
      info.say = () => {
        throw new Error('the secret reason')
      }
      const response = await stage.person().ask({ action: 'register' })
      expect(response.status).to.equal(500)
      expect(response.body.error).to.equal('Configuration')
      expect(response.text).to.not.include('secret reason')
    })

    it('is not called for a signed-in user', async () => {
      info.say = () => ({ email: 'ann@example.com' })
      const ann = await stage.member(email)
      requests.length = 0
      await stage.expectSignedIn(await ann.with({ key: new Authenticator() }).register(), ann, email)
      expect(requests).to.deep.equal([])
    })
  })

  it('without form fields allows no sign-up, and allows adding a passkey and signing in', async () => {
    await stage.start({ passkey: { formFields: {} } })
    const ann = stage.person()
    const response = await ann.ask({ action: 'register', email })
    expect(response.status).to.equal(400)
    expect(response.body.message).to.include('Sign in with another method first')
    await ann.browser.signIn()
    await stage.expectSignedIn(await ann.register(), ann, email)
    await ann.signOut()
    await stage.expectSignedIn(await ann.signIn(), ann, email)
  })

  describe('redirects', () => {
    it('to the URL of the form, on our own origin only', async () => {
      await stage.start()
      const ann = await stage.member(email)
      for (const [callbackUrl, to] of [
        ['/inbox?a=b', '/inbox?a=b'],
        ['https://evil.test/', '/'],
        ['//evil.test', '/'],
      ] as const) {
        await ann.signOut()
        await stage.expectSignedIn(await ann.signIn({}, { fields: { callbackUrl } }), ann, email, to)
        expect(target(await ann.signIn({}, { fields: { callbackUrl } }))).to.match(new RegExp(`^${stage.app.origin}/`))
      }
    })

    it('a new user to the page for new users, once', async () => {
      await stage.start({ pages: { newUser: '/hello' } })
      const ann = stage.person()
      const response = await ann.register({ email }, { fields: { callbackUrl: '/inbox' } })
      const url = new URL(target(response))
      expect([url.pathname, url.searchParams.get('callbackUrl')]).to.deep.equal(['/hello', `${stage.app.origin}/inbox`])
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn(), ann, email, '/inbox')
    })

    it('and answers scripts in JSON: the URL of a success, the type of a failure', async () => {
      await stage.start()
      const ann = stage.person()
      const headers = { 'x-auth-return-redirect': '1' }
      const done = await ann.register({ email }, { fields: { callbackUrl: '/inbox' }, headers })
      expect(done.status).to.equal(200)
      expect(done.body).to.deep.equal({ url: `${stage.app.origin}/inbox` })
      const wrong = await ann.signIn({}, { lies: { origin: 'https://evil.test' }, headers })
      expect(wrong.status).to.equal(200)
      expect(wrong.body.url).to.equal(`${stage.app.origin}/auth/error?error=WebAuthnVerificationError`)
      const json = await ann.signIn({}, { lies: { rpId: 'evil.test' }, headers: { accept: 'application/json' } })
      expect(json.status).to.equal(400)
      expect(json.body).to.deep.equal({
        error: 'WebAuthnVerificationError',
        message:
          'It took too long, it was made for another site or account, or this site does not know it any more. Nothing has changed. Please try again, or sign in another way.',
      })
    })

    it('a user who presses the button without a script to the sign-in page, with the URL to return to', async () => {
      for (const [pages, page] of [
        [{}, '/auth/signin'],
        [{ signIn: '/login' }, '/login'],
      ] as const) {
        await stage.start({ pages })
        const response = await stage.person().browser.submit('/auth/signin/passkey', { callbackUrl: '/orders' })
        const { origin } = stage.app
        const query = new URLSearchParams({ callbackUrl: `${origin}/orders` })
        expect(target(response)).to.equal(`${origin}${page}?${query}`)
      }
    })
  })
})
