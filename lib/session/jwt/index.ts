/** Sessions in an encrypted token in the cookie. Reading costs one decryption. */

import { isRecord } from '../../base/guards.js'
import { emit } from '../../callbacks/events.js'
import type { ReadOptions, ResolvedConfig, SessionOwner, SessionStrategy, SignedIn } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { AccessDenied, CallbackRouteError } from '../../errors.js'
import type { JwtCallbackParams, SignOutMessage } from '../../types/config.js'
import type { JWT } from '../../types/jwt.js'
import type { Session } from '../../types/session.js'
import { beganHere, type Choice, chooseSession, writeProof } from '../browser.js'
import { hasEnded, noteEnded, noteReplaced } from '../ended-sessions.js'
import { clearLegacyCookie, clearSessionCookie, writeSessionCookie } from '../session-cookie.js'
import { type EngineClaims, newClaims, pinClaims } from './engine-claims.js'
import { bearerToken, type Cookies, type FoundToken, type HeldTokens, heldTokens, holdsSession } from './held-token.js'
import { expiryOf, hasChanged, hasOldKey, isDue, renewedExpiry, sealToken } from './renewal.js'

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
  const { update } = options
  const held = await heldTokens(config, cookies)
  const chosen = await choose(config, cookies, held)
  const found = chosen.found ?? (await bearerToken(config, cookies, options.bearer))
  const writable = options.writable && !chosen.isUnsure
  const holds = stillHolds(config, held, found)
  if (!found) {
    if (writable) clear(config, cookies, holds)
    return null
  }
  const before = structuredClone(found.token)
  // An application that keeps no address in its tokens gets none.
  const { newEmail = found.token.email } = options
  const current = 'email' in found.token ? { ...found.token, email: newEmail } : found.token
  const asked = await askJwt(
    config,
    update ? { token: current, trigger: 'update', session: update.data } : { token: current },
  )
  if (asked === null) {
    if (writable) clear(config, cookies, holds)
    return null
  }
  const token = pinClaims(asked, found.claims)
  const renew = writable && (await isToRenew(config, cookies, { found, before, token, update }))
  const expires = renew ? renewedExpiry(config, found.claims.auth_time) : expiryOf(config, before)
  const shown = await config.callbacks.session({
    session: toSession(token, expires),
    token,
    ...(update && { newSession: update.data, trigger: 'update' as const }),
  })
  if (!isRecord(shown)) throw new CallbackRouteError('The `session` callback returned no session: return the session.')
  // The callbacks may have taken their time, and the person signed out meanwhile.
  if (!holds()) return null
  // The `session` callback had the token, too.
  if (renew) await write(config, cookies, pinClaims(token, found.claims), holds)
  await emit(config, 'session', { session: shown, token })
  return shown
}

async function issue(config: ResolvedConfig, cookies: Cookies, signedIn: SignedIn): Promise<{ token: JWT }> {
  const { user, account, profile, isNewUser } = signedIn
  // Before the callback, which gets the user's own object.
  const claims = newClaims(signedIn)
  const asked = await askJwt(config, {
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
  if (asked === null) throw new AccessDenied('The `jwt` callback returned null at sign-in.')
  const replaced = await heldTokens(config, cookies)
  const token = pinClaims(asked, claims)
  await write(config, cookies, token)
  await writeProof(placeOf(config, cookies), claims.sid)
  noteEnded(config, replaced.names)
  noteReplaced(config, replaced.unread)
  return { token }
}

/** Whose it is says the engine's own claim: `sub` is the application's to change. */
async function owner(config: ResolvedConfig, cookies: Cookies): Promise<SessionOwner | null> {
  const { found } = await choose(config, cookies, await heldTokens(config, cookies))
  const userId = found?.claims.auth_owner?.id
  if (!found || userId === undefined) return null
  const { sid } = found.claims
  return { userId, key: shortHash(`jwt ${sid}`), beganHere: await beganHere(placeOf(config, cookies), sid) }
}

async function revoke(config: ResolvedConfig, cookies: Cookies): Promise<SignOutMessage | null> {
  if (!holdsSession(config, cookies)) return null
  const held = await heldTokens(config, cookies)
  const { found } = await choose(config, cookies, held)
  noteEnded(config, held.names)
  noteReplaced(config, held.unread)
  clear(config, cookies)
  return { token: found?.token ?? null }
}

function choose(config: ResolvedConfig, cookies: Cookies, { valid }: HeldTokens): Promise<Choice<FoundToken>> {
  return chooseSession(placeOf(config, cookies), valid, ({ claims }) => claims.sid)
}

function placeOf(config: ResolvedConfig, { jar, policy }: Cookies) {
  return { config, cookies: jar, cookiePolicy: policy }
}

/** Whether the session has not ended since: asked before a cookie is made, and again when the headers go out. */
function stillHolds(config: ResolvedConfig, { names, unread }: HeldTokens, found: FoundToken | null): () => boolean {
  const own = found ? [found.claims.sid] : [...names, ...unread]
  return () => !hasEnded(config, own)
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

async function write(config: ResolvedConfig, cookies: Cookies, token: JWT & EngineClaims, holds?: () => boolean) {
  const { jar, policy } = cookies
  writeSessionCookie(jar, policy, { ...(await sealToken(config, policy, token)), holds })
  clearLegacy(config, cookies, holds)
}

function clear(config: ResolvedConfig, cookies: Cookies, holds?: () => boolean): void {
  clearSessionCookie(cookies.jar, cookies.policy.sessionToken, { holds })
  clearLegacy(config, cookies, holds)
}

/** The cookie of Auth.js goes with the first that we write. */
function clearLegacy({ jwt }: ResolvedConfig, { jar, policy }: Cookies, holds?: () => boolean): void {
  clearLegacyCookie(jar, policy, { name: jwt.legacy?.cookieName, holds })
}

/** The session that the `session` callback starts from: nothing of the token but name, address and picture. */
function toSession(token: JWT, expires: number): Session {
  return {
    user: { name: token.name ?? null, email: token.email ?? null, image: token.picture ?? null },
    expires: new Date(expires * 1000).toISOString(),
  }
}
