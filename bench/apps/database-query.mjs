/**
 * The least that a session in a database costs: the hash of the cookie's token, and one JOIN by the driver alone. The
 * tables and the session are server-auth's.
 */
import { createHash } from 'node:crypto'
import { cookieName } from './people.mjs'

const join =
  'select u.id, u.name, u.email, u.image, s.expires from auth_sessions s join auth_users u on u.id = s."userId" where s."sessionToken" = '
const pattern = new RegExp(`(?:^|; )${cookieName}=([^;]*)`)

const query = (find) => async (req) => {
  const token = pattern.exec(req.headers.cookie ?? '')?.[1]
  if (token === undefined) return undefined
  // The stored value is the hash and the sign-in metadata of the token, which begin with a point.
  return find(`h1_${createHash('sha256').update(token).digest('hex')}${token.slice(token.indexOf('.'))}`)
}

/** With a `name` the driver prepares the statement once for each connection. */
function onPostgres(settings) {
  return async (_app, { url }) => {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: url })
    return query(async (token) => (await pool.query({ ...settings, text: `${join}$1`, values: [token] })).rows[0])
  }
}

export const variants = {
  async sqlite(_app, { url }) {
    const { default: Database } = await import('libsql')
    const statement = new Database(url.replace('sqlite:', '')).prepare(`${join}?`)
    return query((token) => statement.get(token))
  },
  postgres: onPostgres({}),
  'postgres, prepared': onPostgres({ name: 'find' }),
}
