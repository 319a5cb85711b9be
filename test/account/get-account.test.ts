/** Tests of a user's passkeys on "your account": the facts that are shown, and which one is the last sign-in method. */
import { expect } from 'chai'
import { type StageOptions, usePasskeys } from '../flows/webauthn/stage.js'
import { Authenticator } from '../support/authenticator.js'
import type { PasskeyPerson } from '../support/passkey-person.js'
import { addRoutes, missing, overview, post } from './page.js'

const email = 'ann@example.com'

describe('getAccount, of passkeys,', () => {
  const stage = usePasskeys()
  const start = (options: StageOptions = {}) => stage.start(options, { after: addRoutes })
  beforeEach(() => start())

  /** Creates a user with this number of passkeys on one account. */
  async function withPasskeys(count: number): Promise<PasskeyPerson> {
    const ann = await stage.member(email)
    for (let at = 1; at < count; at += 1) await ann.with({ key: new Authenticator() }).register()
    return ann
  }

  it('returns the facts that a user can make use of, and no key', async () => {
    const started = Date.now()
    const model = { aaguid: 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2', transports: ['internal'] }
    const ann = await stage.member(email, model)
    await ann.signIn()
    const { passkeys, accounts } = await overview(ann.browser)
    const [{ createdAt, lastUsedAt, ...told } = missing(), ...others] = passkeys
    expect(others).to.deep.equal([])
    expect(told).to.deep.equal({
      id: ann.key.passkeys[0]?.id.toString('base64'),
      name: 'iCloud Keychain',
      deviceType: 'multiDevice',
      backedUp: true,
      transports: ['internal'],
      isLast: true,
    })
    expect(Date.parse(String(createdAt))).to.be.within(started, Date.now())
    expect(Date.parse(String(lastUsedAt))).to.be.within(Date.parse(String(createdAt)), Date.now())
    expect(accounts, 'the one of passkeys is no account to a person').to.deep.equal([])
  })

  it('lists the newest first, and last those without a known time of creation', async () => {
    const ann = await withPasskeys(1)
    const [row] = await stage.passkeysOf(email)
    for (const [credentialID, createdAt] of [
      ['b2xk', new Date(1e12)],
      ['b2xkZXN0', new Date(1e11)],
      ['bm9uZQ==', null],
      ['b2xkZXI=', new Date(5e11)],
    ] as const) {
      await stage.db.real.createAuthenticator({ ...(row ?? missing()), credentialID, createdAt, transports: null })
    }
    const { passkeys } = await overview(ann.browser)
    expect(passkeys.slice(1).map(({ id }) => id)).to.deep.equal(['b2xk', 'b2xkZXI=', 'b2xkZXN0', 'bm9uZQ=='])
    expect(passkeys.at(-1)).to.deep.include({ createdAt: null, lastUsedAt: null, transports: [] })
  })

  it('returns nothing of other users', async () => {
    await stage.member('bob@example.com')
    const ann = await stage.member(email)
    expect((await overview(ann.browser)).passkeys.map(({ id }) => id)).to.deep.equal([
      ann.key.passkeys[0]?.id.toString('base64'),
    ])
  })

  it('marks the passkey that is the last sign-in method', async () => {
    const ann = await withPasskeys(1)
    const isLast = async () => (await overview(ann.browser)).passkeys.map((each) => each.isLast)
    const { id } = await stage.userOf(email)
    expect(await isLast()).to.deep.equal([true])
    await stage.db.real.linkAccount({ userId: id, provider: 'gone', providerAccountId: '1', type: 'oidc' })
    expect(await isLast(), 'an account whose provider is gone').to.deep.equal([true])
    await stage.db.real.linkAccount({ userId: id, provider: 'gone', providerAccountId: '2', type: 'webauthn' })
    expect(await isLast(), 'an account of passkeys that are not there').to.deep.equal([true])
    const account = { provider: 'credentials', providerAccountId: '1', type: 'credentials' } as const
    await stage.db.real.linkAccount({ userId: id, ...account })
    expect(await isLast(), 'a password').to.deep.equal([false])
    await stage.db.real.unlinkAccount(account)
    await stage.db.real.updateUser({ id, emailVerified: new Date() })
    expect(await isLast(), 'a mailed link').to.deep.equal([false])
  })

  it('does not count passkeys whose account, or whose provider, is gone', async () => {
    const ann = await withPasskeys(1)
    const { id } = await stage.userOf(email)
    const [row] = await stage.passkeysOf(email)
    await stage.db.real.createAuthenticator({
      ...(row ?? missing()),
      credentialID: 'b2xk',
      providerAccountId: 'elsewhere',
    })
    await stage.db.real.linkAccount({
      userId: id,
      provider: 'gone',
      providerAccountId: 'elsewhere',
      type: 'webauthn',
    })
    const { passkeys } = await overview(ann.browser)
    expect(passkeys.map((each) => [each.id === 'b2xk', each.isLast])).to.have.deep.members([
      [true, false],
      [false, true],
    ])
  })

  it('counts passkeys that Auth.js stored', async () => {
    const ann = await withPasskeys(1)
    const { id } = await stage.userOf(email)
    const [row] = await stage.passkeysOf(email)
    const account = { provider: 'passkey', providerAccountId: 'b2xk', type: 'webauthn' } as const
    await stage.db.real.createAuthenticator({
      ...(row ?? missing()),
      credentialID: 'b2xk',
      providerAccountId: 'b2xk',
    })
    await stage.db.real.linkAccount({ userId: id, ...account })
    const { passkeys } = await overview(ann.browser)
    expect(passkeys.map((each) => each.isLast)).to.deep.equal([false, false])
    expect((await post(ann.browser, 'delete', { id: 'b2xk' })).body).to.deep.equal({ ok: true })
    expect(await stage.db.real.getAccount('b2xk', 'passkey')).to.equal(null)
    expect(await stage.accountsOf(email)).to.have.length(1)
  })

  it('lists passkeys where accounts cannot be listed', async () => {
    await start({ without: ['listAccountsByUserId'] })
    const ann = await withPasskeys(2)
    const { passkeys, accounts } = await overview(ann.browser)
    expect(passkeys.map((each) => each.isLast)).to.deep.equal([false, false])
    expect(accounts).to.deep.equal([])
  })

  it('fails if the database fails', async () => {
    const ann = await withPasskeys(1)
    stage.db.replace('listAuthenticatorsByUserId', () => {
      throw new Error('away')
    })
    const { status, body } = await ann.browser.get('/account')
    expect([status, body.type]).to.deep.equal([500, 'AdapterError'])
  })
})
