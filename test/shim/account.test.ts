/** The functions behind an account page, in the shim: what they do is tested with Express' (`test/account.test.ts`). */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Passkey from '../../lib/providers/passkey.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import initAuth, { type FullStackAuthConfig, withRequest } from '../../shim/index.js'
import { credentials } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { configure, origin } from './stage.js'

/** A request of the site's own page. */
function post(cookie = '', headers: Record<string, string> = {}): Request {
  return new Request(`${origin}/account`, { method: 'POST', headers: { origin, cookie, ...headers } })
}

/** Runs code as the answer to a request; what it returns, and the cookies that the browser sends next. */
async function within<T>(request: Request, work: () => Promise<T>): Promise<{ result: T; cookie: string }> {
  const results: T[] = []
  const pending: Array<Promise<unknown>> = []
  const respond = async () => {
    results.push(await work())
    return new Response()
  }
  const response = await withRequest(request, respond, { waitUntil: (late) => void pending.push(late) })
  await Promise.all(pending)
  const pairs = response.headers.getSetCookie().map((line) => line.split(';', 1).join())
  return { result: results[0] as T, cookie: pairs.join('; ') }
}

interface Mailed {
  readonly to: string
  readonly url: string
}

function define(config: Partial<FullStackAuthConfig> = {}) {
  const mails: Mailed[] = []
  const email: EmailConfig = {
    id: 'email',
    name: 'E-mail',
    type: 'email',
    sendVerificationRequest: ({ identifier, url }) => void mails.push({ to: identifier, url }),
  }
  const passkey = Passkey({ relyingParty: { id: 'app.test', name: 'App', origin: 'https://app.test' } })
  const full = configure({
    adapter: memoryAdapter(),
    providers: [credentials(), email, passkey],
    experimental: { enableWebAuthn: true },
    ...config,
  })
  const own = initAuth(full)
  const signIn = async (username = 'ann') =>
    (await within(post(), () => own.signIn('credentials', { username, password: 'right', redirect: false }))).cookie
  return { own, mails, signIn, config: full }
}

const unknown = { ok: false, reason: 'unknown' }

describe('the account functions of the shim', () => {
  for (const basePath of [undefined, '/auth']) {
    describe(`with basePath ${basePath}`, () => {
      it('return the sessions of a user, and end them elsewhere', async () => {
        const { own, signIn } = define({ basePath })
        const [here, there, elsewhere] = [await signIn(), await signIn(), await signIn()]
        const { result: account } = await within(post(here), own.account.get)
        expect(account?.user.name).to.equal('ann')
        expect(account?.sessions.map(({ current }) => current)).to.deep.equal([true, false, false])
        const other = account?.sessions[1]?.id ?? ''
        expect((await within(post(here), () => own.sessions.end(other))).result).to.deep.equal({ ok: true })
        expect((await within(post(here), () => own.sessions.end(other))).result).to.deep.equal({
          ok: false,
          reason: 'unknown',
        })
        expect((await within(post(here), own.sessions.endOthers)).result).to.equal(1)
        for (const [cookie, name] of [
          [here, 'ann'],
          [there, undefined],
          [elsewhere, undefined],
        ] as const) {
          expect((await within(post(cookie), () => own.auth())).result?.user?.name).to.equal(name)
        }
      })

      it('mail a link to a new address, to the site’s own routes', async () => {
        const { own, mails, signIn } = define({ basePath })
        const options = { email: 'new@example.com', callbackUrl: '/account' }
        expect((await within(post(await signIn()), () => own.account.changeEmail(options))).result).to.deep.equal({
          ok: true,
        })
        expect(mails.map(({ to }) => to)).to.deep.equal(['new@example.com'])
        expect(mails[0]?.url).to.include(`${origin}${basePath ?? '/api/auth'}/callback/email`)
      })
    })
  }

  it('unlink accounts, but never the last sign-in method', async () => {
    const { own, signIn, config } = define()
    const cookie = await signIn()
    const account = { provider: 'credentials', providerAccountId: 'id-of-ann' }
    expect((await within(post(cookie), () => own.account.unlink(account))).result).to.deep.equal({
      ok: false,
      reason: 'last',
    })
    const user = await config.adapter?.getUserByEmail?.('ann@example.com')
    await config.adapter?.updateUser?.({ id: user?.id ?? '', emailVerified: new Date() })
    expect((await within(post(cookie), () => own.account.unlink(account))).result).to.deep.equal({ ok: true })
    expect((await within(post(cookie), () => own.account.unlink(account))).result).to.deep.equal(unknown)
  })

  it('name and remove passkeys', async () => {
    const { own, signIn, config } = define()
    const cookie = await signIn()
    const userId = (await config.adapter?.getUserByEmail?.('ann@example.com'))?.id ?? ''
    await config.adapter?.linkAccount?.({ provider: 'passkey', providerAccountId: 'handle', type: 'webauthn', userId })
    await config.adapter?.createAuthenticator?.({
      credentialID: 'key',
      credentialPublicKey: 'x',
      counter: 0,
      credentialDeviceType: 'multiDevice',
      credentialBackedUp: true,
      userId,
      providerAccountId: 'handle',
    })
    const id = (await within(post(cookie), own.account.get)).result?.passkeys[0]?.id ?? ''
    expect((await within(post(cookie), () => own.account.renamePasskey(id, 'My key'))).result).to.deep.equal({
      ok: true,
    })
    expect((await within(post(cookie), own.account.get)).result?.passkeys[0]?.name).to.equal('My key')
    expect((await within(post(cookie), () => own.account.removePasskey(id))).result).to.deep.equal({ ok: true })
    expect((await within(post(cookie), () => own.account.removePasskey(id))).result).to.deep.equal(unknown)
  })

  it('return nothing for a visitor', async () => {
    const { own } = define()
    const account = { provider: 'credentials', providerAccountId: 'id-of-ann' }
    const calls: ReadonlyArray<readonly [() => Promise<unknown>, unknown]> = [
      [own.account.get, null],
      [() => own.sessions.end('1'), unknown],
      [own.sessions.endOthers, 0],
      [() => own.account.unlink(account), unknown],
      [() => own.account.changeEmail({ email: 'a@b.example' }), unknown],
      [() => own.account.renamePasskey('1', 'x'), unknown],
      [() => own.account.removePasskey('1'), unknown],
    ]
    for (const [call, nothing] of calls) expect((await within(post(), call)).result).to.deep.equal(nothing)
  })

  it('see a session that began in the same request', async () => {
    const { own } = define()
    const { result } = await within(post(), async () => {
      await own.signIn('credentials', { username: 'ann', password: 'right', redirect: false })
      return (await own.account.get())?.sessions.map(({ current }) => current)
    })
    expect(result).to.deep.equal([true])
  })

  it('CS-16 change nothing at the word of another site', async () => {
    const { own, signIn } = define()
    const cookie = await signIn()
    await signIn()
    const changes = [
      () => own.sessions.end('1'),
      own.sessions.endOthers,
      () => own.account.unlink({ provider: 'credentials', providerAccountId: 'id-of-ann' }),
      () => own.account.changeEmail({ email: 'evil@evil.example' }),
      () => own.account.renamePasskey('1', 'x'),
      () => own.account.removePasskey('1'),
    ]
    const foreign: Array<Record<string, string>> = [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of foreign) {
      for (const change of changes) {
        const { result } = await within(post(cookie, headers), () => rejectionOf(change()))
        expect(result).to.have.property('type', 'MissingCSRF')
      }
    }
    expect((await within(post(cookie), own.account.get)).result?.sessions).to.have.length(2)
  })

  it('throw where no request is being answered, and without an adapter', async () => {
    const { own } = define()
    for (const call of [own.account.get, own.sessions.endOthers]) {
      expect((await rejectionOf(call())).message).to.include('withRequest')
    }
    const bare = define({ adapter: undefined, providers: [credentials()] })
    const { result } = await within(post(), () => rejectionOf(bare.own.account.get()))
    expect(result).to.have.property('type', 'MissingAdapter')
  })

  it('ask a function for the configuration of the request', async () => {
    const config = configure({ adapter: memoryAdapter() })
    const own = initAuth(() => config)
    const options = { username: 'ann', password: 'right', redirect: false } as const
    const { cookie } = await within(post(), () => own.signIn('credentials', options))
    expect((await within(post(cookie), own.account.get)).result?.user.name).to.equal('ann')
  })
})
