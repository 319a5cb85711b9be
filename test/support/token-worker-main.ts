/**
 * `token-worker-main <url> <prefix>`: tells when it is connected, and at each message tries fifty first writes of the row `race`, or
 * fifty leases of it. Answers how many succeeded.
 */
import { createClient } from 'redis'
import { redisTokens } from '../../lib/adapters/redis/index.js'
import { connect, sqlTokens } from '../../lib/adapters/sql/index.js'
import type { TokenStore } from '../../lib/types/tokens.js'

const [, , url = '', prefix = ''] = process.argv

async function openStore(): Promise<TokenStore> {
  if (!url.startsWith('redis:')) return sqlTokens(connect(url))
  const client = createClient({ url })
  await client.connect()
  return redisTokens(client, { prefix })
}

const store = await openStore()
const key = { provider: 'test', providerAccountId: 'race' }

async function attempt(task: unknown, at: number): Promise<boolean> {
  const name = `${process.pid}-${at}`
  if (task === 'lease') return store.lease(key, { version: 1, leaseId: name, seconds: 300 })
  return store.write({ ...key, userId: 'u', sealed: name, expiresAt: null, scope: null, needsConsent: false }, 0)
}

await store.find(key)
process.on('message', async (task) => {
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_none, at) => attempt(task, at)))
  process.send?.(outcomes.filter(Boolean).length)
})
process.send?.('ready')
