/** Creates rows of sessions: by a sign-in, or by a step-up that replaces a session. The browser's other rows end. */
import type {
  AdapterStore,
  IssuedSession,
  ProviderLink,
  SessionMetadata,
  SignInResult,
  StepUp,
} from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/session-token.js'
import { ReauthenticationRequired, SessionTokenError } from '../../errors.js'
import { withProof } from '../../principal/index.js'
import type { AdapterSession } from '../../types/adapter.js'
import { endedInThisProcess, recordEndedSessions, sessionIdOf, writeSessionProof } from '../browser.js'
import { assertStampUnchanged, readStamp } from '../security-stamp.js'
import { assertUnambiguous } from '../session-callback.js'
import { assertSessionFits, writeSessionCookie } from '../session-cookie.js'
import { dataValues, writeInitialData } from './data.js'
import { deletePresentedRow, endedSessionsIn, storedSessionKey } from './end-rows.js'
import { findRow, type PresentedToken, presentedDatabaseTokens, readRow, rowProofs, type StoreContext } from './row.js'
import { createSessionToken, type NewTokenMetadata } from './token.js'

type NewRow = NewTokenMetadata & {
  readonly userId: string
  readonly providerLink?: ProviderLink | undefined
  /** The key of the session that this one replaces. If that has ended meanwhile, none is created. */
  readonly replaces?: string | undefined
}

export async function issueDatabaseSession(
  context: StoreContext,
  signedIn: SignInResult,
  began: SessionMetadata,
): Promise<IssuedSession> {
  const { user, providerLink } = signedIn
  const issued =
    user.id === undefined ? null : await createRowForBrowser(context, { ...began, userId: user.id, providerLink })
  if (issued) return issued
  if (began.replaces === undefined) throw new SessionTokenError('A database session needs a stored user.')
  throw new ReauthenticationRequired('The session ended while a sign-in method was attached in it.')
}

/** Replaces the row and its token, so that a copy of the old token gains nothing by the new proof. */
export async function stepUpDatabaseSession(
  context: StoreContext,
  { sid, proof, organization }: StepUp,
): Promise<IssuedSession | null> {
  const { config } = context
  const { found, isAmbiguous } = await findRow(context)
  assertUnambiguous(isAmbiguous)
  if (!found || found.source === 'legacy' || endedInThisProcess(config, [found.stored])) return null
  // The session of the proof may have ended, and the request may contain another one.
  if (sessionIdOf(found.stored) !== sid) return null
  const { metadata, row, userId, stored } = found
  const replaces = storedSessionKey(stored)
  const providerLink = metadata.link === undefined ? undefined : providerLinkFrom(metadata.link)
  // Read before the session is looked up again: a later end changes the stamp.
  const stamp = await readStamp(config, { userId, link: providerLink })
  const { aal: _level, amr: _methods, ...kept } = metadata
  const proofs = proof ? withProof(rowProofs(found), proof) : rowProofs(found)
  const active = organization === undefined ? kept.organization : (organization ?? undefined)
  const data = config.session.data ? dataValues(row) : undefined
  return createRowForBrowser(context, {
    ...kept,
    userId,
    proofs,
    stamp,
    data,
    providerLink,
    replaces,
    organization: active,
  })
}

/** Returns the provider link of a session for the one that replaces it. All logouts until now are already known. */
function providerLinkFrom(text: string): ProviderLink {
  return { ...providerOriginFrom(text), at: Number.POSITIVE_INFINITY }
}

/** Returns the user and the session at the provider from their text in a token. */
export function providerOriginFrom(text: string): Pick<ProviderLink, 'subject' | 'session'> {
  const [subject = '', session] = text.split(' ')
  return { subject, ...(session !== undefined && { session }) }
}

/**
 * Creates a session and ends the browser's others.
 *
 * @returns `null` when the session that it replaces has ended.
 */
async function createRowForBrowser(context: StoreContext, beginning: NewRow): Promise<IssuedSession | null> {
  const { config, store } = context
  const { providerLink, replaces, ...began } = beginning
  const { subject = '', session } = providerLink ?? {}
  // The format that {@link providerLinkFrom} reads in the session's token.
  const link = providerLink && (session === undefined ? subject : `${subject} ${session}`)
  const begun = await createRow(context, { ...began, link }, async (sessionToken) => {
    // After the session is stored: a concurrent end of the user's sessions either deletes it or is seen here.
    await config.session.revocation?.admit(began.userId)
    if (providerLink) await store.linkSession({ sessionToken, subject, providerSession: session ?? null })
    await assertStampUnchanged(config, began.stamp)
    const ended = await endPresentedRows(context)
    return replaces === undefined || ended.some((row) => storedSessionKey(row.sessionToken) === replaces) ? ended : null
  })
  if (!begun) return null
  await writeSessionProof(context, begun.stored)
  const { stored, token, expires, ended } = begun
  return { sid: sessionIdOf(stored), name: stored, token, expires, replaced: endedSessionsIn(ended) }
}

/**
 * Stores a new session, then ends the old one, then writes the cookie, so that a failed sign-in ends nothing. If the
 * old one cannot be ended, the new one is deleted, because its token has not reached the browser.
 *
 * @param endOld Resolves to `null` when the old session has ended meanwhile: a concurrent sign-out must not be undone.
 * @param isStillValid Returns whether the cookie may still be set.
 * @throws {@link TooManyCookies} before anything is stored.
 */
export async function createRow<T>(
  context: StoreContext,
  { userId, data, ...began }: NewRow,
  endOld: (stored: HashedToken) => Promise<T | null>,
  isStillValid?: () => boolean,
) {
  const { config, store } = context
  const { token, stored, expires } = createSessionToken(config, began)
  assertSessionFits(context, token)
  await store.createSession({ sessionToken: stored, userId, expires })
  let ended: T | null
  try {
    await writeInitialData(store, stored, data)
    ended = await endOld(stored)
  } catch (error) {
    await store.deleteSession(stored).catch(() => {})
    throw error
  }
  if (ended === null) {
    await store.deleteSession(stored)
    return null
  }
  const { remembered } = began
  writeSessionCookie(context, {
    token,
    maxAge: (expires.getTime() - Date.now()) / 1000,
    remembered,
    isStillValid: isStillValid,
  })
  return { token, stored, expires, ended }
}

/** Ends the sessions of the browser. Resolves to those that existed. */
async function endPresentedRows(context: StoreContext): Promise<AdapterSession[]> {
  const rows = new Map<string, AdapterSession | null>()
  for (const held of presentedDatabaseTokens(context)) rows.set(held.stored, await endRow(context.store, held))
  recordEndedSessions(context.config, new Map([...rows].map(([name, row]) => [name, row !== null])))
  return [...rows.values()].filter((row) => row !== null)
}

/**
 * Deletes the row of a token, even if expired. It is read first, because few adapters return what they delete, and the
 * event needs it.
 */
async function endRow(store: AdapterStore, held: PresentedToken): Promise<AdapterSession | null> {
  const row = await readRow(store, held.stored)
  await deletePresentedRow(store, held, row !== null)
  return row?.session ?? null
}
