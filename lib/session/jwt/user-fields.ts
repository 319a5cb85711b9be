/** The fields of the stored user in a session token (`session.userFields`): copied at the sign-in, and read again when they are old. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { BoundedMap, perOwner } from '../../base/memory.js'
import { nowInSeconds } from '../../base/time.js'
import type { DescribedFields } from '../../base/user-fields.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import type { Awaitable, User } from '../../types/identity.js'
import { isExtensionDue, isFromFuture } from '../session-cookie.js'
import { areShownFields, shownFields } from '../user-fields.js'
import type { EngineClaims } from './claims.js'

type UserClaim = NonNullable<EngineClaims['auth_user']>

/** Adds the fields to the claims of a session that starts. Without an owner, the record with the id of `user` is used. */
export async function withUserFields(
  { store }: ResolvedConfig,
  userFields: DescribedFields,
  { claims, user }: { claims: EngineClaims; user: User },
): Promise<EngineClaims> {
  const { id = '' } = user
  const record = claims.auth_owner ? user : (id !== '' && (await store?.getUser(id))) || null
  return { ...claims, ...userClaim(userFields, id, record) }
}

function userClaim(fields: DescribedFields, id: string, record: object | null): Pick<EngineClaims, 'auth_user'> {
  return { auth_user: { id, at: nowInSeconds(), fields: shownFields(fields, record) } }
}

/**
 * Returns the claims with fields that are at most `session.updateAge` old. Rejects if the database fails: a role that was
 * taken away must not last.
 *
 * @param isAsked Whether to read the fields in any case, because the session is updated.
 * @returns The same object if the fields are recent; `null` if the stored user no longer exists.
 */
export function withRecentFields(
  config: ResolvedConfig,
  userFields: DescribedFields,
  { claims, isAsked }: { claims: EngineClaims; isAsked: boolean },
): Awaitable<EngineClaims | null> {
  const { store } = config
  const id = storedUserId(claims)
  if (!isAsked && isRecent(config, claims.auth_user, userFields) && !isKnownChange(config, id, claims)) return claims
  return mapMaybePromise(id === '' ? null : store?.getUser(id), (record = null) => {
    if (record === null && claims.auth_owner) return null
    return { ...claims, ...userClaim(userFields, id, record) }
  })
}

/** Returns the id of the stored user by engine claims only: a callback that merges client input can change `sub`. */
function storedUserId({ auth_owner: owner, auth_user: user, auth_epoch: epoch }: EngineClaims): string {
  return owner?.id ?? user?.id ?? epoch?.user ?? ''
}

/** The second in which this process last found other fields in the database, by user. */
const knownChanges = perOwner((_config: ResolvedConfig) => new BoundedMap<string, number>(1000))

function isKnownChange(config: ResolvedConfig, id: string, { auth_user: claim }: EngineClaims): boolean {
  const changedAt = knownChanges(config).get(id)
  return changedAt !== undefined && claim !== undefined && claim.at <= changedAt
}

/**
 * Checks in the database whether the user has other fields than the token, or no longer exists. If so, this process reads
 * the fields again for each older token of the user, so the next read shows them.
 */
export async function haveFieldsChanged(
  config: ResolvedConfig,
  userFields: DescribedFields,
  claims: EngineClaims,
): Promise<boolean> {
  const recent = await withRecentFields(config, userFields, { claims, isAsked: true })
  const isSame = recent && toText(userFields, recent) === toText(userFields, claims)
  if (!isSame) knownChanges(config).set(storedUserId(claims), nowInSeconds())
  return !isSame
}

const toText = (userFields: DescribedFields, claims: EngineClaims): string =>
  JSON.stringify(fieldsOfToken(userFields, claims))

function isRecent(config: ResolvedConfig, claim: UserClaim | undefined, fields: DescribedFields): boolean {
  if (!claim || isFromFuture(claim.at) || isExtensionDue(config, claim.at * 1000)) return false
  return areShownFields(fields, claim.fields)
}

/** Returns the fields that the session shows. */
export function fieldsOfToken(userFields: DescribedFields, { auth_user: user }: EngineClaims) {
  if (!user) return undefined
  return Object.fromEntries(Object.keys(userFields).map((name) => [name, user.fields[name]]))
}
