/**
 * `GET webauthn-options/:provider`: the options that a browser gets before a ceremony, and the facts that a visitor
 * does not get.
 */
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import type { WebAuthnUserConfig } from '../../../lib/types/passkey.js'
import { secret, setCookies } from '../../support/app.js'
import { present, usePasskeys } from './stage.js'

const email = 'ann@example.com'
const base64url = /^[A-Za-z0-9_-]+$/

describe('GET /auth/webauthn-options/:provider', () => {
  const stage = usePasskeys()
  const withKeys = (options: WebAuthnUserConfig = {}) => [WebAuthn({ enableConditionalUI: false, ...options })]
  beforeEach(() => stage.start({ more: withKeys() }))

  it('to sign in name no user and only the site', async () => {
    const response = await stage.person().ask({ action: 'authenticate' })
    expect(response.status).to.equal(200)
    expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(response.headers['cache-control']).to.equal('private, no-cache, no-store')
    const { challenge, ...options } = response.body.options
    expect(challenge).to.match(base64url)
    expect(options).to.deep.equal({ rpId: 'localhost', timeout: 300_000, userVerification: 'required' })
    expect(response.body.action).to.equal('authenticate')
  })

  it('to sign up describe the passkey to create, with the address as it will be stored', async () => {
    const { options } = (await stage.person().ask({ action: 'register', email: ' Ann@EXAMPLE.com', name: ' Ann ' }))
      .body
    expect(options).to.deep.include({
      rp: { id: 'localhost', name: 'localhost' },
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [],
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
    })
    expect(options.authenticatorSelection).to.deep.include({ residentKey: 'required', userVerification: 'required' })
    expect(options.user).to.include({ name: email, displayName: 'Ann' })
    expect(options.user.id).to.match(base64url)
  })

  it('to sign up accept a name on one line, of whole characters', async () => {
    const ann = stage.person()
    for (const [typed, name] of [
      ['  Ann\r\n\tBee\u0000 ', 'Ann Bee'],
      ['ä'.repeat(300), 'ä'.repeat(200)],
      ['📱'.repeat(300), '📱'.repeat(200)],
      [' \n ', email],
    ] as const) {
      expect((await ann.options('register', { email, name: typed })).user.displayName).to.equal(name)
    }
  })

  it('to add a passkey name the existing ones, so that none is created twice, and the same user handle', async () => {
    const ann = await stage.member(email)
    const first = ann.key.passkeys[0]
    const options = await ann.options('register', { email: 'mallory@example.com', name: 'Mallory' })
    expect(options.excludeCredentials).to.deep.equal([
      { id: first?.id.toString('base64url'), transports: ['hybrid', 'internal'], type: 'public-key' },
    ])
    expect(options.user.id).to.equal(first?.userHandle.toString('base64url'))
    expect(options.user.name, 'not what the query says').to.equal(email)
  })

  it('to verify it again while signed in name the user’s own passkeys', async () => {
    const ann = await stage.member(email)
    const { allowCredentials } = await ann.options('authenticate', { email: 'bob@example.com' })
    expect(allowCredentials?.map(({ id }) => id)).to.deep.equal([ann.key.passkeys[0]?.id.toString('base64url')])
  })

  it('without `action` are for signing in; while signed in it is required', async () => {
    const ann = stage.person()
    expect((await ann.ask({})).body.action).to.equal('authenticate')
    await ann.register({ email })
    const refused = await ann.ask({})
    expect(refused.status).to.equal(400)
    expect(refused.body).to.include({ error: 'InvalidRequest' })
    expect(refused.body.message).to.include('action=register')
  })

  it('follow the options of the provider', async () => {
    await stage.start({
      passkey: {
        relyingParty: { id: 'app.test', name: 'The App', origin: 'https://app.test' },
        timeout: 60_000,
        authenticationOptions: { userVerification: 'preferred', extensions: { uvm: true } },
        registrationOptions: {
          attestationType: 'direct',
          authenticatorSelection: { authenticatorAttachment: 'platform', userVerification: 'discouraged' },
          supportedAlgorithmIDs: [-7],
          extensions: { credProps: true },
          preferredAuthenticatorType: 'securityKey',
        },
      },
    })
    const ann = stage.person()
    expect(await ann.options('authenticate')).to.deep.include({
      rpId: 'app.test',
      timeout: 60_000,
      userVerification: 'preferred',
      extensions: { uvm: true },
    })
    const made = await ann.options('register', { email })
    expect(made).to.deep.include({ rp: { id: 'app.test', name: 'The App' }, timeout: 60_000, attestation: 'direct' })
    expect(made.pubKeyCredParams).to.deep.equal([{ alg: -7, type: 'public-key' }])
    expect(made.authenticatorSelection).to.include({ residentKey: 'required', userVerification: 'discouraged' })
    expect(made.hints).to.deep.equal(['security-key'])
  })

  describe('rejects', () => {
    const cases: ReadonlyArray<[what: string, query: string, status: number, error: string]> = [
      ['an unknown action', 'passkey?action=delete', 400, 'InvalidRequest'],
      ['two actions', 'passkey?action=register&action=authenticate&email=a@b.test', 400, 'InvalidRequest'],
      ['an empty action', 'passkey?action=', 400, 'InvalidRequest'],
      ['an account without an address', 'passkey?action=register', 400, 'InvalidRequest'],
      ['an account with a name alone', 'passkey?action=register&name=Ann', 400, 'InvalidRequest'],
      ['two addresses', 'passkey?action=register&email=a@b.test&email=c@d.test', 400, 'InvalidRequest'],
      ['a list of addresses', 'passkey?action=register&email=a@b.test,c@d.test', 400, 'InvalidRequest'],
      ['what is no address', 'passkey?action=register&email=ann', 400, 'InvalidRequest'],
      ['what is no address, to sign in', 'webauthn?action=authenticate&email=ann', 400, 'InvalidRequest'],
      ['an endless address', `passkey?action=register&email=a@${'b.'.repeat(5000)}test`, 400, 'InvalidRequest'],
      ['an unknown provider', 'nobody?action=authenticate', 404, 'InvalidProvider'],
      ['the prototype', '__proto__?action=authenticate', 404, 'InvalidProvider'],
      ['a provider of another kind', 'credentials?action=authenticate', 404, 'InvalidProvider'],
    ]
    for (const [what, query, status, error] of cases) {
      it(what, async () => {
        const { browser } = stage.person()
        const response = await browser.get(`/auth/webauthn-options/${query}`)
        expect(response.status).to.equal(status)
        expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
        expect(response.body).to.have.all.keys('error', 'message')
        expect(response.body.error).to.equal(error)
        expect(setCookies(response)).to.deep.equal([])
      })
    }

    it('a form', async () => {
      const response = await stage.person().browser.submit('/auth/webauthn-options/passkey')
      expect(response.status).to.equal(405)
      expect(response.headers.allow).to.equal('GET, HEAD')
    })
  })

  describe('for the address of another user', () => {
    const password = 'old@example.com'
    const nobody = ['x@example.com', 'y@example.com', 'z@example.org', 'someone-else@example.net']
    const ask = (address: string) =>
      stage.person({ provider: 'webauthn' }).ask({ action: 'authenticate', email: address })

    beforeEach(async () => {
      await stage.member(email)
      await stage.db.addUser({ id: 'old', email: password })
      await stage.db.real.linkAccount({ userId: 'old', provider: 'op', providerAccountId: '1', type: 'oidc' })
    })

    it('without names are the same with any address, and none is looked up', async () => {
      stage.db.calls.length = 0
      const person = stage.person()
      for (const address of [email, password, ...nobody, 'no address']) {
        const { challenge: _, ...options } = await person.options('authenticate', { email: address })
        expect(options).to.deep.equal({ rpId: 'localhost', timeout: 300_000, userVerification: 'required' })
      }
      for (const address of [email, password, ...nobody]) {
        const { excludeCredentials } = await person.options('register', { email: address })
        expect(excludeCredentials).to.deep.equal([])
      }
      expect(stage.db.calls).to.deep.equal([])
    })

    it('WA-11 have the same status, shape, headers and work, whether the address is known', async () => {
      const shapes = new Set<string>()
      for (const address of [email, password, ...nobody]) {
        stage.db.calls.length = 0
        const { status, headers, body } = await ask(address)
        const { allowCredentials, challenge, ...options } = body.options
        expect(allowCredentials.length).to.be.within(1, 2)
        for (const { id, type, ...others } of allowCredentials) {
          expect(Buffer.from(id, 'base64url').toString('base64url')).to.equal(id)
          expect(Buffer.from(id, 'base64url').length).to.be.oneOf([16, 20, 32, 48, 64, 80, 96])
          expect(type).to.equal('public-key')
          expect(others).to.deep.equal({})
        }
        const { 'content-length': _length, etag: _etag, date: _date, 'set-cookie': cookies, ...rest } = headers
        const names = [cookies].flat().map((line = '') => line.replace(/=[\w-]{22};|Expires=[^;]+/g, ''))
        const shape = [status, Object.keys(body), options, names, rest, stage.db.calls, typeof challenge]
        shapes.add(JSON.stringify(shape))
        const [listed] = stage.db.args[stage.db.args.length - 1] ?? []
        expect(listed, 'somebody is looked for').to.be.a('string').and.not.equal('')
      }
      expect([...shapes]).to.have.length(1)
    })

    it('WA-11 name the same each time, for other secrets in front, and other ones for each address and provider', async () => {
      const idsOf = async (address: string) => (await ask(address)).body.options.allowCredentials
      const before = await Promise.all(nobody.map(idsOf))
      expect(await Promise.all(nobody.map(idsOf))).to.deep.equal(before)
      expect(await idsOf(' X@Example.COM')).to.deep.equal(before[0])
      expect(new Set(before.flat().map(({ id }) => id)).size).to.equal(before.flat().length)
      await stage.serve({ more: withKeys({ id: 'other' }) })
      const elsewhere = await stage.person({ provider: 'other' }).options('authenticate', { email: nobody[0] ?? '' })
      expect(elsewhere.allowCredentials).to.not.deep.equal(before[0])
      await stage.serve({ more: withKeys(), secret: ['a-new-secret-of-more-than-32-characters', secret] })
      expect(await Promise.all(nobody.map(idsOf))).to.deep.equal(before)
      await stage.serve({ more: withKeys(), secret: 'a-new-secret-of-more-than-32-characters' })
      expect(await idsOf(nobody[0] ?? '')).to.not.deep.equal(before[0])
    })

    it('name the real ones of a user with passkeys', async () => {
      const ann = stage.person({ provider: 'webauthn' })
      const [row] = await stage.passkeysOf(email)
      const { allowCredentials } = await ann.options('authenticate', { email })
      const id = Buffer.from(present(row).credentialID, 'base64').toString('base64url')
      expect(allowCredentials).to.deep.equal([{ id, type: 'public-key' }])
    })

    it('do not show by a fault of the database, either, which users exist', async () => {
      stage.db.replace('listAuthenticatorsByUserId', () => {
        throw new Error('there are numbers only')
      })
      expect((await ask('x@example.com')).status).to.equal(200)
      stage.db.repair()
      stage.db.replace('getUserByEmail', () => {
        throw new Error('down')
      })
      for (const address of [email, 'x@example.com']) expect((await ask(address)).status).to.equal(503)
    })

    it('let a passkey that was named for an address sign in only that user', async () => {
      const bob = stage.person({ provider: 'webauthn', resident: false })
      await stage.expectSignedIn(await bob.register({ email: 'bob@example.com' }), bob, 'bob@example.com')
      await bob.signOut()
      const options = await bob.options('authenticate', { email })
      const answer = bob.key.assert(present(bob.key.passkeys[0]), options)
      await stage.expectRefused(await bob.send('authenticate', answer), 'WebAuthnVerificationError', bob)
    })
  })
})
