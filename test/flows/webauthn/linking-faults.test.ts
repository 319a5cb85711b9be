/** Passkeys that are added to no account: sessions that end in the meantime, deleted users, databases that fail. */
import { expect } from 'chai'
import type { OAuth2Config } from '../../../lib/types/provider.js'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { emailOf, strategies, usePasskeys } from './stage.js'

const email = 'ann@example.com'

describe('a passkey', () => {
  const stage = usePasskeys()

  it('is not added to a JWT session whose user is not in the database', async () => {
    await stage.start({ strategy: 'jwt' })
    const ann = await stage.member(email)
    await stage.db.real.deleteUser?.((await stage.db.real.getUserByEmail?.(email))?.id ?? '')
    const asked = await ann.ask({ action: 'register' })
    expect(asked.status).to.equal(409)
    expect(asked.body.message).to.include('not in the database')
  })

  it('is not added by a session that the `jwt` callback has ended', async () => {
    const revoked = new Set<string>()
    await stage.start({
      strategy: 'jwt',
      callbacks: { jwt: ({ token }) => (revoked.has(String(token.email)) ? null : token) },
    })
    const ann = await stage.member(email)
    const options = await ann.options('register')
    revoked.add(email)
    const answer = ann.with({ key: new Authenticator() }).key.create(options)
    const response = await stage.expectNoWrite(() => ann.send('register', answer))
    await stage.expectRefused(response, 'InvalidCheck', ann)
    expect((await ann.ask({ action: 'register' })).body.error).to.equal('InvalidRequest')
  })

  it('is not added by a session whose user is deleted before the answer', async () => {
    for (const strategy of strategies) {
      await stage.start({ strategy })
      const ann = await stage.member(email)
      const options = await ann.options('register')
      await stage.db.real.deleteUser((await stage.userOf(email)).id)
      const answer = ann.with({ key: new Authenticator() }).key.create(options)
      const response = await ann.send('register', answer)
      expect(target(response)).to.match(/error=(?:InvalidCheck|AccountNotLinked)$/)
      expect(await stage.stored.getUserByEmail?.(email)).to.equal(null)
      expect(emailOf(await ann.browser.session())).to.equal(strategy === 'jwt' ? email : undefined)
      stage.forgive()
    }
  })

  it('creates no new user if the signed-in one is deleted between two reads', async () => {
    await stage.start({ strategy: 'jwt' })
    const ann = await stage.member(email)
    const options = await ann.options('register')
    const looks = { left: 1 }
    stage.db.replace('getUser', async (real, ...args) => {
      looks.left -= 1
      if (looks.left < 0) await stage.db.real.deleteUser(String(args[0]))
      return real(...args)
    })
    const answer = new Authenticator().create(options)
    const response = await stage.expectNoWrite(() => ann.send('register', answer))
    expect(target(response)).to.match(/error=AccountNotLinked$/)
    expect(await stage.stored.getUserByEmail?.(email)).to.equal(null)
  })

  for (const without of [[], ['transaction']] as const) {
    it(`that cannot be stored is our fault, and not reported as a taken address (${without[0] ?? 'with transactions'})`, async () => {
      for (const method of ['linkAccount', 'createAuthenticator'] as const) {
        await stage.start({ without })
        stage.db.replace(method, () => {
          throw new Error('down')
        })
        const ann = stage.person()
        expect((await ann.register({ email })).status).to.equal(503)
        expect(stage.faults()).to.deep.equal(['AdapterError'])
        expect(await ann.browser.session()).to.equal(null)
        if (without.length === 0) expect(await stage.stored.getUserByEmail?.(email)).to.equal(null)
        // The next try heals what the first one left behind.
        stage.db.repair()
        stage.forgive()
        const again = ann.with({ key: new Authenticator() })
        await stage.expectSignedIn(await again.register({ email }), again, email)
        expect(await stage.passkeysOf(email)).to.have.length(1)
        expect(stage.events.map(({ name }) => name)).to.deep.equal(['createUser', 'linkAccount', 'signIn'])
        await again.signOut()
        await stage.expectSignedIn(await again.signIn(), again, email)
        stage.forgive()
      }
    })
  }

  it('of a try that failed half-way repairs no other user’s account', async () => {
    await stage.start({
      without: ['transaction'],
      passkey: { getUserInfo: (request) => ({ name: new URL(request.url).searchParams.get('who') }) },
    })
    stage.db.replace('linkAccount', () => {
      throw new Error('down')
    })
    await stage.person().register({ who: 'Ann' })
    stage.db.repair()
    const bob = stage.person()
    await bob.register({ who: 'Bob' })
    expect(await bob.browser.session(), 'people without an address are not the same').to.have.nested.property(
      'user.name',
      'Bob',
    )
  })

  it('with an address that several users type at the same time creates one user', async () => {
    await stage.start()
    const people = [stage.person(), stage.person(), stage.person()]
    const answers = await Promise.all(
      people.map(async (each) => each.key.create(await each.options('register', { email }))),
    )
    const responses = await Promise.all(people.map((each, at) => each.send('register', answers[at])))
    expect(responses.map((each) => target(each)).filter((url) => /AccountNotLinked/.test(url))).to.have.length(2)
    expect(stage.events.filter(({ name }) => name === 'createUser')).to.have.length(1)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })

  it('is not linked by `allowDangerousEmailAccountLinking` of another provider', async () => {
    const op: OAuth2Config = {
      id: 'op',
      name: 'Op',
      type: 'oauth',
      clientId: 'c',
      clientSecret: 's',
      authorization: 'http://127.0.0.1:9/authorize',
      token: 'http://127.0.0.1:9/token',
      userinfo: 'http://127.0.0.1:9/me',
      allowDangerousEmailAccountLinking: true,
    }
    await stage.start({ more: [op] })
    await stage.db.addUser({ id: 'old', email })
    const mallory = stage.person()
    await stage.expectRefused(await mallory.register({ email }), 'AccountNotLinked', mallory)
  })
})
