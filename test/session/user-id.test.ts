/** The id of the signed-in user, as `session.user.id`: with both strategies, whatever the callbacks do. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Door } from '../support/app.js'
import { doors } from '../support/doors.js'

for (const [name, start] of doors) {
  describe(`session.user.id (${name})`, () => {
    let door: Door | undefined
    afterEach(() => door?.close())

    async function signIn(config: Partial<ServerAuthConfig>) {
      door = await start(config)
      const browser = door.browser()
      await browser.signIn()
      return browser
    }

    async function idsOf(config: Partial<ServerAuthConfig>) {
      const browser = await signIn(config)
      const bodies = [await browser.session(), (await browser.get('/me')).body] as Array<{ user?: { id?: string } }>
      return bodies.map((body) => body.user?.id)
    }

    for (const strategy of ['jwt', 'database'] as const) {
      it(`is the id of the stored user of a started session, with ${strategy} sessions`, async () => {
        const adapter = memoryAdapter()
        const [id, same] = await idsOf({ adapter, session: { strategy } })
        const user = await adapter.getUserByEmail('ann@example.com')
        expect(id).to.equal(strategy === 'database' ? user?.id : 'id-of-ann')
        expect(same).to.equal(id)
      })
    }

    it('is the id at the provider without an adapter', async () => {
      expect(await idsOf({})).to.deep.equal(['id-of-ann', 'id-of-ann'])
    })

    it('remains when the `jwt` callback removes `sub`', async () => {
      const callbacks: ServerAuthConfig['callbacks'] = {
        jwt: ({ token: { sub: _removed, ...token } }) => token,
      }
      expect(await idsOf({ callbacks })).to.deep.equal(['id-of-ann', 'id-of-ann'])
    })

    it('is not what the client sends, if the `jwt` callback removes `sub` and merges everything', async () => {
      const callbacks: ServerAuthConfig['callbacks'] = {
        jwt({ token: { sub: _removed, ...token }, trigger, session }) {
          return trigger === 'update' ? { ...token, ...Object(session) } : token
        },
      }
      const browser = await signIn({ callbacks })
      const data = { sub: 'bob', auth_epoch: { user: 'bob' }, auth_owner: { id: 'bob', type: 'oauth' } }
      const json = { csrfToken: await browser.csrf(), data }
      const { body } = await browser.send('post', '/auth/session', { json })
      expect(body.user.id).to.equal('id-of-ann')
      expect((await browser.get('/me')).body.user.id).to.equal('id-of-ann')
    })

    it('is removed by a `session` callback that returns other fields', async () => {
      const callbacks: ServerAuthConfig['callbacks'] = {
        session: ({ session: { expires, user } }) => ({ expires, user: { name: user.name ?? null } }),
      }
      const browser = await signIn({ callbacks })
      expect(await browser.session()).to.have.deep.property('user', { name: 'ann' })
    })
  })
}
