/** The guarded route with sessions in a database, compared with the one query that they need, by the same driver. */
import { randomUUID } from 'node:crypto'
import { authJsCookieName } from '../apps/people.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'
import { signedIn, withCookie } from './peers.mjs'

function databaseJob({ id, title, floor, database, scheme = '', variant, query, peers }) {
  return {
    id,
    title,
    floor,
    async prepare(bench, roots) {
      // Each package has its own database, because packages may differ in their tables.
      const urls = []
      for (const _ of roots) urls.push(`${scheme}${await bench.database(database)}`)
      const own = roots.map((root, at) => bench.lane('ours', variant, { root, url: urls[at] }, signedIn('/guarded')))
      // The floor reads a session that the first package stored.
      const cookie = await bench.briefly(own[0], signedInCookie)
      return {
        floor: bench.lane('database-query', query, { url: urls[0] }, withCookie(cookie)),
        own,
        peers: peers && (() => peers(bench)),
      }
    },
  }
}

async function betterAuth(bench, database) {
  const url = await bench.database(database)
  return ['Better Auth', bench.lane('better-auth', database, { url }, signedIn('/guarded'))]
}

export const sqlite = databaseJob({
  id: 'sqlite',
  title: 'Guarded route, session in SQLite',
  floor: 'the bare query, prepared',
  database: 'sqlite',
  scheme: 'sqlite:',
  variant: 'database',
  query: 'sqlite',
  peers: async (bench) => [await betterAuth(bench, 'sqlite')],
})

export const postgres = databaseJob({
  id: 'postgres',
  title: 'Guarded route, session in PostgreSQL, not prepared',
  floor: 'the bare query, not prepared',
  database: 'postgres',
  variant: 'database',
  query: 'postgres',
  async peers(bench) {
    const token = randomUUID()
    const options = { url: await bench.database('postgres'), token }
    const authJs = bench.lane('auth-js', 'postgres', options, withCookie(`${authJsCookieName}=${token}`))
    return [await betterAuth(bench, 'postgres'), ['@auth/express', authJs]]
  },
})

export const postgresPrepared = databaseJob({
  id: 'postgres-prepared',
  title: 'Guarded route, session in PostgreSQL, prepared',
  floor: 'the bare query, prepared',
  database: 'postgres',
  variant: 'database, prepared',
  query: 'postgres, prepared',
})
