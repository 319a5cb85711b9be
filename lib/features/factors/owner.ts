/**
 * The names under which second factors are stored (`features/factors/store`).
 *
 * Users from `authorize` are named by provider and account, unless they certainly are a stored user. If that is
 * uncertain, or the factors are older than these names, the factors that may belong to the user are copied. Otherwise a
 * lookup under another name would skip the second factor.
 */
import { foldAddress } from '../../base/email-address.js'
import type { AuthContext, ResolvedConfig } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import type { User } from '../../types/identity.js'
import type { NewFactor, StoredFactor } from './description.js'
import {
  hasOwnerNameMark,
  isFactorRecord,
  newFactorRecord,
  openFactorRecord,
  requireFactorsOption,
  sealFactorRecord,
} from './factor-context.js'
import type { PendingSignInData } from './pending-sign-in.js'
import {
  factorOwnersOf,
  guardFactors,
  isEnrolled,
  isUnstoredUserKey,
  mailedPasswordType,
  notePasswordByMail,
  unstoredUserKey,
} from './store.js'

/**
 * Returns the name under which the second factors of a sign-in are stored. @param id The user's id. @throws {@link
 * AdapterError}
 */
export async function factorOwnerOf(
  context: AuthContext,
  { identity: { account }, signedIn }: Pick<PendingSignInData, 'identity' | 'signedIn'>,
  id: string,
): Promise<string> {
  if (signedIn.isNewUser !== undefined) return id
  if (account.type === 'application') return factorOwnerForApplication(context, id)
  // For accounts of other providers the id is made of provider and account (`crypto/account-id`).
  if (account.type !== 'credentials') return id
  const relation = await compareWithStoredUser(context.config, signedIn.user, id)
  if (relation === 'same') return id
  const key = unstoredUserKey({ provider: account.provider, providerAccountId: account.providerAccountId })
  await copyFactors(context, { from: id, to: key, isAmbiguous: relation === 'unsure' })
  return key
}

/**
 * Checks whether the user from `authorize` is the stored user with this id. Returns `unsure` without an adapter, if an
 * email address is missing, and if the database fails or rejects the id.
 */
async function compareWithStoredUser(
  { store }: ResolvedConfig,
  returned: User,
  id: string,
): Promise<'same' | 'other' | 'unsure'> {
  if (!store) return 'unsure'
  try {
    const stored = await store.getUser(id)
    if (!stored) return 'other'
    if (!stored.email || typeof returned.email !== 'string' || returned.email === '') return 'unsure'
    return foldAddress(stored.email) === foldAddress(returned.email) ? 'same' : 'other'
  } catch (error) {
    if (error instanceof AdapterError) return 'unsure'
    throw error
  }
}

/** Returns the name for an id that the application gave. Any user with that id may have second factors. */
async function factorOwnerForApplication(context: AuthContext, id: string): Promise<string> {
  const store = guardFactors(requireFactorsOption(context))
  for (const name of factorOwnersOf(context.config, id)) if (isEnrolled(await store.list(name))) return name
  return id
}

/* Factors that may belong to the user. */

/** The type of a record that says that factors from before these names were copied. */
const copiedType = 'moved'
const copiedMark = (userId: string) => newFactorRecord({ userId, id: copiedType, type: copiedType }, { data: '' })

/**
 * Removes all factors under a name. Factors that were copied before are not copied again. The note that the password
 * was set by email is kept, since the password is the same.
 */
export async function removeFactors({ factors }: Pick<ResolvedConfig, 'factors'>, name: string): Promise<void> {
  if (!factors) return
  const store = guardFactors(factors)
  const isPasswordByMail = (await store.list(name)).some(({ type }) => type === mailedPasswordType)
  await store.remove({ userId: name })
  if (isPasswordByMail) await notePasswordByMail({ factors }, name)
  if (isUnstoredUserKey(name)) await store.write(copiedMark(name), 0)
}

/** Copies factors. The originals are kept, because they may belong to another user. */
async function copyFactors(
  context: AuthContext,
  { from, to, isAmbiguous }: { readonly from: string; readonly to: string; readonly isAmbiguous: boolean },
): Promise<void> {
  const store = guardFactors(requireFactorsOption(context))
  const own = await store.list(to)
  if (isEnrolled(own)) return
  const wasMoved = own.some(({ type }) => type === copiedType)
  const rows = (await store.list(from)).filter(isFactorRecord)
  const theirs: StoredFactor[] = []
  for (const row of rows)
    if (isAmbiguous || (!wasMoved && (await isFromBeforeOwnerNames(context, row)))) theirs.push(row)
  if (!isEnrolled(theirs)) return
  for (const { version: _version, ...row } of theirs) {
    await store.write({ ...row, userId: to, data: await resealForOwner(context, row, to) }, 0)
  }
  if (!wasMoved) await store.write(copiedMark(to), 0)
}

/** Checks whether a record is from before these names. A record that cannot be opened may be. */
async function isFromBeforeOwnerNames(context: AuthContext, row: StoredFactor): Promise<boolean> {
  return !hasOwnerNameMark((await openFactorRecord(context, 'factor', row))?.of)
}

/**
 * Seals a record for its new name. A record that cannot be opened is copied as it is: the factor is required, and
 * cannot be verified.
 */
async function resealForOwner(context: AuthContext, row: NewFactor, userId: string): Promise<string> {
  const payload = await openFactorRecord(context, 'factor', { ...row, version: 0 })
  return payload ? sealFactorRecord(context, 'factor', { row: { userId, id: row.id }, payload }) : row.data
}
