/** Changes of one organization by several processes at once: it always has an owner, and no user has a role that was not given. */
import { expect } from 'chai'
import fc from 'fast-check'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { ResolvedConfig } from '../../lib/contracts/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { membersTable } from '../../lib/features/members/description.js'
import { admitUser, createOrganization, leaveOrganization, removeMember } from '../../lib/features/members/entry.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { RecordChange, RecordStore } from '../../lib/types/store.js'
import { configOf, type Place, places } from '../deletion/stage.js'
import { extent } from '../support/extent.js'
import { lanesOf } from './lanes.js'
import { addUsers, assertExplained, membersOf, type Operation, perform } from './operations.js'
import { option } from './stage.js'

const processes = 4
/** `TEST_HISTORIES=10000` tries more. */
const numRuns = Number(process.env.TEST_HISTORIES) || (extent === 'all' ? 3000 : 150)

const histories = lanesOf(processes)

/** The store of the history that is played. */
interface CurrentStore {
  readonly records: RecordStore
  readonly seed: number
}

/** Returns a store whose methods take a number of turns of the event loop, so that the calls of processes interleave. */
function delayed(current: CurrentStore, process: number): RecordStore {
  let state = 0
  let seed = 0
  const turns = () => {
    if (seed !== current.seed) state = current.seed + process
    seed = current.seed
    state = (state * 48_271) % 2_147_483_647
    return state % 4
  }
  return new Proxy(current.records, {
    get(_target, name) {
      const own: unknown = Reflect.get(current.records, name)
      if (typeof own !== 'function') return own
      return async (...args: unknown[]) => {
        for (let turn = turns(); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve))
        const result: unknown = await Reflect.apply(own, current.records, args)
        if (turns() % 2) await new Promise((resolve) => setImmediate(resolve))
        return result
      }
    },
  })
}

/** Returns a store that throws if an organization has no owner after a write. */
function watched(records: RecordStore): RecordStore {
  return new Proxy(records, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (name !== 'writeAll' || typeof own !== 'function') return own
      return (changes: readonly RecordChange[]) => {
        const isWritten: unknown = Reflect.apply(own, target, [changes])
        for (const each of isWritten ? changes : []) {
          if (!('record' in each) || each.table.name !== 'auth_organizations') continue
          const page = target.page?.(membersTable, String(each.record.id), { limit: 100 })
          if (!(page as ReadonlyArray<{ role: string }>).some(({ role }) => role === 'owner'))
            throw new Error('There is no owner.')
        }
        return isWritten
      }
    },
  })
}

/** Returns the configuration of each process. */
function configsFor(place: Pick<Place, 'adapter'>, storeOf: (at: number) => RecordStore): ResolvedConfig[] {
  return Array.from({ length: processes }, (_none, at) => {
    const config = configOf({ adapter: place.adapter, store: memoryStore() }, 'jwt')
    const { deletion: _deletion, ...rest } = config
    return getEngine({ ...rest, organizations: { ...option, store: { records: storeOf(at) } } }).config
  })
}

/** Runs a history, and checks the organization afterwards. */
async function play(configs: readonly ResolvedConfig[], records: RecordStore, lanes: readonly Operation[][]) {
  const [config] = configs
  if (!config) throw new Error('There is no process.')
  const created = await createOrganization(config, { name: 'Acme', slug: undefined, owner: 'u0', by: {} })
  if (!created.ok) throw new Error(created.reason)
  const { id } = created.organization
  const tokens = new Map<string, string>()
  const performed: Operation[] = []
  await Promise.all(
    lanes.map(async (lane, at) => {
      for (const each of lane) if (await perform(configs[at] ?? config, id, each, tokens)) performed.push(each)
    }),
  )
  assertExplained(await membersOf(records, id), performed)
}

describe('histories of an organization', function () {
  this.timeout(600_000)

  it('have an owner after each write, in whatever order four processes act', async function () {
    this.timeout(0)
    const adapter = memoryAdapter() as Adapter
    await addUsers(adapter)
    // Several at once, because a history mostly waits.
    const groups = Array.from({ length: 8 }, async (_none, at) => {
      const current = { records: memoryStore().records, seed: 1 }
      const configs = configsFor({ adapter }, (process) => delayed(current, process))
      const property = fc.asyncProperty(histories, fc.integer({ min: 1, max: 1e9 }), async (lanes, seed) => {
        Object.assign(current, { records: watched(memoryStore().records), seed })
        await play(configs, current.records, lanes)
      })
      await fc.assert(property, { seed: 16 + at, numRuns: Math.ceil(numRuns / 8) })
    })
    await Promise.all(groups)
  })

  for (const [name, open] of Object.entries(places)) {
    it(`keep one owner when two leave, or remove each other, at once: ${name}`, async function () {
      const place = await open(this)
      try {
        await addUsers(place.adapter)
        const { records } = place.store
        const configs = configsFor(place, () => records)
        const [one, two] = configs
        if (!one || !two) throw new Error('There is no process.')
        for (let round = 0; round < 8; round += 1) {
          const created = await createOrganization(one, { name: 'Acme', slug: undefined, owner: 'u0', by: {} })
          if (!created.ok) throw new Error(created.reason)
          const { id } = created.organization
          await admitUser({ config: two, id, by: {}, userId: 'u1', role: 'owner', source: 'test' })
          const change = (config: ResolvedConfig, actor: string) => ({ config, id, actor, by: {} })
          const outcomes =
            round % 2
              ? await Promise.all([leaveOrganization(change(one, 'u0')), leaveOrganization(change(two, 'u1'))])
              : await Promise.all([removeMember(change(one, 'u0'), 'u1'), removeMember(change(two, 'u1'), 'u0')])
          expect(outcomes.filter(({ ok }) => ok)).to.have.length(1)
          expect(await membersOf(records, id)).to.have.length(1)
        }
        const [lanes] = fc.sample(histories, { numRuns: 1, seed: 7 })
        for (const some of fc.sample(histories, { numRuns: 3, seed: 11 })) await play(configs, records, some)
        await play(configs, records, lanes ?? [])
      } finally {
        await place.close()
      }
    })
  }
})
