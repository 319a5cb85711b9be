/**
 * Changes in a session that another process has ended a moment ago. For some seconds this process still reads it, and
 * must make no lasting change in it.
 */

import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import { createSession } from '../../lib/testing/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { mailProvider } from '../factors/stage.js'
import { quickHasher } from '../password/stage.js'
import { passwordsIn } from '../support/stores.js'

const origin = 'http://localhost'
const email = 'ann@example.com'
const hasher = quickHasher()
const [before, after] = ['four words in a row', 'some words of somebody else']

/**
 * Returns the adapter of a process: another object, on the same data. Writes of other processes arrive late in the feed
 * of changes.
 */
function shared(adapter: MemoryAdapter): Adapter {
  const changes = () => ({ revocations: [], cursor: '', isLast: true })
  const store = { ...adapter.store(), log: { ...adapter.store().log, changes } }
  return { ...adapter, store: () => store } as unknown as Adapter
}

describe('RC-11: a session that another process has ended', () => {
  let adapter: MemoryAdapter
  let userId: string
  let here: FullStackAuthConfig
  let there: FullStackAuthConfig
  let mails: Parameters<typeof mailProvider>[0]
  let request: never

  beforeEach(async () => {
    adapter = memoryAdapter()
    mails = []
    const configOf = (): FullStackAuthConfig => ({
      secret: 'the-secret-of-all-processes-of-this-site',
      basePath: '/auth',
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
      adapter: shared(adapter),
      session: { strategy: 'jwt', revocation: true },
      experimental: { enableWebAuthn: true },
      rateLimit: false,
      providers: [
        mailProvider(mails),
        Passkey({ relyingParty: { id: 'localhost', name: 'Test', origin } }),
        Password({ hash: hasher, mail: mailProvider([]) }),
      ],
    })
    const user = await adapter.createUser({ id: '', email, emailVerified: new Date() })
    userId = user.id
    const account = { userId, providerAccountId: userId }
    await adapter.linkAccount({ ...account, provider: 'password', type: 'credentials' })
    await adapter.linkAccount({
      ...account,
      provider: 'passkey',
      providerAccountId: 'handle',
      type: 'passkey' as never,
    })
    const hash = await hasher.hash(before)
    await passwordsIn(adapter.store()).write({ userId, hash, changedAt: new Date(0) }, 0)
    await adapter.createAuthenticator({
      ...{ credentialID: 'key', userId, providerAccountId: 'handle', credentialPublicKey: 'x', counter: 0 },
      ...{ credentialDeviceType: 'multiDevice', credentialBackedUp: true, transports: null, name: 'My key' },
    })
    here = configOf()
    there = configOf()
    clearSiteMemories()
    const session = await createSession(here, { user: { id: userId }, amr: ['pwd'], url: origin })
    request = {
      headers: { ...session.headers, host: 'localhost', origin, 'sec-fetch-site': 'same-origin' },
      protocol: 'http',
    } as never
    expect(await readHere()).to.equal(email)
    // The other process.
    clearSiteMemories()
    await expressFunctions(there).sessions.endAll(userId)
  })

  const readHere = async () => {
    const { headers } = request as { headers: Record<string, string> }
    const { handlers } = initAuth(here)
    const answer = await handlers.GET(new Request(`${origin}/auth/session`, { headers }))
    return Object(await answer.json()).user?.email
  }

  it('is still read', async () => {
    expect(await readHere()).to.equal(email)
  })

  it('sets no password', async () => {
    const change = { current: before, password: after }
    expect(await expressFunctions(here).passwords.change(request, change)).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    expect(await expressFunctions(here).passwords.change(request, { password: after })).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    const stored = await passwordsIn(adapter.store()).find(userId)
    expect(await hasher.verify(stored?.hash ?? '', before)).to.equal(true)
    expect(stored, 'not for a moment').to.include({ version: 1 })
  })

  it('removes no sign-in method', async () => {
    const account = { provider: 'password', providerAccountId: userId }
    expect(await expressFunctions(here).account.unlink(request, account)).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    expect(await expressFunctions(here).account.renamePasskey(request, 'key', 'Theirs')).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    expect(await expressFunctions(here).account.removePasskey(request, 'key')).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    const [key] = await adapter.listAuthenticatorsByUserId(userId)
    expect(key).to.include({ credentialID: 'key', name: 'My key' })
    expect(await passwordsIn(adapter.store()).find(userId)).to.not.equal(null)
  })

  it('requests no other email address', async () => {
    expect(await expressFunctions(here).account.changeEmail(request, { email: 'eve@example.com' })).to.deep.equal({
      ok: false,
      reason: 'unknown',
    })
    expect(mails).to.deep.equal([])
  })
})
