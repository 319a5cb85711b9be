/**
 * `npm run bench`: CPU per request of a guarded route and of GET session, ours beside bare Express and @auth/express; and
 * of a route guarded by a database session, on SQLite and PostgreSQL (`BENCH_SKIP=postgres` leaves that out), beside the
 * query alone. Then, by `calls.mjs`, CPU per call of `getSession` beside the shim's `auth`.
 *
 * Each variant has a server process; rounds are interleaved, so that noise of the machine meets all alike. What counts is
 * the CPU time of the server, user and system, not the time on the clock. The ratio is bare Express' CPU by the variant's:
 * 1 is as cheap as bare Express, 0.25 costs four times as much. The median of the rounds is reported.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { measureCalls } from './calls.mjs'

const requests = Number(process.env.BENCH_REQUESTS ?? 1500)
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const tokens = ['bare', 'ours', 'auth-express']
const databases = ['bare', 'sqlite query', 'sqlite', 'postgres query', 'postgres'].filter(
  (name) => !(process.env.BENCH_SKIP ?? '').split(',').includes(name.split(' ')[0]),
)

const postgres = databases.includes('postgres') ? await createDatabase() : undefined
const servers = {}
const cookies = {}
for (const name of new Set([...tokens, ...databases])) {
  servers[name] = await start(name)
  cookies[name] = name === 'bare' ? 'session=x' : await signIn(servers[name])
}
const cases = [
  { title: 'guarded route, valid cookie', path: '/guarded', names: tokens, cookie: (name) => cookies[name] },
  { title: 'guarded route, anonymous', path: '/guarded', names: tokens, cookie: () => '' },
  { title: 'GET session, valid cookie', path: '/auth/session', names: tokens, cookie: (name) => cookies[name] },
  { title: 'guarded route, database session', path: '/guarded', names: databases, cookie: (name) => cookies[name] },
]

for (const { title, path, names, cookie } of cases) {
  for (const name of names) await load(servers[name], path, cookie(name), requests)
  const measured = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) measured[name].push(await load(servers[name], path, cookie(name), requests))
  }
  console.log(`\n${title}`)
  const bare = median(measured.bare)
  for (const name of names) {
    const cpu = median(measured[name])
    console.log(
      `  ${name.padEnd(14)} ${cpu.toFixed(0).padStart(6)} µs CPU   ${(bare / cpu).toFixed(2)} of bare Express`,
    )
  }
}
await Promise.all(
  Object.values(servers).map(({ child }) => {
    child.send('close')
    return once(child, 'exit')
  }),
)
await postgres?.drop()
await measureCalls()

/** CPU per request of a server under load, in microseconds. */
async function load(server, path, cookie, count) {
  const before = await cpuOf(server)
  const lanes = Array.from({ length: 16 }, async () => {
    for (let sent = 0; sent < count / 16; sent += 1) await get(server, path, cookie)
  })
  await Promise.all(lanes)
  const after = await cpuOf(server)
  return (after.user + after.system - before.user - before.system) / count
}

/** A PostgreSQL database for this run, beside the one that `BENCH_POSTGRES` names. */
async function createDatabase() {
  const { default: pg } = await import('pg')
  const url = new URL(process.env.BENCH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test')
  const run = async (statement) => {
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const name = `server_auth_bench_${process.pid}`
  await run(`create database ${name}`)
  const made = new URL(url)
  made.pathname = `/${name}`
  return { url: made.href, drop: () => run(`drop database ${name}`) }
}

function start(name) {
  const child = fork(new URL('./server.mjs', import.meta.url), [name], {
    env: { ...process.env, NODE_ENV: 'production', ...(postgres && { BENCH_DATABASE: postgres.url }) },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('message', ({ port }) => resolve({ child, port, agent }))
  })
}

function cpuOf({ child }) {
  return new Promise((resolve) => {
    child.once('message', ({ cpu }) => resolve(cpu))
    child.send('cpu')
  })
}

function get({ port, agent }, path, cookie) {
  return send({ port, agent, path, headers: cookie ? { cookie } : {} })
}

function send({ body, ...options }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', ...options }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Signs in as a person would, and checks that the guard lets the cookie through. */
async function signIn({ port, agent }) {
  const csrf = await send({ port, agent, path: '/auth/csrf' })
  const jar = csrf.headers['set-cookie'].map((cookie) => cookie.split(';')[0])
  const { csrfToken } = JSON.parse(csrf.text)
  const answer = await send({
    port,
    agent,
    method: 'POST',
    path: '/auth/callback/credentials',
    headers: { cookie: jar.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, name: 'ann' }).toString(),
  })
  const cookie = [...jar, ...(answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0])].join('; ')
  const guarded = await send({ port, agent, path: '/guarded', headers: { cookie } })
  if (guarded.status !== 200)
    throw new Error(`the guard answered ${guarded.status}: the measurement would be of nothing`)
  return cookie
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
