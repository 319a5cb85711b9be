/** The guarded route with sessions in a database, compared with the one query that they need, by the same driver. */
import { write } from '../harness/http.mjs'
import { repeat } from '../harness/lanes.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'

const request = (server, cookie) => repeat([write(server.port, { path: '/guarded', cookie })])

function databaseJob({ id, title, floor, database, scheme = '', variant, query }) {
  return {
    id,
    title,
    floor,
    async prepare(bench, roots) {
      const lanes = []
      for (const root of roots) {
        const url = `${scheme}${await bench.database(database)}`
        const work = async (server) => request(server, await signedInCookie(server))
        lanes.push({ url, lane: bench.lane('ours', variant, { root, url }, work) })
      }
      // The floor reads a session that our package stored.
      const [{ url, lane }] = lanes
      const cookie = await bench.briefly(lane, signedInCookie)
      const floorLane = bench.lane('database-query', query, { url }, (server) => request(server, cookie))
      return { floor: floorLane, own: lanes.map((each) => each.lane) }
    },
  }
}

export const sqlite = databaseJob({
  id: 'sqlite',
  title: 'Guarded route, session in SQLite',
  floor: 'bare query, prepared',
  database: 'sqlite',
  scheme: 'sqlite:',
  variant: 'database',
  query: 'sqlite',
})

export const postgres = databaseJob({
  id: 'postgres',
  title: 'Guarded route, session in PostgreSQL, not prepared',
  floor: 'bare query, not prepared',
  database: 'postgres',
  variant: 'database',
  query: 'postgres',
})

export const postgresPrepared = databaseJob({
  id: 'postgres-prepared',
  title: 'Guarded route, session in PostgreSQL, prepared',
  floor: 'bare query, prepared',
  database: 'postgres',
  variant: 'database, prepared',
  query: 'postgres, prepared',
})
