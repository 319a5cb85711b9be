/** The contract of stores finds what is wrong with one. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { recordTables } from '../../lib/store/tables.js'
import { storeContract } from '../../lib/testing/index.js'
import type {
  CounterStore,
  LogStore,
  RecordKey,
  RecordStore,
  RecordTable,
  Revocation,
  Store,
  StoredRecord,
} from '../../lib/types/store.js'
import { createRunner } from './runner.js'

/** Waits as long as a database between two statements. */
const roundTrip = () => new Promise<void>((resolve) => setImmediate(resolve))

type Defects<Contract> = Readonly<
  Record<string, readonly [found: string, broken: (right: Contract) => Partial<Contract>]>
>

const keyIn = ({ key }: RecordTable, row: StoredRecord): RecordKey =>
  Object.fromEntries(key.map((column) => [column, String(row[column])]))
const nameOf = (table: RecordTable, row: StoredRecord) =>
  JSON.stringify([table.name, ...table.key.map((column) => row[column])])

async function versionOf(right: RecordStore, table: RecordTable, row: StoredRecord): Promise<number> {
  const found = await right.find(table, keyIn(table, row))
  return found ? Number(found.version ?? 1) : 0
}

/** The record with each value of some types changed. */
function changed(table: RecordTable, row: StoredRecord, type: RegExp, change: (value: never) => unknown): StoredRecord {
  const columns = Object.keys(table.columns).filter((column) => type.test(table.columns[column] ?? ''))
  const values = columns.map((column) => [column, row[column] === null ? null : change(row[column] as never)] as const)
  return { ...row, ...(Object.fromEntries(values) as StoredRecord) }
}

/** A write over whatever is there. */
async function overwrite(right: RecordStore, table: RecordTable, row: StoredRecord): Promise<boolean> {
  if (!table.version) await right.take(table, keyIn(table, row))
  return right.write(table, row, table.version ? await versionOf(right, table, row) : 0)
}

const trimmed = (where: RecordKey) =>
  Object.fromEntries(Object.entries(where).map(([name, value]) => [name, value.trim()]))

const recordDefects: Defects<RecordStore> = {
  'forgets what may be null': [
    'finds what was written, and nothing else',
    (right) => ({
      write: (table, row, previous) =>
        right.write(table, { ...row, ...Object.fromEntries(nullable(table).map((name) => [name, null])) }, previous),
    }),
  ],
  'lists what anybody has': [
    'finds what was written, and nothing else',
    (right) => {
      const owners = new Set<string>()
      return {
        write(table, row, previous) {
          owners.add(String(row[table.by ?? '']))
          return right.write(table, row, previous)
        },
        list: async (table) => (await Promise.all([...owners].map(async (owner) => right.list(table, owner)))).flat(),
      }
    },
  ],
  'finds the record of anybody': [
    'finds what was written, and nothing else',
    (right) => {
      let last: RecordKey = {}
      return {
        write(table, row, previous) {
          last = keyIn(table, row)
          return right.write(table, row, previous)
        },
        find: (table) => right.find(table, last),
      }
    },
  ],
  'takes what it is asked for': [
    'finds what was written, and nothing else',
    (right) => ({ find: (table, key) => (table.version ? right.find(table, key) : right.take(table, key)) }),
  ],
  'cuts spaces off ids, at a removal': [
    'treats values that differ in case, or in spaces at their ends, as different',
    (right) => ({ remove: (table, where) => right.remove(table, trimmed(where)) }),
  ],
  'cuts spaces off ids': [
    'treats values that differ in case, or in spaces at their ends, as different',
    (right) => ({ find: (table, key) => right.find(table, trimmed(key)) }),
  ],
  'looks for ids in lower case': [
    'treats values that differ in case, or in spaces at their ends, as different',
    (right) => {
      const names = new Map<string, RecordKey>()
      return {
        write(table, row, previous) {
          names.set(nameOf(table, row).toLowerCase(), keyIn(table, row))
          return right.write(table, row, previous)
        },
        find: (table, key) => right.find(table, names.get(nameOf(table, key).toLowerCase()) ?? key),
      }
    },
  ],
  'looks for owners in lower case': [
    'treats values that differ in case, or in spaces at their ends, as different',
    (right) => {
      const names = new Map<string, string>()
      return {
        write(table, row, previous) {
          const owner = String(row[table.by ?? ''])
          names.set(owner.toLowerCase(), owner)
          return right.write(table, row, previous)
        },
        list: (table, by) => right.list(table, names.get(by.toLowerCase()) ?? by),
      }
    },
  ],
  'cuts what is long': [
    'keeps values that are long, empty or not there',
    (right) => ({
      write: (table, row, previous) =>
        right.write(
          table,
          changed(table, row, /^longText/, (text: string) => text.slice(0, 65_535)),
          previous,
        ),
    }),
  ],
  'cuts what is a little long': [
    'keeps values that are long, empty or not there',
    (right) => ({
      write: (table, row, previous) =>
        right.write(
          table,
          changed(table, row, /^text/, (text: string) => text.slice(0, 4000)),
          previous,
        ),
    }),
  ],
  'takes what is not there for empty': [
    'keeps values that are long, empty or not there',
    (right) => ({
      write: (table, row, previous) =>
        right.write(
          table,
          { ...row, ...Object.fromEntries(nullable(table, 'text?').map((name) => [name, row[name] ?? ''])) },
          previous,
        ),
    }),
  ],
  'keeps whole seconds': [
    'keeps moments to the millisecond',
    (right) => ({
      write: (table, row, previous) =>
        right.write(
          table,
          changed(table, row, /^time/, (time: Date) => new Date(Math.trunc(Number(time) / 1000) * 1000)),
          previous,
        ),
    }),
  ],
  'drops all of an owner with what ends': [
    'keeps records that have not expired, whatever expires beside them',
    (right) => ({
      async list(table, by) {
        const found = await right.list(table, by)
        return found.some((row) => isOver(table, row)) ? [] : found
      },
    }),
  ],
  'drops all of an address with what ends': [
    'keeps records that have not expired, whatever expires beside them',
    (right) => {
      const made: StoredRecord[] = []
      return {
        async write(table, row, previous) {
          const isWritten = await right.write(table, row, previous)
          if (table.version) return isWritten
          made.push(row)
          if (isOver(table, row)) for (const each of made) await right.take(table, keyIn(table, each))
          return isWritten
        },
      }
    },
  ],
  'keeps the first end of a record': [
    'keeps a record whose end is taken away',
    (right) => {
      const ends = new Map<string, number>()
      return {
        write(table, row, previous) {
          const end = row[table.expires ?? '']
          if (end instanceof Date && previous === 0) ends.set(nameOf(table, row), end.getTime())
          return right.write(table, row, previous)
        },
        find: (table, key) => ((ends.get(nameOf(table, key)) ?? 4e12) > Date.now() ? right.find(table, key) : null),
      }
    },
  ],
  'writes over any version': [
    'writes over the given version, and over no other',
    (right) => ({ write: (table, row) => overwrite(right, table, row) }),
  ],
  'makes a record of a later version': [
    'writes no later version of a record that is not there',
    (right) => ({
      write: async (table, row, previous) => right.write(table, row, (await versionOf(right, table, row)) && previous),
    }),
  ],
  'keeps the second record under a key': [
    'refuses a second record under a key, and keeps the first',
    (right) => ({ write: (table, row) => overwrite(right, table, row) }),
  ],
  'looks first and writes then': [
    'lets one of fifty writes over a version succeed',
    (right) => ({
      async write(table, row, previous) {
        if ((await versionOf(right, table, row)) !== previous) return false
        await roundTrip()
        await overwrite(right, table, row)
        return true
      },
    }),
  ],
  'looks first and makes then': [
    'lets one of fifty first writes at once succeed',
    (right) => ({
      async write(table, row, previous) {
        if ((await versionOf(right, table, row)) !== previous) return false
        await roundTrip()
        await overwrite(right, table, row)
        return true
      },
    }),
  ],
  'loses one of two that are made at once': [
    'makes fifty records of an owner at once',
    () => {
      const all = new Map<string, readonly StoredRecord[]>()
      return {
        async write(table, row) {
          const owner = String(row[table.by ?? ''])
          const held = all.get(owner) ?? []
          await roundTrip()
          all.set(owner, [...held, row])
          return true
        },
        list: (_table, by) => all.get(by) ?? [],
      }
    },
  ],
  'lists a record where it was': [
    'gives a record to another owner, and lists it there only',
    (right) => {
      const first = new Map<string, StoredRecord[]>()
      return {
        write(table, row, previous) {
          const owner = String(row[table.by ?? ''])
          if (previous === 0) first.set(owner, [row])
          return right.write(table, row, previous)
        },
        list: async (table, by) => first.get(by) ?? right.list(table, by),
      }
    },
  ],
  'ignores the owner at a removal': [
    'removes the given record, and no other',
    (right) => ({
      remove: async (table, where) => {
        const isWhole = table.key.every((column) => where[column] !== undefined)
        const found = isWhole ? await right.find(table, keyIn(table, where)) : null
        return right.remove(table, found && table.by ? { ...where, [table.by]: String(found[table.by]) } : where)
      },
    }),
  ],
  'removes nothing': ['removes the given record, and no other', () => ({ remove: () => 0 })],
  'removes one where all are meant': [
    'removes all records of an owner, and no others',
    (right) => ({
      async remove(table, where) {
        const [one] = await right.list(table, where[table.by ?? ''] ?? '')
        return right.remove(table, one ? keyIn(table, one) : where)
      },
    }),
  ],
  'looks first and removes then': [
    'reports the removal to one of fifty removals at once',
    (right) => ({
      async remove(table, where) {
        const found = await right.find(table, keyIn(table, where))
        await roundTrip()
        await right.remove(table, where)
        return found ? 1 : 0
      },
    }),
  ],
  'counts before it removes all': [
    'removes each record once where all are removed fifty times at once',
    (right) => ({
      async remove(table, where) {
        const { length } = await right.list(table, where[table.by ?? ''] ?? '')
        await roundTrip()
        await right.remove(table, where)
        return length
      },
    }),
  ],
  'writes what was removed meanwhile': [
    'does not bring back what is removed while it is written',
    (right) => ({
      async write(table, row, previous) {
        if ((await versionOf(right, table, row)) !== previous) return false
        await roundTrip()
        return right.write(table, row, await versionOf(right, table, row))
      },
    }),
  ],
  'gives a record again': ['gives a record once', (right) => ({ take: right.find })],
  'looks first and takes then': [
    'gives a record to one of fifty at once',
    (right) => ({
      async take(table, key) {
        const found = await right.find(table, key)
        await roundTrip()
        await right.take(table, key)
        return found
      },
    }),
  ],
  'keeps one for each address': [
    'keeps several records that are the same but for their keys',
    (right) => {
      const keys = new Map<string, RecordKey>()
      return {
        async write(table, row, previous) {
          const address = String(row.identifier)
          await right.take(table, keys.get(address) ?? {})
          keys.set(address, keyIn(table, row))
          return right.write(table, row, previous)
        },
      }
    },
  ],
}

function nullable({ columns }: RecordTable, type = '?'): string[] {
  return Object.keys(columns).filter((column) => columns[column]?.endsWith(type))
}

function isOver({ expires = '' }: RecordTable, row: StoredRecord): boolean {
  const end = row[expires]
  return end instanceof Date && end.getTime() < Date.now()
}

/** Notes who holds leases. */
function withHolders(right: RecordStore, make: (holderOf: (name: string) => string) => Partial<RecordStore>) {
  const holders = new Map<string, string>()
  return {
    async lease(table, key, lease) {
      const isTaken = await right.lease(table, key, lease)
      if (isTaken) holders.set(nameOf(table, key), lease.leaseId)
      return isTaken
    },
    ...make((name) => holders.get(name) ?? ''),
  } satisfies Partial<RecordStore>
}

const leaseDefects: Defects<RecordStore> = {
  'gives the lease to all who ask at once': [
    'gives the lease of a record to one of fifty at once',
    (right) => {
      const held = new Set<string>()
      return {
        async lease(table, key) {
          const isFree = !held.has(nameOf(table, key))
          await roundTrip()
          held.add(nameOf(table, key))
          return isFree && (await right.find(table, key)) !== null
        },
      }
    },
  ],
  'leases any version': [
    'gives no lease of another version, nor of a record that is not there',
    (right) => ({
      lease: async (table, key, lease) =>
        right.lease(table, key, { ...lease, version: await versionOf(right, table, key) }),
    }),
  ],
  'counts a lease as a change': [
    'changes nothing else with a lease',
    (right) => ({
      async lease(table, key, lease) {
        const row = await right.find(table, key)
        return row !== null && right.write(table, row, lease.version)
      },
    }),
  ],
  'gives anybody’s lease back': [
    'releases a lease for its holder only',
    (right) =>
      withHolders(right, (holderOf) => ({
        release: (table, key) => right.release(table, key, holderOf(nameOf(table, key))),
      })),
  ],
  'ends a lease by a write': [
    'keeps a lease through a write',
    (right) =>
      withHolders(right, (holderOf) => ({
        async write(table, row, previous) {
          await right.release(table, keyIn(table, row), holderOf(nameOf(table, row)))
          return right.write(table, row, previous)
        },
      })),
  ],
  'extends no lease': [
    'extends a lease for its holder only',
    (right) => {
      const taken = new Set<string>()
      return {
        async lease(table, key, lease) {
          if (taken.has(lease.leaseId)) return false
          const isTaken = await right.lease(table, key, lease)
          if (isTaken) taken.add(lease.leaseId)
          return isTaken
        },
      }
    },
  ],
  'has leases without an end': [
    'gives an expired lease to one of fifty at once, and to none before',
    (right) => ({ lease: (table, key, lease) => right.lease(table, key, { ...lease, seconds: 300 }) }),
  ],
  'has leases that end at once': [
    'gives the lease of a record to one of fifty at once',
    (right) => ({
      async lease(table, key, lease) {
        const isTaken = await right.lease(table, key, lease)
        await right.release(table, key, lease.leaseId)
        return isTaken
      },
    }),
  ],
  'keeps the lease of what it removed': [
    'has no lease on a record that was removed and written again',
    (right) => {
      const removed = new Set<string>()
      return {
        remove(table, where) {
          removed.add(nameOf(table, where))
          return right.remove(table, where)
        },
        lease: (table, key, lease) => (removed.has(nameOf(table, key)) ? false : right.lease(table, key, lease)),
      }
    },
  ],
}

const counterDefects: Defects<CounterStore> = {
  'counts all keys together': [
    'allows attempts up to the limit, and then says how long to wait',
    (right) => ({ consume: (_key, consumption) => right.consume('all', consumption) }),
  ],
  'says milliseconds': [
    'allows attempts up to the limit, and then says how long to wait',
    (right) => ({
      async consume(key, consumption) {
        const { allowed, retryAfter } = await right.consume(key, consumption)
        return { allowed, retryAfter: retryAfter * 1000 }
      },
    }),
  ],
  'never forgets': [
    'forgets attempts after the window',
    (right) => ({ consume: (key, consumption) => right.consume(key, { ...consumption, window: 300 }) }),
  ],
  'takes nothing back': ['takes attempts back one by one, and never below none', () => ({ refund: () => {} })],
  'takes all back': [
    'takes attempts back one by one, and never below none',
    (right) => ({
      async refund(key, consumption) {
        for (let at = 0; at < 9; at += 1) await right.refund(key, consumption)
      },
    }),
  ],
  'counts what is only asked': [
    'answers without counting where the cost is 0',
    (right) => ({ consume: (key, consumption) => right.consume(key, { ...consumption, cost: 1 }) }),
  ],
  'looks first and counts then': [
    'allows no more than the limit of fifty attempts at once',
    (right) => ({
      async consume(key, consumption) {
        const { allowed } = await right.consume(key, { ...consumption, cost: 0 })
        await roundTrip()
        await right.consume(key, consumption)
        return { allowed, retryAfter: allowed ? 0 : 60 }
      },
    }),
  ],
  'knows no delay': [
    'makes the next attempt wait from the limit on, where there is a delay',
    (right) => ({ consume: (key, { delay: _delay, ...rest }) => right.consume(key, rest) }),
  ],
  'counts on after a refusal': [
    'counts in turn, up to the first that is refused',
    (right) => ({
      consumeInTurn: (all) => Promise.all(all.map(async ({ key, ...consumption }) => right.consume(key, consumption))),
    }),
  ],
}

const logDefects: Defects<LogStore> = {
  'finds all that there is': [
    'finds what was added, and nothing else',
    (right) => {
      const keys = new Set<string>()
      return {
        add(entries) {
          for (const { key } of entries) keys.add(key)
          return right.add(entries)
        },
        find: () => right.find([...keys]),
      }
    },
  ],
  'tells its time in milliseconds': [
    'returns its own time in seconds',
    (right) => ({ find: async (keys) => ({ ...(await right.find(keys)), now: Date.now() }) }),
  ],
  'keeps the last of two additions': [
    'keeps the later times of two additions, whichever came first',
    () => {
      const entries = new Map<string, Revocation>()
      return {
        add: (added) => {
          for (const each of added) entries.set(each.key, each)
        },
        find: (keys) => ({
          revocations: keys.flatMap((key) => entries.get(key) ?? []),
          now: Math.floor(Date.now() / 1000),
        }),
      }
    },
  ],
  'replaces what is not there': [
    'replaces nothing where nothing is',
    (right) => ({ replace: (entry) => right.add([{ ...entry, exceptSid: '' }]) }),
  ],
  'lists what was removed': ['lists nothing that is over, and nothing that was removed', () => ({ unlist: () => {} })],
}

/** @param only A test, where the others are of no interest: some of them wait. */
async function failuresOf(store: Partial<Store>, only?: string): Promise<readonly string[]> {
  const runner = createRunner()
  storeContract(runner.hooks, { create: () => ({ store }) })
  const results = await runner.run(undefined, (name) => only === undefined || name === only)
  return [...new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name))]
}

const contracts = {
  records: { ...recordDefects, ...leaseDefects },
  counter: counterDefects,
  log: logDefects,
}

describe('storeContract', () => {
  it('finds nothing wrong with a right store', async () => {
    expect(await failuresOf(memoryStore())).to.deep.equal([])
  })

  it('finds nothing wrong with a store that deletes at once what has ended', async () => {
    const { records, ...right } = memoryStore()
    const write: RecordStore['write'] = async (table, row, previous) => {
      const isWritten = await records.write(table, row, previous)
      if (isOver(table, row)) await (table.version ? records.remove : records.take)(table, keyIn(table, row))
      return isWritten
    }
    expect(await failuresOf({ ...right, records: { ...records, write } })).to.deep.equal([])
  })

  it('closes what it was given', async () => {
    let closed = 0
    const runner = createRunner()
    storeContract(runner.hooks, { create: () => ({ store: memoryStore(), close: () => (closed += 1) }) })
    await runner.run(undefined, (name) => name === 'gives a record once')
    expect(closed).to.equal(1)
  })

  it('tests the named contracts', () => {
    const runner = createRunner()
    storeContract(runner.hooks, { create: () => ({ store: memoryStore() }), contracts: ['records'] })
    const groups = new Set(runner.names().map(([, group]) => group))
    expect([...groups]).to.deep.equal([
      ...recordTables.map(({ name }) => `records in ${name}`),
      'records that are changed together',
    ])
  })

  it('finds a store without a contract', async () => {
    expect(
      await failuresOf({ records: memoryStore().records }, 'finds what was added, and nothing else'),
    ).to.have.length(1)
  })

  for (const [contract, defects] of Object.entries(contracts)) {
    for (const [what, [found, broken]] of Object.entries(defects)) {
      it(`finds a store of ${contract} that ${what}`, async () => {
        const right = memoryStore()
        const own = right[contract as keyof typeof contracts]
        const store = { ...right, [contract]: { ...own, ...broken(own as never) } }
        expect(await failuresOf(store, found)).to.deep.equal([found])
      })
    }
  }

  for (const method of ['find', 'list'] as const) {
    it(`finds a store whose \`${method}\` hands out its own rows`, async () => {
      const { records, ...right } = memoryStore()
      const held = new Map<string, unknown>()
      const own = async (table: RecordTable, selected: never) => {
        const name = JSON.stringify([table.name, selected])
        const found = held.get(name) ?? (await records[method](table, selected))
        held.set(name, found)
        return found
      }
      const title = 'hands out copies, and keeps its own'
      expect(await failuresOf({ ...right, records: { ...records, [method]: own as never } }, title)).to.deep.equal([
        title,
      ])
    })
  }
})
