/** Returns tokens that meet a caller's requirements: the stored ones, or those of a refresh. */
import { withTimeout } from '../../base/timeout.js'
import { ConsentRequired, NotConnected, RefreshError, toError } from '../../errors.js'
import type { StoredTokens } from './description.js'
import { type Refresh, type RefreshContext, refreshTokens } from './renew.js'
import type { KeptTokens } from './seal.js'
import { joinSharedRefresh, SharedRefresh } from './shared-refresh.js'
import {
  coversRequirement,
  isStillUsable,
  type Need,
  type OpenedTokenRecord,
  secondsLeft,
  type TokenRequirement,
  tokenNeedOf,
} from './token-sets.js'
import { openTokenRecord, type TokenQuery, tokenRecordsOf, type Vault } from './vault.js'

/** A record whose access token can be used. */
export interface UsableTokens {
  readonly row: StoredTokens
  readonly tokens: KeptTokens
}

/** The options of a use. */
export interface TokenUse {
  readonly requirement: TokenRequirement
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
export async function useTokens(vault: Vault, tokenQuery: TokenQuery, use: TokenUse): Promise<UsableTokens> {
  const left = Math.max(0, use.deadline - performance.now()) + storeTime
  try {
    return await withTimeout(usableTokens(vault, tokenQuery, use), left, 'The store of provider tokens')
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    throw new RefreshError(tokenQuery.provider, true, 'the store of provider tokens took too long', { err: error })
  }
}

async function usableTokens(vault: Vault, tokenQuery: TokenQuery, use: TokenUse): Promise<UsableTokens> {
  const { provider } = tokenQuery
  const [row, ...others] = await tokenRecordsOf(vault, tokenQuery)
  if (!row) throw new NotConnected(provider, 'account')
  if (others.length > 0) throw new NotConnected(provider, 'several')
  let before: KeptTokens | undefined
  for (let opened = await openTokenRecord(vault, row); ; opened = await reopenRecord(vault, row)) {
    const need = tokenNeedOf(opened, use.requirement)
    if (need.kind === 'consent') throw new ConsentRequired(provider, need.reason)
    const old = { row: opened.record, tokens: need.tokens }
    if (need.kind === 'nothing' || (before && isRefreshed(need.tokens, before, use.requirement))) return old
    before = need.tokens
    if (!vault.writable) {
      if (isStillUsable(need.tokens, use.requirement)) return old
      throw new RefreshError(provider, false, 'the headers were sent, so no cookie can be set')
    }
    try {
      await waitForRefresh(vault, { row: opened.record, need }, use)
    } catch (error) {
      // Checked now, because it may have expired in the meantime.
      if (error instanceof RefreshError && error.retryable && isStillUsable(need.tokens, use.requirement)) return old
      throw error
    }
  }
}

/** Seconds. Tokens with a shorter lifetime are returned after they expired, because another refresh would not help. */
const shortest = 2

/** Checks whether tokens are new and cover the scope. Their lifetime may be shorter than required. */
function isRefreshed(tokens: KeptTokens, before: KeptTokens, requirement: TokenRequirement): boolean {
  const { access_token: token, expires_in: life = shortest } = tokens
  const isNew = token !== undefined && token !== before.access_token && token !== requirement.rejected
  return isNew && coversRequirement(tokens, requirement) && (life <= shortest || secondsLeft(tokens) > 0)
}

async function reopenRecord(
  vault: Vault,
  { provider, providerAccountId, userId }: StoredTokens,
): Promise<OpenedTokenRecord> {
  const row = await vault.records.find({ provider, providerAccountId })
  // Disconnected in the meantime, or now of another user.
  if (!row || row.userId !== userId) throw new NotConnected(provider, 'account')
  return openTokenRecord(vault, row)
}

/** Waits for a refresh of the account: a running one of this process, or a new one. */
async function waitForRefresh(
  vault: Vault,
  { row, need }: { row: StoredTokens; need: Need & { kind: 'renew' } },
  use: TokenUse,
): Promise<void> {
  const { config, records, sealer, browser } = vault
  const { provider, providerAccountId } = row
  const late = (reason: string, fault?: Error) =>
    fault ?? new RefreshError(provider, true, `${reason}. The refresh continues in the background. Try again later`)
  if (performance.now() >= use.deadline) throw late('the time-out was reached')
  const sharedRefresh = joinSharedRefresh(
    config.memory,
    JSON.stringify([provider, providerAccountId, ...browser]),
    () => {
      const { scope } = need
      const { refresher } = use
      // A cookie that was removed may be restored in the next session.
      const revoke = browser.length === 0 ? use.revoke : async () => {}
      const renewing: RefreshContext = { records, sealer, refresher, revoke, patience: config.timeout }
      const started = new SharedRefresh(
        scope,
        (progress) => refreshTokens(renewing, { row, tokens: need.tokens, scope, progress }),
        (error) => config.logger.error(toError(error)),
      )
      use.background(started.done)
      return started
    },
  )
  try {
    await sharedRefresh.wait(use.deadline, ({ waitsFor, fault }) => late(waitsFor, fault))
  } catch (error) {
    // A rejected scope that another caller requested does not concern this one.
    const isForeign = error instanceof ConsentRequired && error.reason === 'scope' && sharedRefresh.scope !== need.scope
    if (!isForeign) throw error
  }
}
