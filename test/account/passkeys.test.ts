/**
 * Tests of a user's passkeys on "your account": only that user renames and removes them, and the last sign-in method
 * stays.
 */

import { expect } from 'chai'
import type { AdapterMethod } from '../../lib/types/adapter.js'
import { type StageOptions, usePasskeys } from '../flows/webauthn/stage.js'
import { Authenticator } from '../support/authenticator.js'
import { wordOf } from '../support/outcome.js'
import type { PasskeyPerson } from '../support/passkey-person.js'
import { addRoutes, overview, post } from './page.js'

const email = 'ann@example.com'

describe('passkeys on the account page', () => {
  const stage = usePasskeys()
  const start = (options: StageOptions = {}) => stage.start(options, { after: addRoutes })
  beforeEach(() => start())

  /** Creates a user with this number of passkeys on one account. */
  async function withPasskeys(count: number): Promise<PasskeyPerson> {
    const ann = await stage.member(email)
    for (let at = 1; at < count; at += 1) await ann.with({ key: new Authenticator() }).register()
    return ann
  }

  describe('renamePasskey', () => {
    it('stores a name without the spaces around it', async () => {
      const ann = await withPasskeys(2)
      const [first, second] = (await overview(ann.browser)).passkeys
      for (const name of ["Ada's Telefon 📱", 'x', 'ä'.repeat(64), '📱'.repeat(64), '<b>bold</b>']) {
        expect((await post(ann.browser, 'rename', { id: first?.id, name: `  ${name} ` })).body).to.deep.equal({
          ok: true,
        })
        const { passkeys } = await overview(ann.browser)
        expect(passkeys.map((each) => each.name)).to.deep.equal([name, second?.name])
      }
    })

    it('rejects any other value as a name', async () => {
      const ann = await withPasskeys(1)
      const id = (await overview(ann.browser)).passkeys[0]?.id
      for (const name of [
        '',
        '   ',
        '\t\n',
        'x'.repeat(65),
        '📱'.repeat(65),
        'a\u0000b',
        'a\nb',
        undefined,
        ['x', 'y'],
      ]) {
        const response = await post(ann.browser, 'rename', { id, ...(name !== undefined && { name }) })
        expect(response.body, JSON.stringify(name)).to.deep.equal({ ok: false, reason: 'name' })
      }
      expect((await stage.passkeysOf(email))[0]?.name).to.equal(null)
    })

    it('WA-12 AZ-02 answers the same for a passkey of another user and an unknown one', async () => {
      const bob = await stage.member('bob@example.com')
      const ann = await withPasskeys(1)
      const id = (await overview(bob.browser)).passkeys[0]?.id
      for (const wrong of [id, undefined, '', 'x', `${id}=`, id?.toLowerCase(), '__proto__']) {
        expect((await post(ann.browser, 'rename', { id: wrong, name: 'mine' })).body).to.deep.equal({
          ok: false,
          reason: 'unknown',
        })
      }
      expect((await post(stage.person().browser, 'rename', { id, name: 'mine' })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
      expect((await stage.passkeysOf('bob@example.com'))[0]?.name).to.equal(null)
    })

    it('reports that the adapter stores no names', async () => {
      await start({ without: ['renameAuthenticator'] })
      const ann = await withPasskeys(1)
      const id = (await overview(ann.browser)).passkeys[0]?.id
      const { body } = await post(ann.browser, 'rename', { id, name: 'x' })
      expect(body).to.include({ type: 'MissingAdapterMethods' })
      expect(body.error).to.include('`renameAuthenticator`')
    })
  })

  describe('deletePasskey', () => {
    it('removes it: it no longer signs in, the others do, and sessions continue', async () => {
      const ann = await withPasskeys(1)
      const second = ann.with({ key: new Authenticator() })
      await second.register()
      const id = ann.key.passkeys[0]?.id.toString('base64')
      expect((await post(ann.browser, 'delete', { id })).body).to.deep.equal({ ok: true })
      expect(await ann.browser.session()).to.have.property('user')
      const elsewhere = ann.with({ browser: stage.app.browser() })
      await stage.expectRefused(await elsewhere.signIn(), 'WebAuthnVerificationError', elsewhere)
      stage.forgive()
      await second.signOut()
      await stage.expectSignedIn(await second.signIn(), second, email)
      expect(await stage.accountsOf(email), 'the account of the other one').to.have.length(1)
    })

    it('removes the account with its last passkey, and a new passkey creates it again', async () => {
      const ann = await withPasskeys(2)
      await stage.db.real.updateUser({ id: (await stage.userOf(email)).id, emailVerified: new Date() })
      for (const { id } of (await overview(ann.browser)).passkeys) {
        expect(await stage.accountsOf(email)).to.have.length(1)
        expect((await post(ann.browser, 'delete', { id })).body).to.deep.equal({ ok: true })
      }
      expect(await stage.accountsOf(email)).to.deep.equal([])
      expect((await overview(ann.browser)).passkeys).to.deep.equal([])
      const fresh = ann.with({ key: new Authenticator() })
      await stage.expectSignedIn(await fresh.register(), fresh, email)
      await fresh.signOut()
      await stage.expectSignedIn(await fresh.signIn(), fresh, email)
    })

    it('refuses to remove the last sign-in method', async () => {
      const ann = await withPasskeys(2)
      const [first, second] = (await overview(ann.browser)).passkeys
      expect((await post(ann.browser, 'delete', { id: first?.id })).body).to.deep.equal({ ok: true })
      expect((await post(ann.browser, 'delete', { id: second?.id })).body).to.deep.equal({ ok: false, reason: 'last' })
      expect(await stage.passkeysOf(email)).to.have.length(1)
    })

    it('WA-12 AZ-02 answers the same for a passkey of another user and an unknown one', async () => {
      const bob = await stage.member('bob@example.com')
      await bob.with({ key: new Authenticator() }).register()
      const ann = await withPasskeys(2)
      const id = (await overview(bob.browser)).passkeys[0]?.id
      for (const wrong of [id, undefined, '', 'x', `${id}=`, id?.toLowerCase(), '__proto__']) {
        expect((await post(ann.browser, 'delete', { id: wrong })).body).to.deep.equal({ ok: false, reason: 'unknown' })
      }
      expect((await post(stage.person().browser, 'delete', { id })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
      expect(await stage.passkeysOf('bob@example.com')).to.have.length(2)
      expect(await stage.passkeysOf(email)).to.have.length(2)
    })

    it('leaves one of two that are removed at the same time', async () => {
      for (const without of [[], ['transaction']] satisfies AdapterMethod[][]) {
        await start({ without })
        const ann = await withPasskeys(2)
        const [first, second] = (await overview(ann.browser)).passkeys
        await ann.browser.csrf()
        const answers = await Promise.all([first, second].map((each) => post(ann.browser, 'delete', { id: each?.id })))
        expect(answers.map(({ body }) => wordOf(body)).sort()).to.deep.equal(['last', 'ok'])
        expect(await stage.passkeysOf(email)).to.have.length(1)
      }
    })

    it('and `unlinkAccount` leave one of two sign-in methods that are removed at the same time', async () => {
      const ann = await withPasskeys(1)
      const account = { provider: 'credentials', providerAccountId: 'id-of-ann' }
      await stage.db.real.linkAccount({ ...account, userId: (await stage.userOf(email)).id, type: 'credentials' })
      const id = (await overview(ann.browser)).passkeys[0]?.id
      await ann.browser.csrf()
      const answers = await Promise.all([post(ann.browser, 'delete', { id }), post(ann.browser, 'unlink', account)])
      expect(answers.map(({ body }) => wordOf(body))).to.include('last')
      expect((await stage.accountsOf(email)).length).to.equal(1)
    })

    it('is the only way to remove one: the account behind it cannot be unlinked', async () => {
      const ann = await withPasskeys(2)
      const [row] = await stage.passkeysOf(email)
      const account = { provider: 'passkey', providerAccountId: row?.providerAccountId }
      expect((await post(ann.browser, 'unlink', account)).body).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(await stage.accountsOf(email)).to.have.length(1)
    })

    it('removes nothing if it fails half-way', async () => {
      const ann = await withPasskeys(1)
      await stage.db.real.updateUser({ id: (await stage.userOf(email)).id, emailVerified: new Date() })
      stage.db.replace('unlinkAccount', () => {
        throw new Error('away')
      })
      const id = (await overview(ann.browser)).passkeys[0]?.id
      expect((await post(ann.browser, 'delete', { id })).status).to.equal(500)
      stage.db.repair()
      expect((await post(ann.browser, 'delete', { id })).body).to.deep.equal({ ok: true })
    })

    it('reports that the adapter cannot delete passkeys', async () => {
      await start({ without: ['deleteAuthenticator'] })
      const ann = await withPasskeys(2)
      const id = (await overview(ann.browser)).passkeys[0]?.id
      const { body } = await post(ann.browser, 'delete', { id })
      expect(body).to.include({ type: 'MissingAdapterMethods' })
      expect(body.error).to.include('`deleteAuthenticator`')
    })

    it('does nothing for a JWT session that was revoked', async () => {
      const revoked = new Set<unknown>()
      await start({
        strategy: 'jwt',
        callbacks: { jwt: ({ token }) => (revoked.has(token.email) ? null : token) },
      })
      const ann = await withPasskeys(2)
      const id = (await overview(ann.browser)).passkeys[0]?.id
      const held = new Map(ann.browser.cookies)
      revoked.add(email)
      expect((await post(ann.browser, 'delete', { id })).body).to.deep.equal({ ok: false, reason: 'unknown' })
      for (const [name, value] of held) ann.browser.cookies.set(name, value)
      expect((await post(ann.browser, 'rename', { id, name: 'x' })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
      expect(await stage.passkeysOf(email)).to.have.length(2)
    })
  })

  it('CS-16 changes nothing by forms without the token, with another one’s, or from another site', async () => {
    const ann = await withPasskeys(2)
    const id = (await overview(ann.browser)).passkeys[0]?.id
    const own = await ann.browser.csrf()
    const strangers = await stage.person().browser.csrf()
    for (const path of ['/account/delete', '/account/rename']) {
      const fields = { id, name: 'mine' }
      for (const response of [
        await ann.browser.post(path, fields),
        await ann.browser.post(path, { ...fields, csrfToken: strangers }),
        await ann.browser.post(path, { ...fields, csrfToken: own }, { 'sec-fetch-site': 'cross-site' }),
        await ann.browser.post(path, { ...fields, csrfToken: own }, { origin: 'https://evil.example' }),
      ]) {
        expect(response.status).to.equal(403)
      }
    }
    expect((await stage.passkeysOf(email)).map(({ name }) => name)).to.deep.equal([null, null])
  })
})
