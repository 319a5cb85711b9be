/** The token of a session: where a request carries it, how long it lives, and when it is made anew. */
import type { CookiePolicy, ResolvedConfig } from '../context.js'
import { readHeader } from '../crypto/jwe.js'
import { legacySessionKey, sessionKey } from '../crypto/keys.js'
import { openSessionToken } from '../crypto/session-token.js'
import { JWTSessionError, toError } from '../errors.js'
import { readChunked } from '../http/chunks.js'
import type { CookieJar } from '../http/cookies.js'
import { encode, type JWT } from '../jwt.js'

/** A jar, and the names in it. */
export interface Cookies {
  readonly jar: CookieJar
  readonly policy: CookiePolicy
}

/** A valid token, and where it was found. */
export interface FoundToken {
  readonly token: JWT
  /** As it was sent. */
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
}

/**
 * The token of a request: of our cookies the one that proves genuine, else a session of Auth.js where those are accepted.
 * A bearer token counts only where there is no session cookie at all.
 */
export async function findToken(
  config: ResolvedConfig,
  { jar, policy }: Cookies,
  bearer?: string,
): Promise<FoundToken | null> {
  const own = readChunked(jar.received, policy.sessionToken.name)
  for (const { value } of own) {
    const token = await decoded(config, policy, value)
    if (token) return { token, text: value, source: 'cookie' }
  }
  const legacy = await findLegacy(config, jar)
  if (legacy || own.length > 0 || bearer === undefined) return legacy
  const token = await decoded(config, policy, bearer)
  return token && { token, text: bearer, source: 'bearer' }
}

/** Whether a request carries a session cookie, genuine or not. */
export function holdsSession({ jwt }: ResolvedConfig, { jar, policy }: Cookies): boolean {
  const names = [policy.sessionToken.name, ...(jwt.legacy ? [jwt.legacy.cookieName] : [])]
  return names.some((name) => readChunked(jar.received, name).length > 0)
}

/** Seals a token for as long as it may live, in seconds. */
export async function sealToken(
  config: ResolvedConfig,
  policy: CookiePolicy,
  { token, startedAt }: { token: JWT; startedAt: number },
): Promise<{ token: string; maxAge: number }> {
  const { absoluteMaxAge } = config.session
  const maxAge = renewedExpiry(config, startedAt) - nowInSeconds()
  // Ours to say, whatever the callback made of it: an absolute end that could be moved would be none.
  const claims = absoluteMaxAge === undefined ? token : { ...token, auth_time: startedAt }
  const salt = policy.sessionToken.name
  return { token: await config.jwt.encode({ token: claims, secret: [...config.secrets], salt, maxAge }), maxAge }
}

/** When a token ends: its own `exp`, or sooner where `maxAge` has been lowered since, or at the session's absolute end. */
export function expiryOf(config: ResolvedConfig, token: JWT): number {
  const { exp, iat } = token
  const byAge = (typeof iat === 'number' ? iat : nowInSeconds()) + lifetime(config)
  return Math.min(byAge, absoluteEnd(config, startOf(token)), typeof exp === 'number' ? exp : Number.POSITIVE_INFINITY)
}

/** When a token that is made now will end. */
export function renewedExpiry(config: ResolvedConfig, startedAt: number): number {
  return Math.min(nowInSeconds() + lifetime(config), absoluteEnd(config, startedAt))
}

/** When the person signed in (`auth_time`, OpenID Connect Core §2), as far as the token knows. */
export function startOf({ auth_time: authTime, iat }: JWT): number {
  if (typeof authTime === 'number') return authTime
  return typeof iat === 'number' ? iat : nowInSeconds()
}

/** Whether `updateAge` has passed since the token was made. */
export function isDue(config: ResolvedConfig, { iat }: JWT): boolean {
  return typeof iat !== 'number' || nowInSeconds() - iat >= config.session.updateAge
}

/** Whether the `jwt` callback changed anything but the claims that each token gets anew, as JSON will write it. */
export function hasChanged(before: JWT, after: JWT): boolean {
  const written = ({ iat: _iat, exp: _exp, jti: _jti, auth_time: _start, ...claims }: JWT): unknown =>
    JSON.parse(JSON.stringify(claims))
  return !isSameJson(written(before), written(after))
}

/** Whether two values of JSON say the same, in whatever order their keys are. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
}

/** Whether the token was made under an older secret. It gets a new one at once, so that the old one can be dropped soon. */
export async function hasOldKey(
  { secrets, jwt }: ResolvedConfig,
  policy: CookiePolicy,
  token: string,
): Promise<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(token)?.kid
  return kid !== undefined && kid !== (await (await sessionKey(secrets[0], policy.sessionToken.name)).thumbprint)
}

/** Seconds since the epoch. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Decodes, with the developer's `decode` where there is one. */
async function decoded(config: ResolvedConfig, policy: CookiePolicy, text: string): Promise<JWT | null> {
  try {
    const token = await config.jwt.decode({ token: text, secret: [...config.secrets], salt: policy.sessionToken.name })
    return token && expiryOf(config, token) > nowInSeconds() ? token : null
  } catch (error) {
    config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(error)))
    return null
  }
}

/** A session of Auth.js: another cookie, another key, the same claims. */
async function findLegacy(config: ResolvedConfig, jar: CookieJar): Promise<FoundToken | null> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return null
  const { cookieName } = legacy
  for (const { value } of readChunked(jar.received, cookieName)) {
    const token = await openSessionToken(value, config.secrets, (secret, encryption) =>
      legacySessionKey(secret, cookieName, encryption),
    )
    if (token && expiryOf(config, token) > nowInSeconds()) return { token, text: value, source: 'legacy' }
  }
  return null
}

/** Seconds a token may live: the cookie must not outlive it, nor it the cookie. */
function lifetime(config: ResolvedConfig): number {
  return Math.floor(Math.min(config.jwt.maxAge, config.session.maxAge))
}

function absoluteEnd({ session }: ResolvedConfig, startedAt: number): number {
  return startedAt + (session.absoluteMaxAge ?? Number.POSITIVE_INFINITY)
}
