/** Sessions in a database: the cookie holds a random token, the row its hash. Reading costs one look-up. */
import type { AdapterSession } from '../adapters/types.js'
import type { ReadOptions, ResolvedConfig, SessionOwner, SessionStrategy, SignedIn, Store } from '../context.js'
import type { HashedToken } from '../crypto/stored-token.js'
import { AccountNotLinked, CallbackRouteError, SessionTokenError, toError } from '../errors.js'
import { isRecord } from '../guards.js'
import { KeyedLock, perOwner } from '../memory.js'
import type { Session, SignOutMessage } from '../types.js'
import { createSessionToken } from './database-token.js'
import { emit } from './events.js'
import { clearLegacyCookie, clearSessionCookie, writeSessionCookie } from './session-cookie.js'
import {
  type FoundRow,
  findRow,
  type HeldToken,
  heldTokens,
  isDue,
  type Places,
  renewedExpiry,
  storedSessionKey,
} from './stored-session.js'

/** The strategy of stored sessions. */
export function createDatabaseSessions(config: ResolvedConfig, store: Store): SessionStrategy {
  const places = (jar: Places['jar'], policy: Places['policy']): Places => ({ config, store, jar, policy })
  return {
    read: (jar, policy, options) => read(places(jar, policy), options),
    issue: (jar, policy, signedIn) => issue(places(jar, policy), signedIn),
    owner: (jar, policy) => owner(places(jar, policy)),
    revoke: (jar, policy) => revoke(places(jar, policy)),
  }
}

async function read(places: Places, { update, writable }: ReadOptions): Promise<Session | null> {
  const { config } = places
  const found = await findRow(places)
  const expires = found && writable ? await extend(places, found) : found?.expires
  if (!found || !expires) {
    if (writable) clear(places)
    return null
  }
  const { user } = found.row
  const shown = await config.callbacks.session({
    // Nothing of the row but this: what the callback returns is sent to scripts.
    session: {
      user: { name: user.name ?? null, email: user.email || null, image: user.image ?? null },
      expires: expires.toISOString(),
    },
    user,
    ...(update && { newSession: update.data, trigger: 'update' as const }),
  })
  if (!isRecord(shown)) throw new CallbackRouteError('The `session` callback returned no session: return the session.')
  await emit(config, 'session', { session: shown })
  return shown
}

/** When the session ends, after extending it where that is due; `undefined` when it was ended in the meantime. */
async function extend(places: Places, found: FoundRow): Promise<Date | undefined> {
  const { config, store } = places
  if (!isDue(config, found)) return found.expires
  try {
    if (found.source === 'legacy') return await replacementsOf(config).run(found.stored, () => replace(places, found))
    const expires = renewedExpiry(config, found.startedAt)
    // A sign-out at the same moment must not be undone.
    if (!(await store.updateSession({ sessionToken: found.stored, expires }))) return undefined
    write(places, found.token, expires)
    return expires
  } catch (error) {
    // The session was read and is valid; that it could not be extended is no reason to turn the person away.
    config.logger.error(new SessionTokenError('The session could not be extended.', toError(error)))
    return found.expires
  }
}

/** Milliseconds for which requests under way may still come with the token that was replaced. */
const grace = 60 * 1000

/** Of requests that come at once with a token of before, the first replaces it. */
const replacementsOf = perOwner((_config: ResolvedConfig) => new KeyedLock())

/** A session whose token was stored in the clear gets one of ours. */
async function replace(places: Places, found: FoundRow): Promise<Date | undefined> {
  const { config, store } = places
  const old = (await store.getSessionAndUser(found.stored))?.session
  if (!old) return undefined
  if (old.expires.getTime() - Date.now() <= grace) return old.expires
  const { token, stored, startedAt } = await createSessionToken(config, store)
  const expires = renewedExpiry(config, startedAt)
  await store.createSession({ sessionToken: stored, userId: old.userId, expires })
  const isThere = await insteadOf(places, stored, () =>
    store.updateSession({ sessionToken: found.stored, expires: new Date(Date.now() + grace) }),
  )
  if (isThere) {
    write(places, token, expires)
    return expires
  }
  // A sign-out at the same moment must not be undone.
  await store.deleteSession(stored)
  return undefined
}

/** What ends the old session. Where it fails the new one goes: nobody holds its token. */
async function insteadOf<T>({ store }: Places, stored: HashedToken, endOld: () => Promise<T>): Promise<T> {
  try {
    return await endOld()
  } catch (error) {
    await store.deleteSession(stored).catch(() => {})
    throw error
  }
}

async function issue(places: Places, signedIn: SignedIn): Promise<null> {
  const { user } = signedIn
  const { config, store } = places
  if (user.id === undefined) throw new SessionTokenError('A database session needs a stored user.')
  const { token, stored, startedAt } = await createSessionToken(config, store)
  const expires = renewedExpiry(config, startedAt)
  await store.createSession({ sessionToken: stored, userId: user.id, expires })
  // After the new one is there: a sign-in that fails does not end the session that was.
  await insteadOf(places, stored, async () => {
    await assertUnclaimed(places, signedIn, stored)
    for (const held of heldTokens(places)) await end(places, held)
  })
  write(places, token, expires)
  return null
}

/** Who proved the address since the user was found ended every way in of before (decision 14), and this was one. */
async function assertUnclaimed(places: Places, signedIn: SignedIn, stored: HashedToken): Promise<void> {
  const { config, store } = places
  const { user, account } = signedIn
  // A passkey that was removed while it signed somebody in.
  if (typeof account.credentialID === 'string' && !(await store.getAuthenticator(account.credentialID))) {
    throw new AccountNotLinked('The passkey was removed in the meantime.')
  }
  if (config.mergeUnproved || !('emailVerified' in user)) return
  const isClaimed =
    user.emailVerified === null
      ? (await store.getSessionAndUser(stored))?.user.emailVerified
      : isRecent(user.emailVerified) && (await hasLostAccount(store, signedIn))
  if (!isClaimed) return
  throw new AccountNotLinked('The address of the user was proved by somebody else in the meantime.')
}

/** Whether a proof may still be ending what was there before it. Generous: clocks differ. */
function isRecent(proof: unknown): boolean {
  return proof instanceof Date && Date.now() - proof.getTime() < 60 * 60 * 1000
}

/** A user who was read after the proof looks proved, though the account that led there was on its way out. */
async function hasLostAccount(store: Store, { user, account, isNewUser }: SignedIn): Promise<boolean> {
  const { type, provider, providerAccountId } = account
  if (isNewUser || type === 'email' || type === 'credentials' || !store.has('deleteSessionsByUserId')) return false
  return (await store.getUserByAccount({ provider, providerAccountId }))?.id !== user.id
}

async function owner(places: Places): Promise<SessionOwner | null> {
  const found = await findRow(places)
  return found && { userId: found.row.user.id, key: storedSessionKey(found.stored) }
}

async function revoke(places: Places): Promise<SignOutMessage | null> {
  const held = heldTokens(places)
  clear(places)
  if (held.length === 0) return null
  const ended = await Promise.allSettled(held.map((each) => end(places, each)))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  const rows = ended.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  return { session: rows[0] ?? null }
}

/** Deletes the row of a token, however old. Read before: few adapters tell what they delete, and the event is to say it. */
async function end({ store }: Places, { stored }: HeldToken): Promise<AdapterSession | null> {
  const row = (await store.getSessionAndUser(stored))?.session
  const isThere = row?.sessionToken === stored
  // Tried even so, for a replica may be late; some adapters reject what is not there.
  await store.deleteSession(stored).catch((error: unknown) => {
    if (isThere) throw error
  })
  return isThere ? row : null
}

function write(places: Places, token: string, expires: Date): void {
  const { jar, policy } = places
  writeSessionCookie(jar, policy, { token, maxAge: (expires.getTime() - Date.now()) / 1000 })
  clearLegacy(places)
}

function clear(places: Places): void {
  clearSessionCookie(places.jar, places.policy.sessionToken)
  clearLegacy(places)
}

function clearLegacy({ config, jar, policy }: Places): void {
  clearLegacyCookie(jar, policy, config.session.legacy?.cookieName)
}
