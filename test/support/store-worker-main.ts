/**
 * Told `{ task, url, prefix }` it connects to the store and says `ready`, tries one of the tasks fifty
 * times at once and answers how often it succeeded; or forgets the store.
 */

import { createClient } from 'redis'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { connect, sqlStore } from '../../lib/adapters/sql/index.js'
import type { Store } from '../../lib/types/store.js'
import { type FactorRecords, factorsIn, passwordsIn, type TokenRecords, tokensIn } from './stores.js'

const account = { provider: 'test', providerAccountId: 'race' }

/** The tasks that are tried fifty times. */
const tasks = {
  async writeFactor({ factors }, name) {
    const moments = { createdAt: new Date(), usedAt: null, expiresAt: null }
    return factors.write({ userId: 'race', id: 'race', type: 'totp', name: null, data: name, ...moments }, 0)
  },
  removeFactor: async ({ factors }) => (await factors.remove('race', 'race')) === 1,
  writePassword: async ({ passwords }, name) =>
    passwords.write({ userId: 'race', hash: name, changedAt: new Date() }, 0),
  async keepAttempt({ passwords }, name) {
    const attempt = { tokenHash: 'race', identifier: 'race@example.com', data: name, expires: new Date(4e12) }
    return passwords.keepAttempt(attempt)
  },
  async writeTokens({ tokens }, name) {
    const facts = { sealed: name, expiresAt: null, scope: null, needsConsent: false }
    return tokens.write({ ...account, userId: 'race', ...facts }, 0)
  },
  leaseTokens: async ({ tokens }, name) => tokens.lease(account, { version: 1, leaseId: name, seconds: 300 }),
  takeAttempt: async ({ passwords }) => (await passwords.takeAttempt('race')) != null,
} satisfies Record<string, (stores: Opened, name: string) => Promise<boolean>>

/** A message to a worker. */
export interface StoreOrder {
  readonly task: keyof typeof tasks | 'open' | 'close'
  readonly url: string
  readonly prefix: string
}

interface Opened {
  readonly factors: FactorRecords
  readonly passwords: ReturnType<typeof passwordsIn>
  readonly tokens: TokenRecords
  close(): Promise<unknown>
}

function recordsIn(store: Store): Omit<Opened, 'close'> {
  return { factors: factorsIn(store), passwords: passwordsIn(store), tokens: tokensIn(store) }
}

async function openStores({ url, prefix }: StoreOrder): Promise<Opened> {
  if (!url.startsWith('redis:')) {
    const db = connect(url)
    return { ...recordsIn(sqlStore(db)), close: () => db.destroy() }
  }
  const client = createClient({ url })
  await client.connect()
  return { ...recordsIn(redisStore(client, { prefix })), close: async () => client.destroy() }
}

const opened = new Map<string, Opened>()

async function obey({ task, ...place }: StoreOrder): Promise<string | number> {
  const stores = opened.get(place.url) ?? (await openStores({ task, ...place }))
  if (task === 'open') {
    opened.set(place.url, stores)
    await stores.factors.list('race')
    return 'ready'
  }
  if (task === 'close') {
    opened.delete(place.url)
    await stores.close()
    return 'closed'
  }
  const calls = Array.from({ length: 50 }, (_none, at) => tasks[task](stores, `${process.pid}-${at}`))
  return (await Promise.all(calls)).filter(Boolean).length
}

process.on('message', async (order: StoreOrder) => process.send?.(await obey(order)))
