/** The beginning of an impersonation, against the ends of sessions in another process: in every order of the calls of the stores. */
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { explore, type Run, type Schedule } from '../races/interleavings.js'
import { credentials, secret } from '../support/app.js'
import { freezeClock, restoreClock } from '../support/clock.js'
import { type Strategy, strategies } from '../support/world.js'
import { allow } from './stage.js'

type Cookies = Map<string, string>

/** A process of the site: its own memory, and the shared stores. */
async function startProcess(adapter: object, strategy: Strategy) {
  clearSiteMemories()
  const own = initAuth({
    secret,
    basePath: '/auth',
    trustHost: true,
    adapter: adapter as NonNullable<FullStackAuthConfig['adapter']>,
    providers: [credentials()],
    session: { strategy, revocation: true },
    impersonation: { allow },
    logger: { error() {}, warn() {}, debug() {} },
  })
  /** Runs code of the application in a request, and keeps the cookies of its answer. */
  async function run<T>(cookies: Cookies, work: (functions: typeof own) => Promise<T>): Promise<T> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin', cookie }
    const results: T[] = []
    const request = new Request('http://localhost/page', { method: 'POST', headers })
    const answer = await withRequest(request, async () => {
      results.push(await work(own))
      return new Response()
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, pair.slice(name.length + 1))
    }
    return results[0] as T
  }
  // The first request makes its memory.
  await run(new Map(), ({ auth }) => auth())
  return run
}

type Process = Awaited<ReturnType<typeof startProcess>>

/** The stores as one process has them: other objects, on the same data. */
function sharedBy(schedule: Schedule, adapter: MemoryAdapter): object {
  const { records, log } = adapter.store()
  const store = { records: schedule.gated(records), log: schedule.gated(log, 'revocations') }
  const gated = schedule.gated(adapter, 'db')
  return new Proxy(gated, { get: (from, name) => (name === 'store' ? () => store : Reflect.get(from, name)) })
}

/** The users, and the browser of the administrator. */
interface World {
  readonly there: Process
  readonly ann: string
  readonly root: string
  /** A copy of the cookies before the impersonation. */
  readonly own: Cookies
}

/** Ends of sessions after which no impersonated session may remain, whatever came first. */
const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'the user is disabled': ({ there, ann }) => there(new Map(), ({ users }) => users.disable(ann)),
  'the actor is disabled': ({ there, root }) => there(new Map(), ({ users }) => users.disable(root)),
  'all sessions of the actor end': ({ there, root }) => there(new Map(), ({ sessions }) => sessions.endAll(root)),
  'the own session is signed out': ({ there, own }) => there(own, ({ signOut }) => signOut({ redirect: false })),
}

describe('an impersonation that begins', function () {
  this.timeout(120_000)
  beforeEach(() => freezeClock(1_800_000_015_000))
  afterEach(restoreClock)

  const prepare = async (strategy: Strategy, end: string, schedule: Schedule): Promise<Run> => {
    const adapter = memoryAdapter()
    const create = async (email: string) => (await adapter.createUser({ id: '', email, emailVerified: new Date() })).id
    const [root, ann] = [await create('root@example.com'), await create('ann@example.com')]
    const process = () => startProcess(sharedBy(schedule, adapter), strategy)
    const [here, there] = [await process(), await process()]
    const cookies: Cookies = new Map()
    await here(cookies, ({ startSession }) => startSession({ user: { id: root }, amr: ['pwd'] }))
    const world = { there, ann, root, own: new Map(cookies) }
    const begin = { userId: ann, reason: 'ticket 7' }
    return {
      operations: [
        () => here(cookies, ({ impersonation }) => impersonation.begin(begin)),
        async () => ends[end]?.(world),
      ],
      async judge() {
        const fresh = await process()
        const session = await fresh(new Map(cookies), ({ auth }) => auth())
        if (session?.act) throw new Error('There is an impersonated session.')
        const ended = await fresh(new Map(cookies), ({ impersonation }) => impersonation.end())
        if (ended.ok) throw new Error('It was ended only now.')
      },
    }
  }

  for (const strategy of strategies) {
    for (const end of Object.keys(ends)) {
      it(`RC-11 AZ-03 while ${end}, ${strategy}`, async () => {
        expect(await explore((schedule) => prepare(strategy, end, schedule), 2)).to.be.greaterThan(2)
      })
    }

    it(`AZ-03 ends for processes that remember nothing, ${strategy}`, async () => {
      const adapter = memoryAdapter()
      const create = async (email: string) => (await adapter.createUser({ id: '', email, emailVerified: null })).id
      const [root, ann] = [await create('root@example.com'), await create('ann@example.com')]
      const cookies: Cookies = new Map()
      const here = await startProcess(adapter, strategy)
      await here(cookies, ({ startSession }) => startSession({ user: { id: root }, amr: ['pwd'] }))
      await here(cookies, ({ impersonation }) => impersonation.begin({ userId: ann, reason: 'ticket 7' }))
      const copy = new Map(cookies)
      const there = await startProcess({ ...adapter }, strategy)
      expect(await there(copy, ({ auth }) => auth())).to.have.nested.property('act.userId', root)
      expect(await there(cookies, ({ impersonation }) => impersonation.end())).to.deep.equal({
        ok: true,
        resumed: true,
      })
      const fresh = await startProcess({ ...adapter }, strategy)
      expect(await fresh(copy, ({ auth }) => auth())).to.equal(null)
      expect(await fresh(copy, ({ impersonation }) => impersonation.end())).to.deep.equal({ ok: false, reason: 'none' })
      expect(await fresh(cookies, ({ auth }) => auth())).to.have.nested.property('user.id', root)
    })
  }
})
