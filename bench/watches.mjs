/**
 * The cost of watched sessions: `node bench/watches.mjs [sockets]`. Queries and CPU of 10,000 watched database sessions in SQLite, and the
 * time until all watches of ended sessions have ended. Needs `npm run build`.
 */
import { connect, migrate, sqlAdapter } from '../dist/lib/adapters/sql/index.js'
import { defineAuth } from '../dist/lib/index.js'
import { createSession } from '../dist/lib/testing/index.js'

const sockets = Number(process.argv[2] ?? 10_000)
const rounds = 1
const every = 15
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

const db = connect('sqlite::memory:')
await migrate(db)
const adapter = sqlAdapter(db)
let queries = 0
const getSessions = adapter.getSessions
adapter.getSessions = (tokens) => {
  queries += 1
  return getSessions(tokens)
}
const config = {
  ...{ adapter, providers: [], secret: 'a secret for the benchmark, long enough', trustHost: true },
  session: { strategy: 'database' },
  logger: { warn() {} },
}
const auth = defineAuth(config)
const requests = []
const users = []
for (let at = 0; at < sockets; at += 1) {
  const { cookie, user } = await createSession(config, { user: { email: `user${at}@example.com` } })
  users.push(user.id)
  requests.push({ headers: { host: 'localhost', cookie } })
}
let ended = 0
const stops = requests.map((req) => auth.sessions.watch(req, () => (ended += 1), { every }))
requests.length = 0
await wait(5)
const heap = process.memoryUsage().heapUsed
queries = 0
const cpu = process.cpuUsage()
await wait(every * rounds)
const { user, system } = process.cpuUsage(cpu)
console.log(`${sockets} sessions, every ${every} s: ${(queries / rounds).toFixed(1)} queries in ${every} s`)
console.log(`CPU ${((user + system) / 1e4 / (every * rounds)).toFixed(2)} %, heap ${(heap / 1e6).toFixed(0)} MB`)
for (const id of users) await adapter.deleteSessionsByUserId(id)
const at = performance.now()
while (ended < sockets && performance.now() - at < 30_000) await wait(0.1)
console.log(`${ended} of ${sockets} ended within ${((performance.now() - at) / 1000).toFixed(1)} s after the last end`)
for (const stop of stops) stop()
