/**
 * One renewal at a time for an account. Providers give refresh tokens that can be used once, and take a second use for a theft: then
 * the whole grant ends (RFC 9700 §4.14.2). So whoever renews has the turn in this process, and a lease of the row before the
 * provider is asked. The others wait until the row has another version, and use what is in it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { randomText } from '../crypto/random.js'
import { AdapterError, ConsentRequired, NotConnected, RefreshError } from '../errors.js'
import type { TokenSet } from '../types/identity.js'
import type { StoredTokens } from '../types/tokens.js'
import type { GuardedTokens } from './guard.js'
import { type Held, needOf, stillServes, type Wish } from './need.js'
import { RefreshFault } from './refresh-fault.js'
import type { KeptTokens, TokenOwner } from './seal.js'
import { afterRefresh } from './token-sets.js'

/** Makes the text of a row, and reads it. */
export interface Sealer {
  seal(tokens: KeptTokens, owner: TokenOwner): Promise<string>
  /** Resolves to `null` where it is not this account's and user's, or no secret opens it. */
  open(sealed: string, owner: TokenOwner): Promise<KeptTokens | null>
}

/** What a renewal needs. */
export interface Renewing {
  readonly rows: GuardedTokens
  readonly sealer: Sealer
  /** Seconds of a lease: longer than a refresh can take, from the request to the row. */
  readonly lease: number
  /** Milliseconds to wait for another process. */
  readonly patience: number
  /**
   * Asks the provider for new tokens.
   *
   * @param scope To be asked for; absent: what was granted.
   * @throws {@link RefreshFault}
   */
  refresh(tokens: KeptTokens, scope: string | undefined): Promise<TokenSet & Pick<KeptTokens, 'dpop'>>
}

/** A row whose access token can be used. */
export interface Usable {
  readonly row: StoredTokens
  readonly tokens: KeptTokens
}

/** A row, and what is in it. */
export async function open({ sealer }: Pick<Renewing, 'sealer'>, row: StoredTokens): Promise<Held> {
  return { row, tokens: await sealer.open(row.sealed, row) }
}

/**
 * The account's tokens, good enough for the wish. Call it in the account's turn.
 *
 * @param seen The row as the caller knows it. If the stored one is newer by now, that is what the caller gets, if it serves.
 * @throws {@link ConsentRequired}, {@link RefreshError}, {@link NotConnected}, {@link AdapterError}
 */
export async function renewed(renewing: Renewing, seen: StoredTokens, wish: Wish): Promise<Usable> {
  const deadline = performance.now() + renewing.patience
  let known = seen.version
  for (let delay = 50; ; delay = Math.min(400, delay * 2)) {
    const held = await current(renewing, seen)
    const need = needOf(held, wish)
    if (need.kind === 'consent') throw new ConsentRequired(seen.provider, need.reason)
    const { row } = held
    if (need.kind === 'nothing') return { row, tokens: need.tokens }
    if (row.version !== known && stillServes(need.tokens, { ...wish, refused: refusedOf(wish) })) {
      return { row, tokens: need.tokens }
    }
    known = row.version
    const leaseId = randomText(16)
    if (await renewing.rows.lease(row, { version: row.version, leaseId, seconds: renewing.lease })) {
      const made = await renewOnce(renewing, { row, tokens: need.tokens, scope: need.scope, leaseId, wish })
      if (made) return made
      continue
    }
    if (performance.now() > deadline) {
      if (stillServes(need.tokens, wish)) return { row, tokens: need.tokens }
      throw new RefreshError(seen.provider, true, 'another process is at it, or died while it was')
    }
    await pause(delay * (0.75 + Math.random() / 2))
  }
}

/** Who says that no token is good enough means the one that was there: a newer one is what they ask for. */
function refusedOf({ refused }: Wish): string | false {
  return typeof refused === 'string' ? refused : false
}

async function current(renewing: Renewing, { provider, providerAccountId, userId }: StoredTokens): Promise<Held> {
  const row = await renewing.rows.find({ provider, providerAccountId })
  // Disconnected meanwhile, or another user's by now.
  if (!row || row.userId !== userId) throw new NotConnected(provider, 'account')
  return open(renewing, row)
}

interface Turn extends Usable {
  readonly scope: string | undefined
  readonly leaseId: string
  readonly wish: Wish
}

/** Asks the provider and stores what it gives; nothing where the row has to be looked at again. Holds the lease. */
async function renewOnce(renewing: Renewing, turn: Turn): Promise<Usable | undefined> {
  const { row, tokens, scope } = turn
  let answer: Awaited<ReturnType<Renewing['refresh']>>
  try {
    answer = await renewing.refresh(tokens, scope)
  } catch (error) {
    if (!(error instanceof RefreshFault)) {
      await giveBack(renewing, turn)
      throw error
    }
    return await refused(renewing, turn, error)
  }
  // Stored first: whoever has used the new token before could not get another one after a crash.
  return await store(renewing, row, { before: tokens, after: afterRefresh(tokens, answer, scope) })
}

/** What a provider's refusal comes to. */
async function refused(renewing: Renewing, turn: Turn, fault: RefreshFault): Promise<Usable | undefined> {
  const { row, tokens, wish } = turn
  const { provider } = row
  const err = fault.cause instanceof Error ? fault.cause : fault
  if (fault.kind === 'grant') {
    const now = await renewing.rows.find(row)
    // Somebody else has renewed it: theirs counts.
    if (now?.version !== row.version) return undefined
    const { spare, ...others } = tokens
    if (spare !== undefined) {
      await write(renewing, row, { ...others, refresh_token: spare, granted: undefined })
      return undefined
    }
    await write(renewing, row, tokens, true)
    throw new ConsentRequired(provider, 'refused', { err, provider })
  }
  if (fault.kind === 'scope') {
    // It does not cover what it was taken to cover.
    await write(renewing, row, { ...tokens, granted: undefined })
    throw new ConsentRequired(provider, 'scope', { err, provider })
  }
  await giveBack(renewing, turn)
  const retryable = fault.kind === 'temporary'
  if (retryable && stillServes(tokens, wish)) return { row, tokens }
  throw new RefreshError(provider, retryable, fault.message, { err, provider })
}

/** Milliseconds between tries to store new tokens: the old refresh token is used up, and these are the only ones. */
const pauses = [0, 100, 300, 1000]

async function store(
  renewing: Renewing,
  row: StoredTokens,
  { before, after }: { before: KeptTokens; after: KeptTokens },
): Promise<Usable | undefined> {
  for (const [at, milliseconds] of pauses.entries()) {
    await pause(milliseconds)
    try {
      return await storeOnce(renewing, row, { before, after })
    } catch (error) {
      if (!(error instanceof AdapterError) || at === pauses.length - 1) throw error
    }
  }
  return undefined
}

async function storeOnce(
  renewing: Renewing,
  row: StoredTokens,
  { before, after }: { before: KeptTokens; after: KeptTokens },
): Promise<Usable | undefined> {
  const written = await write(renewing, row, after)
  if (written) return written
  const now = await renewing.rows.find(row)
  if (!now || now.userId !== row.userId) return undefined
  const theirs = (await open(renewing, now)).tokens
  if (theirs?.access_token === after.access_token) return { row: now, tokens: after }
  // A sign-in that brought no refresh token kept the one that is used up by now.
  if (after.refresh_token !== before.refresh_token && theirs?.refresh_token === before.refresh_token) {
    await write(renewing, now, { ...theirs, refresh_token: after.refresh_token })
  }
  return undefined
}

/** Writes the row's next version; nothing where another one was written meanwhile. */
export async function write(
  { rows, sealer }: Pick<Renewing, 'rows' | 'sealer'>,
  row: StoredTokens,
  tokens: KeptTokens,
  needsConsent = false,
): Promise<Usable | undefined> {
  const { provider, providerAccountId, userId, version } = row
  const key = { provider, providerAccountId, userId }
  const next = {
    ...key,
    sealed: await sealer.seal(tokens, key),
    expiresAt: tokens.expires_at ?? null,
    scope: tokens.scope ?? null,
    needsConsent,
  }
  return (await rows.write(next, version)) ? { row: { ...next, version: version + 1 }, tokens } : undefined
}

/** What fails here ends by itself. */
async function giveBack({ rows }: Renewing, { row, leaseId }: Turn): Promise<void> {
  await rows.release(row, leaseId).catch(() => {})
}
