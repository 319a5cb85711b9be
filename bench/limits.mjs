/**
 * Measures the cost of counting an attempt in memory: keys, both counts, and taking them back. Not part of `npm test`,
 * since it measures time.
 *
 *   node --import tsx bench/limits.mjs
 */
import { createOwnMemory } from '../lib/base/memory.ts'
import { resolveConfig } from '../lib/config/resolve.ts'
import { withRateLimit } from '../lib/features/limits/attempts.ts'
import { createMemoryCounter } from '../lib/store/memory-counter.ts'

const rounds = 100_000
const quiet = { error() {}, warn() {}, debug() {} }
const config = {
  ...resolveConfig({
    secret: 'a-secret-of-more-than-32-characters-for-this',
    providers: [],
    logger: quiet,
    rateLimit: {},
  }),
  memory: createOwnMemory(),
}
const context = (at) => ({
  config,
  request: { ip: `198.51.${Math.floor(at / 250) % 250}.${at % 250}`, headers: {} },
  cookies: { get: () => undefined },
  cookiePolicy: config.cookies.plain,
  background: { run() {} },
})

async function perAttempt(name, work) {
  for (let at = 0; at < rounds / 10; at += 1) await work(at)
  const began = process.cpuUsage()
  for (let at = 0; at < rounds; at += 1) await work(at)
  const { user, system } = process.cpuUsage(began)
  console.log(`${name}: ${((user + system) / rounds).toFixed(1)} µs of CPU time`)
}

const attempt = (at) => ({ rule: 'credentials', accounts: [`person-${at}@example.com`] })
const done = async () => true
const store = createMemoryCounter()
const rule = { cost: 1, limit: 5, window: 3600, delay: 'exponential' }

await perAttempt('a count in memory, of a fresh key', (at) => store.consume(`a-key-of-22-chars-${at}`, rule))
await perAttempt('a count in memory, of one of 10,000', (at) => store.consume(`known-key-${at % 10_000}`, rule))
await perAttempt('a whole attempt that succeeds: two keys, two counts, both taken back', (at) =>
  withRateLimit(context(at), attempt(at), done),
)
