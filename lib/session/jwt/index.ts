/** Sessions in an encrypted token in the cookie. Reading takes one decryption. */

import type {
  AdapterStore,
  CookieContext,
  EndedSession,
  ExceptSession,
  ProviderLogout,
  ResolvedConfig,
  SessionStrategy,
  TokenHolder,
} from '../../contracts/index.js'
import { JWTSessionError } from '../../errors.js'
import { isStored, type StoredPrincipal } from '../../principal/index.js'
import { endedInThisProcess, recordEndedSessions, sessionIdOf } from '../browser.js'
import { issueJwtSession, stepUpJwtSession } from './new-token.js'
import { chooseToken, type FoundToken, presentedBearer, presentedJwtTokens } from './presented-tokens.js'
import { readJwtSession, tokenPrincipal } from './read-token.js'
import { signOutOfJwt } from './sign-out.js'

/** The strategy of JWT sessions. */
export const jwtSessions: SessionStrategy = {
  read: readJwtSession,
  issue: issueJwtSession,
  principal: jwtSessionOwner,
  holder: jwtSessionHolder,
  isLive: isJwtSessionLive,
  exists: existsAsToken,
  endByName: endToken,
  stepUp: stepUpJwtSession,
  signOut: signOutOfJwt,
  endProviderSessions: endLinkedTokens,
  endAllSessions: endAllTokensOf,
  prepareEndOfAll: prepareEndOfAllTokens,
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
  const found = await findToken(context, bearer)
  const { sid, auth_owner: owner } = found?.claims ?? {}
  const actor = found?.verified.actor
  return owner && sid !== undefined ? { userId: owner.id, id: sessionIdOf(sid), ...(actor && { actor }) } : null
}

async function isJwtSessionLive(context: CookieContext, sid: string, bearer?: string): Promise<boolean> {
  const { valid } = await presentedJwtTokens(context)
  const sent = valid.length > 0 ? valid : [await presentedBearer(context, bearer)]
  const found = sent.find((each) => each && sessionIdOf(each.claims.sid) === sid)
  if (!found) return false
  return !(await context.config.session.revocation?.querySession(found.known))
}

/** Checks whether the session with this `sid` has not ended. Ends of all sessions of its user are not looked up. */
async function existsAsToken(config: ResolvedConfig, sid: string): Promise<boolean> {
  return !endedInThisProcess(config, [sid]) && !(await config.session.revocation?.querySession({ sid }))
}

async function endToken(config: ResolvedConfig, sid: string): Promise<void> {
  recordEndedSessions(config, new Map([[sid, true]]))
  await config.session.revocation?.end([sid])
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
