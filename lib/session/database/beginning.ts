/** How a row begins, and the rows that a browser has end. */
import type { Beginning, CookieContext, IssuedSession, ProviderLink, Store } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import type { AdapterSession } from '../../types/adapter.js'
import { writeProof } from '../browser.js'
import { noteEnded } from '../ended-sessions.js'
import { endsWithBrowser } from '../lifetime.js'
import { assertUnchanged } from '../security-stamp.js'
import { assertFits, writeSessionCookie } from '../session-cookie.js'
import { sessionIdOf } from '../session-id.js'
import { writeFirst } from './data.js'
import { lostOf } from './lost.js'
import { linkSession, linkText } from './provider-link.js'
import { type HeldToken, heldTokens, type StoreContext, storedSessionKey } from './row.js'
import { createSessionToken, type TokenBeginning } from './token.js'

/**
 * Stores a new session, and ends the old one after that, so that a sign-in that fails ends nothing. Where the old one cannot
 * be ended the new one is deleted: its token has not reached the browser.
 *
 * @throws {@link TooManyCookies} before anything is stored.
 */
export async function begin<T>(
  context: StoreContext,
  { userId, data, ...began }: TokenBeginning & Pick<Beginning, 'data'> & { readonly userId: string },
  endOld: (stored: HashedToken) => Promise<T>,
) {
  const { config, store } = context
  const made = createSessionToken(config, began)
  assertFits(context, made.token)
  await store.createSession({ sessionToken: made.stored, userId, expires: made.expires })
  try {
    await writeFirst(store, made.stored, data)
    return { ...made, ended: await endOld(made.stored) }
  } catch (error) {
    await store.deleteSession(made.stored).catch(() => {})
    throw error
  }
}

/** Ends the sessions that the browser has. Resolves to those that there were. */
export async function endHeld(context: StoreContext): Promise<AdapterSession[]> {
  const rows = new Map<string, AdapterSession | null>()
  for (const held of heldTokens(context)) rows.set(held.stored, await end(context.store, held))
  noteEnded(context.config, new Map([...rows].map(([name, row]) => [name, row !== null])))
  return [...rows.values()].filter((row) => row !== null)
}

/** Deletes the row of a token, however old. Read before: few adapters tell what they delete, and the event is to say it. */
export async function end(store: Store, { stored }: HeldToken): Promise<AdapterSession | null> {
  const row = (await store.getSessionAndUser(stored))?.session
  const isThere = row?.sessionToken === stored
  // Deleted even where nothing was found: a replica may be late. Some adapters reject then.
  await store.deleteSession(stored).catch((error: unknown) => {
    if (isThere) throw error
  })
  return isThere ? row : null
}

/** A session that begins in a browser. */
export interface NewSession extends Omit<TokenBeginning, 'link'>, Pick<Beginning, 'data'> {
  readonly userId: string
  readonly link?: ProviderLink | undefined
  /** The key of the session that this one replaces. Where it has ended meanwhile, none begins. */
  readonly replaces?: string | undefined
}

/** Begins a session, and ends those that the browser has. @returns `null` where the one that it replaces has ended. */
export async function beginHere(
  context: StoreContext,
  { userId, link, replaces, ...began }: NewSession,
): Promise<IssuedSession | null> {
  const { config, store } = context
  const facts = { userId, ...began, link: link && linkText(link) }
  const { token, stored, expires, ended } = await begin(context, facts, async (begun) => {
    // After the session is stored: whatever ends the sessions of the user meanwhile deletes it, or is seen here.
    await config.session.revocation?.admit(userId)
    await linkSession(store, begun, link)
    await assertUnchanged(config, began.stamp)
    return endHeld(context)
  })
  // A sign-out at the same moment must not be undone.
  if (replaces !== undefined && !ended.some(({ sessionToken }) => storedSessionKey(sessionToken) === replaces)) {
    await store.deleteSession(stored)
    return null
  }
  write(context, { token, expires, ...began })
  await writeProof(context, stored)
  return { sid: sessionIdOf(stored), replaced: lostOf(ended) }
}

export interface Written extends Pick<Beginning, 'remembered'> {
  readonly token: string
  readonly expires: Date
  readonly holds?: () => boolean
}

export function write(context: CookieContext, { token, expires, holds, remembered }: Written): void {
  const isLasting = !endsWithBrowser(context.config, { remembered })
  writeSessionCookie(context, { token, maxAge: isLasting ? (expires.getTime() - Date.now()) / 1000 : undefined, holds })
}
