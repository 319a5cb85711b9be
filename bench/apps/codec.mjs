/**
 * The least that a session in an encrypted cookie costs: the token that we issue, opened by `node:crypto` with a ready key
 * and `JSON.parse`, in bare Express. It has no rotation of secrets, no extension, no callbacks and no other safeguards.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { cookieName, secret, user } from './people.mjs'

const bytes = Buffer.from(hkdfSync('sha256', secret, cookieName, `server-auth session key (${cookieName})`, 64))
const authentication = createSecretKey(bytes.subarray(0, 32))
const encryption = createSecretKey(bytes.subarray(32))
const ownHeader = Buffer.from('{"alg":"dir","enc":"A256CBC-HS512"}').toString('base64url')

function open(token) {
  const [header, , iv64, text64, tag64] = token.split('.')
  if (tag64 === undefined) return null
  const iv = Buffer.from(iv64, 'base64url')
  const text = Buffer.from(text64, 'base64url')
  const tag = Buffer.from(tag64, 'base64url')
  if (tag.length !== 32 || !timingSafeEqual(tag, tagOf(header, iv, text))) return null
  const decipher = createDecipheriv('aes-256-cbc', encryption, iv)
  const claims = JSON.parse(decipher.update(text, undefined, 'utf8') + decipher.final('utf8'))
  return claims.exp > Date.now() / 1000 ? claims : null
}

function seal(claims) {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', encryption, iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(claims), 'utf8'), cipher.final()])
  const parts = [iv, text, tagOf(ownHeader, iv, text)].map((part) => part.toString('base64url'))
  return `${ownHeader}..${parts.join('.')}`
}

function tagOf(header, iv, text) {
  const length = Buffer.alloc(8)
  length.writeUInt32BE(header.length * 8, 4)
  const hmac = createHmac('sha512', authentication).update(header).update(iv).update(text).update(length)
  return hmac.digest().subarray(0, 32)
}

const first = new RegExp(`(?:^|; )${cookieName}(?:\\.0)?=([^;]*)`)
const others = new RegExp(`; ${cookieName}\\.[1-3]=([^;]*)`, 'g')

/** The token in a request's cookies. */
export function tokenOf({ headers: { cookie = '' } }) {
  const found = first.exec(cookie)
  if (!found?.[0].includes('.session-token.0=')) return found?.[1]
  return found[1] + [...cookie.matchAll(others)].map(([, part]) => part).join('')
}

/** A memory of tokens that were opened before: the thousand newest. */
function remembering(openToken) {
  const known = new Map()
  return (token) => {
    const claims = known.get(token)
    if (claims) return claims.exp > Date.now() / 1000 ? claims : null
    const opened = openToken(token)
    if (opened) known.set(token, opened)
    if (known.size > 1000) known.delete(known.keys().next().value)
    return opened
  }
}

function codec(openToken) {
  return (app, _context, express) => {
    const userOf = (req) => {
      const token = tokenOf(req)
      return token ? openToken(token) : null
    }
    app.get('/auth/session', (req, res) => {
      const claims = userOf(req)
      const { name, email, picture: image } = claims ?? {}
      res.set('cache-control', 'private, no-store')
      res.json(claims && { user: { name, email, image }, expires: new Date(claims.exp * 1000).toISOString() })
    })
    app.post('/auth/login', express.urlencoded({ extended: false }), (req, res) => {
      if (!req.body.username) return res.status(401).end()
      const { id: sub, image: picture, name, email } = user
      const iat = Math.floor(Date.now() / 1000)
      const token = seal({ sub, name, email, picture, iat, exp: iat + 2592000, jti: randomUUID() })
      res.cookie(cookieName, token, { httpOnly: true, sameSite: 'lax' }).redirect('/')
    })
    return userOf
  }
}

/** Opens a token, or takes it out of its memory. */
export const openRemembered = remembering(open)

export const variants = { codec: codec(open), 'codec with a memory': codec(openRemembered) }
