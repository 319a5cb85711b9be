/** The matrix of takeovers: an identity provider states the address or the subject of a user who is not its own. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { closedAfterEach } from '../support/opened.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { base, connectAcme, type OpenStage, openWorld, stagesOf, type World } from './stage.js'

const victimAddress = 'victim@acme.example'

/** The claims of the identity provider of the attacker's organization. */
const statements: Readonly<Record<string, Record<string, unknown>>> = {
  'the address of another organization': { email: victimAddress, email_verified: true },
  'the address in capitals': { email: 'VICTIM@ACME.EXAMPLE', email_verified: true },
  'the address with a dot at the end': { email: `${victimAddress}.`, email_verified: true },
  'an address at a subdomain': { email: 'victim@sub.evil.example', email_verified: true },
  'an address with two domains': { email: `${victimAddress}@evil.example`, email_verified: true },
  'an address that looks alike': { email: 'victim@evil.example\u0000acme.example', email_verified: true },
  'an address of an unverified domain': { email: 'personal@mail.example', email_verified: true },
  'an address of its own domain that it denies': { email: 'staff@evil.example', email_verified: false },
  'a list of addresses': { email: [victimAddress, 'staff@evil.example'], email_verified: true },
  'no address, and the subject of the victim': {},
}

describe('takeovers by a connection', () => {
  let world: World
  let evil: OpenIdProvider
  before(async () => {
    world = await openWorld([{ login: 'victim', sub: 'shared-sub', name: 'Victim', email: victimAddress }])
    const accounts = Object.entries(statements).map(([login, claims], at) => ({
      login,
      sub: Object.keys(claims).length === 0 ? 'shared-sub' : `evil-${at}`,
      name: 'Evil',
      ...claims,
    }))
    evil = await startOpenIdProvider({ accounts, host: '127.0.0.1' })
  })
  after(() => Promise.all([world.close(), evil.close()]))

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    describe(door, () => {
      const openStage = closedAfterEach(at('jwt'))

      /** Two organizations, each with a domain and a connection, and the users of the first one. */
      const open = async (options: Parameters<OpenStage>[0] = {}) => {
        const adapter = memoryAdapter()
        const stage = await openStage({
          adapter,
          ...options,
          connections: {
            privateOrigins: [world.idp.issuer, evil.issuer],
            provision: 'everybody',
            ...options.connections,
          },
        })
        const { owner, id: acme } = await connectAcme(stage)
        const attacker = await stage.signIn('boss@evil.example')
        stage.members.set(attacker.userId, 'evil', 'owner')
        await stage.verify(attacker.browser, 'evil', 'evil.example')
        const evilId = await stage.connect(attacker.browser, 'evil', evil)
        const victim = stage.browser()
        await stage.through(victim, acme, 'victim')
        const { id: victimId } = (await victim.session(base)).user
        const personal = await stage.signIn('personal@mail.example')
        const staff = await stage.signIn('staff@evil.example')
        const users = [owner.userId, attacker.userId, victimId, personal.userId, staff.userId]
        return { stage, adapter, acme, evilId, users, victim, victimId }
      }

      for (const login of Object.keys(statements)) {
        it(`CN-04 lead to no stored user: ${login}`, async () => {
          const { stage, adapter, evilId, users } = await open()
          const browser = stage.browser()
          await stage.through(browser, evilId, login, evil).catch(() => {})
          const session = await browser.session(base)
          expect(users).to.not.include(session?.user?.id)
          const made = session?.user?.id === undefined ? null : await adapter.getUser(session.user.id)
          expect([made?.email ?? null, made?.emailVerified ?? null]).to.deep.equal([null, null])
        })
      }

      it('CN-04 link no account to a signed-in user of another address', async () => {
        for (const login of [
          'the address in capitals',
          'an address of an unverified domain',
          'no address, and the subject of the victim',
        ]) {
          const { stage, evilId, victim, victimId } = await open()
          stage.members.set(victimId, 'evil', 'member')
          const isSame = login === 'the address in capitals'
          const { headers } = await stage.through(victim, evilId, login, evil)
          // The own, verified address confirms the session. It begins no session elsewhere.
          expect(headers.location?.includes('error=OAuthAccountNotLinked'), login).to.equal(!isSame)
          expect((await victim.session(base)).user.id).to.equal(victimId)
          const elsewhere = stage.browser()
          await stage.through(elsewhere, evilId, login, evil)
          expect((await elsewhere.session(base))?.user?.id).to.not.equal(victimId)
        }
      })

      it('CN-04 link nothing for a user who is no member', async () => {
        const { stage, evilId, victim, victimId } = await open()
        const { headers } = await stage.through(victim, evilId, 'the address in capitals', evil)
        expect(headers.location).to.include('error=OAuthAccountNotLinked')
        expect((await victim.session(base)).user.id).to.equal(victimId)
      })

      it('CN-04 do not follow a user who moves to an address of their own', async () => {
        const { stage, adapter, acme, victimId } = await open()
        await adapter.updateUser({ id: victimId, email: 'private@mail.example', emailVerified: new Date() })
        const browser = stage.browser()
        const { headers } = await stage.through(browser, acme, 'victim')
        expect(headers.location).to.include('/signin?')
        expect(await browser.session(base)).to.equal(null)
      })

      it('CN-04 do not give an address to its attacker, who claimed it before without a proof', async () => {
        const { stage, adapter, acme } = await open()
        const { id } = await adapter.createUser({ id: '', email: 'new@acme.example', emailVerified: null })
        expect(id).to.be.a('string')
        const browser = stage.browser()
        await stage.through(browser, acme, 'victim')
        expect((await browser.session(base)).user.id).to.not.equal(id)
      })

      it('CN-05 accept an answer at another connection: 0 of all pairs', async () => {
        const { stage, acme, evilId } = await open()
        for (const [from, to, idp, login] of [
          [acme, evilId, world.idp, 'victim'],
          [evilId, acme, evil, 'the address of another organization'],
        ] as const) {
          const browser = stage.browser()
          const { headers } = await browser.submit(`${base}/signin/${from}`)
          const returned = await idp.signInAs(headers.location ?? '', login)
          await browser.get(returned.replace(from, to))
          expect(await browser.session(base)).to.equal(null)
        }
      })
    })
  }
})
