/** How a row begins, and the rows that a browser has end. */
import type { Beginning, CookieContext, Store } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import type { AdapterSession } from '../../types/adapter.js'
import { noteEnded } from '../ended-sessions.js'
import { endsWithBrowser } from '../lifetime.js'
import { writeSessionCookie } from '../session-cookie.js'
import { writeFirst } from './data.js'
import { type HeldToken, heldTokens, type StoreContext } from './row.js'
import { createSessionToken, type TokenBeginning } from './token.js'

/**
 * Stores a new session, and ends the old one after that, so that a sign-in that fails ends nothing. Where the old one cannot
 * be ended the new one is deleted: its token has not reached the browser.
 */
export async function begin<T>(
  { config, store }: StoreContext,
  { userId, data, ...began }: TokenBeginning & Pick<Beginning, 'data'> & { readonly userId: string },
  endOld: (stored: HashedToken) => Promise<T>,
) {
  const made = createSessionToken(config, began)
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

export interface Written extends Pick<Beginning, 'remembered'> {
  readonly token: string
  readonly expires: Date
  readonly holds?: () => boolean
}

export function write(context: CookieContext, { token, expires, holds, remembered }: Written): void {
  const isLasting = !endsWithBrowser(context.config, { remembered })
  writeSessionCookie(context, { token, maxAge: isLasting ? (expires.getTime() - Date.now()) / 1000 : undefined, holds })
}
