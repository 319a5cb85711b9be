/**
 * Told `{ task, url, prefix }` it connects to the store and says `ready`, tries fifty first writes of the row `race` there, or fifty
 * leases of it, and answers how many succeeded; or forgets the store.
 */
import { createClient } from 'redis'
import { redisTokens } from '../../lib/adapters/redis/index.js'
import { connect, sqlTokens } from '../../lib/adapters/sql/index.js'
import type { TokenStore } from '../../lib/types/tokens.js'

interface Order {
  readonly task: 'open' | 'write' | 'lease' | 'close'
  readonly url: string
  readonly prefix: string
}

interface Opened {
  readonly store: TokenStore
  close(): Promise<unknown>
}

async function openStore({ url, prefix }: Order): Promise<Opened> {
  if (!url.startsWith('redis:')) {
    const db = connect(url)
    return { store: sqlTokens(db), close: () => db.destroy() }
  }
  const client = createClient({ url })
  await client.connect()
  return { store: redisTokens(client, { prefix }), close: async () => client.destroy() }
}

const key = { provider: 'test', providerAccountId: 'race' }
const opened = new Map<string, Opened>()

async function attempt(store: TokenStore, task: Order['task'], at: number): Promise<boolean> {
  const name = `${process.pid}-${at}`
  if (task === 'lease') return store.lease(key, { version: 1, leaseId: name, seconds: 300 })
  return store.write({ ...key, userId: 'u', sealed: name, expiresAt: null, scope: null, needsConsent: false }, 0)
}

async function obey(order: Order): Promise<string | number> {
  const { store, close } = opened.get(order.url) ?? (await openStore(order))
  if (order.task === 'open') {
    opened.set(order.url, { store, close })
    await store.find(key)
    return 'ready'
  }
  if (order.task === 'close') {
    opened.delete(order.url)
    await close()
    return 'closed'
  }
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_none, at) => attempt(store, order.task, at)))
  return outcomes.filter(Boolean).length
}

process.on('message', async (order: Order) => process.send?.(await obey(order)))
