/** Four processes of the operating system that change an organization at once, on each database. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import fc from 'fast-check'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { createInvitation, createOrganization } from '../../lib/features/members/entry.js'
import { forkScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import type { Part, Played } from './history-main.js'
import { lanesOf } from './lanes.js'
import {
  addUsers,
  assertExplained,
  kinds,
  membersOf,
  type Operation,
  perform,
  settingsOf,
  users,
} from './operations.js'

const processes = 4
/** `TEST_HISTORIES=500` plays as many on each database. */
const count = Number(process.env.TEST_HISTORIES) || (extent === 'all' ? 10_000 : 120)
/** The histories that are played at once, because a history mostly waits. */
const atOnce = 6

/** The operation that makes a user a member, or invites the user. Half of the members are owners. */
const beginningOf = (user: string): fc.Arbitrary<Operation> =>
  fc.record({
    kind: fc.constantFrom('admit', 'admit', 'admit', 'invite'),
    actor: fc.constant(users[0]),
    user: fc.constant(user),
    role: fc.constantFrom('owner', 'owner', 'owner', 'admin', 'member', 'guest'),
  })
/** The operations before the processes begin, and those of each process. */
const histories = fc.record({
  before: fc.tuple(...users.slice(1).map(beginningOf)),
  lanes: lanesOf(processes),
})
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never

/** A process, and the function that lets it play its part. */
interface Player {
  readonly child: ChildProcess
  play(part: Part): Promise<Played>
}

async function openPlayer(url: string): Promise<Player> {
  const child = await forkScript('test/members/history-main.ts', { HISTORY_DATABASE: url })
  const waiting = new Map<number, (played: Played) => void>()
  await once(child, 'message')
  child.on('message', (played: Played) => waiting.get(played.number)?.(played))
  return {
    child,
    play: (part) =>
      new Promise((resolve) => {
        waiting.set(part.number, resolve)
        child.send(part)
      }),
  }
}

/** An application of which four processes run. */
async function openApplication(url: string) {
  const db = connect(url)
  const adapter = sqlAdapter(db)
  await adapter.migrate()
  await addUsers(adapter)
  const { config } = getEngine(settingsOf(adapter))
  const players = await Promise.all(Array.from({ length: processes }, () => openPlayer(url)))
  return {
    ...{ config, players, records: adapter.store().records },
    async create(): Promise<string> {
      const created = await createOrganization(config, { name: 'Acme', slug: undefined, owner: users[0], by: {} })
      return created.ok ? created.organization.id : expect.fail(created.reason)
    },
    async close() {
      for (const { child } of players) child.kill('SIGKILL')
      await db.destroy()
    },
  }
}

type Application = Awaited<ReturnType<typeof openApplication>>

/** Plays a history, and checks the organization afterwards. */
async function playHistory({ config, players, records, create }: Application, number: number, history: History) {
  const organization = await create()
  const tokens = new Map<string, string>()
  const performed: Operation[] = []
  for (const each of history.before) if (await perform(config, organization, each, tokens)) performed.push(each)
  const played = await Promise.all(
    players.map(({ play }, at) =>
      play({ number, organization, operations: history.lanes[at] ?? [], atOnce: false, tokens: [...tokens] }),
    ),
  )
  try {
    for (const { error } of played) if (error !== undefined) throw new Error(error)
    performed.push(...played.flatMap((each) => each.performed))
    assertExplained(await membersOf(records, organization), performed)
  } catch (cause) {
    throw new Error(`The history ${JSON.stringify(history)} failed: ${cause}`, { cause })
  }
  return performed
}

if (extent !== 'quick') {
  for (const kind of databaseKinds) {
    describe(`four processes that change organizations in ${kind}`, function () {
      this.timeout(0)
      this.slow(30_000)
      let application: Application
      let close: () => Promise<void>
      before(async function () {
        const database = await requireDatabase(this, kind)
        close = async () => {
          await application?.close()
          await database.close()
        }
        application = await openApplication(database.url)
      })
      after(() => close?.())

      it('leave an owner, no member twice, and no role that was not given', async () => {
        const waiting = fc.sample(histories, { numRuns: count, seed: 31 }).entries()
        const performed: Operation[] = []
        const playNext = async () => {
          for (const [number, history] of waiting) performed.push(...(await playHistory(application, number, history)))
        }
        await Promise.all(Array.from({ length: atOnce }, playNext))
        // Histories without an effect would show nothing.
        for (const each of kinds)
          expect(
            performed.some((one) => one.kind === each),
            `${each} took effect`,
          ).to.equal(true)
        expect(performed.length).to.be.above(count * 5)
      })

      it('make a user a member once when each accepts the same invitation fifty times', async () => {
        const { config, players, records, create } = application
        const organization = await create()
        const [owner, user] = users
        const change = { config, id: organization, actor: owner, by: { by: owner } }
        const sent = await createInvitation(change, { email: `${user}@example.com`, role: 'admin' })
        if (!sent.ok) expect.fail(sent.reason)
        const accept = { kind: 'accept', actor: user, user, role: '' } as const
        const part: Part = {
          ...{ number: -1, organization, atOnce: true, tokens: [[user, sent.token]] },
          operations: Array.from({ length: 50 }, () => accept),
        }
        const played = await Promise.all(players.map(({ play }) => play(part)))
        expect(played.flatMap(({ error }) => error ?? [])).to.deep.equal([])
        expect(await membersOf(records, organization)).to.deep.equal([
          { userId: owner, role: 'owner' },
          { userId: user, role: 'admin' },
        ])
        // The others find the user to be a member.
        expect(played.reduce((sum, each) => sum + each.performed.length, 0)).to.equal(200)
        expect(played.reduce((sum, each) => sum + each.added, 0)).to.equal(1)
      })
    })
  }
}
