/** What the engine says in a session token: which session it is, when it began, whose it is, and what was proved in it. */

import type { Beginning, Lifespan, SessionValues, SignedIn, StepUp, TokenHolder } from '../../contracts/index.js'
import { isAccountUuid } from '../../crypto/account-id.js'
import { randomText } from '../../crypto/random.js'
import {
  authenticationOf as derive,
  meets,
  type Proof,
  proofsBefore,
  readProofs,
  withProof,
  writeProofs,
} from '../../principal/index.js'
import type { Authentication } from '../../types/config.js'
import type { JWT } from '../../types/jwt.js'
import { nowInSeconds, ownEnd } from '../lifetime.js'
import { sessionIdOf } from '../session-id.js'
import { foreignName, isSessionName } from '../session-name.js'
import { type EngineClaims, epochOf, namesOf, takeClaims, withoutClaims } from './claim-table.js'

export { type EngineClaims, pinClaims } from './claim-table.js'

/* ---- a session that begins, goes on, or gets another proof ---------------------------------------------------- */

/** When a session began, as ends of all sessions count. */
export function countedStart({ auth_began: began, auth_epoch: epoch }: EngineClaims): number {
  return Math.max(began, epoch?.from ?? 0)
}

/** The claims of a session that begins now. @param now Seconds since the epoch, where another clock than ours says it. */
export function newClaims(signedIn: SignedIn, began: Beginning, now = nowInSeconds()): EngineClaims {
  const { proofs, startedAt, maxAge, remembered, data = {} } = began
  const owner = ownerOf(signedIn)
  const link = signedIn.providerLink
  return {
    sid: randomText(16),
    auth_began: startedAt ?? now,
    ...proofClaims(proofs),
    // By our own clock, which is asked when it ends.
    ...(maxAge !== undefined && { auth_end: ownEnd(nowInSeconds(), maxAge) }),
    ...(remembered !== undefined && { auth_remember: remembered }),
    ...(owner && { auth_owner: owner }),
    ...(link && { auth_op: namesOf(link) }),
    ...(!owner && signedIn.tokensOf !== undefined && { auth_subject: signedIn.tokensOf }),
    ...dataClaim(data),
  }
}

/** The proofs, and the claims that are derived from them. */
function proofClaims(proofs: readonly Proof[]) {
  const { auth_time, amr } = derive(proofs)
  return {
    auth_proofs: writeProofs(proofs),
    ...(auth_time !== undefined && { auth_time }),
    ...(amr && { amr }),
    ...(meets(proofs, { aal: 2 }) && { auth_aal: 2 as const }),
  }
}

/** The claim of these values: none where there are none. */
export function dataClaim(data: SessionValues): Pick<EngineClaims, 'auth_data'> {
  return Object.keys(data).length > 0 ? { auth_data: data } : {}
}

/**
 * The claims of a token that proved genuine. A token from before we wrote these claims, or of another library, names no owner, and says
 * nothing about when and how the user was authenticated. Its session's name is made of the token itself (`session-name`).
 *
 * @param text The token as it was sent.
 * @param withData Whether `session.data` is on. What was put there while it was is dropped else.
 */
export function readClaims(token: JWT, text: string, withData = false): EngineClaims {
  const { sid, jti, iat } = token
  if (!isSessionName(sid)) {
    const name = foreignName(typeof jti === 'string' ? jti : '', text)
    return { sid: name, auth_began: typeof iat === 'number' ? iat : nowInSeconds(), ...proofClaims([]) }
  }
  const claims = takeClaims(token, withData)
  return isComplete(claims) ? claims : withProofs(token, { ...claims, sid })
}

function isComplete(claims: Partial<EngineClaims>): claims is EngineClaims {
  return claims.auth_began !== undefined && claims.auth_proofs !== undefined
}

/** The claims of a token of ours from before proofs were written. */
function withProofs({ iat }: JWT, claims: Partial<EngineClaims> & Pick<EngineClaims, 'sid'>): EngineClaims {
  const { auth_time: at, amr, auth_aal: aal, ...others } = claims
  const auth_began = at ?? (typeof iat === 'number' ? iat : nowInSeconds())
  // The list of methods, though it be empty, is of sign-ins of ours. It says no provider.
  const provider = amr && ''
  return { ...others, auth_began, ...proofClaims(proofsBefore({ at, amr, aal, provider })) }
}

/** The claims of the session that takes the place of one in which more was proved: another name, and one more proof. */
export function steppedUp(claims: EngineClaims, { proof }: Pick<StepUp, 'proof'>): EngineClaims {
  const { auth_epoch: _epoch, auth_time: _time, amr: _amr, auth_aal: _aal, ...others } = claims
  return { ...others, sid: randomText(16), ...proofClaims(withProof(proofsOf(claims), proof)) }
}

/** The proofs of a session. */
export function proofsOf({ auth_proofs: proofs }: EngineClaims): readonly Proof[] {
  return readProofs(proofs)
}

/** The application's own claims as JSON, without those that each token gets anew. */
export function ownClaims(token: JWT): string {
  const { iat: _iat, exp: _exp, jti: _jti, ...own } = withoutClaims(token)
  return JSON.stringify(own)
}

/** Whether two texts of {@link ownClaims} say something else. A callback may have put the same claims into another order. */
export function hasChanged(before: string, after: string): boolean {
  return before !== after && !isSameJson(JSON.parse(before), JSON.parse(after))
}

/** Whether two values of JSON say the same, in whatever order their keys are. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
}

/** What decides how long the session lives. */
export function lifespanOf({ auth_began, auth_end, auth_remember }: EngineClaims): Lifespan {
  return { startedAt: auth_began, end: auth_end, remembered: auth_remember }
}

/** The stored user. Without `isNewUser` nobody was looked for in the database, and the id is what `authorize` returned. */
function ownerOf({ user, account, isNewUser }: SignedIn): EngineClaims['auth_owner'] {
  return isNewUser === undefined || user.id === undefined ? undefined : { id: user.id, type: account.type }
}

/** How and when the person signed in, for callbacks. */
export function authenticationOf(claims: EngineClaims): Authentication {
  const { auth_time, amr, auth_aal: aal } = claims
  // The word of a provider, which few have, is looked up in the proofs.
  if (claims.auth_proofs.includes('~')) return derive(proofsOf(claims))
  return { aal: aal ?? 1, ...(auth_time !== undefined && { auth_time }), ...(amr && { amr: [...amr] }) }
}

/** Whose provider tokens and second factors the session uses. @param isStored Whether there is an adapter. */
export function holderOf(claims: EngineClaims, isStored: boolean): TokenHolder | undefined {
  const { sid, auth_owner: owner, auth_subject: subject, auth_tokens: before } = claims
  // With an adapter this was the id that an `authorize` returned, which may be the id of a stored user. Signing in again gives it a name.
  const userId = owner?.id ?? subject ?? (!isStored && isAccountUuid(before) ? before : undefined)
  return userId === undefined ? undefined : { userId, id: sessionIdOf(sid) }
}

/** The claims with what ends of all need beside them. @param start Seconds by the store's clock. */
export function withEpoch(claims: EngineClaims, userId: string | undefined, start: number): EngineClaims {
  const user = claims.auth_owner ? undefined : userId
  const auth_epoch = epochOf({ user, from: start > claims.auth_began ? start : undefined })
  return Object.keys(auth_epoch).length > 0 ? { ...claims, auth_epoch } : claims
}
