/** The cost of a process instead of a request: its start, and its memory with many sessions. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Connection, write } from '../harness/http.mjs'
import { measureSamples } from '../harness/lanes.mjs'
import { claimsOf, mintOf } from '../harness/tokens.mjs'

const script = fileURLToPath(new URL('../apps/import.mjs', import.meta.url))

/** A new process imports Express and other modules. All threads count, because compiling is work of several. */
export const coldStart = {
  id: 'cold',
  title: 'Cold start: Express and the import of the library',
  floor: 'a process that imports Express',
  unit: 'ms',
  measure: measureSamples,
  prepare({ node }, roots) {
    const importing = (...modules) => ({
      sample: async () => Number((await promisify(execFile)(node, [script, ...modules])).stdout),
    })
    return {
      floor: importing(),
      own: roots.map((root) => importing(new URL('dist/lib/index.js', root).href)),
      peers: () => [
        ['express-session + passport', importing('express-session', 'passport', 'passport-local')],
        ['iron-session', importing('iron-session')],
        ['Better Auth', importing('better-auth', 'better-auth/node')],
        ['@auth/express', importing('@auth/express', '@auth/express/providers/credentials')],
        ['express-openid-connect', importing('express-openid-connect')],
      ],
    }
  },
}

const sessions = 10_000

/** The growth of the heap by requests of many users, after a full garbage collection. */
export const memory = {
  id: 'memory',
  title: 'Growth of the heap by 10,000 active sessions',
  floor: 'async handler that parses the cookie header',
  unit: 'MB',
  measure: measureSamples,
  settings: { rounds: 4 },
  async prepare(bench, roots) {
    const growing = (mint, module, variant, options) => ({
      sample: () =>
        bench.briefly(bench.lane(module, variant, { ...options, nodeOptions: ['--expose-gc'] }), growth(mint)),
    })
    const mints = await Promise.all(roots.map(mintOf))
    return {
      floor: growing(mints[0], 'floors', 'cookies', {}),
      own: roots.map((root, at) => growing(mints[at], 'ours', 'getSession', { root })),
    }
  },
}

/** Resolves to the megabytes by which the heap is larger after a request of each session. The first session warms up. */
function growth(mint) {
  const claims = claimsOf(200)
  return async (server) => {
    const connection = new Connection(server.port)
    const send = async (cookie) => connection.send(write(server.port, { cookie }))
    const first = await mint(claims)
    for (let sent = 0; sent < 5000; sent += 1) await send(first)
    const before = (await server.ask('memory')).heapUsed
    for (let sent = 0; sent < sessions; sent += 1) await send(await mint(claims))
    const after = (await server.ask('memory')).heapUsed
    connection.close()
    return (after - before) / 1e6
  }
}
