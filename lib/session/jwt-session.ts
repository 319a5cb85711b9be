/** Sessions in an encrypted token in the cookie. Reading costs one decryption. */
import { isDeepStrictEqual } from 'node:util'
import type { CookiePolicy, ReadOptions, ResolvedConfig, SessionStrategy, SignedIn } from '../context.js'
import { readHeader } from '../crypto/jwe.js'
import { sessionKey } from '../crypto/keys.js'
import { AccessDenied, CallbackRouteError, JWTSessionError, toError } from '../errors.js'
import { readChunked } from '../http/chunks.js'
import type { CookieJar } from '../http/cookies.js'
import { encode, type JWT } from '../jwt.js'
import type { JwtCallbackParams, Session, SignOutMessage } from '../types.js'
import { emit } from './events.js'
import { clearSessionCookie, writeSessionCookie } from './session-cookie.js'

/** The strategy of encrypted tokens. */
export function createJwtSessions(config: ResolvedConfig): SessionStrategy {
  return {
    read: (jar, policy, options) => read(config, { jar, policy }, options),
    issue: (jar, policy, signedIn) => issue(config, { jar, policy }, signedIn),
    revoke: (jar, policy) => revoke(config, { jar, policy }),
  }
}

interface Cookies {
  readonly jar: CookieJar
  readonly policy: CookiePolicy
}

async function read(config: ResolvedConfig, cookies: Cookies, options: ReadOptions): Promise<Session | null> {
  const { update, writable } = options
  const found = await currentToken(config, cookies, options.bearer)
  if (!found) {
    if (writable) clearSessionCookie(cookies.jar, cookies.policy)
    return null
  }
  const { token: current, value, fromCookie } = found
  const before = structuredClone(current)
  const token = await askJwt(
    config,
    update ? { token: current, trigger: 'update', session: update.data } : { token: current },
  )
  if (token === null) {
    if (writable) clearSessionCookie(cookies.jar, cookies.policy)
    return null
  }
  const renew =
    fromCookie &&
    writable &&
    (update !== undefined ||
      isDue(config, before) ||
      hasChanged(before, token) ||
      (await hasOldKey(config, cookies.policy, value)))
  const expires = renew ? nowInSeconds() + lifetime(config) : expiryOf(config, before)
  const shown = await config.callbacks.session({
    session: toSession(token, expires),
    token,
    ...(update && { newSession: update.data, trigger: 'update' as const }),
  })
  if (!isRecord(shown)) throw new CallbackRouteError('The `session` callback returned no session: return the session.')
  if (renew) writeSessionCookie(cookies.jar, cookies.policy, await sealed(config, cookies.policy, token))
  await emit(config, 'session', { session: shown, token })
  return shown
}

async function issue(config: ResolvedConfig, cookies: Cookies, signedIn: SignedIn): Promise<{ token: JWT }> {
  const { user, account, profile, isNewUser } = signedIn
  const token = await askJwt(config, {
    token: {
      name: user.name ?? null,
      email: user.email ?? null,
      picture: user.image ?? null,
      ...(user.id !== undefined && { sub: user.id }),
    },
    user,
    account,
    trigger: isNewUser ? 'signUp' : 'signIn',
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
  })
  if (token === null) throw new AccessDenied('The `jwt` callback returned null at sign-in.')
  writeSessionCookie(cookies.jar, cookies.policy, await sealed(config, cookies.policy, token))
  return { token }
}

async function revoke(config: ResolvedConfig, { jar, policy }: Cookies): Promise<SignOutMessage | null> {
  if (readChunked(jar.received, policy.sessionToken.name).length === 0) return null
  const found = await currentToken(config, { jar, policy })
  clearSessionCookie(jar, policy)
  return { token: found?.token ?? null }
}

/** The `jwt` callback's decision. A forgotten `return` is an error, not a sign-out; `true` is no token. */
async function askJwt(config: ResolvedConfig, params: JwtCallbackParams): Promise<JWT | null> {
  const token = await config.callbacks.jwt(params)
  if (token === null || isRecord(token)) return token
  throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The token of the cookies; of two shapes, the one that proves genuine. A bearer token only where there is no cookie. */
async function currentToken(
  config: ResolvedConfig,
  { jar, policy }: Cookies,
  bearer?: string,
): Promise<{ token: JWT; value: string; fromCookie: boolean } | null> {
  const candidates = readChunked(jar.received, policy.sessionToken.name)
  for (const { value } of candidates) {
    const token = await decoded(config, policy, value)
    if (token) return { token, value, fromCookie: true }
  }
  if (candidates.length > 0 || bearer === undefined) return null
  const token = await decoded(config, policy, bearer)
  return token && { token, value: bearer, fromCookie: false }
}

/** Decodes, with the developer's `decode` where there is one. A token older than today's `maxAge` is no session. */
async function decoded(config: ResolvedConfig, policy: CookiePolicy, token: string): Promise<JWT | null> {
  try {
    const payload = await config.jwt.decode({ token, secret: [...config.secrets], salt: policy.sessionToken.name })
    return payload && expiryOf(config, payload) > nowInSeconds() ? payload : null
  } catch (error) {
    config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(error)))
    return null
  }
}

async function sealed(config: ResolvedConfig, policy: CookiePolicy, token: JWT) {
  const maxAge = lifetime(config)
  const salt = policy.sessionToken.name
  return { token: await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge }), maxAge }
}

/** The session that the `session` callback starts from: nothing of the token but name, address and picture. */
function toSession(token: JWT, expires: number): Session {
  return {
    user: { name: token.name ?? null, email: token.email ?? null, image: token.picture ?? null },
    expires: new Date(expires * 1000).toISOString(),
  }
}

/** Seconds a new token lives: the cookie must not outlive it, nor it the cookie. */
function lifetime(config: ResolvedConfig): number {
  return Math.floor(Math.min(config.jwt.maxAge, config.session.maxAge))
}

/** When a token ends: its own `exp`, or sooner where `maxAge` has been lowered since it was issued. */
function expiryOf(config: ResolvedConfig, { exp, iat }: JWT): number {
  const byAge = (typeof iat === 'number' ? iat : nowInSeconds()) + lifetime(config)
  return typeof exp === 'number' ? Math.min(exp, byAge) : byAge
}

function isDue(config: ResolvedConfig, { iat }: JWT): boolean {
  return typeof iat !== 'number' || nowInSeconds() - iat >= config.session.updateAge
}

/** Whether the `jwt` callback changed anything but the claims that each token gets anew, as JSON will write it. */
function hasChanged(before: JWT, after: JWT): boolean {
  const written = ({ iat: _iat, exp: _exp, jti: _jti, ...claims }: JWT): unknown => JSON.parse(JSON.stringify(claims))
  return !isDeepStrictEqual(written(before), written(after))
}

/** Whether the token was made under an older secret. It gets a new one at once, so that the old one can be dropped soon. */
async function hasOldKey({ secrets, jwt }: ResolvedConfig, policy: CookiePolicy, token: string): Promise<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(token)?.kid
  return kid !== undefined && kid !== (await sessionKey(secrets[0], policy.sessionToken.name).thumbprint)
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
