/** Sessions in a database: the cookie holds a random token, the row its hash. Reading costs one look-up. */

import { isRecord } from '../../base/guards.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import { emit } from '../../callbacks/events.js'
import type {
  ReadOptions,
  ResolvedConfig,
  SessionOwner,
  SessionStrategy,
  SignedIn,
  Store,
} from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import { AccountNotLinked, CallbackRouteError, SessionTokenError, toError } from '../../errors.js'
import type { AdapterSession } from '../../types/adapter.js'
import type { SignOutMessage } from '../../types/config.js'
import type { Session } from '../../types/session.js'
import { beganHere, writeProof } from '../browser.js'
import { hasEnded, noteEnded, noteReplaced } from '../ended-sessions.js'
import { clearLegacyCookie, clearSessionCookie, writeSessionCookie } from '../session-cookie.js'
import {
  type FoundRow,
  findRow,
  type HeldToken,
  heldTokens,
  isDue,
  type Places,
  placeOf,
  renewedExpiry,
  storedSessionKey,
} from './row.js'
import { createSessionToken } from './token.js'

/** The strategy of stored sessions. */
export function createDatabaseSessions(config: ResolvedConfig, store: Store): SessionStrategy {
  const places = (jar: Places['jar'], policy: Places['policy'], inside = store): Places => ({
    config,
    store: inside,
    jar,
    policy,
  })
  return {
    read: (jar, policy, options) => read(places(jar, policy), options),
    issue: (jar, policy, signedIn) => issue(places(jar, policy), signedIn),
    owner: (jar, policy, inside) => owner(places(jar, policy, inside)),
    revoke: (jar, policy) => revoke(places(jar, policy)),
  }
}

async function read(places: Places, { update, ...options }: ReadOptions): Promise<Session | null> {
  const { config } = places
  const { found, isUnsure } = await findRow(places)
  const writable = options.writable && !isUnsure
  const holds = stillHolds(places, found)
  const expires = found && writable ? await extend(places, found, holds) : found?.expires
  if (!found || !expires) {
    if (writable) clear(places, holds)
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
  // The callback may have taken its time, and the person signed out meanwhile.
  if (!holds()) return null
  await emit(config, 'session', { session: shown })
  return shown
}

/** Whether the session has not ended since: asked before it is shown, and again when the headers go out. */
function stillHolds(places: Places, found: FoundRow | null): () => boolean {
  const names = found ? [found.stored] : namesOf(places)
  return () => !hasEnded(places.config, names)
}

function namesOf(places: Places): string[] {
  return heldTokens(places).map(({ stored }) => stored)
}

/** When the session ends, after extending it where that is due; `undefined` when it was ended in the meantime. */
async function extend(places: Places, found: FoundRow, holds: () => boolean): Promise<Date | undefined> {
  const { config, store } = places
  if (!isDue(config, found)) return found.expires
  try {
    if (found.source === 'legacy')
      return await replacementsOf(config.memory).run(found.stored, () => replace(places, found, holds))
    const expires = renewedExpiry(config, found.startedAt)
    // A sign-out at the same moment must not be undone.
    if (!(await store.updateSession({ sessionToken: found.stored, expires }))) return undefined
    write(places, { token: found.token, expires, holds })
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
const replacementsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** A session whose token was stored in the clear gets one of ours. */
async function replace(places: Places, found: FoundRow, holds: () => boolean): Promise<Date | undefined> {
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
    write(places, { token, expires, holds })
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
    await assertNotRemoved(places, signedIn)
    const held = heldTokens(places)
    const rows: Array<AdapterSession | null> = []
    for (const each of held) rows.push(await end(places, each))
    held.forEach(({ stored: old }, at) => {
      note(places, old, rows[at] !== null)
    })
  })
  write(places, { token, expires })
  await writeProof(placeOf(places), stored)
  return null
}

/** A passkey that was removed while it signed somebody in. */
async function assertNotRemoved({ store }: Places, { account: { credentialID } }: SignedIn): Promise<void> {
  if (typeof credentialID !== 'string' || (await store.getAuthenticator(credentialID))) return
  throw new AccountNotLinked('The passkey was removed in the meantime.')
}

async function owner(places: Places): Promise<SessionOwner | null> {
  const { found } = await findRow(places)
  if (!found || hasEnded(places.config, [found.stored])) return null
  const { stored, row } = found
  return { userId: row.user.id, key: storedSessionKey(stored), beganHere: await beganHere(placeOf(places), stored) }
}

async function revoke(places: Places): Promise<SignOutMessage | null> {
  const held = heldTokens(places)
  clear(places)
  if (held.length === 0) return null
  const ended = await Promise.allSettled(held.map((each) => end(places, each)))
  ended.forEach((each, at) => {
    note(places, held[at]?.stored, each.status === 'rejected' || each.value !== null)
  })
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

/** What answers under way must not bring back. */
function note({ config }: Places, stored: HashedToken | undefined, isSession: boolean): void {
  if (stored !== undefined) (isSession ? noteEnded : noteReplaced)(config, [stored])
}

function write(places: Places, session: { token: string; expires: Date; holds?: () => boolean }): void {
  const { jar, policy } = places
  const { token, expires, holds } = session
  writeSessionCookie(jar, policy, { token, maxAge: (expires.getTime() - Date.now()) / 1000, holds })
  clearLegacy(places, holds)
}

function clear(places: Places, holds?: () => boolean): void {
  clearSessionCookie(places.jar, places.policy.sessionToken, { holds })
  clearLegacy(places, holds)
}

function clearLegacy({ config, jar, policy }: Places, holds?: () => boolean): void {
  clearLegacyCookie(jar, policy, { name: config.session.legacy?.cookieName, holds })
}
