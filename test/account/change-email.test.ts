/**
 * Tests of changing an email address: the link that is sent to it, its page in a session of the same user, and the
 * notices.
 */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { EmailNotice, VerificationRequest } from '../../lib/types/provider.js'
import { changed, queryOf, useMailStage, without } from '../flows/email/stage.js'
import { type Browser, credentials, secret, target } from '../support/app.js'
import { advanceClock, freezeClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { formIn, linkIn } from '../support/mail-server.js'
import { rejectionOf } from '../support/rejection.js'
import { plantSession } from '../support/session.js'
import { addRoutes, missing, post } from './page.js'

const old = 'ann@old.example'
const fresh = 'ann@new.example'

describe('changeEmail', () => {
  const stage = useMailStage()
  const told: string[] = []

  const events: NonNullable<ServerAuthConfig['events']> = {
    updateUser: ({ user, previousEmail, lostAddress }) =>
      void told.push(
        [user.email ?? 'nobody', previousEmail && `was ${previousEmail}`, lostAddress && 'lost']
          .filter(Boolean)
          .join(' '),
      ),
    failure: (message) => void stage.failures.push(message),
  }

  const restart = async (
    config: Partial<ServerAuthConfig> = {},
    options: Parameters<typeof stage.restart>[0] = {},
  ): Promise<void> => {
    await stage.restart(options, { events, ...config }, { after: addRoutes })
    told.length = 0
  }
  beforeEach(() => restart())

  /** The link in the next mail to the address. Notices to others may come before it. */
  const linkTo = async (address: string): Promise<string> => {
    const { parsed, to } = await stage.server.next()
    return to.includes(address) ? linkIn(parsed) : linkTo(address)
  }
  /** Signs in by an email link, and forgets the events of that sign-in. */
  const signIn = async (address: string, browser = stage.app.browser()): Promise<Browser> => {
    await stage.ask(address, { browser })
    await browser.get(await linkTo(address))
    expect(await browser.session()).to.have.nested.property('user.email', address)
    told.length = 0
    return browser
  }
  const ask = async (browser: Browser, email = fresh, fields: object = {}): Promise<string> => {
    expect((await post(browser, 'email', { email, ...fields })).body).to.deep.equal({ ok: true })
    return linkTo(email)
  }
  /** Opens the link, which must ask, and confirms. */
  const confirm = async (browser: Browser, link: string): Promise<Answer> => {
    const page = await browser.get(link)
    expect(page.status, page.text).to.equal(200)
    const { action, fields } = formIn(page.text, '/callback/')
    return browser.post(action, fields)
  }
  const userAt = async (address: string) => (await stage.adapter.getUserByEmail?.(address)) ?? null
  const expectChanged = async () => {
    expect(await userAt(old)).to.equal(null)
    expect((await userAt(fresh))?.emailVerified).to.be.an.instanceOf(Date)
  }
  const expectUnchanged = async () => {
    expect((await userAt(old))?.email).to.equal(old)
    expect(told.filter((line) => line.includes('was'))).to.deep.equal([])
  }
  const expectError = (response: Answer, type: string) =>
    expect(target(response)).to.match(new RegExp(`/auth/(?:error|signin)\\?error=${type}$`))

  for (const strategy of ['jwt', 'database'] as const) {
    it(`LK-08 changes the address, with ${strategy} sessions: mail, page, session, events, notice`, async () => {
      await restart({ session: { strategy } })
      const ann = await signIn(old)
      const before = await userAt(old)
      const answer = await post(ann, 'email', { email: ' Ann@New.Example ', callbackUrl: '/account?done' })
      expect(answer.body).to.deep.equal({ ok: true })
      const mail = await stage.server.next()
      expect(mail.to).to.deep.equal([fresh])
      expect(mail.parsed.subject).to.include('Confirm your new address for')
      expect(mail.parsed.text).to.include('to make this the address of your account').and.include('30 minutes')
      expect(mail.parsed.text).to.not.include('ign in to').and.not.include(old)
      const link = linkIn(mail.parsed)
      expect(Object.keys(queryOf(link))).to.deep.equal(['change'])

      const page = await ann.get(link)
      expect(page.status).to.equal(200)
      expect(page.text).to.include(fresh).and.include(old).and.include('Change the address')
      await expectUnchanged()

      const done = await confirm(ann, link)
      expect([done.status, target(done)]).to.deep.equal([303, `${stage.app.origin}/account?done`])
      await expectChanged()
      expect((await userAt(fresh))?.id).to.equal(before?.id)
      expect(await ann.session()).to.have.nested.property('user.email', fresh)
      expect(told).to.deep.equal([`${fresh} was ${old}`])

      const notice = await stage.server.next()
      expect(notice.to).to.deep.equal([old])
      expect(notice.parsed.text).to.include('no longer the address of your account').and.not.include(fresh)
      expect(notice.parsed.text).to.not.match(/https?:/)
      expect(notice.parsed.html).to.not.include('/callback/').and.not.include(fresh)
      expect(stage.logged()).to.deep.equal([])
      // The new address signs in from now on. The old one belongs to no user.
      await signIn(fresh)
      await stage.settled()
      expect(stage.server.mails).to.have.length(4)
    })
  }

  it('is a method of defineAuth', async () => {
    const auth = defineAuth({ secret, adapter: memoryAdapter(), providers: [stage.email()] })
    const request = { headers: { host: 'app.test' }, protocol: 'http' }
    expect(await auth.account.changeEmail(request, { email: fresh })).to.deep.equal({ ok: false, reason: 'unknown' })
  })

  describe('answers', () => {
    it('answers `unknown` to a visitor, and sends no mail', async () => {
      expect((await post(stage.browser, 'email', { email: fresh })).body).to.deep.equal({
        ok: false,
        reason: 'unknown',
      })
      await stage.settled()
      expect(stage.server.mails).to.have.length(0)
    })

    it('answers the same for free and taken addresses, and looks up neither', async () => {
      await signIn('bob@example.com')
      const ann = await signIn(old)
      const doneFor = async (email: string) => {
        stage.called()
        const { status, body, headers } = await post(ann, 'email', { email })
        await stage.server.next()
        await stage.settled()
        return { status, body, names: Object.keys(headers), calls: stage.called() }
      }
      const free = await doneFor('free@example.com')
      expect(await doneFor('bob@example.com')).to.deep.equal(free)
      expect(free.calls).to.not.include('getUserByEmail')
    })

    it("answers `unchanged` for the user's own address, as long as it is verified", async () => {
      const ann = await signIn(old)
      expect((await post(ann, 'email', { email: 'ANN@old.example' })).body).to.deep.equal({
        ok: false,
        reason: 'unchanged',
      })
      await stage.settled()
      expect(stage.server.mails).to.have.length(1)

      const { id } = (await userAt(old)) ?? missing()
      await stage.adapter.updateUser?.({ id, emailVerified: null })
      await confirm(ann, await ask(ann, old))
      expect((await userAt(old))?.emailVerified).to.be.an.instanceOf(Date)
      expect(told).to.deep.equal([old])
      await stage.settled()
      expect(stage.server.mails, 'no notice').to.have.length(2)
    })

    for (const typed of ['', 'ann', 'a@b.example,c@d.example', 'ann@new.example\r\nbcc: x@y.example', { $ne: '' }]) {
      it(`answers \`refused\` for ${JSON.stringify(typed)}`, async () => {
        const ann = await signIn(old)
        const direct = await expressFunctions(stage.app.config).account.changeEmail(requestOf(ann), {
          email: typed as string,
        })
        expect(direct).to.deep.equal({ ok: false, reason: 'refused' })
        await stage.settled()
        expect(stage.server.mails).to.have.length(1)
        expect(stage.failures.map(({ type }) => type)).to.include('EmailSignInError')
      })
    }

    it('answers `refused` if the `signIn` callback, which receives the new address, rejects it', async () => {
      const seen: unknown[] = []
      await restart({
        callbacks: {
          signIn: ({ user, account, email }) => {
            seen.push([user.email, account?.providerAccountId, email?.verificationRequest])
            return user.email?.endsWith('@old.example') === true
          },
        },
      })
      const ann = await signIn(old)
      expect((await post(ann, 'email', { email: fresh })).body).to.deep.equal({ ok: false, reason: 'refused' })
      expect(seen.at(-1)).to.deep.equal([fresh, fresh, true])
      expect(stage.failures.map(({ type }) => type)).to.deep.equal(['AccessDenied'])
      await ask(ann, 'ann2@old.example')
    })

    it('answers `limited` after as many mails as the provider allows, over all clients', async () => {
      await restart({}, { limit: { perAddress: 2 } })
      const ann = await signIn(old)
      await ask(ann)
      await ask(await signIn('bob@example.com'))
      expect((await post(ann, 'email', { email: fresh })).body).to.deep.equal({ ok: false, reason: 'limited' })
      expect((await stage.ask(fresh)).status, 'a link that signs in counts, too').to.equal(429)
    })

    it('answers `limited` after as many mails as the provider allows one client', async () => {
      await restart({}, { limit: { perClient: 2 } })
      const bob = await signIn('bob@example.com')
      await ask(bob, 'one@example.com')
      expect((await post(bob, 'email', { email: 'two@example.com' })).body).to.deep.equal({
        ok: false,
        reason: 'limited',
      })
    })

    it('rejects with an error without an email provider, or without an adapter', async () => {
      const request = { headers: { host: 'localhost' }, protocol: 'http' }
      const config = { secret, providers: [credentials()] }
      expect(
        await rejectionOf(expressFunctions(config).account.changeEmail(request, { email: fresh })),
      ).to.have.property('type', 'MissingAdapter')
      const stored = { ...config, adapter: memoryAdapter() }
      const error = await rejectionOf(expressFunctions(stored).account.changeEmail(request, { email: fresh }))
      expect(error).to.have.property('type', 'InvalidProvider')
      expect(error.message).to.include('changeEmail')
    })

    it('leads only where the `redirect` callback allows', async () => {
      const ann = await signIn(old)
      const done = await confirm(ann, await ask(ann, fresh, { callbackUrl: 'https://evil.example/' }))
      expect(target(done)).to.equal(`${stage.app.origin}/`)
    })
  })

  describe('the link', () => {
    it('does nothing for another user, for a visitor, or in a browser in which the session did not begin', async () => {
      const ann = await signIn(old)
      const bob = await signIn('bob@example.com')
      const link = await ask(ann)
      const { fields } = formIn((await ann.get(link)).text, '/callback/')
      const planted = stage.app.browser()
      planted.cookies.set('auth.session-token', ann.cookies.get('auth.session-token') ?? missing())
      for (const browser of [bob, stage.app.browser(), planted]) {
        const page = await browser.get(link)
        expect(page.status).to.equal(403)
        expect(page.text).to.include('in with the account that asked').and.include(fresh)
        if (browser !== planted) expect(page.text).to.not.include(old)
        expect(() => formIn(page.text, '/callback/')).to.throw()
        const posted = await browser.submit('/auth/callback/email', { change: fields.change })
        expect(posted.status).to.equal(403)
        expect(posted.text).to.include('in with the account that asked')
      }
      expect((await bob.get(link)).text).to.include('<bdi>bob@example.com</bdi>')
      await expectUnchanged()
      expect((await userAt('bob@example.com'))?.email).to.equal('bob@example.com')
      // It is as good as before.
      await confirm(ann, link)
      await expectChanged()
    })

    it('works in another browser in which the same user is signed in', async () => {
      const link = await ask(await signIn(old))
      await confirm(await signIn(old), link)
      await expectChanged()
    })

    it('changes nothing by GET, HEAD and prefetch', async () => {
      const ann = await signIn(old)
      const link = await ask(ann)
      await ann.get(link)
      await ann.send('head', link)
      await ann.get(link, { 'sec-purpose': 'prefetch;prerender' })
      await expectUnchanged()
      await confirm(ann, link)
      await expectChanged()
    })

    it('CS-16 requires the token of the form, and a form of this site', async () => {
      const ann = await signIn(old)
      const { action, fields } = formIn((await ann.get(await ask(ann))).text, '/callback/')
      const { csrfToken, ...bare } = fields
      expectError(await ann.post(action, bare), 'MissingCSRF')
      expectError(await ann.post(action, { ...bare, csrfToken: 'f'.repeat(64) }), 'MissingCSRF')
      expectError(await ann.post(action, fields, { origin: 'https://evil.example' }), 'MissingCSRF')
      await expectUnchanged()
      expect((await ann.post(action, { ...bare, csrfToken })).status).to.equal(303)
      await expectChanged()
    })

    it('works once', async () => {
      const ann = await signIn(old)
      const link = await ask(ann)
      const { action, fields } = formIn((await ann.get(link)).text, '/callback/')
      await ann.post(action, fields)
      expectError(await ann.get(link), 'Verification')
      expectError(await ann.post(action, fields), 'Verification')
      expect(told).to.deep.equal([`${fresh} was ${old}`])
      // Nor after the user has come back to the old address.
      expect((await stage.server.next()).to, 'the notice').to.deep.equal([old])
      await confirm(ann, await ask(ann, old))
      expectError(await ann.post(action, fields), 'Verification')
      await expectUnchangedAt(old)
    })

    it('works once if twenty forms are sent at the same time', async () => {
      const ann = await signIn(old)
      const { action, fields } = formIn((await ann.get(await ask(ann))).text, '/callback/')
      const all = await Promise.all(Array.from({ length: 20 }, () => ann.post(action, fields)))
      expect(all.filter((each) => target(each) === `${stage.app.origin}/`)).to.have.length(1)
      expect(told).to.deep.equal([`${fresh} was ${old}`])
    })

    for (const methods of [[], ['deleteVerificationTokens', 'transaction']] as const) {
      it(`ends with a newer link of the same user${methods.length ? ', where the adapter cannot delete links' : ''}`, async () => {
        await restart({ adapter: without(memoryAdapter(), ...methods) })
        const ann = await signIn(old)
        const bobs = await ask(await signIn('bob@example.com'), 'bob@new.example')
        const first = await ask(ann)
        const second = await ask(ann, 'other@new.example')
        expectError(await confirm(ann, first), 'Verification')
        await expectUnchanged()
        await confirm(ann, second)
        expect(await userAt('other@new.example')).to.not.equal(null)
        expect(await userAt('bob@new.example')).to.equal(null)
        await confirm(await signIn('bob@example.com'), bobs)
        expect(await userAt('bob@new.example')).to.not.equal(null)
      })
    }

    it('lives 30 minutes, or as long as the provider’s links where that is shorter', async () => {
      for (const [options, lifetime] of [
        [{}, 30 * 60],
        [{ maxAge: 600 }, 600],
      ] as const) {
        await restart({}, options)
        freezeClock()
        const ann = await signIn(old)
        const link = await ask(ann)
        const { action, fields } = formIn((await ann.get(link)).text, '/callback/')
        advanceClock(lifetime - 1)
        expect((await ann.get(link)).status).to.equal(200)
        advanceClock(2)
        expectError(await ann.get(link), 'Verification')
        expectError(await ann.post(action, fields), 'Verification')
        await expectUnchanged()
      }
    })

    it('is rejected if it was changed, or is for another provider', async () => {
      await restart({ providers: [stage.email(), stage.email({ id: 'mail2' })] })
      const ann = await signIn(old)
      const link = await ask(ann)
      const { change = '' } = queryOf(link)
      for (const text of ['', 'x', `${change}x`, change.slice(0, -2), change.replace(/.{9}$/, 'AAAAAAAAA')]) {
        expectError(await ann.get(changed(link, { change: text })), 'Verification')
        expectError(await ann.submit('/auth/callback/email', { change: text }), 'Verification')
      }
      expectError(await ann.get(`${link}&change=${change}`), 'Verification')
      expectError(await ann.get(link.replace('/callback/email?', '/callback/mail2?')), 'Verification')
      await expectUnchanged()
    })

    it('signs no user in, and a sign-in link changes no address', async () => {
      const ann = await signIn(old)
      const { change = '' } = queryOf(await ask(ann))
      const link = await stage.linkFor(fresh)
      const { token = '' } = queryOf(link)
      const stranger = stage.app.browser()
      expectError(await stranger.submit('/auth/callback/email', { token: change, email: fresh }), 'Verification')
      expectError(
        await stranger
          .get(changed(link, { token: change.slice(0, 64) }))
          .then((page) => stage.app && confirmIfAsked(stranger, page)),
        'Verification',
      )
      expect(await stranger.session()).to.equal(null)
      for (const text of [
        token,
        queryOf(link).attempt ?? missing(),
        stage.browser.cookies.get('auth.transaction.email') ?? 'x'.repeat(40),
      ]) {
        expectError(await ann.submit('/auth/callback/email', { change: text }), 'Verification')
      }
      await expectUnchanged()
      await stage.expectSignedIn(await stage.browser.get(link), fresh)
    })

    it('is rejected if the address was changed in the meantime, by any means', async () => {
      const ann = await signIn(old)
      const { id } = (await userAt(old)) ?? missing()
      const link = await ask(ann)
      const { action, fields } = formIn((await ann.get(link)).text, '/callback/')
      await stage.adapter.updateUser?.({ id, email: 'third@example.com' })
      expectError(await ann.get(link), 'Verification')
      expectError(await ann.post(action, fields), 'Verification')
      expect(await userAt(fresh)).to.equal(null)
      expect(await userAt('third@example.com')).to.have.property('id', id)
    })

    it('does nothing in a session that ends while it is used', async () => {
      const adapter = memoryAdapter()
      const useVerificationToken: typeof adapter.useVerificationToken = async (params) => {
        const used = await adapter.useVerificationToken(params)
        const user = await adapter.getUserByEmail(old)
        if (params.identifier.startsWith('change-email:')) await adapter.deleteSessionsByUserId(user?.id ?? '')
        return used
      }
      await restart({ session: { strategy: 'database' }, adapter: { ...adapter, useVerificationToken } })
      const ann = await signIn(old)
      expectError(await confirm(ann, await ask(ann)), 'InvalidCheck')
      await expectUnchanged()
    })

    it('does nothing in a session that has ended', async () => {
      await restart({ session: { strategy: 'database' } })
      const ann = await signIn(old)
      const { action, fields } = formIn((await ann.get(await ask(ann))).text, '/callback/')
      const { id } = (await userAt(old)) ?? missing()
      await stage.adapter.deleteSessionsByUserId?.(id)
      expect((await ann.post(action, fields)).status).to.equal(403)
      await expectUnchanged()
    })
  })

  describe('an address that another user has', () => {
    it('LK-08 stays with the user who verified it, and only the user who opens the link learns of it', async () => {
      const ann = await signIn(old)
      const link = await ask(ann)
      await signIn(fresh)
      expectError(await confirm(ann, link), 'AccountNotLinked')
      await expectUnchanged()
      expect(await ann.session()).to.have.nested.property('user.email', old)
      expect(told).to.deep.equal([])
    })

    for (const methods of [[], ['transaction']] as const) {
      it(`is taken from a user who has not verified it${methods.length ? ', without transactions' : ''}`, async () => {
        await restart({ adapter: without(memoryAdapter(), ...methods) })
        const claimant = await stage.adapter.createUser?.({ id: 'c', email: fresh, emailVerified: null, name: 'C' })
        const ann = await signIn(old)
        await confirm(ann, await ask(ann))
        await expectChanged()
        expect(await stage.adapter.getUser?.(claimant?.id ?? '')).to.include({ name: 'C', email: null })
        expect(told).to.deep.equal(['nobody lost', `${fresh} was ${old}`])
      })
    }

    it('is in no JWT of a user who has not verified it', async () => {
      const revocation = memoryStore()
      await restart({ session: { strategy: 'jwt', revocation } })
      await stage.adapter.createUser?.({ id: 'c', email: fresh, emailVerified: null })
      const claimant = stage.app.browser()
      await plantSession(claimant, {
        ...{ sub: 'c', email: fresh, sid: 'c'.repeat(22), auth_owner: { id: 'c', type: 'oauth' } },
        auth_time: Math.floor(Date.now() / 1000),
      })
      expect(await claimant.session()).to.have.nested.property('user.email', fresh)
      const ann = await signIn(old)
      await confirm(ann, await ask(ann))
      await expectChanged()
      expect(await claimant.session()).to.equal(null)
      expect(await ann.session()).to.have.nested.property('user.email', fresh)
    })

    it('is not taken with `allowDangerousUnprovedAddressMerge`, which trusts unverified addresses', async () => {
      await restart({ allowDangerousUnprovedAddressMerge: true } as Partial<ServerAuthConfig>)
      await stage.adapter.createUser?.({ id: 'c', email: fresh, emailVerified: null })
      const ann = await signIn(old)
      expectError(await confirm(ann, await ask(ann)), 'AccountNotLinked')
      await expectUnchanged()
    })

    it('goes to one of two users who request it at the same time', async () => {
      const [ann, bob] = [await signIn(old), await signIn('bob@example.com')]
      const links = [await ask(ann), await ask(bob)] as const
      const all = await Promise.all([confirm(ann, links[0]), confirm(bob, links[1])])
      const ends = all.map(target)
      expect(ends.filter((end) => end === `${stage.app.origin}/`)).to.have.length(1)
      expect(ends.filter((end) => /error=AccountNotLinked$/.test(end))).to.have.length(1)
    })
  })

  describe('the old address', () => {
    it('gets no notice if it was not verified, or there was none', async () => {
      for (const email of [old, null]) {
        const ann = await signIn('x@old.example')
        const { id } = (await userAt('x@old.example')) ?? missing()
        await stage.adapter.updateUser?.({ id, email: email as string, emailVerified: null })
        const count = stage.server.mails.length
        const page = await ann.get(await ask(ann, `${email ? 1 : 2}${fresh}`))
        expect(page.text).to.include(email ?? 'It had none')
        const { action, fields } = formIn(page.text, '/callback/')
        expect((await ann.post(action, fields)).status).to.equal(303)
        await stage.settled()
        expect(stage.server.mails).to.have.length(count + 1)
      }
      expect(told).to.deep.equal([`2${fresh}`])
    })

    it('gets its notice in the background: a failing mail server is logged and reported, and changes nothing else', async () => {
      const ann = await signIn(old)
      const link = await ask(ann)
      stage.server.mood = 'refuses'
      expect((await confirm(ann, link)).status).to.equal(303)
      await stage.settled()
      await expectChanged()
      expect(stage.logged()).to.deep.equal(['EmailSignInError'])
      const [failure] = stage.failures
      expect(failure).to.include({ type: 'EmailSignInError', provider: 'email' })
      expect(String(failure?.error.cause?.err)).to.include('[address]').and.not.include(old)
    })
  })

  describe('a custom sender of the application', () => {
    const sent: VerificationRequest[] = []
    const notices: EmailNotice[] = []
    beforeEach(() => {
      sent.length = 0
      notices.length = 0
    })
    const sendVerificationRequest = (request: VerificationRequest) => void sent.push(request)
    const signInWith = async () => {
      const browser = stage.app.browser()
      await stage.ask(old, { browser })
      await stage.settled()
      await browser.get(sent.at(-1)?.url ?? '')
      return browser
    }

    it('receives the purpose; without `sendNotice` only the event is emitted', async () => {
      await restart({}, { sendVerificationRequest })
      const ann = await signInWith()
      expect((await post(ann, 'email', { email: fresh })).body).to.deep.equal({ ok: true })
      await stage.settled()
      expect(sent.map(({ purpose }) => purpose)).to.deep.equal(['sign-in', 'change-email'])
      const request = sent.at(-1) ?? missing()
      expect(request.url).to.include(request.token)
      expect(request.expires.getTime()).to.be.within(Date.now() + 1790_000, Date.now() + 1800_000)
      expect(request.mail.subject).to.include('new address')
      await confirm(ann, request.url)
      await stage.settled()
      await expectChanged()
      expect([told.at(-1), stage.server.mails.length]).to.deep.equal([`${fresh} was ${old}`, 0])
    })

    it('also sends the notice, by its `sendNotice`', async () => {
      await restart({}, { sendVerificationRequest, sendNotice: (notice) => void notices.push(notice) })
      const ann = await signInWith()
      await post(ann, 'email', { email: fresh })
      await stage.settled()
      await confirm(ann, sent.at(-1)?.url ?? '')
      await stage.settled()
      expect(notices.map(({ identifier }) => identifier)).to.deep.equal([old])
      const [{ mail, request }] = notices as [EmailNotice]
      expect(mail.subject).to.match(/^Your address at .* was changed$/)
      expect(request.headers.get('host')).to.equal(new URL(stage.app.origin).host)
    })
  })

  it('keeps an address out of tokens that have none, and survives a callback that throws afterwards', async () => {
    let isBroken = false
    await restart({
      session: { strategy: 'jwt' },
      callbacks: {
        jwt: ({ token: { email: _email, ...token } }) => {
          if (isBroken) throw new Error('broken')
          return token
        },
      },
      events: {
        ...events,
        updateUser: () => {
          isBroken = true
        },
      },
    })
    const ann = stage.app.browser()
    await ann.get(await stage.linkFor(old, { browser: ann }))
    const done = await confirm(ann, await ask(ann))
    expect(done.status).to.equal(303)
    await expectChanged()
    expect(stage.logged()).to.deep.equal(['SessionTokenError'])
    isBroken = false
    expect(await ann.session()).to.deep.nested.include({ 'user.name': null, 'user.email': null, 'user.image': null })
  })

  /** The request as a handler of another server than Express has it. */
  function requestOf(browser: Browser) {
    return { headers: { host: new URL(stage.app.origin).host, cookie: browser.cookieHeader() }, protocol: 'http' }
  }

  async function confirmIfAsked(browser: Browser, page: Answer): Promise<Answer> {
    const { action, fields } = formIn(page.text, '/callback/')
    return browser.post(action, fields)
  }

  async function expectUnchangedAt(address: string): Promise<void> {
    expect(await userAt(fresh)).to.equal(null)
    expect(await userAt(address)).to.not.equal(null)
  }
})
