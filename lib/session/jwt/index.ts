/** Sessions in an encrypted token in the cookie. Reading takes one decryption. */

import { copyJson } from '../../base/json.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { emitEvent } from '../../callbacks/index.js'
import { defaultCallbacks } from '../../config/site.js'
import type {
  AdapterStore,
  CookieContext,
  EndedSession,
  ExceptSession,
  ProviderLogout,
  ReadOptions,
  ResolvedConfig,
  SessionDataUpdater,
  SessionReading,
  SessionStrategy,
  TokenHolder,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { AdapterError, JWTSessionError } from '../../errors.js'
import { isStored, type Principal, type StoredPrincipal } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import type { Session, SessionUser } from '../../types/session.js'
import { endedInThisProcess, sessionIdOf, startedInThisBrowser } from '../browser.js'
import { assertUnambiguous, callSessionCallback } from '../session-callback.js'
import { clearSessionCookie } from '../session-cookie.js'
import { applicationClaims } from './application-claims.js'
import {
  authenticationFromClaims,
  claimProofs,
  dataClaim,
  type EngineClaims,
  restoreClaims,
  tokenHolderFrom,
} from './claims.js'
import {
  callJwtCallback,
  issueJwtSession,
  needsRenewal,
  renewedExpiry,
  renewToken,
  stepUpJwtSession,
  whileStoreIsRecent,
} from './new-token.js'
import {
  chooseToken,
  type FoundToken,
  presentedBearer,
  presentedJwtTokens,
  toKnownSession,
  tokenUserOf,
} from './presented-tokens.js'
import { signOutOfJwt } from './sign-out.js'
import { fieldsOfToken, haveFieldsChanged, withRecentFields } from './user-fields.js'

/** The strategy of JWT sessions. */
export const jwtSessions: SessionStrategy = {
  read: readJwtSession,
  issue: issueJwtSession,
  principal: jwtSessionOwner,
  holder: jwtSessionHolder,
  isLive: isJwtSessionLive,
  stepUp: stepUpJwtSession,
  signOut: signOutOfJwt,
  endProviderSessions: endLinkedTokens,
  endAllSessions: endAllTokensOf,
  prepareEndOfAll: prepareEndOfAllTokens,
}

/** Reads the session. Synchronous if no callback and no key is awaited. */
function readJwtSession(context: CookieContext, options: ReadOptions): Awaitable<SessionReading | null> {
  return mapMaybePromise(presentedJwtTokens(context), (held) =>
    mapMaybePromise(chooseToken(context, held), ({ found: chosen, isAmbiguous }) =>
      mapMaybePromise(chosen ?? presentedBearer(context, options.bearer), (found) => {
        const { revocation } = context.config.session
        // Read before the callbacks, which get the token.
        const known = revocation && found ? toKnownSession(found) : undefined
        // Called after the callbacks and when the headers are written: the user may have signed out in another tab by
        // then.
        const isStillValid = () =>
          !endedInThisProcess(context.config, found ? [found.claims.sid] : held.names().keys()) &&
          !(known && revocation?.hasEnded(known))
        const reading = { context, options, writable: options.writable && !isAmbiguous, isStillValid }
        if (!found) return readWithoutSession(reading)
        return readFound(reading, options.change ? withChange(found, options.change, isAmbiguous) : found)
      }),
    ),
  )
}

interface ReadState {
  readonly context: CookieContext
  readonly options: ReadOptions
  /** True if this request may write cookies, and the session is certainly the browser's. */
  readonly writable: boolean
  /** Returns whether the session has not ended meanwhile. */
  readonly isStillValid: () => boolean
}

function readWithoutSession({ context, writable, isStillValid }: ReadState): null {
  if (writable) clearSessionCookie(context, whileStoreIsRecent(context.config, isStillValid))
  return null
}

/** Returns the token after a change of its data. */
function withChange(found: FoundToken, change: SessionDataUpdater, isAmbiguous: boolean): FoundToken {
  assertUnambiguous(isAmbiguous)
  const { auth_data: data = {}, ...others } = found.claims
  const claims = { ...others, ...dataClaim(change(copyJson(data))) }
  return { ...found, claims, token: restoreClaims(found.token, claims) }
}

function readFound(reading: ReadState, found: FoundToken): Awaitable<SessionReading | null> {
  const { config } = reading.context
  const { userFields } = config.session
  if (!userFields) return readCurrent(reading, found, false)
  const asked = { claims: found.claims, isAsked: reading.options.update !== undefined }
  return mapMaybePromise(withRecentFields(config, userFields, asked), (claims) => {
    if (!claims) return readWithoutSession(reading)
    if (claims === found.claims) return readCurrent(reading, found, false)
    return readCurrent(reading, { ...found, claims, token: restoreClaims(found.token, claims) }, true)
  })
}

/** @param isRefreshed Whether the token is new, because the fields of the user were read again. */
function readCurrent(reading: ReadState, found: FoundToken, isRefreshed: boolean): Awaitable<SessionReading | null> {
  const { context, options, writable } = reading
  const { config } = context
  // Only these change a token: the default callback returns it unchanged.
  const mayChange = config.callbacks.jwt !== defaultCallbacks.jwt || options.newEmail !== undefined
  const before = { iat: found.token.iat, claims: mayChange ? applicationClaims(found.token) : undefined }
  return mapMaybePromise(callJwtCallback(config, updateParams(found.token, options)), (asked) => {
    if (!asked) return readWithoutSession(reading)
    const token = restoreClaims(asked, found.claims)
    const isChanged = isRefreshed || options.update !== undefined || options.change !== undefined
    const isAsked = isChanged && found.source !== 'bearer'
    return mapMaybePromise(writable && (isAsked || needsRenewal(context, found, { before, token })), (renew) =>
      createTokenReading(reading, { found, token, renew }),
    )
  })
}

/** Returns the reading of a token for the application, and writes the new token if it is renewed. */
function createTokenReading(
  { context, options: { update, change }, isStillValid }: ReadState,
  { found, token, renew }: { found: FoundToken; token: JWT; renew: boolean },
): Awaitable<SessionReading | null> {
  const { config } = context
  const { userFields } = config.session
  const shown = {
    user: { ...shownUser(token, found.claims), ...(userFields && fieldsOfToken(userFields, found.claims)) },
    expires: renew ? renewedExpiry(config, found.claims) : found.expires,
    data: config.session.data ? copyJson(found.claims.auth_data ?? {}) : undefined,
    authentication: authenticationFromClaims(found.claims),
    update,
    isStillValid: isStillValid,
  }
  return mapMaybePromise(callSessionCallback(config, { token }, shown), (session) => {
    if (!session) return null
    if (change && !whileStoreIsRecent(config, isStillValid)()) {
      throw new AdapterError(
        'The data of the session was not changed, because the store of ended sessions does not respond.',
        {
          method: 'changes',
        },
      )
    }
    const isAsked = update !== undefined || change !== undefined
    return mapMaybePromise(
      renew ? renewToken(context, { found, token, isStillValid: isStillValid, isAsked }) : undefined,
      () =>
        mapMaybePromise(
          config.events.session ? emitEvent(config, 'session', { session, token }) : undefined,
          () => new TokenReading(session, context, found),
        ),
    )
  })
}

/** Returns the user of the session. A token of another library may name no user: no record has an empty id. */
function shownUser(token: JWT, claims: EngineClaims): SessionUser {
  const { name = null, email = null, picture = null } = token
  return { id: tokenUserOf(token, claims) ?? '', name, email, image: picture }
}

/** A reading of a token. One is created for each request, so rarely used values are computed on access. */
class TokenReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: CookieContext,
    private readonly found: FoundToken,
  ) {}

  get userId() {
    return toKnownSession(this.found).userId
  }

  async haveFieldsChanged() {
    const { config } = this.context
    const { userFields } = config.session
    return userFields !== undefined && haveFieldsChanged(config, userFields, this.found.claims)
  }

  get holder() {
    return tokenHolderFrom(this.found.claims, this.context.config.store !== undefined)
  }

  get proofs() {
    return claimProofs(this.found.claims)
  }

  principal(): Promise<Principal | null> {
    return tokenPrincipal(this.context, this.found)
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
async function jwtSessionOwner(context: CookieContext, inside?: AdapterStore): Promise<StoredPrincipal | null> {
  const { found } = await chooseToken(context, await presentedJwtTokens(context, inside === undefined))
  const principal = found && (await tokenPrincipal(context, found))
  return principal && isStored(principal) ? principal : null
}

/** Returns the token of a request, of its cookies or its header. */
async function findToken(context: CookieContext, bearer: string | undefined): Promise<FoundToken | null> {
  const { found } = await chooseToken(context, await presentedJwtTokens(context))
  return found ?? presentedBearer(context, bearer)
}

async function jwtSessionHolder(context: CookieContext, bearer: string | undefined): Promise<TokenHolder | null> {
  const { sid, auth_owner: owner } = (await findToken(context, bearer))?.claims ?? {}
  return owner && sid !== undefined ? { userId: owner.id, id: sessionIdOf(sid) } : null
}

async function isJwtSessionLive(context: CookieContext, bearer?: string): Promise<boolean> {
  const found = await findToken(context, bearer)
  return found !== null && !(await context.config.session.revocation?.querySession(toKnownSession(found)))
}

/**
 * Returns the principal, by the engine's own claim, because callbacks can change `sub`. A bearer token has none,
 * because it is in no browser.
 */
async function tokenPrincipal(context: CookieContext, { claims, source }: FoundToken): Promise<Principal | null> {
  const { sid, auth_owner: user, auth_end: end } = claims
  if (source === 'bearer') return null
  return {
    ...(user && { userId: user.id }),
    key: shortHash(`jwt ${sid}`),
    id: sessionIdOf(sid),
    sid,
    proofs: claimProofs(claims),
    startedAt: claims.auth_began,
    startedInThisBrowser: await startedInThisBrowser(context, sid),
    hasOwnExpiry: end !== undefined,
  }
}

/** Ends the sessions of a provider session. Tokens cannot be listed, so their end is noticed when they are read. */
async function endLinkedTokens({ session }: ResolvedConfig, logout: ProviderLogout): Promise<EndedSession[]> {
  const { revocation, stamps } = session
  // The configuration rejects features that need this without a store.
  if (!revocation) throw new JWTSessionError('JWT sessions without `session.revocation` cannot be ended by a provider.')
  const ended = await revocation.endLinked(logout)
  await stamps?.changeLinked(logout)
  return ended ? [{}] : []
}

async function endAllTokensOf({ session }: ResolvedConfig, userId: string, except: ExceptSession = {}) {
  const { revocation, stamps } = session
  const { sid, mark } = except
  // The end of all sessions is part of the stamp.
  await (revocation ? revocation.endAllOf(userId, sid ?? mark) : stamps?.change(userId, mark))
  return revocation ? [{ userId }] : []
}

/** With `session.revocation`: without it, there is nothing to end. */
function prepareEndOfAllTokens({ session: { revocation } }: ResolvedConfig, userId: string) {
  const end = revocation?.prepareEndOfAll(userId)
  return async (asOf?: number): Promise<EndedSession[]> => {
    await end?.(asOf)
    return end ? [{ userId }] : []
  }
}
