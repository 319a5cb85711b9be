/** Database sessions: the cookie contains a random token, the row its hash. Reading takes one query. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import { isoText } from '../../base/recent-results.js'
import { emitEvent } from '../../callbacks/index.js'
import type { AdapterStore, ReadOptions, SessionReading, SessionStrategy, TokenHolder } from '../../contracts/index.js'
import { SessionTokenError, toError } from '../../errors.js'
import { authenticationOf, type Principal, type StoredPrincipal } from '../../principal/index.js'
import type { AdapterUser } from '../../types/adapter.js'
import type { Awaitable } from '../../types/identity.js'
import type { Session } from '../../types/session.js'
import { endedInThisProcess, sessionIdOf, startedInThisBrowser } from '../browser.js'
import { assertUnambiguous, callSessionCallback, type SessionParts, type UserSubject } from '../session-callback.js'
import { absoluteExpiry, clearSessionCookie, sessionExpiry, writeSessionCookie } from '../session-cookie.js'
import { shownFields } from '../user-fields.js'
import { createRow, issueDatabaseSession, providerOriginFrom, stepUpDatabaseSession } from './create-row.js'
import { changeRowData, dataValues } from './data.js'
import { deleteRow, endAllRowsOf, endLinkedRows, existsAsRow, storedSessionKey } from './end-rows.js'
import {
  cachedRow,
  type FoundRow,
  findRow,
  knownUsers,
  needsExtension,
  type PresentedToken,
  presentedForReading,
  rowLifespan,
  rowProofs,
  type StoreContext,
} from './row.js'
import { signOutOfDatabase } from './sign-out.js'

/** Creates the strategy of database sessions. */
export function createDatabaseSessions(store: AdapterStore): SessionStrategy {
  return {
    read: (context, options) => readDatabaseSession({ ...context, store }, options),
    issue: (context, signedIn, began) => issueDatabaseSession({ ...context, store }, signedIn, began),
    principal: (context, inside) =>
      databaseSessionOwner({ ...context, store: inside ?? store, isInTransaction: inside !== undefined }),
    holder: (context, bearer) => databaseSessionHolder({ ...context, store }, bearer),
    isLive: (context, sid, bearer) => isDatabaseSessionLive({ ...context, store }, sid, bearer),
    exists: (config, name) => existsAsRow({ config, store }, name),
    endByName: (config, name) => deleteRow({ config, store }, name),
    stepUp: (context, proved) => stepUpDatabaseSession({ ...context, store }, proved),
    signOut: (context) => signOutOfDatabase({ ...context, store }),
    endProviderSessions: (config, logout) => endLinkedRows({ config, store }, logout),
    endAllSessions: (config, userId, except) => endAllRowsOf({ config, store }, userId, except),
    prepareEndOfAll: (config, userId) => (asOf) => endAllRowsOf({ config, store }, userId, { asOf }),
  }
}

function readDatabaseSession(context: StoreContext, options: ReadOptions): Awaitable<SessionReading | null> {
  const presented = presentedForReading(context, options.bearer)
  const { writable, update, change, isFresh } = options
  const isPlain = update === undefined && change === undefined
  return mapMaybePromise(isPlain && !isFresh ? cachedRow(context, presented) : null, (recalled) => {
    // A session that will be written is read again, because it may have ended elsewhere.
    const isRecalled = recalled !== null && !isExtended(context, recalled, writable)
    const choice = isRecalled ? { found: recalled, isAmbiguous: false } : findRow(context, presented, isPlain)
    return mapMaybePromise(choice, ({ found: chosen, isAmbiguous }) => {
      if (change) assertUnambiguous(isAmbiguous)
      return mapMaybePromise(change && chosen ? changeRowData(context, chosen, change) : chosen, (found) =>
        readChosen(context, found, { presented, update, writable: writable && !isAmbiguous }),
      )
    })
  })
}

/** Checks whether this read extends the session. With a bearer token there is no cookie to write. */
function isExtended({ config }: StoreContext, found: FoundRow, writable: boolean): boolean {
  return (writable || found.source === 'bearer') && needsExtension(config, found)
}

function readChosen(
  context: StoreContext,
  found: FoundRow | null,
  { presented, update, writable }: Pick<ReadOptions, 'update' | 'writable'> & { presented: readonly PresentedToken[] },
): Awaitable<SessionReading | null> {
  const { config } = context
  // Called after the callback and when the headers are written: the user may have signed out in another tab by then.
  const isStillValid = () => !endedInThisProcess(config, found ? [found.stored] : presented.map(({ stored }) => stored))
  const isDue = found !== null && isExtended(context, found, writable)
  return mapMaybePromise(isDue ? extendRow(context, found, isStillValid) : found?.expires, (expires) => {
    if (found && expires !== undefined) return createRowReading(context, found, { expires, update, isStillValid })
    if (writable) clearSessionCookie(context, isStillValid)
    return null
  })
}

/** Returns the reading of a row for the application. */
function createRowReading(
  context: StoreContext,
  found: FoundRow,
  { expires, update, isStillValid }: Pick<SessionParts, 'update' | 'isStillValid'> & { readonly expires: number },
): Awaitable<SessionReading | null> {
  const { config } = context
  const { user } = found.row
  const { userFields, data } = config.session
  const own = { id: found.userId, name: user.name ?? null, email: user.email || null, image: user.image ?? null }
  const shown = {
    user: userFields ? Object.assign(own, shownFields(userFields, user)) : own,
    expires: isoText(expires),
    data: data ? dataValues(found.row) : undefined,
    update,
    isStillValid,
  }
  return mapMaybePromise(callSessionCallback(config, new RowSubject(found), shown), (session) => {
    const told = session && config.events.session ? emitEvent(config, 'session', { session }) : undefined
    return mapMaybePromise(told, () => session && new RowReading(session, context, found))
  })
}

/** A row as the origin of a session. */
class RowSubject implements UserSubject {
  readonly user: AdapterUser

  constructor(private readonly found: FoundRow) {
    this.user = found.row.user
  }

  get authentication() {
    return authenticationOf(rowProofs(this.found))
  }

  get actor() {
    return this.found.actor
  }

  get organization() {
    return this.found.metadata.organization
  }
}

/** A reading of a row. One is created for each request, so rarely used values are computed on access. */
class RowReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: StoreContext,
    private readonly found: FoundRow,
  ) {}

  get id() {
    return sessionIdOf(this.found.stored)
  }

  get userId() {
    return this.found.userId
  }

  get holder() {
    return { userId: this.userId, id: this.id }
  }

  async haveFieldsChanged() {
    return this.found.isCached
  }

  watched() {
    const { stored, userId, actor, expires } = this.found
    const latest = absoluteExpiry(this.context.config, rowLifespan(this.found))
    const proofs = this.context.config.connections && this.proofs
    return { name: stored, known: knownUsers(userId, actor), expires, latest, proofs, actorSession: actor?.session }
  }

  get proofs() {
    return rowProofs(this.found)
  }

  get actor() {
    return this.found.actor
  }

  get member() {
    return { userId: this.userId, organization: this.found.metadata.organization }
  }

  async principal(): Promise<Principal | null> {
    // A bearer token is in no browser.
    if (this.found.source === 'bearer') return null
    return this.found.isCached ? databaseSessionOwner(this.context) : rowPrincipal(this.context, this.found)
  }
}

/** Extends the session and returns its end; `undefined` when it was ended meanwhile. */
async function extendRow(
  context: StoreContext,
  found: FoundRow,
  isStillValid: () => boolean,
): Promise<number | undefined> {
  const { config, store } = context
  try {
    if (found.source === 'legacy')
      return await replacementLocksOf(config.memory).run(found.stored, () =>
        replaceLegacyToken(context, found, isStillValid),
      )
    const expires = new Date(sessionExpiry(config, Date.now(), rowLifespan(found)))
    // A concurrent sign-out must not be undone.
    if (!(await store.updateSession({ sessionToken: found.stored, expires }))) return undefined
    if (found.source === 'bearer') return expires.getTime()
    const maxAge = (expires.getTime() - Date.now()) / 1000
    writeSessionCookie(context, {
      token: found.token,
      maxAge,
      remembered: found.metadata.remembered,
      isStillValid: isStillValid,
    })
    return expires.getTime()
  } catch (error) {
    // The session is valid, so a failed extension must not reject the user.
    config.logger.error(new SessionTokenError('The session could not be extended.', toError(error)))
    return found.expires
  }
}

/** The milliseconds for which concurrent requests may still send the replaced token. */
const replacementGrace = 60 * 1000

/** The lock of a replacement: of concurrent requests with such a token, the first replaces it. */
const replacementLocksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Replaces the token of a session that was stored in the clear. */
async function replaceLegacyToken(
  context: StoreContext,
  found: FoundRow,
  isStillValid: () => boolean,
): Promise<number | undefined> {
  const { store } = context
  const row = await store.getSessionAndUser(found.stored)
  if (!row) return undefined
  const { session: old } = row
  if (old.expires.getTime() - Date.now() <= replacementGrace) return old.expires.getTime()
  const shortened = { sessionToken: found.stored, expires: new Date(Date.now() + replacementGrace) }
  const beginning = { userId: old.userId, proofs: [], data: dataValues(row) }
  const begun = await createRow(
    context,
    beginning,
    async () => (await store.updateSession(shortened)) || null,
    isStillValid,
  )
  return begun?.expires.getTime()
}

async function databaseSessionOwner(context: StoreContext): Promise<StoredPrincipal | null> {
  const { found } = await findRow(context)
  return found && rowPrincipal(context, found)
}

async function databaseSessionHolder(context: StoreContext, bearer: string | undefined): Promise<TokenHolder | null> {
  const { found } = await findRow(context, presentedForReading(context, bearer))
  if (!found || endedInThisProcess(context.config, [found.stored])) return null
  const { userId, stored, actor } = found
  return { userId, id: sessionIdOf(stored), ...(actor && { actor }) }
}

async function isDatabaseSessionLive(context: StoreContext, sid: string, bearer?: string): Promise<boolean> {
  const sent = presentedForReading(context, bearer).filter(({ stored }) => sessionIdOf(stored) === sid)
  const { found } = await findRow(context, sent)
  if (!found || endedInThisProcess(context.config, [found.stored])) return false
  return !(await context.config.session.revocation?.querySession(knownUsers(found.userId, found.actor)))
}

async function rowPrincipal(context: StoreContext, found: FoundRow): Promise<StoredPrincipal | null> {
  const { stored, metadata, userId, actor } = found
  if (endedInThisProcess(context.config, [stored])) return null
  return {
    userId,
    key: storedSessionKey(stored),
    id: sessionIdOf(stored),
    name: stored,
    proofs: rowProofs(found),
    startedAt: metadata.startedAt,
    startedInThisBrowser: await startedInThisBrowser(context, stored),
    hasOwnExpiry: metadata.end !== undefined,
    end: metadata.end,
    actor,
    provider: metadata.link === undefined ? undefined : providerOriginFrom(metadata.link),
    organization: metadata.organization,
  }
}
