/**
 * Measures tenants: CPU time and bytes on the heap for each, with its routes, the cost of a request beside a static
 * configuration, and the heap while more tenants than `max` take turns and strangers invent hosts. Not part of `npm test`.
 *
 *   npm run build && node --expose-gc bench/tenants.mjs
 */
import { defineAuth } from '../dist/lib/index.js'
import GitHub from '../dist/lib/providers/github.js'
import Google from '../dist/lib/providers/google.js'
import { tenants } from '../dist/lib/tenants/index.js'

if (typeof gc !== 'function') throw new Error('node --expose-gc bench/tenants.mjs')
const logger = { error: console.error, warn() {}, debug() {} }
const secret = 'a-secret-of-the-benchmark-with-32-characters'
const configOf = (id) => ({
  logger,
  providers: [Google, GitHub].map((provider) => provider({ clientId: `client of ${id}`, clientSecret: 'secret' })),
})
let loads = 0
let answers = 0
const auth = tenants({
  secret,
  logger,
  key: ({ host }) => host.split('.')[0],
  async load(id) {
    loads += 1
    return id.startsWith('t') ? { origins: [`http://${id}.test`], ...configOf(id) } : null
  },
})

const requestOf = (host) => ({
  method: 'GET',
  url: '/auth/csrf',
  originalUrl: '/auth/csrf',
  headers: { host },
  protocol: 'http',
})
const heap = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
const cpu = async (work) => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
/** Asks for a CSRF token, so that the tenant has its router. */
const visit = (host) =>
  new Promise((resolve) => {
    const headers = {}
    const response = {
      headersSent: false,
      setHeader(name, value) {
        headers[name] = value
      },
      getHeader: (name) => headers[name],
      removeHeader() {},
      writeHead() {},
      end(body) {
        answers += body?.includes('csrfToken') ? 1 : 0
        resolve()
      },
    }
    auth.router({ ...requestOf(host), url: '/csrf', baseUrl: '/auth', res: response }, response, resolve)
  })

await visit('t-first.test')
const count = 999
const before = heap()
const spent = await cpu(async () => {
  for (let at = 0; at < count; at += 1) await visit(`t${at}.test`)
})
console.log(
  `each tenant: ${((heap() - before) / count / 1024).toFixed(1)} KB, ${(spent / count / 1000).toFixed(2)} ms of CPU`,
)

if (answers !== count + 1) throw new Error(`Only ${answers} requests were answered.`)

const fixed = defineAuth({ secret, trustHost: true, ...configOf('fixed') })
const rounds = 200_000
for (const [name, work] of [
  ['static', () => fixed.getSession(requestOf('t1.test'))],
  ['tenant', () => auth.getSession(requestOf('t1.test'))],
]) {
  for (let at = 0; at < 20_000; at += 1) await work()
  const used = await cpu(async () => {
    for (let at = 0; at < rounds; at += 1) await work()
  })
  console.log(`getSession, ${name}: ${(used / rounds).toFixed(2)} µs`)
}

for (let turn = 0; turn < 3; turn += 1) {
  for (let at = 0; at < 5000; at += 1) await auth.getSession(requestOf(`t${at}.test`))
  console.log(`after 5,000 tenants in turn: ${(heap() / 2 ** 20).toFixed(1)} MB`)
}
loads = 0
for (let turn = 0; turn < 2; turn += 1) {
  for (let at = 0; at < 100_000; at += 1) await auth.getSession(requestOf(`unknown${at}.test`)).catch(() => {})
  console.log(`after 100,000 unknown hosts: ${(heap() / 2 ** 20).toFixed(1)} MB, ${loads} loads`)
}
