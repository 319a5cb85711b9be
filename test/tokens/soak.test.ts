/**
 * Three processes that share a store, and a real provider whose refresh tokens work once, behind a front that answers late or never, and is
 * killed. A process is killed now and then. No grant may be lost that an application can keep, and no call may wait for longer than its time.
 *
 * `TOKENS_SOAK_SECONDS=600 npx mocha test/tokens/soak.test.ts` runs it for so long, with the delays of a bad day.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { migrate, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { openTokens } from '../../lib/features/tokens/seal.js'
import { customFetch } from '../../lib/index.js'
import { secret, startApp, type TestApp, target } from '../support/app.js'
import { forkScript } from '../support/child-script.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { tokensIn } from '../support/stores.js'
import type { SoakReport, SoakSettings } from './soak-main.js'
import { type Grant, UnrulyFront } from './unruly-front.js'

const seconds = Number(process.env.TOKENS_SOAK_SECONDS ?? (extent === 'all' ? 300 : 30))
const isLong = seconds >= 120
/** Seconds that a call may take. */
const timeout = isLong ? 10 : 3
const manners = { slowest: isLong ? 15_000 : 4500, hangs: 0.01 }
/** Seconds between deaths: of a process and of the provider in turn. */
const between = isLong ? 25 : 9
const logins = Array.from({ length: isLong ? 30 : 12 }, (_none, at) => `user-${at}`)

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

if (extent !== 'quick') {
  describe('provider tokens under fire', function () {
    this.timeout((seconds + 180) * 1000)
    let provider: OpenIdProvider
    let database: TestDatabase
    let front: UnrulyFront
    let app: TestApp
    let lastGiven = ''
    let lastUserId = ''
    const grants = new Map<string, Grant>()
    const workers: ChildProcess[] = []
    const signIns: Promise<void>[] = []

    before(async function () {
      database = await requireDatabase(this, 'postgres')
      await migrate(database.db)
      provider = await startOpenIdProvider({
        accounts: logins.map((login) => ({ login, sub: `${login}-sub`, email: `${login}@example.com` })),
        configuration: {
          scopes: ['openid', 'offline_access'],
          rotateRefreshToken: true,
          ttl: {
            AccessToken: 4,
            RefreshToken: 86400,
            Grant: 86400,
            IdToken: 3600,
            Session: 86400,
            Interaction: 600,
          },
        },
      })
      front = new UnrulyFront(provider.issuer, manners)
      await front.start()
      app = await startApp({
        adapter: sqlAdapter(database.db),
        tokens: { store: sqlStore(database.db) },
        events: {
          signIn({ user }) {
            lastUserId = user.id ?? ''
          },
        },
        providers: [
          {
            id: 'test',
            name: 'Test',
            type: 'oidc',
            ...provider.settings(),
            authorization: { params: { scope: 'openid offline_access', prompt: 'consent' } },
            [customFetch]: async (...request: Parameters<typeof fetch>) => {
              const response = await fetch(...request)
              if (String(request[0]).endsWith('/token')) lastGiven = (await response.clone().json()).refresh_token
              return response
            },
          },
        ],
      })
    })
    after(async () => {
      for (const worker of workers) worker.kill('SIGKILL')
      await front?.kill()
      await app?.close()
      await provider?.close()
      await database?.close()
    })

    /** Signs users in one after the other, because the order shows which user got which token. */
    async function signIn(login: string): Promise<string> {
      const browser = app.browser()
      const start = await browser.submit('/auth/signin/test')
      await browser.get(await provider.signInAs(target(start), login))
      grants.set(login, front.add(login, lastGiven))
      return lastUserId
    }

    async function startWorker(settings: SoakSettings): Promise<ChildProcess> {
      const child = await forkScript('test/tokens/soak-main.ts', { WORKER: JSON.stringify(settings) })
      await once(child, 'message')
      workers.push(child)
      return child
    }

    async function killWorker(settings: SoakSettings): Promise<void> {
      const [victim] = workers
      if (!victim?.pid) throw new Error('there is no process')
      // While it has a refresh under way.
      for (let tries = 0; tries < 500 && !front.isWaiting(victim.pid); tries++) await pause(10)
      front.orphan(victim.pid)
      victim.kill('SIGKILL')
      workers.shift()
      await startWorker(settings)
    }

    async function killProvider(): Promise<void> {
      await front.kill()
      await pause(isLong ? 3000 : 1000)
      await front.start()
    }

    async function stored(login: string): Promise<string | undefined> {
      const row = await tokensIn(sqlStore(database.db)).find({ provider: 'test', providerAccountId: `${login}-sub` })
      return row ? (await openTokens(row.sealed, row, [secret]))?.refresh_token : undefined
    }

    it(`OA-12 OA-13 RC-14 no grant is lost in ${seconds} seconds, and no call hangs`, async () => {
      const losses: Grant[] = []
      const userIds: string[] = []
      for (const login of logins) userIds.push(await signIn(login))
      front.onLoss = (grant) => {
        losses.push(grant)
        // The user connects again.
        const before = signIns.at(-1) ?? Promise.resolve()
        signIns.push(before.then(() => signIn(grant.user)).then(() => {}))
      }
      const settings = {
        secret,
        url: database.url,
        userIds,
        provider: provider.settings(),
        front: front.origin,
        timeout,
      }
      await Promise.all([1, 2, 3].map(() => startWorker(settings)))
      const end = Date.now() + seconds * 1000
      for (let turn = 0; Date.now() + between * 1000 < end; turn++) {
        await pause(between * 1000)
        await (turn % 2 === 0 ? killWorker(settings) : killProvider())
      }
      await pause(Math.max(0, end - Date.now()))
      // A killed process may have left another one waiting for a lease.
      for (let tries = 0; tries < 100 && front.orphans.length > 0; tries++) await pause(100)
      const left = front.orphans.length
      const reports = await Promise.all(
        workers.map(async (worker) => {
          const answered = once(worker, 'message')
          worker.send('stop')
          return (await answered)[0] as SoakReport
        }),
      )
      // These requests were pending when the last callers left.
      for (let quiet = 0; quiet < 20; quiet = front.held > 0 ? 0 : quiet + 1) await pause(100)
      await pause(manners.slowest + 1000)
      await Promise.all(signIns)
      const count = (loss: Grant['loss']) => losses.filter((grant) => grant.loss === loss).length
      const figures = {
        seconds,
        ...front.counts,
        calls: reports.reduce((sum, { calls }) => sum + calls, 0),
        longest: Math.round(Math.max(...reports.map(({ longest }) => longest))),
        latest: Math.round(Math.max(...reports.map(({ latest }) => latest))),
        errors: reports.map(({ errors }) => errors),
        lost: count('reuse'),
        lostWithProvider: count('the provider died with the answer'),
        lostWithProcess: count('the process died with the answer'),
        recoveries: front.recoveries.map(Math.round),
      }
      if (process.env.TOKENS_SOAK_SECONDS) process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`)
      expect(losses.filter(({ loss }) => loss === 'reuse').map(({ story }) => story.slice(-12))).to.deep.equal([])
      for (const [login, grant] of grants) {
        if (grant.loss === undefined) expect(await stored(login), login).to.equal(grant.current)
      }
      // Times are checked only if the soak runs alone: beside other tests they depend on the machine.
      if (process.env.TOKENS_SOAK_SECONDS) expect(figures.latest).to.be.lessThan(1000)
      expect(reports.map(({ ended }) => ended)).to.deep.equal([0, 0, 0])
      expect(left).to.equal(0)
      if (process.env.TOKENS_SOAK_SECONDS) expect(Math.max(0, ...front.recoveries)).to.be.lessThan(10_000)
      expect(front.counts.refreshes).to.be.greaterThan(seconds / 2)
      const faults = reports.flatMap(({ errors }) => Object.keys(errors))
      expect(faults.filter((name) => !/^(RefreshError retryable|ConsentRequired refused)$/.test(name))).to.deep.equal(
        [],
      )
    })
  })
}
