/** Cookies, session tokens, and requests of a signed-in user about their own session. */
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { splitChunks } from '../../../lib/http/chunks.js'
import { encode } from '../../../lib/jwt.js'
import { secret } from '../../support/app.js'
import { documentedKey, forge } from '../../support/jwe.js'
import { sessionName } from '../../support/session.js'
import { target } from '../explore.js'
import { bend, bent, edited, editedJson, edits, type Fields, jsonEdits, mostly, objects, seldom } from '../hostile.js'
import { base, type Site } from '../site.js'
import { Stranger, Violation } from '../stranger.js'

const names = [
  sessionName,
  `${sessionName}.0`,
  `${sessionName}.1`,
  `${sessionName}.2`,
  `${sessionName}.99`,
  `__Secure-${sessionName}`,
  `__Secure-${sessionName}.0`,
  'auth.csrf-token',
  '__Host-auth.csrf-token',
  'auth.callback-url',
  'auth.transaction.0',
  'auth.transaction.1',
  'auth.transaction.passkey',
  'auth.transaction.email',
  'auth.browser',
  '__Host-auth.browser',
  'auth.logout',
  'auth.typed',
  'auth.device',
  '__Host-auth.device',
  'auth.remember',
  '__Host-auth.remember',
  'next-auth.session-token',
  'authjs.session-token',
  '__proto__',
]

/** Returns a signed-in user who has begun every kind of flow: genuine values of every purpose. */
async function busyPerson(site: Site): Promise<Stranger> {
  const person = new Stranger(site)
  await person.post('/signin/test')
  await person.post('/signin/email', [['email', 'person@example.com']])
  await person.get(`${base}/webauthn-options/passkey?action=authenticate`)
  // A wrong password keeps what was typed.
  await person.post('/callback/credentials', [
    ['username', 'ann'],
    ['password', 'wrong'],
  ])
  await person.post('/callback/credentials', [
    ['username', 'ann'],
    ['password', 'right'],
  ])
  return person
}

/** Checks whether a genuine session is among these cookies: its token unchanged, or all chunks of it. */
function holds(cookies: Fields, parts: readonly string[]): boolean {
  return parts.every((part) => cookies.some(([, value]) => value === part))
}

/** A cookie header that another client has written. */
export const cookies = target(
  'cookies',
  fc.record({
    changes: edits(names),
    isLong: fc.boolean(),
    path: fc.constantFrom('/session', '/signin', '/signout', '/callback/test?state=x&code=y', '/csrf'),
  }),
  async (site, { changes, isLong, path }) => {
    const person = await busyPerson(site)
    const own = person.jar.cookies.get(sessionName)
    if (own === undefined) throw new Violation('the person could not sign in')
    const long = isLong && site.strategy === 'jwt'
    const token = long
      ? await encode({ token: { sub: 'ann', much: 'x'.repeat(5000) }, secret, salt: sessionName })
      : own
    person.jar.cookies.delete(sessionName)
    const chunks = splitChunks(sessionName, token)
    // A value ends at a semicolon, and white space around it does not belong to it.
    const held = edited([...person.jar.cookies, ...chunks], changes).map(
      ([name, value]) => [name.replace(/[\r\n\0]/g, ''), value.replace(/[\r\n\0]/g, '')] as const,
    )
    const header = held.map((pair) => pair.join('=')).join('; ')
    const thief = new Stranger(site)
    const headers = [['cookie', header]] as const
    await thief.send({ target: base + path, headers })
    await thief.send({
      method: 'POST',
      target: `${base}/signout`,
      headers: [...headers, ['origin', 'http://other.test']],
    })
    const { status, body } = await thief.send({ target: `${base}/session`, headers })
    const { body: me } = await thief.send({ target: '/me', headers })
    const spelled = header.split(/;\s*/).map((pair) => ['', pair.slice(pair.indexOf('=') + 1).trim()] as const)
    const mayHold = [held, spelled].some((each) =>
      holds(
        each,
        chunks.map(([, value]) => value),
      ),
    )
    if (status === 200 && body !== 'null' && !mayHold) throw new Violation(`a session of changed cookies: ${body}`)
    if (status === 200 && me !== 'null' && me !== '' && !mayHold) throw new Violation(`/me has a session: ${me}`)
  },
)

const headerEdits = jsonEdits([
  'zip',
  'crit',
  'kid',
  'p2c',
  'p2s',
  'epk',
  'apu',
  'cty',
  'typ',
  'b64',
  'jwk',
  'x5u',
  'jku',
  'iv',
  'tag',
])
const payloadEdits = jsonEdits([
  'exp',
  'nbf',
  'iat',
  'sub',
  'sid',
  'amr',
  'auth_time',
  'user',
  'email',
  'data',
  'jti',
  'toJSON',
])

/**
 * Session tokens: of another key, with another header, with one of five parts changed, authentic with a payload that we
 * never write.
 */
export const tokens = target(
  'session-tokens',
  fc.record({
    key: mostly<'own' | 'secret' | 'salt' | 'zeros'>('own', 'secret', 'salt', 'zeros'),
    header: seldom(headerEdits),
    payload: seldom(payloadEdits),
    isDeflated: mostly(false, true),
    part: fc.option(fc.tuple(fc.nat(5), bend(9000)), { nil: undefined, freq: 2 }),
    bearer: fc.boolean(),
  }),
  async (site, { key, header, payload, isDeflated, part, bearer }) => {
    const keys = {
      own: documentedKey(secret, sessionName),
      secret: documentedKey(`${secret}!`, sessionName),
      salt: documentedKey(secret, 'auth.transaction.0'),
      zeros: new Uint8Array(64),
    }
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: 'ann', name: 'ann', iat: now, exp: now + 600, nested: { list: [1, { a: 'b' }] } }
    const said = payload ? editedJson(claims, payload) : claims
    const head = editedJson({ alg: 'dir', enc: 'A256CBC-HS512' }, header ?? [])
    const content = isDeflated ? deflateRawSync(JSON.stringify(said) ?? '') : (said ?? null)
    const made = forge(keys[key], content, typeof head === 'object' && head !== null ? { ...head } : {})
    const parts = made.split('.')
    if (part) parts[part[0]] = bent(parts[part[0]] ?? '', part[1]).replace(/[\r\n\0;]/g, '')
    const token = parts.join('.')
    const stranger = new Stranger(site)
    const headers = bearer
      ? ([['authorization', `Bearer ${token}`]] as const)
      : ([['cookie', `${sessionName}=${token}`]] as const)
    const { status, body } = await stranger.send({ target: `${base}/session`, headers })
    await stranger.send({ target: '/me', headers })
    // Spaces around a value are none of it (RFC 6265 §5.2).
    const value = token.trim()
    const isOurs = key === 'own' && value === made && !isDeflated && site.strategy === 'jwt' && !bearer
    if (status === 200 && body !== 'null' && !isOurs) throw new Violation(`a session by a forged token: ${body}`)
  },
  { runs: 20 },
)

/**
 * A request of a user to change their own session. None of it is stored, because the application has no callback for
 * that.
 */
export const update = target(
  'session-update',
  objects(['data', 'data', 'data', 'user', 'sub', 'expires', 'trigger', 'session', '__proto__']),
  async (site, body) => {
    const person = new Stranger(site)
    await person.post('/callback/credentials', [
      ['username', 'ann'],
      ['password', 'right'],
    ])
    const before = await person.session()
    const headers = [...person.own, ['content-type', 'application/json'] as const]
    await person.send({ method: 'POST', target: `${base}/session`, headers, body })
    const after = await person.session()
    const told = (session: unknown) => JSON.stringify({ ...Object(session), expires: '' })
    if (before === null || told(before) !== told(after)) throw new Violation(`${told(before)} became ${told(after)}`)
  },
)
