/**
 * Passkeys with libraries that were published for Auth.js: its browser libraries, its rows, and adapters for it,
 * unmodified.
 */
import { expect } from 'chai'
import { MissingAdapterMethods } from '../../../lib/errors.js'
import { ServerAuth } from '../../../lib/index.js'
import Passkey from '../../../lib/providers/passkey.js'
import type { Adapter, AdapterMethod } from '../../../lib/types/adapter.js'
import { createLog, secret } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { openOrSkip, type PublishedDatabase, publishedAdapters } from '../../support/published-adapters.js'
import { type PublishedLibrary, publishedLibraries, withNavigator } from '../../support/published-webauthn.js'
import { thrownBy } from '../../support/rejection.js'
import { present, usePasskeys } from './stage.js'

const email = 'ann@example.com'

/** Our methods, which no published adapter has. */
const ours: readonly AdapterMethod[] = [
  'transaction',
  'listAccountsByUserId',
  'listSessionsByUserId',
  'deleteSessionsByUserId',
  'deleteVerificationTokens',
  'deleteAuthenticator',
  'renameAuthenticator',
]

describe('passkeys created and used by', () => {
  const stage = usePasskeys()
  beforeEach(() => stage.start())

  for (const [maker, make] of Object.entries(publishedLibraries)) {
    for (const [user, use] of Object.entries(publishedLibraries)) {
      it(`${maker}, and ${user}`, async () => {
        const ann = stage.person()
        const created = await withNavigator(ann.key, async () => make.create(await ann.options('register', { email })))
        await stage.expectSignedIn(await ann.send('register', created), ann, email)
        const handle = (await stage.passkeysOf(email))[0]?.providerAccountId
        await ann.signOut()
        const used = await withNavigator(ann.key, async () => use.get(await ann.options('authenticate')))
        expect(used.response.userHandle).to.equal(handleBy(make, use, present(handle)))
        await stage.expectSignedIn(await ann.send('authenticate', used), ann, email)
      })
    }
  }

  function handleBy(make: PublishedLibrary, use: PublishedLibrary, handle: string): string {
    const sent = Buffer.from(handle).toString('base64url')
    const bytes = Buffer.from(make.writesText ? sent : handle)
    return use.readsText ? bytes.toString() : bytes.toString('base64url')
  }
})

describe('passkeys that Auth.js stored', () => {
  const stage = usePasskeys()
  beforeEach(() => stage.start())

  /**
   * Creates a passkey whose row Auth.js wrote: no user handle is stored, the credential's id is that of the account.
   */
  async function migrated() {
    const ann = stage.person({ counter: 2 })
    const handle = Buffer.from('f'.repeat(64)).toString('base64url')
    const made = ann.key.create({
      ...(await ann.options('register', { email })),
      user: { id: handle, name: '', displayName: '' },
    })
    await stage.expectSignedIn(await ann.send('register', made), ann, email)
    const { id: userId } = await stage.userOf(email)
    const [row] = await stage.passkeysOf(email)
    const { credentialID, name: _, createdAt: _at, lastUsedAt: _used, ...rest } = present(row)
    await stage.db.real.deleteAuthenticator(credentialID)
    await stage.db.real.unlinkAccount({ provider: 'passkey', providerAccountId: rest.providerAccountId })
    await stage.db.real.createAuthenticator({ ...rest, credentialID, providerAccountId: credentialID })
    await stage.db.real.linkAccount({ userId, type: 'webauthn', provider: 'passkey', providerAccountId: credentialID })
    await ann.signOut()
    return ann
  }

  it('sign in, with a user handle that was not stored', async () => {
    const ann = await migrated()
    await stage.expectSignedIn(await ann.signIn(), ann, email)
    expect((await stage.passkeysOf(email))[0]?.counter).to.equal(3)
  })

  it('stay unchanged when a new one is added, with our user handle', async () => {
    const ann = await migrated()
    await ann.signIn()
    const second = ann.with({ key: new Authenticator() })
    await stage.expectSignedIn(await second.register(), second, email)
    const third = ann.with({ key: new Authenticator() })
    await stage.expectSignedIn(await third.register(), third, email)
    const handles = (await stage.passkeysOf(email)).map(({ providerAccountId }) => providerAccountId)
    expect(new Set(handles).size, 'the old one, and ours for both new ones').to.equal(2)
    expect(await stage.accountsOf(email)).to.have.length(2)
    for (const each of [ann, second, third]) {
      await each.signOut()
      await stage.expectSignedIn(await each.signIn(), each, email)
    }
  })
})

for (const { name, open } of publishedAdapters) {
  describe(`passkeys on ${name}`, () => {
    const stage = usePasskeys()
    let database: PublishedDatabase
    before(async function () {
      database = await openOrSkip(this, open)
    })
    afterEach(() => database?.clear())
    after(() => database?.close())

    const hasPasskeys = /drizzle|unstorage/.test(name)
    if (!hasPasskeys) {
      it('are rejected when the server starts, naming the missing methods', () => {
        const error = thrownBy(() => start(database.adapter as Adapter))
        expect(error).to.be.instanceOf(MissingAdapterMethods)
        expect(error.message).to.match(/lacks .*`getAuthenticator`, `createAuthenticator`.* needed for passkeys/)
      })
      return
    }

    it('sign up, in, and are added', async () => {
      await stage.start({ adapter: database.adapter as Adapter })
      const ann = await stage.member(email, { counter: 7 })
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn(), ann, email)
      const [row] = await stage.passkeysOf(email)
      expect(row).to.include({ counter: 8, credentialDeviceType: 'multiDevice', transports: 'hybrid,internal' })
      const second = ann.with({ key: new Authenticator() })
      await stage.expectSignedIn(await second.register(), second, email)
      const listed = (await stage.passkeysOf(email)).map(({ credentialID }) => credentialID)
      expect(new Set(listed).size).to.equal(2)
      for (const each of [ann, second]) {
        await each.signOut()
        await stage.expectSignedIn(await each.signIn(), each, email)
      }
      await stage.expectRefused(await ann.signIn({}, { lies: { counter: 1 } }), 'WebAuthnVerificationError', ann, email)
    })

    it('are not created for a taken address', async () => {
      await stage.start({ adapter: database.adapter as Adapter })
      await stage.member(email)
      const mallory = stage.person()
      await stage.expectRefused(await mallory.register({ email }), 'AccountNotLinked', mallory)
      expect(await stage.passkeysOf(email)).to.have.length(1)
    })
  })
}

describe('passkeys with an adapter', () => {
  const stage = usePasskeys()

  it('without our methods sign up, in, and are added; names and times are not stored', async () => {
    await stage.start({ without: ours })
    const ann = await stage.member(email, { aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' })
    const second = ann.with({ key: new Authenticator() })
    await stage.expectSignedIn(await second.register(), second, email)
    await second.signOut()
    await stage.expectSignedIn(await second.signIn(), second, email)
    const made = stage.db.calls.indexOf('createAuthenticator')
    expect(stage.db.args[made]?.[0]).to.not.have.any.keys('name', 'createdAt', 'lastUsedAt')
  })

  const needed: readonly AdapterMethod[] = [
    'createUser',
    'getUser',
    'getUserByEmail',
    'getUserByAccount',
    'linkAccount',
    'getAccount',
    'getAuthenticator',
    'createAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ]
  for (const method of needed) {
    it(`without \`${method}\` are rejected when the server starts`, () => {
      const adapter = Object.fromEntries(needed.filter((each) => each !== method).map((each) => [each, () => {}]))
      const error = thrownBy(() => start(adapter as Adapter))
      expect(error).to.be.instanceOf(MissingAdapterMethods)
      expect(error.message).to.equal(
        `The \`adapter\` lacks \`${method}\`, needed for passkeys. Add them, or use another adapter.`,
      )
    })
  }

  it('with these alone are accepted', () => {
    expect(() => start(Object.fromEntries(needed.map((each) => [each, () => {}])) as Adapter)).to.not.throw()
  })
})

function start(adapter: Adapter): void {
  ServerAuth({
    secret,
    adapter,
    session: { strategy: 'jwt' },
    providers: [Passkey()],
    experimental: { enableWebAuthn: true },
    logger: createLog().logger,
  })
}
