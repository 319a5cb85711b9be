/** Sessions in an encrypted token in the cookie. Reading costs one decryption. */
import type { ReadOptions, ResolvedConfig, SessionOwner, SessionStrategy, SignedIn } from '../context.js'
import { shortHash } from '../crypto/hash.js'
import { AccessDenied, CallbackRouteError } from '../errors.js'
import { isRecord } from '../guards.js'
import type { JWT } from '../jwt.js'
import type { JwtCallbackParams, Session, SignOutMessage } from '../types.js'
import { emit } from './events.js'
import { clearLegacyCookie, clearSessionCookie, writeSessionCookie } from './session-cookie.js'
import {
  type Cookies,
  expiryOf,
  type FoundToken,
  findToken,
  hasChanged,
  hasOldKey,
  holdsSession,
  isDue,
  nowInSeconds,
  renewedExpiry,
  sealToken,
  startOf,
} from './session-token.js'

/** The strategy of encrypted tokens. */
export function createJwtSessions(config: ResolvedConfig): SessionStrategy {
  return {
    read: (jar, policy, options) => read(config, { jar, policy }, options),
    issue: (jar, policy, signedIn) => issue(config, { jar, policy }, signedIn),
    owner: (jar, policy) => owner(config, { jar, policy }),
    revoke: (jar, policy) => revoke(config, { jar, policy }),
  }
}

async function read(config: ResolvedConfig, cookies: Cookies, options: ReadOptions): Promise<Session | null> {
  const { update, writable } = options
  const found = await findToken(config, cookies, options.bearer)
  if (!found) {
    if (writable) clear(config, cookies)
    return null
  }
  const before = structuredClone(found.token)
  const token = await askJwt(
    config,
    update ? { token: found.token, trigger: 'update', session: update.data } : { token: found.token },
  )
  if (token === null) {
    if (writable) clear(config, cookies)
    return null
  }
  const renew = writable && (await isToRenew(config, cookies, { found, before, token, update }))
  const expires = renew ? renewedExpiry(config, startOf(before)) : expiryOf(config, before)
  const shown = await config.callbacks.session({
    session: toSession(token, expires),
    token,
    ...(update && { newSession: update.data, trigger: 'update' as const }),
  })
  if (!isRecord(shown)) throw new CallbackRouteError('The `session` callback returned no session: return the session.')
  if (renew) await write(config, cookies, { token, startedAt: startOf(before) })
  await emit(config, 'session', { session: shown, token })
  return shown
}

async function issue(config: ResolvedConfig, cookies: Cookies, signedIn: SignedIn): Promise<{ token: JWT }> {
  const { user, account, profile, isNewUser } = signedIn
  const token = await askJwt(config, {
    token: {
      name: user.name ?? null,
      email: user.email || null,
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
  await write(config, cookies, { token, startedAt: nowInSeconds() })
  return { token }
}

/** The token itself changes while the session lives; who it is about does not. */
async function owner(config: ResolvedConfig, cookies: Cookies): Promise<SessionOwner | null> {
  const userId = (await findToken(config, cookies))?.token.sub
  return userId === undefined ? null : { userId, key: shortHash(`jwt ${userId}`) }
}

async function revoke(config: ResolvedConfig, cookies: Cookies): Promise<SignOutMessage | null> {
  if (!holdsSession(config, cookies)) return null
  const found = await findToken(config, cookies)
  clear(config, cookies)
  return { token: found?.token ?? null }
}

/** The `jwt` callback's decision. A forgotten `return` is an error, not a sign-out; `true` is no token. */
async function askJwt(config: ResolvedConfig, params: JwtCallbackParams): Promise<JWT | null> {
  const token = await config.callbacks.jwt(params)
  if (token === null || isRecord(token)) return token
  throw new CallbackRouteError('The `jwt` callback must return the token, or null to end the session.')
}

interface Reading {
  readonly found: FoundToken
  readonly before: JWT
  readonly token: JWT
  readonly update: ReadOptions['update']
}

/** Whether the cookie is written anew: a bearer token never is, a session of Auth.js always. */
async function isToRenew(config: ResolvedConfig, { policy }: Cookies, reading: Reading): Promise<boolean> {
  const { found, before, token, update } = reading
  if (found.source === 'bearer') return false
  if (found.source === 'legacy' || update !== undefined || isDue(config, before) || hasChanged(before, token))
    return true
  return hasOldKey(config, policy, found.text)
}

async function write(config: ResolvedConfig, cookies: Cookies, session: { token: JWT; startedAt: number }) {
  const { jar, policy } = cookies
  writeSessionCookie(jar, policy, await sealToken(config, policy, session))
  clearLegacy(config, cookies)
}

function clear(config: ResolvedConfig, cookies: Cookies): void {
  clearSessionCookie(cookies.jar, cookies.policy.sessionToken)
  clearLegacy(config, cookies)
}

/** The cookie of Auth.js goes with the first that we write. */
function clearLegacy({ jwt }: ResolvedConfig, { jar, policy }: Cookies): void {
  clearLegacyCookie(jar, policy, jwt.legacy?.cookieName)
}

/** The session that the `session` callback starts from: nothing of the token but name, address and picture. */
function toSession(token: JWT, expires: number): Session {
  return {
    user: { name: token.name ?? null, email: token.email ?? null, image: token.picture ?? null },
    expires: new Date(expires * 1000).toISOString(),
  }
}
