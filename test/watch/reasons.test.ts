/** The reasons with which the watch of a session ends: at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { WatchOptions } from '../../lib/features/watch/types.js'
import type { AdapterUser } from '../../lib/types/adapter.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Browser } from '../support/http-browser.js'
import { type Strategy, strategies } from '../support/world.js'
import { doors, reasonOf, type WatchStage } from './stage.js'

/** A session, and its place in the application. */
interface Scene {
  readonly stage: WatchStage
  readonly browser: Browser
  readonly user: AdapterUser
  /** Ends a membership. */
  leave(organization: string): void
}

interface Case {
  readonly options?: WatchOptions
  readonly end: (scene: Scene) => unknown
  /** `undefined`: the watch continues. */
  readonly reason: string | undefined
}

const signOut = (browser: Browser) => browser.submit('/api/auth/signout')

/** Changes of a session, and the reason of each. */
const cases: Readonly<Record<string, Case>> = {
  'a sign-out': { end: ({ browser }) => signOut(browser), reason: 'ended' },
  'the end by another session of the user': {
    end: async ({ stage, user }) => (await stage.again(user.id)).get('/own/end-others'),
    reason: 'ended',
  },
  'the end of all sessions of the user': {
    end: ({ stage, user }) => stage.auth.sessions.endAll(user.id),
    reason: 'ended',
  },
  'another sign-in in the browser': {
    end: ({ browser, user }) => browser.get(`/own/start?user=${user.id}`),
    reason: 'ended',
  },
  'another active organization, whose session replaces this one': {
    end: ({ browser }) => browser.get('/own/active?id=beta'),
    reason: 'ended',
  },
  'the end of the session of an actor': {
    async end({ stage, browser, user }) {
      const root = await stage.signIn('root')
      await root.browser.get(`/own/impersonate?user=${user.id}`)
      const impersonated = await stage.watch(root.browser)
      await wait(1200)
      expect(impersonated.reasons, 'the impersonated session').to.deep.equal([])
      await stage.auth.sessions.endAll(root.user.id)
      expect(await reasonOf(impersonated)).to.equal('ended')
      expect(await browser.session('/api/auth'), 'the own session').to.not.equal(null)
    },
    reason: undefined,
  },
  'the end of an impersonation': {
    async end({ stage, user }) {
      const boss = await stage.signIn('boss')
      await boss.browser.get(`/own/impersonate?user=${user.id}`)
      const impersonated = await stage.watch(boss.browser)
      await boss.browser.get('/own/impersonate-end')
      expect(await reasonOf(impersonated)).to.equal('ended')
    },
    reason: undefined,
  },
  'a disabled user': { end: ({ stage, user }) => stage.auth.users.disable(user.id), reason: 'user-disabled' },
  'a deleted user': {
    end: ({ stage, user }) => stage.auth.users.delete(user.id, { reason: 'ticket 7' }),
    reason: 'user-disabled',
  },
  'the end of another session of the user': {
    end: async ({ stage, user }) => signOut(await stage.again(user.id)),
    reason: undefined,
  },
  'the end of the membership': {
    options: { organization: 'acme' },
    end: ({ leave }) => leave('acme'),
    reason: 'left-organization',
  },
  'the end of the membership of another organization': {
    options: { organization: 'acme' },
    end: ({ leave }) => leave('beta'),
    reason: undefined,
  },
}

/** Changes of the time of a session. */
const times: Readonly<Record<string, Case>> = {
  'its time': { end: () => advanceClock(700), reason: 'expired' },
  'the absolute end, although the session is used': {
    async end({ browser }) {
      for (let at = 0; at < 3; at += 1) {
        advanceClock(500)
        await browser.session('/api/auth')
      }
      advanceClock(500)
    },
    reason: 'expired',
  },
  'an extension by another request of the browser': {
    async end({ browser }) {
      advanceClock(400)
      await browser.session('/api/auth')
      advanceClock(400)
      expect(await browser.session('/api/auth'), 'the session').to.not.equal(null)
    },
    reason: undefined,
  },
}

for (const [door, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`auth.sessions.watch (${door}, ${strategy} sessions)`, function () {
      this.timeout(20_000)
      this.slow(8000)
      let stage: WatchStage
      let left: Set<string>

      beforeEach(async () => {
        left = new Set()
        stage = await open(configOf(strategy, left))
      })
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      async function begin(name: string, options: WatchOptions = {}) {
        const { browser, user } = await stage.signIn(name)
        const scene: Scene = { stage, browser, user, leave: (organization) => left.add(`${user.id} ${organization}`) }
        return { scene, watching: await stage.watch(browser, options) }
      }

      it('ends once, with the reason, and only if the session itself is over', async () => {
        const entries = Object.entries(cases)
        const begun = await Promise.all(
          entries.map(async ([title, each], at) => ({ title, each, ...(await begin(`user${at}`, each.options)) })),
        )
        await wait(1500)
        for (const { title, watching } of begun) expect(watching.reasons, title).to.deep.equal([])
        await Promise.all(begun.map(({ each, scene }) => each.end(scene)))
        await wait(3500)
        const found = Object.fromEntries(begun.map(({ title, watching }) => [title, watching.reasons]))
        const expected = entries.map(([title, { reason }]) => [title, reason === undefined ? [] : [reason]])
        expect(found).to.deep.equal(Object.fromEntries(expected))
      })

      for (const [title, { end, reason }] of Object.entries(times)) {
        it(`${reason ? `ends with \`${reason}\` after` : 'continues after'} ${title}`, async () => {
          freezeClock()
          const { scene, watching } = await begin('ann')
          await wait(1200)
          expect(watching.reasons).to.deep.equal([])
          await end(scene)
          advanceClock(2)
          if (reason === undefined) await wait(1500)
          else await reasonOf(watching)
          expect(watching.reasons).to.deep.equal(reason === undefined ? [] : [reason])
        })
      }

      it('ends with `left-organization` if no organization is active', async () => {
        const { browser } = await stage.signIn('ann')
        expect(await reasonOf(await stage.watch(browser, { organization: true }))).to.equal('left-organization')
      })

      it('follows the organization that was active at the beginning', async () => {
        const { browser, user } = await stage.signIn('ann')
        await browser.get('/own/active?id=acme')
        const watching = await stage.watch(browser, { organization: true })
        await wait(1200)
        expect(watching.reasons).to.deep.equal([])
        left.add(`${user.id} acme`)
        expect(await reasonOf(watching)).to.equal('left-organization')
      })

      it('ends soon, and after it has returned, if there is no session', async () => {
        const watching = await stage.watch(stage.browser())
        expect(await reasonOf(watching, 1000)).to.equal('ended')
      })

      it('is never called after `stop`, which may be called again', async () => {
        const { browser } = await stage.signIn('ann')
        const watching = await stage.watch(browser)
        watching.stop()
        watching.stop()
        const visitor = await stage.watch(stage.browser(), {})
        visitor.stop()
        await signOut(browser)
        await wait(2500)
        expect(watching.reasons).to.deep.equal([])
      })
    })
  }
}

/** @param left The users and organizations of memberships that are over. */
function configOf(strategy: Strategy, left: ReadonlySet<string>): Partial<FullStackAuthConfig> {
  return {
    adapter: memoryAdapter(),
    session: {
      strategy,
      maxAge: 600,
      updateAge: 0,
      absoluteMaxAge: 1800,
      revocation: memoryStore(),
    },
    deletion: true,
    impersonation: { allow: (session) => ['root', 'boss'].includes(session.user?.name ?? '') },
    organizations: {
      membership: (userId, id) => (left.has(`${userId} ${id}`) ? null : { role: 'member' }),
      roles: { member: [] },
    },
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
