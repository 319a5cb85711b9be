/**
 * `npm run check:allocations`: bytes on the heap for reading a session, and for answering a GET of our routes, against
 * limits a little above the current numbers. Bytes do not depend on how busy the machine is, as time does, so CI shows
 * a mistake that affects every request.
 *
 * It runs itself again with a young generation so large that nothing is collected while it counts, and with V8 on one
 * thread, so that functions are optimised at the same call in each run.
 *
 * A change that needs less lowers its limit here. A change that needs more raises it, and gives the reason in its
 * commit.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'

/** Bytes for each read, or each answer. */
const limits = {
  'getSession, one hot token': 4_500,
  'getSession, all tokens distinct': 10_400,
  'getSession, anonymous': 450,
  'getSession, 40 cookies of others': 4_600,
  'getSession, one hot token, revocation': 4_800,
  'requireSession, one hot token': 5_600,
  'auth() in withRequest, one hot token': 17_500,
  'auth(handler), one hot token': 20_000,
  'GET session, one hot token': 12_600,
  'GET signin, signed out': 27_000,
}

const reads = 1000
const warmUp = 6_000
const flags = ['--expose-gc', '--single-threaded', '--min-semi-space-size=128', '--max-semi-space-size=128']

if (process.argv[2] === 'counting') console.log(JSON.stringify(await count()))
else check()

function check() {
  const script = fileURLToPath(import.meta.url)
  const counted = JSON.parse(execFileSync(process.execPath, [...flags, script, 'counting'], { encoding: 'utf8' }))
  let over = 0
  for (const [name, limit] of Object.entries(limits)) {
    const bytes = counted[name]
    if (bytes > limit) over += 1
    console.log(`${bytes > limit ? 'OVER ' : 'ok   '} ${name.padEnd(38)} ${bytes} bytes of ${limit}`)
  }
  if (over > 0) process.exitCode = 1
}

async function count() {
  const { getSession, requireSession, ServerAuth } = await import('../dist/lib/index.js')
  const { default: Credentials } = await import('../dist/lib/providers/credentials.js')
  const { encode } = await import('../dist/lib/jwt.js')
  const { default: initAuth, withRequest } = await import('../dist/shim/index.js')
  const secret = 'a-secret-for-the-benchmark-of-32-characters'
  const config = { secret, trustHost: true, providers: [], logger: { warn() {}, error() {} } }
  const name = '__Secure-auth.session-token'
  const mint = async () => {
    const claims = { sub: '1', name: 'Ann Example', email: 'ann@example.com', picture: 'https://example.com/ann.png' }
    // As a sign-in makes it: with the claims that name the session.
    const at = Math.floor(Date.now() / 1000)
    const proof = { auth_began: at, auth_proofs: `p|${at.toString(36)}|credentials|`, auth_time: at, amr: [] }
    const own = { sid: randomUUID().replaceAll('-', '').slice(0, 22), ...proof }
    return `${name}=${await encode({ token: { ...claims, ...own }, secret, salt: name })}`
  }
  const hot = await mint()
  const others = Array.from({ length: 40 }, (_, at) => `analytics_${at}=${'v'.repeat(37)}`).join('; ')
  const guard = requireSession(config)
  const read = (req) => getSession(req, config)
  const { auth } = initAuth(config)
  const answer = () => new Response('hello')
  const handler = auth(answer)
  const authed = (request) => withRequest(request, () => auth().then(answer))
  const fetched = (cookie) => new Request('https://app.example/members', { headers: { cookie, accept: '*/*' } })
  const form = Credentials({ credentials: { username: {}, password: {} }, authorize: () => null })
  const router = ServerAuth({ ...config, providers: [form] })
  const ask = (path) => (req) =>
    router(Object.assign(req, { url: path, baseUrl: '/auth', originalUrl: `/auth${path}` }), req.res, fail)
  // With ended sessions of other users.
  const revocation = endedSessions({ count: 1000, seconds: 24 * 60 * 60 })
  const checked = { ...config, session: { revocation } }
  const readChecked = (req) => getSession(req, checked)
  const guarded = (req) => new Promise((resolve) => guard(req, req.res, resolve))
  return {
    'getSession, one hot token': await bytesOf(read, () => requestWith(hot)),
    'getSession, all tokens distinct': await bytesOf(read, async () => requestWith(await mint())),
    'getSession, anonymous': await bytesOf(read, () => requestWith(undefined)),
    'getSession, 40 cookies of others': await bytesOf(read, () => requestWith(`${others}; ${hot}`)),
    'getSession, one hot token, revocation': await bytesOf(readChecked, () => requestWith(hot)),
    'requireSession, one hot token': await bytesOf(guarded, () => requestWith(hot)),
    'auth() in withRequest, one hot token': await bytesOf(authed, () => fetched(hot)),
    'auth(handler), one hot token': await bytesOf(handler, () => fetched(hot)),
    'GET session, one hot token': await bytesOf(ask('/session'), () => requestWith(hot)),
    'GET signin, signed out': await bytesOf(ask('/signin'), () => requestWith(undefined)),
  }
}

/** A store of `session.revocation` with a feed, which half of the entries are sessions of and half are users of. */
function endedSessions({ count, seconds }) {
  const now = Math.floor(Date.now() / 1000)
  const revocations = Array.from({ length: count }, (_, at) => ({
    key: `${at % 2 ? 'u.' : ''}${randomUUID().slice(0, 22)}`,
    exceptSid: '',
    notBefore: at % 2 ? now - seconds : 253_402_300_799,
    until: now + seconds,
  }))
  const log = {
    add() {},
    replace() {},
    find: () => ({ revocations: [], now }),
    changes: (cursor) => ({ revocations: cursor === null ? revocations : [], cursor: 'now', isLast: true }),
  }
  return { log }
}

/** The lowest of several batches: what else happens in the process only adds. */
async function bytesOf(read, makeRequest) {
  const batches = []
  for (let done = 0; done < warmUp; done += reads) await bytesOfBatch(read, makeRequest)
  for (let batch = 0; batch < 5; batch += 1) batches.push(await bytesOfBatch(read, makeRequest))
  return Math.round(Math.min(...batches.filter((bytes) => bytes > 0)))
}

async function bytesOfBatch(read, makeRequest) {
  const requests = []
  for (let made = 0; made < reads; made += 1) requests.push(await makeRequest())
  globalThis.gc()
  const before = getHeapStatistics().used_heap_size
  for (const request of requests) await read(request)
  return (getHeapStatistics().used_heap_size - before) / reads
}

function fail(error) {
  throw error ?? new Error('not answered')
}

/** As Express has it, as far as a session's reader and our routes look. */
function requestWith(cookie) {
  const res = { locals: {}, headersSent: false, getHeader() {}, setHeader() {}, writeHead() {}, end() {} }
  const headers = { host: 'app.example', ...(cookie && { cookie }) }
  return { headers, protocol: 'https', method: 'GET', originalUrl: '/members', res }
}
