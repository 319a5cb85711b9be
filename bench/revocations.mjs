/**
 * `node --expose-gc bench/revocations.mjs`: what `session.revocation` costs a read, with so many sessions that have ended, and
 * what a million of them take of memory, before and after they are over. Stands on `dist`.
 */
import { randomBytes } from 'node:crypto'
import { getSession } from '../dist/lib/index.js'
import { encode } from '../dist/lib/jwt.js'

const secret = 'a-secret-for-the-benchmark-of-32-characters'
const name = '__Secure-auth.session-token'
const text = (bytes) => randomBytes(bytes).toString('base64url')
const seconds = () => Math.floor(Date.now() / 1000)

/** A store with a feed: every second entry is a user's. `lifetime`: seconds. */
function storeOf(count, lifetime) {
  const now = seconds()
  const revocationAt = (at) => ({
    key: at % 2 ? `u.${text(16)}` : text(16),
    exceptSid: '',
    notBefore: at % 2 ? now - 3600 : 253_402_300_799,
    until: now + lifetime,
  })
  const log = {
    add() {},
    replace() {},
    find: () => ({ revocations: [], now: seconds() }),
    // In pages, as stores have them: what is measured is what stays.
    changes(cursor) {
      const done = Number(cursor ?? 0)
      const size = Math.min(5000, count - done)
      const revocations = Array.from({ length: size }, (_, at) => revocationAt(done + at))
      return { revocations, cursor: String(done + size), isLast: done + size >= count }
    },
  }
  return { log }
}

const config = (session) => ({
  ...{ secret, trustHost: true, providers: [], logger: { warn() {}, error() {} } },
  session: { strategy: 'jwt', ...session },
})
const began = {
  auth_began: seconds(),
  auth_proofs: `p|${seconds().toString(36)}|credentials|`,
  auth_time: seconds(),
  amr: [],
}
const claims = { sub: '1', name: 'Ann', email: 'ann@example.com', sid: text(16), ...began }
const cookie = `${name}=${await encode({ token: { ...claims, auth_owner: { id: '1', type: 'oidc' } }, secret, salt: name })}`

function request() {
  const res = { locals: {}, headersSent: false, getHeader() {}, setHeader() {}, writeHead() {}, end() {} }
  return { headers: { host: 'app.example', cookie }, protocol: 'https', method: 'GET', res }
}

async function batch(made, count) {
  const before = process.cpuUsage()
  for (let at = 0; at < count; at += 1) if (!(await getSession(request(), made))) throw new Error('no session')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

async function reads() {
  const variants = [
    ['off', config({})],
    ...[0, 1000, 100_000].map((count) => [
      count,
      config({ revocation: { store: storeOf(count, 86_400), maxStale: 3600 } }),
    ]),
  ].map(([title, made]) => ({ title, made, lowest: Number.POSITIVE_INFINITY }))
  for (const { made } of variants) await batch(made, 20_000)
  // In turns: the machine may be slower at one time than at another.
  for (let round = 0; round < 15; round += 1)
    for (const each of variants) each.lowest = Math.min(each.lowest, await batch(each.made, 5000))
  const [off] = variants
  for (const { title, lowest } of variants)
    console.log(`read, revocations ${title}: ${lowest.toFixed(2)} µs, ${(lowest - off.lowest).toFixed(2)} µs more`)
}

function megabytes() {
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1e6
}

async function memory() {
  const before = megabytes()
  const began = Date.now()
  const made = config({ revocation: { store: storeOf(1_000_000, 7200), maxStale: 1 } })
  await getSession(request(), made)
  console.log(`a million: read in ${Date.now() - began} ms, ${(megabytes() - before).toFixed(0)} MB`)
  const { now } = Date
  // Past their end. Each look for changes sweeps some.
  for (let look = 1; look <= 260; look += 1) {
    Date.now = () => now() + 4 * 3600 * 1000 + look * 2000
    await getSession(request(), made)
    await new Promise((next) => setImmediate(next))
  }
  Date.now = now
  const after = megabytes() - before
  // The copy is used again, because otherwise it could have been collected before it was measured.
  if (!(await getSession(request(), made))) throw new Error('no session')
  console.log(`after their end: ${after.toFixed(0)} MB`)
}

await reads()
await memory()
