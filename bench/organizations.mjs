/**
 * The cost of an organization in a guard: `node bench/organizations.mjs [rounds]`. Calls `requireSession()` and
 * `requireSession({ organization, role })` by turns in one process, with a cached membership. Needs `npm run build`.
 */
import { memoryAdapter } from '../dist/lib/adapters/memory/index.js'
import { defineAuth } from '../dist/lib/index.js'
import { createSession } from '../dist/lib/testing/index.js'

const rounds = Number(process.argv[2] ?? 60)
const calls = 2000
const target = 3

const config = {
  ...{ adapter: memoryAdapter(), providers: [], secret: 'a secret for the benchmark, long enough', trustHost: true },
  session: { strategy: 'jwt' },
  organizations: { membership: async () => ({ role: 'member' }), roles: { member: [] }, cacheFor: 300 },
  logger: { warn() {} },
}
const auth = defineAuth(config)
const { cookie } = await createSession(config, { user: { email: 'ann@example.com' } })
const organization = (req) => req.params.org
const guards = {
  session: auth.requireSession(),
  organization: auth.requireSession({ organization, role: 'member' }),
}

/** A response of Node, as far as guards use it. */
function createResponse() {
  const headers = {}
  return {
    locals: {},
    headersSent: false,
    getHeader: (name) => headers[name],
    setHeader: (name, value) => (headers[name] = value),
    writeHead() {},
    on() {},
  }
}

/** Returns a request and its response. */
function createExchange() {
  const headers = { host: 'localhost', cookie }
  const req = { method: 'GET', originalUrl: '/', url: '/', headers, params: { org: 'acme' }, socket: {} }
  return [req, Object.assign(createResponse(), { req })]
}

/** Returns the microseconds of CPU for a request and its guard. Other processes do not count. */
function costOf(guard) {
  let allowed = 0
  const next = (error) => {
    if (error) throw error
    allowed += 1
  }
  const begun = process.cpuUsage()
  for (let count = 0; count < calls; count += 1) guard(...createExchange(), next)
  const { user, system } = process.cpuUsage(begun)
  // The session and the membership are cached, so no call waits.
  if (allowed < calls) throw new Error(`${calls - allowed} calls of the guard did not end at once.`)
  return (user + system) / calls
}

const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
// The first calls load code, and query the membership.
for (const guard of Object.values(guards)) await new Promise((resolve) => guard(...createExchange(), resolve))
const costs = { session: [], organization: [], extra: [] }
for (let round = -5; round < rounds; round += 1) {
  // Each first in half of the rounds.
  const names = round % 2 ? ['session', 'organization'] : ['organization', 'session']
  const cost = {}
  for (const name of names) cost[name] = costOf(guards[name])
  // The first rounds compile the code.
  if (round < 0) continue
  costs.session.push(cost.session)
  costs.organization.push(cost.organization)
  costs.extra.push(cost.organization - cost.session)
}
const [session, own, extra] = [costs.session, costs.organization, costs.extra].map(median)
console.log(
  `guard ${session.toFixed(1)} µs, with an organization ${own.toFixed(1)} µs (ratio ${(own / session).toFixed(2)})`,
)
console.log(`extra ${extra.toFixed(2)} µs, target ≤ ${target} µs: ${extra <= target ? 'met' : 'missed'}`)
