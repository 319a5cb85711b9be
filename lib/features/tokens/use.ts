/** Returns tokens that meet a caller's requirements: the stored ones, or those of a refresh. */
import { withTimeout } from '../../base/timeout.js'
import { ConsentRequired, NotConnected, RefreshError, toError } from '../../errors.js'
import type { StoredTokens } from './description.js'
import { Flight, joinFlight } from './lease.js'
import { type Refresh, type Renewing, renew } from './renew.js'
import type { KeptTokens } from './seal.js'
import { type Held, isCovered, type Need, needOf, secondsLeft, stillServes, type Wish } from './token-sets.js'
import { open, rowsOf, type Vault, type Whose } from './vault.js'

/** A record whose access token can be used. */
export interface Usable {
  readonly row: StoredTokens
  readonly tokens: KeptTokens
}

/** The options of a use. */
export interface Use {
  readonly wish: Wish
  /** The end of the caller's time, by `performance.now()`. */
  readonly deadline: number
  /** Prepares a refresh before its lease is taken, and returns the function that calls the provider. */
  refresher(): Promise<Refresh>
  /** Revokes new tokens of an account that was disconnected in the meantime. */
  revoke(tokens: KeptTokens): Promise<unknown>
  /** Called with each refresh, which continues after its callers have stopped waiting. */
  background(work: Promise<unknown>): void
}

/** Milliseconds after the deadline for the store's own answer. */
const storeTime = 500

/**
 * Returns tokens that meet the requirements.
 *
 * @throws {@link NotConnected}, {@link ConsentRequired}, {@link RefreshError}, {@link AdapterError}
 */
export async function useTokens(vault: Vault, whose: Whose, use: Use): Promise<Usable> {
  const left = Math.max(0, use.deadline - performance.now()) + storeTime
  try {
    return await withTimeout(usableTokens(vault, whose, use), left, 'The store of provider tokens')
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    throw new RefreshError(whose.provider, true, 'the store of provider tokens took too long', { err: error })
  }
}

async function usableTokens(vault: Vault, whose: Whose, use: Use): Promise<Usable> {
  const { provider } = whose
  const [row, ...others] = await rowsOf(vault, whose)
  if (!row) throw new NotConnected(provider, 'account')
  if (others.length > 0) throw new NotConnected(provider, 'several')
  let before: KeptTokens | undefined
  for (let held = await open(vault, row); ; held = await current(vault, row)) {
    const need = needOf(held, use.wish)
    if (need.kind === 'consent') throw new ConsentRequired(provider, need.reason)
    const old = { row: held.row, tokens: need.tokens }
    if (need.kind === 'nothing' || (before && isRenewed(need.tokens, before, use.wish))) return old
    before = need.tokens
    if (!vault.writable) {
      if (stillServes(need.tokens, use.wish)) return old
      throw new RefreshError(provider, false, 'the headers were sent, so no cookie can be set')
    }
    try {
      await renewal(vault, { row: held.row, need }, use)
    } catch (error) {
      // Checked now, because it may have expired in the meantime.
      if (error instanceof RefreshError && error.retryable && stillServes(need.tokens, use.wish)) return old
      throw error
    }
  }
}

/** Seconds. Tokens with a shorter lifetime are returned after they expired, because another refresh would not help. */
const shortest = 2

/** Checks whether tokens are new and cover the scope. Their lifetime may be shorter than required. */
function isRenewed(tokens: KeptTokens, before: KeptTokens, wish: Wish): boolean {
  const { access_token: token, expires_in: life = shortest } = tokens
  const isNew = token !== undefined && token !== before.access_token && token !== wish.refused
  return isNew && isCovered(tokens, wish) && (life <= shortest || secondsLeft(tokens) > 0)
}

async function current(vault: Vault, { provider, providerAccountId, userId }: StoredTokens): Promise<Held> {
  const row = await vault.rows.find({ provider, providerAccountId })
  // Disconnected in the meantime, or now of another user.
  if (!row || row.userId !== userId) throw new NotConnected(provider, 'account')
  return open(vault, row)
}

/** Waits for a refresh of the account: a running one of this process, or a new one. */
async function renewal(
  vault: Vault,
  { row, need }: { row: StoredTokens; need: Need & { kind: 'renew' } },
  use: Use,
): Promise<void> {
  const { config, rows, sealer, browser } = vault
  const { provider, providerAccountId } = row
  const late = (reason: string, fault?: Error) =>
    fault ?? new RefreshError(provider, true, `${reason}. The refresh continues in the background. Try again later`)
  if (performance.now() >= use.deadline) throw late('the time-out was reached')
  const flight = joinFlight(config.memory, JSON.stringify([provider, providerAccountId, ...browser]), () => {
    const { scope } = need
    const { refresher } = use
    // A cookie that was removed may be restored in the next session.
    const revoke = browser.length === 0 ? use.revoke : async () => {}
    const renewing: Renewing = { rows, sealer, refresher, revoke, patience: config.timeout }
    const begun = new Flight(
      scope,
      (progress) => renew(renewing, { row, tokens: need.tokens, scope, progress }),
      (error) => config.logger.error(toError(error)),
    )
    use.background(begun.done)
    return begun
  })
  try {
    await flight.wait(use.deadline, ({ waitsFor, fault }) => late(waitsFor, fault))
  } catch (error) {
    // A rejected scope that another caller requested does not concern this one.
    const isForeign = error instanceof ConsentRequired && error.reason === 'scope' && flight.scope !== need.scope
    if (!isForeign) throw error
  }
}
