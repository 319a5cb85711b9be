/**
 * One renewal at a time for an account. Providers give refresh tokens that can be used once, and take a second use for a theft: then
 * the whole grant ends (RFC 9700 §4.14.2). So whoever renews has a lease of the row before the provider is asked, and keeps it until
 * the answer is stored. The others wait until the row has another version, and use what is in it.
 *
 * A renewal never gives up on an answer. Its callers may leave; the request goes on, and what comes is stored.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AdapterError, ConsentRequired, RefreshError, toError } from '../../errors.js'
import type { StoredTokens } from '../../store/tables.js'
import type { TokenSet } from '../../types/identity.js'
import { type HeldLease, type Progress, takeLease } from './lease.js'
import { type AskedUnder, RefreshFault } from './refresh-fault.js'
import type { KeptTokens } from './seal.js'
import { subjectIn } from './subject.js'
import { afterRefresh } from './token-sets.js'
import { open, type Vault, write } from './vault.js'

/**
 * Asks the provider for new tokens.
 *
 * @param scope To be asked for; absent: what was granted.
 * @param under The refresh token is not sent once this is not held any more.
 * @throws {@link RefreshFault}
 */
export type Refresh = (
  tokens: KeptTokens,
  scope: string | undefined,
  under: AskedUnder,
) => Promise<TokenSet & Pick<KeptTokens, 'dpop'>>

/** What a renewal needs. */
export interface Renewing extends Pick<Vault, 'rows' | 'sealer'> {
  /** Milliseconds to wait for another process. */
  readonly patience: number
  refresher(): Promise<Refresh>
  revoke(tokens: KeptTokens): Promise<unknown>
}

/** What is renewed. */
interface Turn {
  readonly row: StoredTokens
  readonly tokens: KeptTokens
  readonly scope: string | undefined
  readonly progress: Progress
}

/**
 * Renews the tokens of a row. When it resolves, the row has to be looked at again: this renewal or another one has changed it.
 *
 * @throws {@link ConsentRequired}, {@link RefreshError}, {@link AdapterError}, {@link SessionTooLarge}
 */
export async function renew(renewing: Renewing, turn: Turn): Promise<void> {
  const { row, tokens, scope, progress } = turn
  const { provider } = row
  progress.waitsFor = 'the provider has not sent its metadata and keys yet'
  const refresh = await renewing.refresher().catch((error: unknown) => {
    throw error instanceof RefreshFault ? toRefreshError(provider, error) : error
  })
  progress.waitsFor = 'another process is at it, or died while it was'
  const lease = await waitForLease(renewing, turn)
  if (!lease) return
  try {
    await renewing.rows.assertRoom?.(row, tokens, 'renewal')
    progress.waitsFor = 'the provider has not answered yet'
    const answer = await refresh(tokens, scope, lease)
    progress.waitsFor = 'the new tokens have not been stored yet'
    // Stored first: whoever has used the new token before could not get another one after a crash.
    await store(renewing, turn, { before: tokens, after: afterRefresh(tokens, answer, scope) })
  } catch (error) {
    if (!(error instanceof RefreshFault)) throw error
    await refused(renewing, turn, error)
  } finally {
    await lease.release()
  }
}

/** @returns Nothing where the row has another version by now. */
async function waitForLease(renewing: Renewing, { row, tokens }: Turn): Promise<HeldLease | undefined> {
  const { rows, sealer, patience } = renewing
  const isInUse = async (now: StoredTokens) => {
    const { refresh_token: token } = (await sealer.open(now.sealed, now)) ?? {}
    return token !== undefined && token === tokens.refresh_token
  }
  const deadline = performance.now() + patience
  for (let delay = 50; ; delay = Math.min(400, delay * 2)) {
    const lease = await takeLease(rows, row, isInUse)
    if (lease) return lease
    if ((await rows.find(row))?.version !== row.version) return undefined
    if (performance.now() > deadline) {
      throw new RefreshError(row.provider, true, 'another process is at it, or died while it was')
    }
    await pause(delay * (0.75 + Math.random() / 2))
  }
}

/** What a provider's refusal comes to. Resolves where the row has to be looked at again. */
async function refused(renewing: Renewing, turn: Turn, fault: RefreshFault): Promise<void> {
  const { row, tokens } = turn
  const { provider } = row
  if (fault.rotated) {
    await store(renewing, turn, { before: tokens, after: withRotated(tokens, fault.rotated) })
    throw toRefreshError(provider, fault)
  }
  const cause = { err: errorOf(fault), provider }
  if (fault.kind === 'grant') {
    const now = await renewing.rows.find(row)
    // Somebody else has renewed it: theirs counts.
    if (now?.version !== row.version) return
    const { spare, unverified: _unverified, ...others } = tokens
    if (spare !== undefined) {
      await write(renewing, row, { ...others, refresh_token: spare, granted: undefined })
      return
    }
    await write(renewing, row, tokens, true)
    throw new ConsentRequired(provider, 'refused', cause)
  }
  if (fault.kind === 'scope') {
    // It does not cover what it was taken to cover.
    await write(renewing, row, { ...tokens, granted: undefined })
    throw new ConsentRequired(provider, 'scope', cause)
  }
  throw toRefreshError(provider, fault)
}

/** The old tokens with the refresh token of an answer of which nothing else is used. */
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

/* ---- store answer ------------------------------------------------------------------------------------------------ */

// Storing what a provider answered to a refresh. The refresh token that was sent is used up, so this does not give up easily.

/** The tokens of a row, before and after the provider's answer. */
export interface Answered {
  readonly before: KeptTokens
  readonly after: KeptTokens
}

/** What storing needs. */
interface Storing extends Pick<Vault, 'rows' | 'sealer'> {
  revoke(tokens: KeptTokens): Promise<unknown>
}

/** Milliseconds between attempts to store new tokens; each further one comes after the last of them. */
const pauses = [100, 300, 1000]

/** Milliseconds for which a store that is away is tried again: these tokens are nowhere else. */
const longest = 5 * 60 * 1000

/**
 * Stores new tokens. Where they cannot be stored as they are, it stores the refresh token without the access token.
 *
 * @throws The error of the store, or of the sealing, also where the refresh token alone was stored.
 */
export async function store(
  storing: Storing,
  { row, progress }: { row: StoredTokens; progress: Progress },
  answered: Answered,
): Promise<void> {
  const end = performance.now() + longest
  for (let failures = 0; ; failures++) {
    try {
      return await storeOnce(storing, row, answered)
    } catch (error) {
      progress.fault = toError(error)
      const isAway = error instanceof AdapterError
      // A store that is away fails a few times. One that refuses these tokens, such as a column that is too short, always does.
      const isStored = (!isAway || failures >= pauses.length) && (await storeLess(storing, row, answered))
      if (isStored || !isAway || performance.now() > end) throw error
    }
    await pause(pauses[failures] ?? pauses.at(-1))
  }
}

/** The access token can be had again, by the refresh token. */
function storeLess(storing: Storing, row: StoredTokens, { before, after }: Answered): Promise<boolean> {
  const { access_token: _token, expires_at: _end, expires_in: _life, id_token: idToken, ...others } = after
  const subject = idToken === undefined ? undefined : subjectIn(idToken)
  return storeOnce(storing, row, { before, after: { ...others, ...(subject && { subject }) } }).then(
    () => true,
    () => false,
  )
}

/** Rounds in which somebody else may have written the row. */
const mostRounds = 20

async function storeOnce(storing: Storing, row: StoredTokens, { before, after }: Answered): Promise<void> {
  let next = { row, tokens: after }
  for (let round = 0; round < mostRounds; round++) {
    if (await write(storing, next.row, next.tokens)) return
    const now = await storing.rows.find(row)
    // Disconnected meanwhile: nobody knows these tokens, and nobody shall use them.
    if (!now) return void (await storing.revoke(after))
    if (now.userId !== row.userId) return
    const theirs = (await open(storing, now)).tokens
    // Another sign-in brought a refresh token. Or a write was made that seemed to fail.
    if (theirs?.refresh_token !== before.refresh_token || after.refresh_token === before.refresh_token) return
    // A sign-in that brought no refresh token kept the one that is used up by now.
    const { refresh_token, unverified } = after
    next = { row: now, tokens: { ...theirs, refresh_token, ...(unverified && { unverified }) } }
  }
  throw new AdapterError(
    'The store of provider tokens accepted no write, though each had the version that it returned.',
  )
}
