/**
 * Measures the memory of remembered JWT sessions: bytes on the heap for each active session, and the share of sessions whose
 * token is still decrypted after some rounds of all. Not part of `npm test`.
 *
 *   npm run build && node --expose-gc bench/session-memory.mjs [sessions, default 10000]
 */
import { randomUUID } from 'node:crypto'
import { getSession } from '../dist/lib/index.js'
import { cookieName, secret } from './apps/people.mjs'
import { mintOf } from './harness/tokens.mjs'

const total = Number(process.argv[2] ?? 10_000)
const rounds = 6
if (typeof gc !== 'function' || !(total >= 100)) {
  throw new Error('node --expose-gc bench/session-memory.mjs [sessions, at least 100]')
}
const config = { secret, trustHost: true, providers: [], logger: { warn() {}, error() {} } }

/** The cookies are bytes outside the heap, so that only the library's memory is counted. */
const cookies = await mintAll()

async function mintAll() {
  const mint = await mintOf(new URL('../', import.meta.url))
  const texts = []
  for (let at = 0; at < total; at += 1) {
    texts.push(await mint({ sub: randomUUID(), name: `User ${at}`, email: `user-${at}@example.com` }))
  }
  return Buffer.from(texts.join('\n'))
}

async function readAll() {
  for (let start = 0, end = 0; start < cookies.length; start = end + 1) {
    const next = cookies.indexOf('\n', start)
    end = next < 0 ? cookies.length : next
    const cookie = cookies.toString('latin1', start, end)
    await getSession({ headers: { host: 'app.example', cookie }, protocol: 'http' }, config)
  }
}

function heapBytes() {
  for (let times = 0; times < 4; times += 1) gc()
  return process.memoryUsage().heapUsed
}

/** Counts decryptions during some work. */
async function decryptionsOf(work) {
  const crypto = process.getBuiltinModule('node:crypto')
  const { createDecipheriv } = crypto
  let count = 0
  const counting = (...words) => {
    count += 1
    return createDecipheriv(...words)
  }
  Object.assign(crypto, { createDecipheriv: counting })
  await work()
  Object.assign(crypto, { createDecipheriv })
  return count
}

// The first read creates values that are not counted.
await readAll()
const before = heapBytes()
for (let round = 1; round <= rounds; round += 1) {
  console.log(`round ${round}: ${await decryptionsOf(readAll)} of ${total} tokens were decrypted`)
}
const bytes = heapBytes() - before
// Read again: an unused configuration would have been collected with its tokens.
await readAll()
const length = cookies.length / total - `${cookieName}=\n`.length
console.log(
  `${(bytes / 1e6).toFixed(1)} MB, ${Math.round(bytes / total)} bytes for each token of ${Math.round(length)} characters`,
)
