/** Sessions in a database, beside the one query that they cannot do without. */
import { randomUUID } from 'node:crypto'
import { authJsCookieName } from '../apps/people.mjs'
import { signedInCookie } from '../harness/sign-in.mjs'

const title = 'A guarded route with a session in a database'

export const database = {
  id: 'database',
  title,
  about:
    'One hot token. The base is the minimal cost of such a session: one prepared JOIN by the driver alone, in Express. `prepare` is an option of `connect`; the statement of the base is always prepared.',
  async run(bench) {
    return [await onSqlite(bench), await onPostgres(bench)]
  },
}

async function onSqlite(bench) {
  const url = `sqlite:${await bench.database('sqlite')}`
  const ours = await bench.start('ours', 'database', { url })
  const cookie = await signedInCookie(ours)
  const query = await bench.start('database-query', 'sqlite', { url })
  const betterAuth = await bench.start('better-auth', 'sqlite', { url: await bench.database('sqlite') })
  const rows = await bench.compare([
    bench.get('bare query', query, { cookie }),
    bench.get('Express', await bench.start('bare', 'express'), { cookie }),
    bench.get('server-auth', ours, { cookie }),
    bench.get('Better Auth', betterAuth, { cookie: await signedInCookie(betterAuth) }),
  ])
  return { id: 'sqlite', title: 'SQLite', base: 'the bare query', rows }
}

async function onPostgres(bench) {
  const url = await bench.database('postgres')
  const ours = await bench.start('ours', 'database', { url })
  const prepared = await bench.start('ours', 'database, prepared', { url })
  const cookie = await signedInCookie(ours)
  const query = await bench.start('database-query', 'postgres, prepared', { url })
  const betterAuth = await bench.start('better-auth', 'postgres', { url: await bench.database('postgres') })
  const token = randomUUID()
  const authJs = await bench.start('auth-js', 'postgres', { url: await bench.database('postgres'), token })
  const rows = await bench.compare([
    bench.get('bare query', query, { cookie }),
    bench.get('Express', await bench.start('bare', 'express'), { cookie }),
    bench.get('server-auth', ours, { cookie }),
    bench.get('server-auth, `prepare`', prepared, { cookie }),
    bench.get('Better Auth', betterAuth, { cookie: await signedInCookie(betterAuth) }),
    bench.get('@auth/express', authJs, { cookie: `${authJsCookieName}=${token}` }),
  ])
  return { id: 'postgres', title: 'PostgreSQL', base: 'the bare query', rows }
}
