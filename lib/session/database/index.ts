/** Sessions in a database: the cookie holds a random token, the row its hash. Reading costs one look-up. */
import { after } from '../../base/after.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import { emit } from '../../callbacks/events.js'
import type {
  Beginning,
  ChangeData,
  EndedSession,
  IssuedSession,
  ReadOptions,
  SessionReading,
  SessionStrategy,
  SignedIn,
  Store,
  TokenHolder,
} from '../../contracts/index.js'
import { ReauthenticationRequired, SessionTokenError, toError } from '../../errors.js'
import { authenticationOf, type Principal, type Proof, type StoredPrincipal } from '../../principal/index.js'
import type { Awaitable } from '../../types/identity.js'
import type { Session } from '../../types/session.js'
import { beganHere, type Choice } from '../browser.js'
import { hasEnded, noteEnded } from '../ended-sessions.js'
import { endOf } from '../lifetime.js'
import { assertSession, assertSure, toSession } from '../session-callback.js'
import { clearSessionCookie } from '../session-cookie.js'
import { sessionIdOf } from '../session-id.js'
import { begin, beginHere, end, write } from './beginning.js'
import { changeRow, valuesOf } from './data.js'
import { endAllOf } from './end-all.js'
import { endLinked } from './provider-link.js'
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
  storedSessionKey,
} from './row.js'
import { stepUp } from './step-up.js'

/** The strategy of stored sessions. */
export function createDatabaseSessions(store: Store): SessionStrategy {
  return {
    read: (context, options) => read({ ...context, store }, options),
    issue: (context, signedIn, began) => issue({ ...context, store }, signedIn, began),
    owner: (context, inside) => owner({ ...context, store: inside ?? store, isInside: inside !== undefined }),
    isLive: (context) => isLive({ ...context, store }),
    stepUp: (context, proved) => stepUp({ ...context, store }, proved),
    revoke: (context) => revoke({ ...context, store }),
    endLinked: (config, logout) => endLinked(config, store, logout),
    endAllOf: (config, userId, except) => endAllOf(config, store, { userId, except }),
  }
}

function read(context: StoreContext, options: ReadOptions): Awaitable<SessionReading | null> {
  const held = heldTokens(context)
  const isPlain = options.update === undefined && options.change === undefined
  return after(isPlain ? recallRow(context, held) : null, (recalled) => {
    // What is to be written is read again: it may have ended elsewhere.
    const isRecalled = recalled !== null && !(options.writable && isToExtend(context.config, recalled))
    const choice = isRecalled ? { found: recalled, isUnsure: false } : findRow(context, { held, remember: isPlain })
    const changed = options.change ? changeChosen(context, choice, options.change) : choice
    return after(changed, (chosen) => readChosen(context, { ...options, ...chosen, held, isRecalled }))
  })
}

type Chosen = ReadOptions & Choice<FoundRow> & { readonly held: readonly HeldToken[]; readonly isRecalled: boolean }

function readChosen(context: StoreContext, chosen: Chosen): Awaitable<SessionReading | null> {
  const { config } = context
  const { found, held, isRecalled, update } = chosen
  const writable = chosen.writable && !chosen.isUnsure
  // Asked after the callback and as the headers go out: the person may have signed out in another tab by then.
  const holds = () => !hasEnded(config, found ? [found.stored] : held.map(({ stored }) => stored))
  const isDue = found !== null && writable && isToExtend(config, found)
  return after(isDue ? extend(context, found, holds) : found?.expires, (expires) => {
    if (found && expires !== undefined) return show(context, { found, expires, isRecalled, update, holds })
    if (writable) clearSessionCookie(context, holds)
    return null
  })
}

async function changeChosen(
  context: StoreContext,
  choice: Awaitable<Choice<FoundRow>>,
  change: ChangeData,
): Promise<Choice<FoundRow>> {
  const { found, isUnsure } = await choice
  assertSure(isUnsure)
  return { found: found && (await changeRow(context, found, change)), isUnsure }
}

interface Shown {
  readonly found: FoundRow
  /** Milliseconds since the epoch. */
  readonly expires: number
  /** Read a moment ago: whose it is, is asked the database. */
  readonly isRecalled: boolean
  readonly update: ReadOptions['update']
  readonly holds: () => boolean
}

/** What the application is told of a row. */
function show(
  context: StoreContext,
  { found, expires, isRecalled, update, holds }: Shown,
): Awaitable<SessionReading | null> {
  const { config } = context
  const { user } = found.row
  // Taken before the callback, which gets the user's own object.
  const { id } = user
  const shown = { name: user.name ?? null, email: user.email || null, image: user.image ?? null }
  const returned = config.callbacks.session({
    session: toSession(shown, expires, {
      data: config.session.data ? valuesOf(found.row) : undefined,
      assurance: config.factors && authenticationOf(proofsOf(found)),
    }),
    user,
    authentication: authenticationOf(proofsOf(found)),
    ...(update && { newSession: update.data, trigger: 'update' as const }),
  })
  return after(returned, (given) => {
    const session = assertSession(given)
    if (!holds()) return null
    return after(
      config.events.session ? emit(config, 'session', { session }) : undefined,
      () => new RowReading(session, context, { found, userId: id, isRecalled }),
    )
  })
}

/** What was read of a row. */
interface ReadRow {
  readonly found: FoundRow
  /** Taken before the callback, which gets the user's own object. */
  readonly userId: string
  readonly isRecalled: boolean
}

/** Made for each request: what few ask for is worked out when they do. */
class RowReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: StoreContext,
    private readonly row: ReadRow,
  ) {}

  get userId(): string {
    return this.row.userId
  }

  get holder(): TokenHolder | undefined {
    const { tokens, factors } = this.context.config
    return tokens || factors ? { userId: this.userId, id: sessionIdOf(this.row.found.stored) } : undefined
  }

  get proofs(): readonly Proof[] {
    return proofsOf(this.row.found)
  }

  principal(): Promise<Principal | null> {
    const { found, userId, isRecalled } = this.row
    return isRecalled ? owner(this.context) : principalOf(this.context, found, userId)
  }
}

/** When the session ends, after extending it; `undefined` when it was ended in the meantime. */
async function extend(context: StoreContext, found: FoundRow, holds: () => boolean): Promise<number | undefined> {
  const { config, store } = context
  try {
    if (found.source === 'legacy')
      return await replacementsOf(config.memory).run(found.stored, () => replace(context, found, holds))
    const expires = new Date(endOf(config, Date.now(), lifespanOf(found)))
    // A sign-out at the same moment must not be undone.
    if (!(await store.updateSession({ sessionToken: found.stored, expires }))) return undefined
    write(context, { token: found.token, expires, holds, ...found.facts })
    return expires.getTime()
  } catch (error) {
    // The session was read and is valid; that it could not be extended is no reason to turn the person away.
    config.logger.error(new SessionTokenError('The session could not be extended.', toError(error)))
    return found.expires
  }
}

/** Milliseconds for which requests under way may still come with the token that was replaced. */
const grace = 60 * 1000

/** Requests that come at once with such a token: the first replaces it, the others find it replaced. */
const replacementsOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** A session whose token was stored in the clear gets one of ours. */
async function replace(context: StoreContext, found: FoundRow, holds: () => boolean): Promise<number | undefined> {
  const { store } = context
  const row = await store.getSessionAndUser(found.stored)
  if (!row) return undefined
  const { session: old } = row
  if (old.expires.getTime() - Date.now() <= grace) return old.expires.getTime()
  const { token, stored, expires, ended } = await begin(
    context,
    { userId: old.userId, proofs: [], data: valuesOf(row) },
    () => store.updateSession({ sessionToken: found.stored, expires: new Date(Date.now() + grace) }),
  )
  if (ended) {
    write(context, { token, expires, holds })
    return expires.getTime()
  }
  // A sign-out at the same moment must not be undone.
  await store.deleteSession(stored)
  return undefined
}

async function issue(context: StoreContext, signedIn: SignedIn, began: Beginning): Promise<IssuedSession> {
  const { user, providerLink: link } = signedIn
  const issued = user.id === undefined ? null : await beginHere(context, { ...began, userId: user.id, link })
  if (issued) return issued
  if (began.replaces !== undefined) {
    throw new ReauthenticationRequired('The session has ended while something was attached in it.')
  }
  throw new SessionTokenError('A database session needs a stored user.')
}

async function owner(context: StoreContext): Promise<StoredPrincipal | null> {
  const { found } = await findRow(context)
  return found && principalOf(context, found, found.row.user.id)
}

async function isLive(context: StoreContext): Promise<boolean> {
  const { found } = await findRow(context)
  if (!found || hasEnded(context.config, [found.stored])) return false
  return !(await context.config.session.revocation?.ask({ userId: found.row.user.id }))
}

async function principalOf(context: StoreContext, found: FoundRow, userId: string): Promise<StoredPrincipal | null> {
  const { stored, facts } = found
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
  const ended = await Promise.allSettled(held.map((each) => end(context.store, each)))
  // A row that could not be deleted was somebody's session all the same.
  const isSession = ended.map((each) => each.status === 'rejected' || each.value !== null)
  noteEnded(context.config, new Map(held.map(({ stored }, at) => [stored, isSession[at] === true])))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  const rows = ended.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  const [session] = rows
  return session ? { session, sid: sessionIdOf(session.sessionToken) } : { session: null }
}
