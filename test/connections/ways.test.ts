/** The ways to a connection besides its own page: a typed address, the identity provider, and `signIn`. And many connections at once. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable, domainsTable } from '../../lib/features/connections/description.js'
import { sealSecret } from '../../lib/features/connections/provider.js'
import Email from '../../lib/providers/email.js'
import GitHub from '../../lib/providers/github.js'
import { credentials } from '../support/app.js'
import { closedAfterEach } from '../support/opened.js'
import { base, changeRecord, connectAcme, type OpenStage, openWorld, stagesOf, type World } from './stage.js'

const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example' },
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example' },
]

describe('ways to a connection', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    describe(door, () => {
      const open = closedAfterEach(at('jwt'))
      const acme = async (options: Parameters<OpenStage>[0] = {}) => {
        const adapter = memoryAdapter()
        const stage = await open({ adapter, theme: { identifierFirst: true }, ...options })
        const { owner, id } = await connectAcme(stage)
        return { stage, adapter, owner, id }
      }

      it('a typed address leads there by its domain only', async () => {
        const { stage, owner, id } = await acme()
        const type = async (identifier: string) => {
          const { headers } = await stage.browser().submit(`${base}/signin`, { identifier, navigation: 'form' })
          return headers.location ?? headers.refresh ?? ''
        }
        for (const known of ['owner@acme.example', 'nobody@acme.example', 'Nobody@ACME.Example']) {
          const to = await type(known)
          expect(to, known).to.include(`${world.idp.issuer}/auth?`)
          expect(to).to.include('login_hint=')
        }
        for (const other of ['a@sub.acme.example', 'a@beta.example', 'acme.example', 'a@', '']) {
          expect(await type(other), other).to.include(`${base}/signin`)
        }
        await stage.call(owner.browser, 'set', id, { state: 'test' })
        expect(await type('nobody@acme.example')).to.include(`${base}/signin`)
      })

      for (const [methods, provider, found, method] of [
        [
          'email links only',
          Email({ sendVerificationRequest: () => undefined, from: 'a@b.example' }),
          'type="email"',
          '/signin/email"',
        ],
        ['user names only', credentials(), 'Email address or username', '/callback/credentials"'],
        [
          'no method that needs an address',
          GitHub({ clientId: 'id', clientSecret: 'secret' }),
          'type="email"',
          '/signin/github"',
        ],
      ] as const) {
        it(`the sign-in page asks for an address with ${methods}`, async () => {
          const { stage } = await acme({ providers: [provider] })
          const browser = stage.browser()
          const page = (await browser.get(`${base}/signin`)).text
          expect(page).to.include('name="identifier"').and.include(found)
          await browser.submit(`${base}/signin`, { identifier: 'ann@elsewhere.example', navigation: 'form' })
          const next = (await browser.get(`${base}/signin`)).text
          expect(next).not.to.include('name="identifier"')
          expect(next).to.include('ann@elsewhere.example').and.include(method)
        })
      }

      it('CN-11 the identity provider begins a sign-in, which is one of this browser', async () => {
        const { stage, id } = await acme()
        const url = (query: Record<string, string>) => `${base}/initiate/${id}?${new URLSearchParams(query)}`
        const browser = stage.browser({ 'sec-fetch-site': 'cross-site' })
        const target = `${stage.origin}/page`
        const begun = await browser.get(url({ iss: world.idp.issuer, target_link_uri: target, login_hint: 'ann' }))
        expect(begun.headers.location).to.include(`${world.idp.issuer}/auth?`).and.include('login_hint=ann')
        const done = await browser.get(await world.idp.signInAs(begun.headers.location ?? '', 'ann'))
        expect(done.headers.location).to.equal(target)
        expect((await browser.session(base)).user.email).to.equal('ann@acme.example')
        const foreign = await stage
          .browser()
          .get(url({ iss: world.idp.issuer, target_link_uri: 'https://evil.example/' }))
        const returned = await world.idp.signInAs(foreign.headers.location ?? '', 'ann')
        expect(returned).to.not.include('evil.example')
        expect((await browser.get(url({ iss: 'https://evil.example' }))).status).to.equal(400)
        expect((await browser.get(url({}))).status).to.equal(400)
        expect((await browser.get(`${base}/initiate/credentials?iss=${world.idp.issuer}`)).status).to.equal(404)
      })

      it('CN-11 an answer without an attempt of this browser begins no session', async () => {
        const { stage, id } = await acme()
        const [asking, other] = [stage.browser(), stage.browser()]
        const { headers } = await asking.submit(`${base}/signin/${id}`)
        await other.get(await world.idp.signInAs(headers.location ?? '', 'ann'))
        expect(await other.session(base)).to.equal(null)
      })

      it('CN-11 a page of another site links nothing to the signed-in user', async () => {
        const { stage, id } = await acme()
        const guest = await stage.signIn('guest@elsewhere.example')
        stage.members.set(guest.userId, 'acme', 'member')
        guest.browser.headers['sec-fetch-site'] = 'cross-site'
        const begun = await guest.browser.get(
          `${base}/initiate/${id}?${new URLSearchParams({ iss: world.idp.issuer })}`,
        )
        const { headers } = await guest.browser.get(await world.idp.signInAs(begun.headers.location ?? '', 'guest'))
        expect(headers.location).to.include('error=AccessDenied')
        expect((await guest.browser.session(base)).user.id).to.equal(guest.userId)
      })

      it('call `admit` with the role, and let it reject', async () => {
        const admitted: unknown[] = []
        let answer: boolean | undefined
        const { stage, id } = await acme({
          connections: {
            role: (claims) => `role of ${claims.name}`,
            admit: (userId, organization, admission) => {
              admitted.push([typeof userId, organization, admission])
              return answer
            },
          },
        })
        await stage.through(stage.browser(), id, 'ann')
        const expected = { role: 'role of Ann', source: 'connection', verifiedEmail: 'ann@acme.example' }
        expect(admitted).to.deep.equal([['string', 'acme', expected]])
        answer = false
        const browser = stage.browser()
        await stage.through(browser, id, 'ann')
        expect(await browser.session(base)).to.equal(null)
      })

      it('`invited` decides who is created', async () => {
        let invited = false
        const { stage, id } = await acme({ connections: { provision: 'invited', invited: () => invited } })
        const browser = stage.browser()
        await stage.through(browser, id, 'ann')
        expect(await browser.session(base)).to.equal(null)
        invited = true
        await stage.through(browser, id, 'ann')
        expect((await browser.session(base)).user.email).to.equal('ann@acme.example')
      })

      it('a domain whose record is missing for three days proves no address, and linked accounts continue', async () => {
        const { stage, adapter, id } = await acme()
        await stage.through(stage.browser(), id, 'ann')
        const { records } = adapter.store()
        const failedSince = new Date(Date.now() - 73 * 60 * 60 * 1000)
        await changeRecord(records, { table: domainsTable, key: { domain: 'acme.example' } }, { failedSince })
        const browser = stage.browser()
        await stage.through(browser, id, 'ann')
        expect((await browser.session(base)).user.email).to.equal('ann@acme.example')
        const { headers } = await stage
          .browser()
          .submit(`${base}/signin`, { identifier: 'a@acme.example', navigation: 'form' })
        expect(headers.location).to.include(`${base}/signin`)
      })

      it('CN-05 of 500 connections, each accepts its own answer only', async function () {
        this.timeout(120_000)
        const { stage, adapter, id } = await acme({ connections: { provision: 'everybody' } })
        const { records } = adapter.store()
        const { version: _version, ...row } = (await records.find(connectionsTable, { id })) ?? {}
        const ids = Array.from({ length: 500 }, (_, at) => `connection-${at.toString(16).padStart(32, '0')}`)
        for (const each of ids) {
          const secret = await sealSecret(
            { secrets: [String(stage.config.secret)] } as never,
            each,
            world.idp.settings().clientSecret,
          )
          await records.write(connectionsTable, { ...row, id: each, organizationId: `org-${each}`, secret }, 0)
        }
        const browser = stage.browser()
        const { headers } = await browser.submit(`${base}/signin/${ids[0]}`)
        const returned = await world.idp.signInAs(headers.location ?? '', 'ann')
        let accepted = 0
        for (const each of ids.slice(1)) {
          const copy = stage.browser()
          for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
          await copy.get(returned.replace(String(ids[0]), each))
          if (await copy.session(base)) accepted += 1
        }
        expect(accepted).to.equal(0)
      })
    })
  }
})
