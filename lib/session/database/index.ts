/** Database sessions: the cookie contains a random token, the row its hash. Reading takes one query. */
import { after } from '../../base/after.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import { emit } from '../../callbacks/index.js'
import type { EndedSession, ReadOptions, SessionReading, SessionStrategy, Store } from '../../contracts/index.js'
import { SessionTokenError, toError } from '../../errors.js'
import { authenticationOf, type Principal, type StoredPrincipal } from '../../principal/index.js'
import type { Awaitable } from '../../types/identity.js'
import type { Session } from '../../types/session.js'
import { beganHere, hasEnded, noteEnded, sessionIdOf } from '../browser.js'
import { assertSure, type Shown, showSession } from '../session-callback.js'
import { clearSessionCookie, endOf, writeSessionCookie } from '../session-cookie.js'
import { begin, end, issue, stepUp } from './beginning.js'
import { changeRow, valuesOf } from './data.js'
import { endAllOf, endLinked, storedSessionKey } from './ending.js'
import {
  type FoundRow,
  findRow,
  type HeldToken,
  heldTokens,
  isToExtend,
  lifespanOf,
  proofsOf,
  recallRow,
  type StoreContext,
} from './row.js'

/** Creates the strategy of database sessions. */
export function createDatabaseSessions(store: Store): SessionStrategy {
  return {
    read: (context, options) => read({ ...context, store }, options),
    issue: (context, signedIn, began) => issue({ ...context, store }, signedIn, began),
    owner: (context, inside) => owner({ ...context, store: inside ?? store, isInside: inside !== undefined }),
    isLive: (context) => isLive({ ...context, store }),
    stepUp: (context, proved) => stepUp({ ...context, store }, proved),
    revoke: (context) => revoke({ ...context, store }),
    endLinked: (config, logout) => endLinked({ config, store }, logout),
    endAllOf: (config, userId, except) => endAllOf({ config, store }, userId, except),
  }
}

function read(context: StoreContext, options: ReadOptions): Awaitable<SessionReading | null> {
  const held = heldTokens(context)
  const { writable, update, change } = options
  const isPlain = update === undefined && change === undefined
  return after(isPlain ? recallRow(context, held) : null, (recalled) => {
    // A session that will be written is read again, because it may have ended elsewhere.
    const isRecalled = recalled !== null && !(writable && isToExtend(context.config, recalled))
    const choice = isRecalled ? { found: recalled, isUnsure: false } : findRow(context, held, isPlain)
    return after(choice, ({ found: chosen, isUnsure }) => {
      if (change) assertSure(isUnsure)
      return after(change && chosen ? changeRow(context, chosen, change) : chosen, (found) =>
        readChosen(context, found, { held, update, writable: writable && !isUnsure }),
      )
    })
  })
}

function readChosen(
  context: StoreContext,
  found: FoundRow | null,
  { held, update, writable }: Pick<ReadOptions, 'update' | 'writable'> & { held: readonly HeldToken[] },
): Awaitable<SessionReading | null> {
  const { config } = context
  // Called after the callback and when the headers are written: the user may have signed out in another tab by then.
  const holds = () => !hasEnded(config, found ? [found.stored] : held.map(({ stored }) => stored))
  const isDue = found !== null && writable && isToExtend(config, found)
  return after(isDue ? extend(context, found, holds) : found?.expires, (expires) => {
    if (found && expires !== undefined) return show(context, found, { expires, update, holds })
    if (writable) clearSessionCookie(context, holds)
    return null
  })
}

/** Returns the reading of a row for the application. */
function show(
  context: StoreContext,
  found: FoundRow,
  { expires, update, holds }: Pick<Shown, 'expires' | 'update' | 'holds'>,
): Awaitable<SessionReading | null> {
  const { config } = context
  const { user } = found.row
  const shown = {
    user: { name: user.name ?? null, email: user.email || null, image: user.image ?? null },
    expires,
    data: config.session.data ? valuesOf(found.row) : undefined,
    authentication: authenticationOf(proofsOf(found)),
    update,
    holds,
  }
  return after(showSession(config, { user }, shown), (session) => {
    const told = session && config.events.session ? emit(config, 'session', { session }) : undefined
    return after(told, () => session && new RowReading(session, context, found))
  })
}

/** A reading of a row. One is created for each request, so rarely used values are computed on access. */
class RowReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: StoreContext,
    private readonly found: FoundRow,
  ) {}

  get userId() {
    return this.found.userId
  }

  get holder() {
    return { userId: this.userId, id: sessionIdOf(this.found.stored) }
  }

  get proofs() {
    return proofsOf(this.found)
  }

  principal(): Promise<Principal | null> {
    return this.found.isRecalled ? owner(this.context) : principalOf(this.context, this.found)
  }
}

/** Extends the session and returns its end; `undefined` when it was ended meanwhile. */
async function extend(context: StoreContext, found: FoundRow, holds: () => boolean): Promise<number | undefined> {
  const { config, store } = context
  try {
    if (found.source === 'legacy')
      return await replacementsOf(config.memory).run(found.stored, () => replace(context, found, holds))
    const expires = new Date(endOf(config, Date.now(), lifespanOf(found)))
    // A concurrent sign-out must not be undone.
    if (!(await store.updateSession({ sessionToken: found.stored, expires }))) return undefined
    const maxAge = (expires.getTime() - Date.now()) / 1000
    writeSessionCookie(context, { token: found.token, maxAge, remembered: found.facts.remembered, holds })
    return expires.getTime()
  } catch (error) {
    // The session is valid, so a failed extension must not reject the user.
    config.logger.error(new SessionTokenError('The session could not be extended.', toError(error)))
    return found.expires
  }
}

/** The milliseconds for which concurrent requests may still send the replaced token. */
const grace = 60 * 1000

/** The lock of a replacement: of concurrent requests with such a token, the first replaces it. */
const replacementsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Replaces the token of a session that was stored in the clear. */
async function replace(context: StoreContext, found: FoundRow, holds: () => boolean): Promise<number | undefined> {
  const { store } = context
  const row = await store.getSessionAndUser(found.stored)
  if (!row) return undefined
  const { session: old } = row
  if (old.expires.getTime() - Date.now() <= grace) return old.expires.getTime()
  const shortened = { sessionToken: found.stored, expires: new Date(Date.now() + grace) }
  const beginning = { userId: old.userId, proofs: [], data: valuesOf(row) }
  const begun = await begin(context, beginning, async () => (await store.updateSession(shortened)) || null, holds)
  return begun?.expires.getTime()
}

async function owner(context: StoreContext): Promise<StoredPrincipal | null> {
  const { found } = await findRow(context)
  return found && principalOf(context, found)
}

async function isLive(context: StoreContext): Promise<boolean> {
  const { found } = await findRow(context)
  if (!found || hasEnded(context.config, [found.stored])) return false
  return !(await context.config.session.revocation?.ask({ userId: found.userId }))
}

async function principalOf(context: StoreContext, found: FoundRow): Promise<StoredPrincipal | null> {
  const { stored, facts, userId } = found
  if (hasEnded(context.config, [stored])) return null
  return {
    userId,
    key: storedSessionKey(stored),
    id: sessionIdOf(stored),
    proofs: proofsOf(found),
    startedAt: facts.startedAt,
    beganHere: await beganHere(context, stored),
    hasOwnEnd: facts.end !== undefined,
  }
}

async function revoke(context: StoreContext): Promise<EndedSession | null> {
  const held = heldTokens(context)
  clearSessionCookie(context)
  if (held.length === 0) return null
  const errors: unknown[] = []
  const failed = (error: unknown) => void errors.push(error)
  const rows = await Promise.all(held.map((each) => end(context.store, each).catch(failed)))
  // A row that could not be deleted was a session too.
  noteEnded(context.config, new Map(held.map(({ stored }, at) => [stored, rows[at] !== null])))
  if (errors.length > 0) throw errors[0]
  const session = rows.find((row) => row) ?? null
  return session ? { session, sid: sessionIdOf(session.sessionToken) } : { session }
}
