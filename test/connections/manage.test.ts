/** The functions of `auth.connections`: who may call them, what they accept, and what they store. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable, domainsTable } from '../../lib/features/connections/description.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { closedAfterEach } from '../support/opened.js'
import { base, type OpenStage, openWorld, stagesOf, type World } from './stage.js'

const hours = 60 * 60
const people = [{ login: 'owner', sub: 'owner-sub', name: 'Owner', email: 'owner@acme.example' }]

describe('the functions of connections', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    describe(door, () => {
      const open = closedAfterEach(at('database'))
      const owners = async (options: Parameters<OpenStage>[0] = {}) => {
        const adapter = memoryAdapter()
        const stage = await open({ adapter, ...options })
        const acme = await stage.signIn('owner@acme.example')
        stage.members.set(acme.userId, 'acme', 'owner')
        const beta = await stage.signIn('owner@beta.example')
        stage.members.set(beta.userId, 'beta', 'owner')
        const member = await stage.signIn('member@acme.example')
        stage.members.set(member.userId, 'acme', 'member')
        return { stage, adapter, acme, beta, member }
      }
      const wanted = () => ({ organization: 'acme', name: 'Acme', ...world.idp.settings() })

      it('CN-09 serve no stranger, no member without the permission, and no owner of another organization', async () => {
        const { stage, acme, beta, member } = await owners()
        const id = await stage.connect(acme.browser, 'acme')
        for (const browser of [stage.browser(), member.browser, beta.browser]) {
          const claim = { organization: 'acme', domain: 'acme.example' }
          const outcomes = [
            await stage.call(browser, 'create', wanted()),
            await stage.call(browser, 'list', 'acme'),
            await stage.call(browser, 'claimDomain', claim),
            await stage.call(browser, 'verifyDomain', claim),
            await stage.call(browser, 'releaseDomain', claim),
            await stage.call(browser, 'set', id, { state: 'off' }),
            await stage.call(browser, 'delete', id),
          ]
          for (const outcome of outcomes) expect(outcome).to.deep.equal({ ok: false, reason: 'refused' })
        }
        // An unknown connection and organization look the same.
        const unknown = `connection-${'0'.repeat(32)}`
        expect(await stage.call(acme.browser, 'set', unknown, {})).to.deep.equal({ ok: false, reason: 'refused' })
        expect(await stage.call(acme.browser, 'list', 'nobody')).to.deep.equal({ ok: false, reason: 'refused' })
        const listed = await stage.call(acme.browser, 'list', 'acme')
        expect(listed.ok && listed.connections).to.have.length(1)
        expect(listed.ok && listed.connections[0]).to.include({
          redirectUri: `${acme.browser.origin}${base}/callback/${id}`,
          initiateUrl: `${acme.browser.origin}${base}/initiate/${id}`,
        })
        expect(JSON.stringify(listed)).to.not.include(world.idp.settings().clientSecret)
      })

      it('CN-09 reject calls that a page of another site causes', async () => {
        const { acme } = await owners()
        const { text } = await acme.browser.ask('/call', {
          json: { group: 'connections', name: 'create', args: [wanted()] },
          headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        })
        expect(text).to.include('MissingCSRF')
      })

      it('need a recent sign-in for changes', async () => {
        const { stage, acme } = await owners()
        const id = await stage.connect(acme.browser, 'acme')
        freezeClock()
        try {
          advanceClock(6 * 60)
          for (const outcome of [
            await stage.call(acme.browser, 'create', wanted()),
            await stage.call(acme.browser, 'set', id, { state: 'off' }),
            await stage.call(acme.browser, 'delete', id),
            await stage.call(acme.browser, 'releaseDomain', { organization: 'acme', domain: 'acme.example' }),
          ])
            expect(outcome).to.deep.equal({ ok: false, reason: 'stale' })
          expect((await stage.call(acme.browser, 'list', 'acme')).ok).to.equal(true)
        } finally {
          restoreClock()
        }
      })

      it('store the secret sealed, for its connection only', async () => {
        const { stage, adapter, acme } = await owners()
        const first = await stage.connect(acme.browser, 'acme')
        const second = await stage.connect(acme.browser, 'acme')
        const { records } = adapter.store()
        const [one, other] = await Promise.all([first, second].map((id) => records.find(connectionsTable, { id })))
        expect(JSON.stringify([one, other])).to.not.include(world.idp.settings().clientSecret)
        const { version, ...row } = other ?? {}
        await records.write(connectionsTable, { ...row, secret: one?.secret ?? '' }, Number(version))
        const { headers } = await stage.browser().submit(`${base}/signin/${second}`)
        expect(headers.location).to.include('error=OAuthSignInError')
      })

      it('CN-13 refuse issuers that cannot be used, and say of them only which kind of fault it is', async () => {
        const connections = {
          privateOrigins: [world.idp.issuer],
          allowIssuer: ({ host }: URL) => host !== 'denied.example',
        }
        const { port } = new URL(world.idp.issuer)
        const issuers = {
          [`http://127.0.0.1:${Number(port) + 1}`]: 'issuer',
          'https://127.0.0.1': 'issuer',
          'https://[::ffff:127.0.0.1]': 'issuer',
          'https://user:pass@idp.example': 'issuer',
          'https://idp.example/?a=b': 'issuer',
          'https://denied.example': 'issuer',
          'not a url': 'issuer',
          'https://login.microsoftonline.com/common/v2.0': 'issuer',
          'https://login.microsoftonline.com/Organizations/v2.0': 'issuer',
          'https://login.microsoftonline.com/%63onsumers/v2.0': 'issuer',
          'https://login.microsoftonline.com/9188040D-6c67-4b79-b112-36a304b66dad/v2.0': 'issuer',
          // The name has no address.
          'https://idp.acme-does-not-exist.example': 'unreachable',
          [`${world.idp.issuer}/elsewhere`]: 'unreachable',
          [`${world.idp.issuer}/`]: undefined,
        }
        for (const [issuer, reason] of Object.entries(issuers)) {
          const { stage, acme } = await owners({ connections })
          const outcome = await stage.call(acme.browser, 'create', { ...wanted(), issuer })
          if (reason === undefined) expect(outcome.ok, issuer).to.equal(true)
          else expect(outcome, issuer).to.deep.equal({ ok: false, reason })
        }
      })

      it('CN-13 refuse issuers unless `allowIssuer` returns `true`', async () => {
        const answers: unknown[] = [
          undefined,
          null,
          'yes',
          1,
          Promise.resolve(false),
          Promise.resolve(true),
          false,
          true,
        ]
        for (const answer of answers) {
          const allowIssuer = (() => answer) as () => boolean
          const { stage, acme } = await owners({
            connections: { privateOrigins: [world.idp.issuer], allowIssuer },
          })
          const outcome = await stage.call(acme.browser, 'create', wanted())
          expect(outcome.ok, String(answer)).to.equal(answer === true)
        }
      })

      it('reject malformed values with 400', async () => {
        const { stage, acme } = await owners()
        const calls: Array<[name: string, ...args: unknown[]]> = [
          ['create', null],
          ['create', { ...wanted(), name: 'a\nb' }],
          ['create', { ...wanted(), name: 'x'.repeat(61) }],
          ['create', { ...wanted(), clientId: 7 }],
          ['create', { ...wanted(), scopes: 'openid' }],
          ['create', { ...wanted(), scopes: ['a b'] }],
          ['create', { ...wanted(), organization: { toString: 'acme' } }],
          ['set', 7, {}],
          ['list', { $ne: null }],
          ['claimDomain', { organization: 'acme', domain: 7 }],
        ]
        for (const [name, ...args] of calls) {
          const { status, text } = await acme.browser.ask('/call', { json: { group: 'connections', name, args } })
          expect(
            status === 400 || text.includes('InvalidRequest') || text.includes('must be'),
            `${JSON.stringify([name, args])}: ${text}`,
          ).to.equal(true)
        }
        const listed = await stage.call(acme.browser, 'list', 'acme')
        expect(listed.ok && listed.connections).to.deep.equal([])
      })

      it('limit the attempts of an organization', async () => {
        const { stage, acme, beta } = await owners()
        const attempt = (browser = acme.browser, organization = 'acme') =>
          stage.call(browser, 'create', { ...wanted(), organization, issuer: 'https://127.0.0.1' })
        for (let count = 0; count < 10; count++) expect(await attempt()).to.include({ reason: 'issuer' })
        expect(await attempt()).to.include({ reason: 'limited' })
        expect(await attempt(beta.browser, 'beta')).to.include({ reason: 'issuer' })
      })

      it('CN-08 verify a domain by the record of this organization only', async () => {
        const { stage, acme, beta } = await owners()
        const claimOf = (organization: string) => ({ organization, domain: 'Claimed.Example.' })
        const mine = await stage.call(acme.browser, 'claimDomain', claimOf('acme'))
        const theirs = await stage.call(beta.browser, 'claimDomain', claimOf('beta'))
        if (!mine.ok || !theirs.ok) throw new Error('The domains were not claimed.')
        expect(mine.record.name).to.equal('_server-auth.claimed.example')
        expect(mine.record.value).to.not.equal(theirs.record.value)
        const { names } = world.dns
        names.delete(mine.record.name)
        const verify = () => stage.call(beta.browser, 'verifyDomain', claimOf('beta'))
        expect(await verify()).to.deep.equal({ ok: false, reason: 'missing' })
        names.set(mine.record.name, { txt: [[mine.record.value], ['v=spf1 -all']] })
        expect(await verify()).to.deep.equal({ ok: false, reason: 'missing' })
        // A wildcard or an alias leads to the owner of its target.
        names.set(mine.record.name, { cname: 'target.example', txt: [[theirs.record.value]] })
        expect(await verify()).to.deep.equal({ ok: false, reason: 'missing' })
        names.set(mine.record.name, { txt: [[mine.record.value]] })
        expect(await stage.call(acme.browser, 'verifyDomain', claimOf('acme'))).to.deep.equal({ ok: true })
        names.set(mine.record.name, { txt: [[mine.record.value], [theirs.record.value]] })
        expect(await verify()).to.deep.equal({ ok: false, reason: 'taken' })
        for (const domain of [
          '',
          'localhost',
          '127.0.0.1',
          'a@b.example',
          'x'.repeat(300),
          'a b.example',
          '*.example',
          'https://a.example',
        ])
          expect(await stage.call(acme.browser, 'claimDomain', { organization: 'acme', domain }), domain).to.include({
            reason: 'domain',
          })
      })

      it('CN-08 release a domain, which another organization can verify then', async () => {
        const { stage, acme, beta } = await owners()
        const claimOf = (organization: string) => ({ organization, domain: 'released.example' })
        await stage.verify(acme.browser, 'acme', 'released.example')
        expect(await stage.call(beta.browser, 'releaseDomain', claimOf('beta'))).to.include({ reason: 'unknown' })
        expect(await stage.call(acme.browser, 'releaseDomain', claimOf('acme'))).to.deep.equal({ ok: true })
        expect(await stage.call(acme.browser, 'releaseDomain', claimOf('acme'))).to.include({ reason: 'unknown' })
        const listed = await stage.call(acme.browser, 'list', 'acme')
        expect(listed.ok && listed.domains).to.deep.equal([])
        await stage.verify(beta.browser, 'beta', 'released.example')
        expect(await stage.call(acme.browser, 'releaseDomain', claimOf('acme'))).to.include({ reason: 'unknown' })
      })

      it('CN-08 give a domain to its new owner after the record was missing for three days', async () => {
        const { stage, adapter, acme, beta } = await owners()
        await stage.verify(acme.browser, 'acme', 'sold.example')
        const verifies = (organization: string, email = 'Bob@sold.example') =>
          stage.call(acme.browser, 'verifiesAddress', { organization, email })
        const answers = async () => [await verifies('acme'), await verifies('beta')]
        expect(await answers()).to.deep.equal([true, false])
        for (const email of ['bob@sub.sold.example', 'bob@sold.example, eve@sold.example', 'sold.example', ''])
          expect(await verifies('acme', email), email).to.equal(false)
        const theirs = await stage.call(beta.browser, 'claimDomain', { organization: 'beta', domain: 'sold.example' })
        if (!theirs.ok) throw new Error('The domain was not claimed.')
        world.dns.names.set(theirs.record.name, { txt: [[theirs.record.value]] })
        const verify = () => stage.call(beta.browser, 'verifyDomain', { organization: 'beta', domain: 'sold.example' })
        expect(await verify()).to.include({ reason: 'taken' })
        const { records } = adapter.store()
        const { version, ...row } = (await records.find(domainsTable, { domain: 'sold.example' })) ?? {}
        expect(row.failedSince).to.be.instanceOf(Date)
        await records.write(
          domainsTable,
          { ...row, failedSince: new Date(Date.now() - 73 * hours * 1000) },
          Number(version),
        )
        expect(await answers()).to.deep.equal([false, false])
        expect(await verify()).to.deep.equal({ ok: true })
        expect(await answers()).to.deep.equal([false, true])
        const mine = await stage.call(acme.browser, 'list', 'acme')
        expect(mine.ok && mine.domains).to.deep.equal([])
      })

      it('CN-12 make a connection required only after a test, and with an owner who can return', async () => {
        const { stage, adapter, acme } = await owners()
        await stage.verify(acme.browser, 'acme', 'acme.example')
        const id = await stage.connect(acme.browser, 'acme')
        const require = (more: object = {}) => stage.call(acme.browser, 'set', id, { policy: 'required', ...more })
        expect(await require()).to.include({ reason: 'untested' })
        await stage.call(acme.browser, 'set', id, { state: 'test' })
        const member = await stage.signIn('other@acme.example')
        const { headers } = await stage.through(member.browser, id, 'owner')
        expect(headers.location).to.include('AccessDenied')
        await stage.through(acme.browser, id, 'owner')
        expect((await acme.browser.session(base)).user.id).to.equal(acme.userId)
        const stored = await adapter.store().records.find(connectionsTable, { id })
        expect(stored?.testedAt).to.be.instanceOf(Date)
        expect(await require({ state: 'on' })).to.include({ reason: 'exempt' })
        expect(await require({ state: 'on', exempt: [acme.userId] })).to.include({ reason: 'exempt' })
        // A test with the old client secret is none of the new one.
        expect(await require({ state: 'on', clientSecret: 'another' })).to.include({ reason: 'untested' })
        expect(await stage.call(acme.browser, 'set', id, { clientSecret: 'another' })).to.deep.equal({ ok: true })
        expect(await require({ state: 'on' })).to.include({ reason: 'untested' })
      })

      it('delete a connection, by which no user signs in afterwards', async () => {
        const { stage, acme } = await owners()
        await stage.verify(acme.browser, 'acme', 'acme.example')
        const id = await stage.connect(acme.browser, 'acme')
        const browser = stage.browser()
        const { headers } = await browser.submit(`${base}/signin/${id}`)
        const returned = await world.idp.signInAs(headers.location ?? '', 'owner')
        expect(await stage.call(acme.browser, 'delete', id)).to.deep.equal({ ok: true })
        expect((await browser.get(returned)).status).to.equal(404)
        expect((await browser.get(`${base}/signin/${id}`)).status).to.equal(404)
        expect(await browser.session(base)).to.equal(null)
      })
    })
  }
})
