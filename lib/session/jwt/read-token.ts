/** Reads the session of a token for the application: calls the callbacks, and renews the token when it is due. */
import { copyJson } from '../../base/json.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { DescribedFields } from '../../base/user-fields.js'
import { emitEvent } from '../../callbacks/index.js'
import { defaultCallbacks } from '../../config/site.js'
import type {
  CookieContext,
  ReadOptions,
  SessionDataUpdater,
  SessionReading,
  TokenHolder,
} from '../../contracts/index.js'
import { isAccountUuid } from '../../crypto/account-id.js'
import { shortHash } from '../../crypto/hash.js'
import { AdapterError } from '../../errors.js'
import type { Principal } from '../../principal/index.js'
import type { JwtCallbackParams } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import type { Session, SessionUser } from '../../types/session.js'
import { endedInThisProcess, type SessionChoice, sessionIdOf, startedInThisBrowser } from '../browser.js'
import { assertUnambiguous, callSessionCallback, type TokenSubject } from '../session-callback.js'
import { absoluteExpiry, clearSessionCookie } from '../session-cookie.js'
import { applicationClaims } from './application-claims.js'
import {
  authenticationFromClaims,
  claimProofs,
  claimsLifespan,
  dataClaim,
  type EngineClaims,
  restoreClaims,
  tokenUserOf,
} from './claims.js'
import { callJwtCallback, needsRenewal, renewedExpiry, renewToken, whileStoreIsRecent } from './new-token.js'
import {
  chooseToken,
  type FoundToken,
  type PresentedTokens,
  presentedBearer,
  presentedJwtTokens,
  withClaims,
} from './presented-tokens.js'
import { fieldsOfToken, haveFieldsChanged, withRecentFields } from './user-fields.js'

/** Reads the session. Synchronous if no callback and no key is awaited. */
export function readJwtSession(context: CookieContext, options: ReadOptions): Awaitable<SessionReading | null> {
  return mapMaybePromise(presentedJwtTokens(context), (held) =>
    mapMaybePromise(chooseToken(context, held), ({ found: chosen, isAmbiguous }) =>
      mapMaybePromise(chosen ?? presentedBearer(context, options.bearer), (found) => {
        const read = new TokenRead(context, options, { held, found, isAmbiguous })
        if (!found) return readWithoutSession(read)
        return readFound(read, options.change ? withChange(found, options.change, isAmbiguous) : found)
      }),
    ),
  )
}

/** A read in progress. */
class TokenRead {
  readonly #isAmbiguous: boolean
  /** Returns whether the session has not ended. Called after the callbacks and when the headers are written. */
  readonly isStillValid: () => boolean

  constructor(
    readonly context: CookieContext,
    readonly options: ReadOptions,
    { held, found, isAmbiguous }: SessionChoice<FoundToken> & { readonly held: PresentedTokens },
  ) {
    const { config } = context
    this.#isAmbiguous = isAmbiguous
    // The user may have signed out in another tab by then.
    this.isStillValid = () =>
      !endedInThisProcess(config, found ? [found.claims.sid] : [...held.names().keys()]) &&
      !(found && config.session.revocation?.hasEnded(found.known))
  }

  /** True if this request may write cookies, and the session is certainly the browser's. */
  get writable() {
    return !this.#isAmbiguous && this.options.writable
  }
}

function readWithoutSession({ context, isStillValid, writable }: TokenRead): null {
  if (writable) clearSessionCookie(context, whileStoreIsRecent(context.config, isStillValid))
  return null
}

/** Returns the token after a change of its data. */
function withChange(found: FoundToken, change: SessionDataUpdater, isAmbiguous: boolean): FoundToken {
  assertUnambiguous(isAmbiguous)
  const { auth_data: data = {}, ...others } = found.claims
  return withClaims(found, { ...others, ...dataClaim(change(copyJson(data))) })
}

function readFound(read: TokenRead, found: FoundToken): Awaitable<SessionReading | null> {
  const { config } = read.context
  const { userFields } = config.session
  if (!userFields) return readCurrent(read, found, false)
  const asked = { claims: found.claims, isAsked: read.options.update !== undefined || read.options.isFresh === true }
  return mapMaybePromise(withRecentFields(config, userFields, asked), (claims) => {
    if (!claims) return readWithoutSession(read)
    if (claims === found.claims) return readCurrent(read, found, false)
    return readCurrent(read, withClaims(found, claims), true)
  })
}

/** @param isRefreshed Whether the token is new, because the fields of the user were read again. */
function readCurrent(read: TokenRead, found: FoundToken, isRefreshed: boolean): Awaitable<SessionReading | null> {
  const { context, options } = read
  const { config } = context
  const isAsked =
    (isRefreshed || options.update !== undefined || options.change !== undefined) && found.source !== 'bearer'
  // Only these change a token: the default callback returns it unchanged.
  if (config.callbacks.jwt === defaultCallbacks.jwt && options.newEmail === undefined)
    return mapMaybePromise(isAsked || needsRenewal(context, found, undefined), (isDue) =>
      createTokenReading(read, new CurrentToken(found), isDue),
    )
  const before = applicationClaims(found.token)
  return mapMaybePromise(callJwtCallback(config, updateParams(found.token, options)), (asked) => {
    if (!asked) return readWithoutSession(read)
    const token = restoreClaims(asked, found.claims)
    return mapMaybePromise(isAsked || needsRenewal(context, found, { before, token }), (isDue) =>
      createTokenReading(read, new CurrentToken(found, token), isDue),
    )
  })
}

/** A token after the `jwt` callback. */
class CurrentToken implements TokenSubject {
  /** @param changed Absent if no callback was called. */
  constructor(
    readonly found: FoundToken,
    private readonly changed?: JWT,
  ) {}

  get token() {
    return this.changed ?? this.found.token
  }

  get authentication() {
    return authenticationFromClaims(this.found.claims)
  }

  get actor() {
    return this.found.verified.actor
  }

  get organization() {
    return this.found.claims.auth_org
  }

  /** Returns the user of the session. A token of another library may name no user: no record has an empty id. */
  shownUser(userFields: DescribedFields | undefined): SessionUser {
    const { found, changed } = this
    const user = changed ? userOfToken(changed, found.claims) : found.verified.copyUser()
    return userFields ? Object.assign(user, fieldsOfToken(userFields, found.claims)) : user
  }
}

function userOfToken(token: JWT, claims: EngineClaims): SessionUser {
  const { name = null, email = null, picture = null } = token
  return { id: tokenUserOf(token, claims) ?? '', name, email, image: picture }
}

/**
 * Returns the reading of a token for the application, and writes the new token if it is renewed.
 *
 * @param isDue Whether the token is renewed, if the response can have a cookie.
 */
function createTokenReading(read: TokenRead, current: CurrentToken, isDue: boolean): Awaitable<SessionReading | null> {
  const { context, isStillValid } = read
  const { update, change } = read.options
  const { found } = current
  const { config } = context
  const { userFields, data } = config.session
  const renew = isDue && read.writable
  const expires = renew ? renewedExpiry(config, found.claims) : found.expires
  const shown = {
    user: current.shownUser(userFields),
    expires: found.verified.textOf(expires),
    data: data ? copyJson(found.claims.auth_data ?? {}) : undefined,
    update,
    isStillValid,
  }
  return mapMaybePromise(callSessionCallback(config, current, shown), (session) => {
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
    const renewed = renew ? renewToken(context, { found, token: current.token, isStillValid, isAsked }) : undefined
    return mapMaybePromise(renewed, () => {
      const emitted = config.events.session && emitEvent(config, 'session', { session, token: current.token })
      return mapMaybePromise(emitted, () => new TokenReading(session, context, found, expires))
    })
  })
}

/** A reading of a token. One is created for each request, so rarely used values are computed on access. */
class TokenReading implements SessionReading {
  constructor(
    readonly session: Session,
    private readonly context: CookieContext,
    private readonly found: FoundToken,
    private readonly expires: number,
  ) {}

  get id() {
    return sessionIdOf(this.found.claims.sid)
  }

  get userId() {
    return this.found.known.userId
  }

  async haveFieldsChanged() {
    const { config } = this.context
    const { userFields } = config.session
    return userFields !== undefined && haveFieldsChanged(config, userFields, this.found.claims)
  }

  watched() {
    const { claims, known } = this.found
    const latest = absoluteExpiry(this.context.config, claimsLifespan(claims))
    const proofs = this.context.config.connections && this.proofs
    return { name: claims.sid, known, expires: this.expires, latest, proofs }
  }

  get holder() {
    return tokenHolderFrom(this.found.claims, this.context.config.store !== undefined)
  }

  get proofs() {
    return claimProofs(this.found.claims)
  }

  get actor() {
    return this.found.verified.actor
  }

  get member() {
    const { auth_owner: owner, auth_member: member, auth_org: organization } = this.found.claims
    return { userId: owner?.id ?? member, organization }
  }

  principal(): Promise<Principal | null> {
    return tokenPrincipal(this.context, this.found)
  }
}

/** Returns the user whose provider tokens and second factors the session uses. `isStored`: with an adapter. */
function tokenHolderFrom(claims: EngineClaims, isStored: boolean): TokenHolder | undefined {
  const { sid, auth_owner: owner, auth_subject: subject, auth_tokens: before } = claims
  // With an adapter this was the id of an `authorize`, which may be that of a stored user. The next sign-in adds a name.
  const userId = owner?.id ?? subject ?? (!isStored && isAccountUuid(before) ? before : undefined)
  return userId === undefined ? undefined : { userId, id: sessionIdOf(sid) }
}

/** Returns the parameters of the `jwt` callback for a token that is read. */
function updateParams(token: JWT, { update, newEmail }: ReadOptions): JwtCallbackParams {
  // An application that removes the address from its tokens gets none.
  const current = newEmail !== undefined && 'email' in token ? { ...token, email: newEmail } : token
  return update ? { token: current, trigger: 'update', session: update.data } : { token: current }
}

/**
 * Returns the principal, by the engine's own claim, because callbacks can change `sub`. A bearer token has none,
 * because it is in no browser.
 */
export async function tokenPrincipal(
  context: CookieContext,
  { claims, source, verified: { actor } }: FoundToken,
): Promise<Principal | null> {
  const { sid, auth_owner: user, auth_end: end, auth_op: provider } = claims
  if (source === 'bearer') return null
  return {
    ...(user && { userId: user.id }),
    key: shortHash(`jwt ${sid}`),
    id: sessionIdOf(sid),
    name: sid,
    sid,
    proofs: claimProofs(claims),
    startedAt: claims.auth_began,
    startedInThisBrowser: await startedInThisBrowser(context, sid),
    hasOwnExpiry: end !== undefined,
    end,
    ...(actor && { actor }),
    provider,
    organization: claims.auth_org,
  }
}
