/** The cases of the log. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ListedSession, LogStore, Revocation } from '../types/store.js'
import { settleAll } from './contract-case.js'
import type { Cases } from './store-suite.js'

const farFuture = 253_402_300_799
const later = () => Math.floor(Date.now() / 1000) + 3600
const newKey = () => randomBytes(16).toString('base64url')

function newEntry(rest: Partial<Revocation> = {}): Revocation {
  return { key: newKey(), exceptSid: '', notBefore: farFuture, until: later(), ...rest }
}

async function foundBy(store: LogStore, keys: readonly string[]): Promise<readonly Revocation[]> {
  const { revocations } = await store.find(keys)
  const order = ({ key, exceptSid }: Revocation) => `${keys.indexOf(key)} ${exceptSid}`
  return [...revocations].sort((one, other) => (order(one) < order(other) ? -1 : 1))
}

async function listedBy(store: LogStore, userKey: string): Promise<readonly ListedSession[]> {
  const found = (await store.listed?.(userKey)) ?? []
  return [...found].sort((one, other) => one.begunAt - other.begunAt)
}

const logChecks: Readonly<Record<string, (store: LogStore) => Promise<void>>> = {
  'finds what was added, and nothing else': async (store) => {
    const [one, two] = [newEntry(), newEntry({ key: `u.${newKey()}`, notBefore: 1_700_000_000 })]
    await store.add([one, two])
    assert.deepEqual(await foundBy(store, [one.key, newKey(), two.key]), [one, two])
    assert.deepEqual(await foundBy(store, [newKey()]), [])
    assert.deepEqual(await foundBy(store, []), [])
  },

  'takes upper and lower case for different keys': async (store) => {
    const one = newEntry({ key: `a${newKey().slice(1)}` })
    await store.add([one])
    assert.deepEqual(await foundBy(store, [`A${one.key.slice(1)}`]), [])
  },

  'returns its own time in seconds': async (store) => {
    const { now } = await store.find([])
    assert.ok(Number.isInteger(now), `\`now\` is ${now}: whole seconds are needed`)
    assert.ok(Math.abs(now - Date.now() / 1000) < 86_400, `\`now\` is ${now}: is that seconds since 1970?`)
  },

  'keeps the later times of two additions, whichever came first': async (store) => {
    const one = newEntry({ notBefore: 1_700_000_000 })
    await store.add([one])
    await store.add([{ ...one, notBefore: one.notBefore - 5, until: one.until + 5 }])
    await store.add([{ ...one, notBefore: one.notBefore + 5, until: one.until - 5 }])
    assert.deepEqual(await foundBy(store, [one.key]), [{ ...one, notBefore: one.notBefore + 5, until: one.until + 5 }])
  },

  'keeps entries with other exceptions apart': async (store) => {
    const one = newEntry({ notBefore: 1_700_000_000 })
    const two = { ...one, exceptSid: newKey(), notBefore: 1_700_000_009 }
    await store.add([one])
    await store.add([two])
    assert.deepEqual(await foundBy(store, [one.key]), [one, two])
  },

  'keeps the latest of additions at once': async (store) => {
    const one = newEntry({ notBefore: 1_700_000_000 })
    const calls = Array.from({ length: 8 }, (_none, at) => () => store.add([{ ...one, notBefore: one.notBefore + at }]))
    for (const outcome of await settleAll(calls)) assert.equal(outcome.status, 'fulfilled')
    assert.deepEqual(await foundBy(store, [one.key]), [{ ...one, notBefore: one.notBefore + 7 }])
  },

  'replaces an entry by an earlier one, and leaves its exceptions': async (store) => {
    const one = newEntry()
    const other = { ...one, exceptSid: newKey(), notBefore: 1_700_000_009 }
    await store.add([one, other])
    await store.replace({ key: one.key, notBefore: 1_700_000_000, until: one.until })
    assert.deepEqual(await foundBy(store, [one.key]), [{ ...one, notBefore: 1_700_000_000 }, other])
  },

  'replaces nothing where nothing is': async (store) => {
    const key = newKey()
    await store.replace({ key, notBefore: 1_700_000_000, until: later() })
    assert.deepEqual(await foundBy(store, [key]), [])
  },

  'lists the sessions of a user, with the later times of each': async (store) => {
    if (!store.list) return
    const [userKey, other] = [`u.${newKey()}`, `u.${newKey()}`]
    const one: ListedSession = { sid: newKey(), userKey, begunAt: 1_700_000_000, usedAt: 1_700_000_000, until: later() }
    const two = { ...one, sid: newKey(), begunAt: 1_700_000_009 }
    for (const each of [one, two, { ...one, sid: newKey(), userKey: other }]) await store.list(each)
    await store.list({ ...one, begunAt: 1_700_000_005, usedAt: 1_700_000_007, until: one.until - 5 })
    assert.deepEqual(await listedBy(store, userKey), [{ ...one, usedAt: 1_700_000_007 }, two])
  },

  'keeps what a session was first listed with': async (store) => {
    if (!store.list) return
    const userKey = `u.${newKey()}`
    const one: ListedSession = { sid: newKey(), userKey, begunAt: 1_700_000_000, usedAt: 1_700_000_000, until: later() }
    const beginning = `${newKey()}-_${'a'.repeat(900)}`
    const [told, silent] = [
      { ...one, beginning },
      { ...one, sid: newKey(), begunAt: 1_700_000_009 },
    ]
    for (const each of [told, silent]) await store.list(each)
    await store.list({ ...one, usedAt: 1_700_000_007 })
    assert.deepEqual(await listedBy(store, userKey), [{ ...told, usedAt: 1_700_000_007 }, silent])
  },

  'lists nothing that is over, and nothing that was removed': async (store) => {
    if (!store.list) return
    const userKey = `u.${newKey()}`
    const one: ListedSession = { sid: newKey(), userKey, begunAt: 1_700_000_000, usedAt: 1_700_000_000, until: later() }
    const [two, over] = [
      { ...one, sid: newKey() },
      { ...one, sid: newKey(), until: 1_700_000_001 },
    ]
    for (const each of [one, two, over]) await store.list(each)
    await store.unlist?.(`u.${newKey()}`, [two.sid])
    await store.unlist?.(userKey, [one.sid, newKey()])
    await store.unlist?.(userKey, [])
    assert.deepEqual(await listedBy(store, userKey), [two])
    assert.deepEqual(await listedBy(store, `u.${newKey()}`), [])
  },

  'returns the additions since a cursor': async (store) => {
    if (!store.changes) return
    const one = newEntry()
    await store.add([one])
    const all = await readChanges(store, null)
    assert.deepEqual(all.get(one.key), [one])
    const two = newEntry()
    await store.add([two])
    const changes = await readChanges(store, all.cursor)
    assert.deepEqual(changes.get(two.key), [two], 'an addition is missing from the changes')
    const none = await readChanges(store, changes.cursor)
    assert.ok(none.cursor, 'a cursor is needed where nothing has changed, too')
  },

  'returns a replacement, and an addition to an existing entry': async (store) => {
    if (!store.changes) return
    const one = newEntry()
    await store.add([one])
    const { cursor } = await readChanges(store, null)
    await store.replace({ key: one.key, notBefore: 1_700_000_000, until: one.until })
    const replaced = await readChanges(store, cursor)
    assert.deepEqual(replaced.get(one.key), [{ ...one, notBefore: 1_700_000_000 }])
    await store.add([{ ...one, notBefore: 1_700_000_007 }])
    const again = await readChanges(store, replaced.cursor)
    assert.deepEqual(again.get(one.key), [{ ...one, notBefore: 1_700_000_007 }])
  },

  'returns more than one page, including entries that were written at once': async (store) => {
    if (!store.changes) return
    const { cursor } = await readChanges(store, null)
    const many = Array.from({ length: 12_000 }, () => newEntry())
    for (let at = 0; at < many.length; at += 1000) await store.add(many.slice(at, at + 1000))
    const since = await readChanges(store, cursor)
    assert.equal(many.filter(({ key }) => !since.get(key)).length, 0, 'entries are missing from the changes')
    const all = await readChanges(store, null)
    assert.equal(many.filter(({ key }) => !all.get(key)).length, 0, 'entries are missing from all that there is')
  },
}

/** Reads all pages, by key. */
async function readChanges(store: LogStore, from: string | null) {
  const found = new Map<string, Revocation[]>()
  let cursor = from
  for (let pages = 0; pages < 10_000; pages += 1) {
    const page = await store.changes?.(cursor)
    assert.ok(page, '`changes` returned nothing')
    for (const [key, revocations] of byKey(page.revocations)) found.set(key, revocations)
    cursor = page.cursor
    if (page.isLast) return { cursor, get: (key: string) => found.get(key) }
  }
  throw new Error('`changes` comes to no end: `isLast` was never true')
}

function byKey(revocations: readonly Revocation[]): Map<string, Revocation[]> {
  const groups = new Map<string, Revocation[]>()
  for (const revocation of revocations) {
    const group = groups.get(revocation.key)
    if (group) group.push(revocation)
    else groups.set(revocation.key, [revocation])
  }
  return groups
}

/** The cases. */
export const logCases: Cases = Object.fromEntries(
  Object.entries(logChecks).map(([title, check]) => [
    title,
    async ({ log }) => {
      assert.ok(log, 'the store has no `log`')
      await check(log)
    },
  ]),
)
