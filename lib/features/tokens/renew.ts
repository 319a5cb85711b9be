/**
 * Refreshes the tokens of an account, one refresh at a time.
 *
 * Many refresh tokens can be used once, and providers treat a second use as theft: the whole grant then ends (RFC 9700
 * §4.14.2). A refresh therefore takes a lease of the record before it calls the provider, and keeps it until the answer
 * is stored. Other processes wait until the record has another version, and use that.
 *
 * A refresh never drops an answer. Its callers may stop waiting, but the request continues and its answer is stored.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AdapterError, ConsentRequired, RefreshError, toError } from '../../errors.js'
import { type Lease, takeLease } from '../../store/lease.js'
import type { TokenSet } from '../../types/identity.js'
import type { StoredTokens } from './description.js'
import { RefreshFault, type RefreshPermission } from './refresh-fault.js'
import type { KeptTokens } from './seal.js'
import type { Progress } from './shared-refresh.js'
import { idTokenSubjectOf } from './subject.js'
import { afterRefresh } from './token-sets.js'
import { openTokenRecord, type Vault, writeTokenRecord } from './vault.js'

/**
 * A function that requests new tokens from the provider.
 *
 * @param scope The scope to request. Absent: the granted one.
 * @param under The refresh token is not sent when this is no longer held.
 * @throws {@link RefreshFault}
 */
export type Refresh = (
  tokens: KeptTokens,
  scope: string | undefined,
  under: RefreshPermission,
) => Promise<TokenSet & Pick<KeptTokens, 'dpop'>>

/** The parts that a refresh needs. */
export interface RefreshContext extends Pick<Vault, 'records' | 'sealer'> {
  /** Milliseconds to wait for another process. */
  readonly patience: number
  refresher(): Promise<Refresh>
  revoke(tokens: KeptTokens): Promise<unknown>
}

/** The tokens to be refreshed. */
interface RefreshTask {
  readonly row: StoredTokens
  readonly tokens: KeptTokens
  readonly scope: string | undefined
  readonly progress: Progress
}

/**
 * Refreshes the tokens of a record. The record has to be read again afterwards, because this or another refresh has
 * changed it.
 *
 * @throws {@link ConsentRequired}, {@link RefreshError}, {@link AdapterError}, {@link SessionTooLarge}
 */
export async function refreshTokens(renewing: RefreshContext, turn: RefreshTask): Promise<void> {
  const { row, tokens, scope, progress } = turn
  const { provider } = row
  progress.waitsFor = 'the provider has not sent its metadata and keys yet'
  const refresh = await renewing.refresher().catch((error: unknown) => {
    throw error instanceof RefreshFault ? toRefreshError(provider, error) : error
  })
  progress.waitsFor = 'another process is refreshing the token, or was killed while it did'
  const lease = await waitForLease(renewing, turn)
  if (!lease) return
  try {
    await renewing.records.assertRoom?.(row, tokens, 'renewal')
    progress.waitsFor = 'the provider has not answered yet'
    const answer = await refresh(tokens, scope, lease)
    progress.waitsFor = 'the new tokens have not been stored yet'
    // Stored first: if the new token were used and the process then crashed, there would be no valid refresh token.
    await storeRefreshAnswer(renewing, turn, { before: tokens, after: afterRefresh(tokens, answer, scope) })
  } catch (error) {
    if (!(error instanceof RefreshFault)) throw error
    await handleRejection(renewing, turn, error)
  } finally {
    await lease.release()
  }
}

/** Waits for the lease. @returns `undefined` if the record has another version in the meantime. */
async function waitForLease(
  renewing: RefreshContext,
  { row, tokens }: RefreshTask,
): Promise<Lease<StoredTokens> | undefined> {
  const { records, sealer, patience } = renewing
  const isInUse = async (now: StoredTokens) => {
    const { refresh_token: token } = (await sealer.open(now.sealed, now)) ?? {}
    return token !== undefined && token === tokens.refresh_token
  }
  const deadline = performance.now() + patience
  for (let delay = 50; ; delay = Math.min(400, delay * 2)) {
    const lease = await takeLease(records, row, isInUse)
    if (lease) return lease
    if ((await records.find(row))?.version !== row.version) return undefined
    if (performance.now() > deadline) {
      throw new RefreshError(row.provider, true, 'another process is refreshing the token, or was killed while it did')
    }
    await pause(delay * (0.75 + Math.random() / 2))
  }
}

/** Handles a rejection by the provider. If it resolves, the record has to be read again. */
async function handleRejection(renewing: RefreshContext, turn: RefreshTask, fault: RefreshFault): Promise<void> {
  const { row, tokens } = turn
  const { provider } = row
  if (fault.rotated) {
    await storeRefreshAnswer(renewing, turn, { before: tokens, after: withRotated(tokens, fault.rotated) })
    throw toRefreshError(provider, fault)
  }
  const cause = { err: errorOf(fault), provider }
  if (fault.kind === 'grant') {
    const now = await renewing.records.find(row)
    // Another refresh was successful, and its tokens are used.
    if (now?.version !== row.version) return
    const { spare, unverified: _unverified, ...others } = tokens
    if (spare !== undefined) {
      await writeTokenRecord(renewing, row, { ...others, refresh_token: spare, granted: undefined })
      return
    }
    await writeTokenRecord(renewing, row, tokens, true)
    throw new ConsentRequired(provider, 'refused', cause)
  }
  if (fault.kind === 'scope') {
    // The grant does not cover the stored scope.
    await writeTokenRecord(renewing, row, { ...tokens, granted: undefined })
    throw new ConsentRequired(provider, 'scope', cause)
  }
  throw toRefreshError(provider, fault)
}

/** Returns the old tokens with the new refresh token of an answer that was rejected. */
function withRotated(
  tokens: KeptTokens,
  { refreshToken, isUnverified }: NonNullable<RefreshFault['rotated']>,
): KeptTokens {
  const { unverified = false, ...others } = tokens
  return { ...others, refresh_token: refreshToken, ...((unverified || isUnverified) && { unverified: true }) }
}

function toRefreshError(provider: string, fault: RefreshFault): RefreshError {
  return new RefreshError(provider, fault.kind === 'temporary', fault.message, { err: errorOf(fault), provider })
}

function errorOf(fault: RefreshFault): Error {
  return fault.cause instanceof Error ? fault.cause : fault
}

/* Storing answers. */

// Stores the answer of a refresh. The refresh token that was sent is used up, so it keeps trying.

/** The tokens of a record before and after the provider's answer. */
export interface RefreshAnswer {
  readonly before: KeptTokens
  readonly after: KeptTokens
}

/** The parts that storing needs. */
interface StoreContext extends Pick<Vault, 'records' | 'sealer'> {
  revoke(tokens: KeptTokens): Promise<unknown>
}

/** Milliseconds between tries to store new tokens. The last value is repeated. */
const pauses = [100, 300, 1000]

/** Milliseconds for which a failing store is tried again, because these tokens exist nowhere else. */
const storeTimeout = 5 * 60 * 1000

/**
 * Stores new tokens. If that fails, stores the refresh token without the access token.
 *
 * @throws The error of the store or of the sealing, even if the refresh token was stored.
 */
export async function storeRefreshAnswer(
  storing: StoreContext,
  { row, progress }: { row: StoredTokens; progress: Progress },
  answered: RefreshAnswer,
): Promise<void> {
  const end = performance.now() + storeTimeout
  for (let failures = 0; ; failures++) {
    try {
      return await storeAnswerOnce(storing, row, answered)
    } catch (error) {
      progress.fault = toError(error)
      const isAway = error instanceof AdapterError
      // An unavailable store fails a few times. A store that rejects these tokens, for example because a column is too
      // short, always fails.
      const isStored = (!isAway || failures >= pauses.length) && (await storeWithoutAccessToken(storing, row, answered))
      if (isStored || !isAway || performance.now() > end) throw error
    }
    await pause(pauses[failures] ?? pauses.at(-1))
  }
}

/** Stores new tokens without the access token, which the refresh token can replace. */
function storeWithoutAccessToken(
  storing: StoreContext,
  row: StoredTokens,
  { before, after }: RefreshAnswer,
): Promise<boolean> {
  const { access_token: _token, expires_at: _end, expires_in: _life, id_token: idToken, ...others } = after
  const subject = idToken === undefined ? undefined : idTokenSubjectOf(idToken)
  return storeAnswerOnce(storing, row, { before, after: { ...others, ...(subject && { subject }) } }).then(
    () => true,
    () => false,
  )
}

/** The most rounds in which another process may have written the record. */
const mostRounds = 20

async function storeAnswerOnce(
  storing: StoreContext,
  row: StoredTokens,
  { before, after }: RefreshAnswer,
): Promise<void> {
  let next = { row, tokens: after }
  for (let round = 0; round < mostRounds; round++) {
    if (await writeTokenRecord(storing, next.row, next.tokens)) return
    const now = await storing.records.find(row)
    // Disconnected in the meantime: the tokens are not stored, so they are revoked.
    if (!now) return void (await storing.revoke(after))
    if (now.userId !== row.userId) return
    const theirs = (await openTokenRecord(storing, now)).tokens
    // Another sign-in stored a refresh token, or a write succeeded that seemed to fail.
    if (theirs?.refresh_token !== before.refresh_token || after.refresh_token === before.refresh_token) return
    // A sign-in without a refresh token kept the one that is now used up.
    const { refresh_token, unverified } = after
    next = { row: now, tokens: { ...theirs, refresh_token, ...(unverified && { unverified }) } }
  }
  throw new AdapterError(
    'The store of provider tokens rejected all writes, although each had the version that it returned.',
  )
}
