/** Sessions in an encrypted token in the cookie. Reading takes one decryption. */
import { after } from '../../base/after.js'
import { copyOfJson } from '../../base/json.js'
import { emit } from '../../callbacks/index.js'
import { defaultCallbacks } from '../../config/site.js'
import type {
  ChangeData,
  CookieContext,
  EndedSession,
  ExceptSession,
  LostSession,
  ProviderLogout,
  ReadOptions,
  ResolvedConfig,
  SessionReading,
  SessionStrategy,
  Store,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { AdapterError, JWTSessionError } from '../../errors.js'
import { isStored, type Principal, type StoredPrincipal } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import type { Session } from '../../types/session.js'
import { beganHere, hasEnded, noteEnded, sessionIdOf } from '../browser.js'
import { assertSure, showSession } from '../session-callback.js'
import { clearSessionCookie } from '../session-cookie.js'
import { authenticationOf, dataClaim, holderOf, ownClaims, pinClaims, proofsOf } from './claims.js'
import { choose, type FoundToken, heldBearer, heldTokens, holdsSession, sessionsIn, toKnown } from './held-token.js'
import { askJwt, issue, isToRenew, renewedExpiry, renewToken, stepUp, whileRecent } from './new-token.js'

/** The strategy of JWT sessions. */
export const jwtSessions: SessionStrategy = { read, issue, owner, isLive, stepUp, revoke, endLinked, endAllOf }

/** Reads the session. Synchronous if no callback and no key is awaited. */
function read(context: CookieContext, options: ReadOptions): Awaitable<SessionReading | null> {
  return after(heldTokens(context), (held) =>
    after(choose(context, held), ({ found: chosen, isUnsure }) =>
      after(chosen ?? heldBearer(context, options.bearer), (found) => {
        const { revocation } = context.config.session
        // Read before the callbacks, which get the token.
        const known = revocation && found ? toKnown(found) : undefined
        // Called after the callbacks and when the headers are written: the user may have signed out in another tab by
        // then.
        const holds = () =>
          !hasEnded(context.config, found ? [found.claims.sid] : held.names().keys()) &&
          !(known && revocation?.hasEnded(known))
        const reading = { context, options, writable: options.writable && !isUnsure, holds }
        if (!found) return readNone(reading)
        return readFound(reading, options.change ? withChange(found, options.change, isUnsure) : found)
      }),
    ),
  )
}

interface Reading {
  readonly context: CookieContext
  readonly options: ReadOptions
  /** Whether this request may write cookies, and the session is certainly the browser's. */
  readonly writable: boolean
  /** Returns whether the session has not ended meanwhile. */
  readonly holds: () => boolean
}

function readNone({ context, writable, holds }: Reading): null {
  if (writable) clearSessionCookie(context, whileRecent(context.config, holds))
  return null
}

/** Returns the token after a change of its data. */
function withChange(found: FoundToken, change: ChangeData, isUnsure: boolean): FoundToken {
  assertSure(isUnsure)
  const { auth_data: data = {}, ...others } = found.claims
  const claims = { ...others, ...dataClaim(change(copyOfJson(data))) }
  return { ...found, claims, token: pinClaims(found.token, claims) }
}

function readFound(reading: Reading, found: FoundToken): Awaitable<SessionReading | null> {
  const { context, options, writable } = reading
  const { config } = context
  // Only these change a token: the default callback returns it unchanged.
  const mayChange = config.callbacks.jwt !== defaultCallbacks.jwt || options.newEmail !== undefined
  const before = { iat: found.token.iat, claims: mayChange ? ownClaims(found.token) : undefined }
  return after(askJwt(config, updateParams(found.token, options)), (asked) => {
    if (!asked) return readNone(reading)
    const token = pinClaims(asked, found.claims)
    const isAsked = (options.update !== undefined || options.change !== undefined) && found.source !== 'bearer'
    return after(writable && (isAsked || isToRenew(context, found, { before, token })), (renew) =>
      show(reading, { found, token, renew }),
    )
  })
}

/** Returns the reading of a token for the application, and writes the new token if it is renewed. */
function show(
  { context, options: { update, change }, holds }: Reading,
  { found, token, renew }: { found: FoundToken; token: JWT; renew: boolean },
): Awaitable<SessionReading | null> {
  const { config } = context
  const shown = {
    user: { name: token.name ?? null, email: token.email ?? null, image: token.picture ?? null },
    expires: renew ? renewedExpiry(config, found.claims) : found.expires,
    data: config.session.data ? copyOfJson(found.claims.auth_data ?? {}) : undefined,
    authentication: authenticationOf(found.claims),
    update,
    holds,
  }
  return after(showSession(config, { token }, shown), (session) => {
    if (!session) return null
    if (change && !whileRecent(config, holds)()) {
      throw new AdapterError(
        'The data of the session was not changed, because the store of ended sessions does not respond.',
        {
          method: 'changes',
        },
      )
    }
    const isAsked = update !== undefined || change !== undefined
    return after(renew ? renewToken(context, { found, token, holds, isAsked }) : undefined, () =>
      after(
        config.events.session ? emit(config, 'session', { session, token }) : undefined,
        () => new TokenReading(session, context, found),
      ),
    )
  })
}

/** A reading of a token. One is created for each request, so rarely used values are computed on access. */
class TokenReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: CookieContext,
    private readonly found: FoundToken,
  ) {}

  get userId() {
    return toKnown(this.found).userId
  }

  get holder() {
    return holderOf(this.found.claims, this.context.config.store !== undefined)
  }

  get proofs() {
    return proofsOf(this.found.claims)
  }

  principal(): Promise<Principal | null> {
    return principalOf(this.context, this.found)
  }
}

/** Returns the parameters of the `jwt` callback for a token that is read. */
function updateParams(token: JWT, { update, newEmail }: ReadOptions): JwtCallbackParams {
  // An application that removes the address from its tokens gets none.
  const current = newEmail !== undefined && 'email' in token ? { ...token, email: newEmail } : token
  return update ? { token: current, trigger: 'update', session: update.data } : { token: current }
}

/**
 * Returns the stored user of the session.
 *
 * @param inside The store of a transaction, in which no other store is queried.
 */
async function owner(context: CookieContext, inside?: Store): Promise<StoredPrincipal | null> {
  const { found } = await choose(context, await heldTokens(context, inside === undefined))
  const principal = found && (await principalOf(context, found))
  return principal && isStored(principal) ? principal : null
}

async function isLive(context: CookieContext, bearer?: string): Promise<boolean> {
  const { found: held } = await choose(context, await heldTokens(context))
  const found = held ?? (await heldBearer(context, bearer))
  return found !== null && !(await context.config.session.revocation?.ask(toKnown(found)))
}

/**
 * Returns the principal, by the engine's own claim, because callbacks can change `sub`. A bearer token has none,
 * because it is in no browser.
 */
async function principalOf(context: CookieContext, { claims, source }: FoundToken): Promise<Principal | null> {
  const { sid, auth_owner: user, auth_end: end } = claims
  if (source === 'bearer') return null
  return {
    ...(user && { userId: user.id }),
    key: shortHash(`jwt ${sid}`),
    id: sessionIdOf(sid),
    sid,
    proofs: proofsOf(claims),
    startedAt: claims.auth_began,
    beganHere: await beganHere(context, sid),
    hasOwnEnd: end !== undefined,
  }
}

async function revoke(context: CookieContext): Promise<EndedSession | null> {
  if (!holdsSession(context)) return null
  // An unavailable store must not prevent the sign-out here.
  const held = await heldTokens(context, false)
  const { found } = await choose(context, held)
  const names = held.names()
  noteEnded(context.config, names)
  clearSessionCookie(context)
  await context.config.session.revocation?.end(sessionsIn(names))
  return found ? { token: found.token, sid: sessionIdOf(found.claims.sid) } : { token: null }
}

/** Ends the sessions of a provider session. Tokens cannot be listed, so their end is noticed when they are read. */
async function endLinked({ session }: ResolvedConfig, logout: ProviderLogout): Promise<LostSession[]> {
  const { revocation, stamps } = session
  // The configuration rejects features that need this without a store.
  if (!revocation) throw new JWTSessionError('JWT sessions without `session.revocation` cannot be ended by a provider.')
  const ended = await revocation.endLinked(logout)
  await stamps?.changeLinked(logout)
  return ended ? [{}] : []
}

async function endAllOf({ session }: ResolvedConfig, userId: string, except: ExceptSession = {}) {
  const { revocation, stamps } = session
  const { sid, mark } = except
  // The end of all sessions is part of the stamp.
  await (revocation ? revocation.endAllOf(userId, sid ?? mark) : stamps?.change(userId, mark))
  return revocation ? [{ userId }] : []
}
