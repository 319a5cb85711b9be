/** The cost of a process instead of a request: its start, and its memory with many sessions. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectionsTo, distinct, drive, measureSamples } from '../harness/lanes.mjs'
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
const claims = claimsOf(200)

/** The growth of the heap by three requests of each of many sessions, after a full garbage collection. */
export const memory = {
  id: 'memory',
  title: 'Growth of the heap by 10,000 active sessions',
  floor: 'async handler that parses the cookie header',
  unit: 'MB',
  measure: measureSamples,
  async prepare(bench, roots) {
    const growing = async (root, module, variant) => {
      const mint = await mintOf(root)
      const cookies = []
      while (cookies.length < sessions) cookies.push(await mint(claims))
      const lane = bench.lane(module, variant, { root, nodeOptions: ['--expose-gc'] })
      return { sample: () => bench.briefly(lane, (server) => growthOf(server, cookies)) }
    }
    return {
      floor: await growing(roots[0], 'floors', 'cookies'),
      own: await Promise.all(roots.map((root) => growing(root, 'ours', 'getSession'))),
    }
  },
}

/** Resolves to the megabytes by which the requests of all sessions enlarge a heap that one session has warmed up. */
async function growthOf(server, cookies) {
  const connections = connectionsTo(server)
  const heapAfter = async (count, cookieOf) => {
    let next = 0
    const work = distinct(server, () => ({ cookie: cookieOf(next++) }))
    await work.prepare(count)
    await drive(connections, work, count)
    return (await server.ask('memory')).heapUsed
  }
  const before = await heapAfter(5000, () => cookies[0])
  const after = await heapAfter(3 * cookies.length, (at) => cookies[at % cookies.length])
  for (const connection of connections) connection.close()
  return (after - before) / 1e6
}
