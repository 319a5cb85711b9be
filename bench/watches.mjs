/**
 * The cost of watched sessions: `node bench/watches.mjs [sockets]`. Queries and CPU of 10,000 watched database sessions in SQLite, and the
 * time until all watches of ended sessions have ended. Needs `npm run build`.
 */
import { connect, migrate, sqlAdapter } from '../dist/lib/adapters/sql/index.js'
import { defineAuth } from '../dist/lib/index.js'
import { createSession } from '../dist/lib/testing/index.js'

const sockets = Number(process.argv[2] ?? 10_000)
const every = 15
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

const db = connect('sqlite::memory:')
await migrate(db)
const adapter = sqlAdapter(db)
const queries = []
const getSessions = adapter.getSessions
adapter.getSessions = (tokens) => {
  queries.push(tokens)
  return getSessions(tokens)
}
/** Returns the milliseconds of CPU that this process uses until the work is done. */
const cpuOf = async (work) => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
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
queries.length = 0
const used = await cpuOf(() => wait(every))
const asked = [...queries]
// SQLite runs in this process, so its work is measured alone.
const ofDatabase = await cpuOf(async () => {
  for (const tokens of asked) await getSessions(tokens)
})
const share = (milliseconds) => `${(milliseconds / 10 / every).toFixed(2)} %`
console.log(
  `${sockets} sessions, every ${every} s: ${asked.length} queries in ${every} s, and none for each connection`,
)
console.log(`CPU ${share(used)}, of which SQLite ${share(ofDatabase)}; heap ${(heap / 1e6).toFixed(0)} MB`)
for (const id of users) await adapter.deleteSessionsByUserId(id)
const at = performance.now()
while (ended < sockets && performance.now() - at < 30_000) await wait(0.1)
console.log(`${ended} of ${sockets} ended within ${((performance.now() - at) / 1000).toFixed(1)} s after the last end`)
for (const stop of stops) stop()
