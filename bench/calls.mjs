/**
 * `npm run bench`, second part: CPU per call of what reads a session, in this process and without a network: `getSession` on
 * a request of Express, beside the forms of the shim's `auth` on a Request of Fetch. Rounds are interleaved; the median counts.
 */
import { getSession } from '../dist/lib/index.js'
import { encode } from '../dist/lib/jwt.js'
import initAuth, { withRequest } from '../dist/shim/index.js'

const calls = Number(process.env.BENCH_CALLS ?? 3000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const secret = 'a-secret-for-the-benchmark-of-32-characters'
const config = { secret, providers: [], trustHost: true, basePath: '/auth' }
const name = '__Secure-auth.session-token'
const token = await encode({ token: { sub: '1', name: 'Ann', email: 'ann@example.com' }, secret, salt: name })
const cookie = `${name}=${token}`
const { auth } = initAuth(config)

const fetchRequest = () => new Request('https://app.example/page', { headers: { cookie } })
const expressRequest = () => ({
  headers: { host: 'app.example', cookie },
  protocol: 'https',
  res: { headersSent: false, getHeader() {}, setHeader() {}, writeHead() {} },
})
const wrapped = auth(() => new Response())
const forms = {
  'getSession(req), Express': async () => (await getSession(expressRequest(), config)).user.name,
  'auth() in withRequest': () =>
    withRequest(fetchRequest(), async () => new Response((await auth()).user.name)).then((response) => response.text()),
  'auth(handler)': async () => (await wrapped(fetchRequest())).status,
  'new Request alone': async () => fetchRequest().headers.get('cookie'),
}

/** Measures and prints. */
export async function measureCalls() {
  const measured = Object.fromEntries(Object.keys(forms).map((form) => [form, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [form, call] of Object.entries(forms)) {
      const before = process.cpuUsage()
      for (let made = 0; made < calls; made += 1) await call()
      const { user, system } = process.cpuUsage(before)
      // The first round warms up.
      if (round > 0) measured[form].push((user + system) / calls)
    }
  }
  console.log('\nreading a session, in the process')
  for (const [form, costs] of Object.entries(measured)) {
    const cost = costs.sort((a, b) => a - b)[Math.floor(costs.length / 2)]
    console.log(`  ${form.padEnd(26)} ${cost.toFixed(0).padStart(5)} µs CPU`)
  }
}
