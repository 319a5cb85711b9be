/**
 * Measures the memory that a process keeps for strangers: a million requests of which no two have the same cookies,
 * state, name or address, through the Fetch door in one process, without sockets. The heap after a collection has to
 * become flat. Not part of `npm test`: it takes minutes.
 *
 *   node --expose-gc --import tsx bench/memory.mjs [requests, default 1000000]
 */
import { randomBytes } from 'node:crypto'
import { customFetch } from '../lib/index.ts'
import { encode } from '../lib/jwt.ts'
import Credentials from '../lib/providers/credentials.ts'
import initAuth, { withRequest } from '../shim/index.ts'

const total = Number(process.argv[2] ?? 1_000_000)
if (typeof gc !== 'function' || !(total >= 1000)) {
  throw new Error('node --expose-gc --import tsx bench/memory.mjs [requests, at least 1000]')
}
const step = Math.max(1000, Math.min(100_000, Math.floor(total / 10)))
const origin = 'https://app.example'
const secret = 'a-secret-of-more-than-32-characters-for-this'
const sessionCookie = '__Secure-auth.session-token'
const text = (bytes) => randomBytes(bytes).toString('base64url')
const tally = new Map()

const provider = {
  id: 'test',
  name: 'Test',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: 'https://provider.example/authorize',
  token: 'https://provider.example/token',
  userinfo: 'https://provider.example/userinfo',
  [customFetch]: async () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
}
const { handlers } = initAuth({
  secret,
  trustHost: true,
  basePath: '/auth',
  rateLimit: {},
  session: { revocation: { store: emptyStore() } },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    provider,
    Credentials({
      credentials: { username: {}, password: {} },
      authorize: ({ username, password }) => (password === 'right' ? { id: username, name: username } : null),
    }),
  ],
})

/** A store of ended sessions that has none. */
function emptyStore() {
  const log = {
    add() {},
    replace() {},
    find: () => ({ revocations: [], now: Math.floor(Date.now() / 1000) }),
    changes: () => ({ revocations: [], cursor: 'end', isLast: true }),
  }
  return { log }
}

/** A client of its own network. */
const addressOf = (at) => `2001:db8:${(at >>> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`

async function ask(what, at, path, { cookie = '', form } = {}) {
  const headers = { cookie, 'user-agent': `agent ${at}`, 'sec-fetch-site': 'same-origin', origin }
  const request = new Request(origin + path, {
    headers,
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const response = await withRequest(request, () => (form ? handlers.POST(request) : handlers.GET(request)), {
    ip: addressOf(at),
  })
  const body = await response.text()
  const shown = `${what}: ${response.status}${/^(null|\{)/.test(body) && body.includes('"user"') ? ' with a session' : ''}`
  tally.set(shown, (tally.get(shown) ?? 0) + 1)
  return response
}

const cookiesOf = (response) => response.headers.getSetCookie().map((line) => line.split(';', 1)[0])

/** Sends six requests of new users. */
async function round(at) {
  const token = {
    sub: text(9),
    name: text(9),
    email: `${text(9)}@example.com`,
    sid: text(16),
    auth_began: 1,
    auth_proofs: '-',
  }
  const own = `${sessionCookie}=${await encode({ token, secret, salt: sessionCookie })}`
  await ask('a session', at, '/auth/session', { cookie: own })
  await ask('a made-up cookie', at + 1, '/auth/session', { cookie: `${sessionCookie}=${text(200)}` })
  const begun = await ask('the start at a provider', at + 2, '/auth/signin/test', { form: { callbackUrl: '/' } })
  const state = new URL(begun.headers.get('location')).searchParams.get('state')
  const back = `/auth/callback/test?${new URLSearchParams({ code: text(16), state })}`
  await ask('a return with a wrong code', at + 3, back, { cookie: cookiesOf(begun).join('; ') })
  const guess = { username: text(12), password: 'wrong' }
  await ask('a wrong password', at + 4, '/auth/callback/credentials', { form: guess })
  const right = { username: text(12), password: 'right' }
  await ask('a right password', at + 5, '/auth/callback/credentials', { form: right })
}

function megabytes() {
  for (let times = 0; times < 3; times += 1) gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: (heapUsed + external) / 1e6, rss: rss / 1e6 }
}

const show = (done) => {
  const { heap, rss } = megabytes()
  console.log(`${String(done).padStart(9)} requests: ${heap.toFixed(1)} MB on the heap, ${rss.toFixed(0)} MB resident`)
}

await round(0)
show(6)
let shown = 0
for (let done = 6; done < total; done += 6) {
  await round(done)
  if (Math.floor(done / step) === shown) continue
  shown = Math.floor(done / step)
  await new Promise((resolve) => setImmediate(resolve))
  show(done)
}
for (const [what, count] of tally) console.log(`${what}: ${count}`)
