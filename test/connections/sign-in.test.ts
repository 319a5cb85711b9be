import { expect } from 'chai'
import { closedAfterEach } from '../support/opened.js'
import { startOpenIdProvider } from '../support/openid-provider.js'
import { base, connectAcme, type OpenStage, openWorld, stagesOf, strategies, type World } from './stage.js'

const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example' },
  { login: 'false', sub: 'false-sub', name: 'False', email: 'false@acme.example', email_verified: false },
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example', email_verified: true },
  { login: 'owner', sub: 'owner-sub', name: 'Owner', email: 'owner@acme.example' },
  { login: 'none', sub: 'none-sub', name: 'None' },
]

describe('sign-ins by a connection', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())
  const doors = stagesOf(() => world)

  for (const [door, at] of Object.entries(doors)) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy} sessions`, () => {
        const open = closedAfterEach(at(strategy))
        /** The owner of `acme`, whose domain is verified and whose connection is on. */
        const acme = async (options: Parameters<OpenStage>[0] = {}) => {
          const stage = await open(options)
          const { owner, id } = await connectAcme(stage)
          return { stage, owner, id }
        }

        it('create a user of the verified domain', async () => {
          const { stage, id } = await acme()
          const browser = stage.browser()
          const { status, headers } = await stage.through(browser, id, 'ann')
          expect([status, headers.location]).to.deep.equal([302, `${stage.origin}/done`])
          const { user } = await browser.session(base)
          expect(user).to.include({ name: 'Ann', email: 'ann@acme.example' })
          const again = stage.browser()
          await stage.through(again, id, 'ann')
          expect((await again.session(base)).user.id).to.equal(user.id)
        })

        it('read the email address from the userinfo endpoint if the id_token has none', async () => {
          const idp = await startOpenIdProvider({ accounts: people, host: '127.0.0.1', claimsIn: 'userinfo' })
          try {
            const { stage, owner } = await acme({ connections: { privateOrigins: [world.idp.issuer, idp.issuer] } })
            const id = await stage.connect(owner.browser, 'acme', idp)
            const browser = stage.browser()
            await stage.through(browser, id, 'ann', idp)
            expect((await browser.session(base)).user).to.include({ name: 'Ann', email: 'ann@acme.example' })
            for (const login of ['guest', 'false', 'none']) {
              const { headers } = await stage.through(stage.browser(), id, login, idp)
              expect(headers.location).to.include('error=AccessDenied')
            }
          } finally {
            await idp.close()
          }
        })

        it('lead to the stored user with the verified address, and report the link once', async () => {
          const links: unknown[] = []
          const events = {
            linkAccount: ({ user, account }: { user: { id?: string }; account: { provider: string } }) =>
              void links.push([user.id, account.provider]),
          }
          const { stage, id } = await acme({ events })
          const { userId } = await stage.signIn('ann@acme.example')
          for (let time = 0; time < 2; time++) {
            const browser = stage.browser()
            await stage.through(browser, id, 'ann')
            expect((await browser.session(base)).user.id).to.equal(userId)
          }
          expect(links).to.deep.equal([[userId, id]])
        })

        it('create no user of another domain, or with an unverified address', async () => {
          const { stage, id } = await acme()
          for (const login of ['guest', 'false', 'none']) {
            const browser = stage.browser()
            const { headers } = await stage.through(browser, id, login)
            expect(headers.location).to.include('error=AccessDenied')
            expect(await browser.session(base)).to.equal(null)
          }
        })

        it('lead to no stored user by an address of another domain', async () => {
          const { stage, id } = await acme({ connections: { provision: 'everybody' } })
          const { userId } = await stage.signIn('guest@elsewhere.example')
          const browser = stage.browser()
          await stage.through(browser, id, 'guest')
          const { user } = await browser.session(base)
          expect(user.id).to.not.equal(userId)
          expect(user.email ?? null).to.equal(null)
        })

        it('confirm the session of a guest, and begin none', async () => {
          const { stage, id, owner } = await acme()
          await stage.through(owner.browser, id, 'owner')
          const guest = await stage.signIn('guest@elsewhere.example')
          stage.members.set(guest.userId, 'acme', 'member')
          expect(await stage.status(guest.browser, 'acme')).to.equal(200)
          await stage.through(guest.browser, id, 'guest')
          expect((await guest.browser.session(base)).user.id).to.equal(guest.userId)
          const elsewhere = stage.browser()
          const { headers } = await stage.through(elsewhere, id, 'guest')
          expect(headers.location).to.include('/signin?')
          expect(await elsewhere.session(base)).to.equal(null)
          // Again in the own session.
          await stage.through(guest.browser, id, 'guest')
          expect((await guest.browser.session(base)).user.id).to.equal(guest.userId)
        })
      })
    }
  }
})
