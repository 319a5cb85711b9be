/**
 * The vault: the tokens of people's accounts at providers, kept and renewed. It is loaded where `tokens` is configured, and at its
 * first use.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import type { CookieContext, GrantKey, ResolvedConfig, ResolvedOAuthProvider, TokenHolder } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import { type ConsentReason, ConsentRequired, InvalidConfiguration, NotConnected, RefreshError } from '../errors.js'
import type { AccountKey } from '../types/adapter.js'
import type { TokenSet } from '../types/identity.js'
import type { StoredTokens, TokenStore } from '../types/tokens.js'
import { CookieTokens, plainSealer } from './cookie.js'
import { type GuardedTokens, guardTokens } from './guard.js'
import { needOf, stillServes, type Wish } from './need.js'
import { tokensOption } from './option.js'
import { open, type Renewing, renewed, type Sealer, type Usable } from './renew.js'
import { type KeptTokens, openTokens, sealTokens, type TokenOwner } from './seal.js'
import { afterSignIn, fromSignIn, grantedTo } from './token-sets.js'

export { openConnection, sealConnection } from './connection.js'
export { CookieTokens, clearTokens } from './cookie.js'
export type { Wish } from './need.js'
export { RefreshFault } from './refresh-fault.js'
export type { KeptTokens, TokenOwner } from './seal.js'

/** Rows, and how they are sealed. */
export interface Vault {
  readonly config: ResolvedConfig
  readonly rows: GuardedTokens
  readonly sealer: Sealer
  /** Whether what changes can be kept: a cookie cannot be set once the headers are out. */
  readonly writable: boolean
}

/** The vault of a request; without one, that of jobs. @throws {@link InvalidConfiguration} where there is none. */
export function vaultOf(
  config: ResolvedConfig,
  browser?: { readonly context: CookieContext; readonly holder: TokenHolder; readonly writable: boolean },
): Vault {
  const { secrets } = config
  const tokens = tokensOption(config)
  if (tokens.store !== 'cookie') {
    const sealer: Sealer = {
      seal: (set, owner) => sealTokens(set, owner, secrets),
      open: (sealed, owner) => openTokens(sealed, owner, secrets),
    }
    return { config, rows: guardedOf(config, tokens.store), sealer, writable: true }
  }
  if (!browser) {
    throw new InvalidConfiguration(
      'Tokens in cookies are there while their browser asks only. Set `tokens.store` to a store such as `sqlTokens(db)`.',
    )
  }
  return {
    config,
    rows: new CookieTokens(browser.context, browser.holder),
    sealer: plainSealer,
    writable: browser.writable,
  }
}

const guards = new WeakMap<ResolvedConfig, GuardedTokens>()

function guardedOf(config: ResolvedConfig, store: TokenStore): GuardedTokens {
  const known = guards.get(config) ?? guardTokens(store, config.tokens?.timeout ?? config.timeout)
  guards.set(config, known)
  return known
}

const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Lets work on an account's tokens go one after the other, in this process. */
function inTurn<T>({ config }: Vault, { provider, providerAccountId }: AccountKey, work: () => Promise<T>): Promise<T> {
  return locksOf(config.memory).run(JSON.stringify([provider, providerAccountId]), work)
}

/** What a sign-in brought. */
interface SignInTokens {
  readonly tokens: TokenSet
  readonly provider: Pick<ResolvedOAuthProvider, 'refresh'>
  /** The key that they are bound to. */
  readonly key?: GrantKey | undefined
}

/** Puts what a sign-in brought in the place of what was there. Resolves to what is there then. @throws {@link AdapterError} */
export async function keepTokens(
  vault: Vault,
  owner: TokenOwner,
  { tokens, provider, key }: SignInTokens,
): Promise<KeptTokens> {
  const fresh = fromSignIn(tokens, provider.refresh !== false, key)
  const deadline = performance.now() + vault.config.timeout
  return inTurn(vault, owner, async () => {
    for (let delay = 20; ; delay = Math.min(400, delay * 2)) {
      const row = await vault.rows.find(owner)
      const kept = await replace(vault, owner, { fresh, row, isLate: performance.now() > deadline })
      if (kept) return kept
      await pause(delay)
    }
  })
}

/** @returns What is there now; nothing where it has to be tried again. */
async function replace(
  vault: Vault,
  { provider, providerAccountId, userId }: TokenOwner,
  { fresh, row, isLate }: { fresh: KeptTokens; row: StoredTokens | null; isLate: boolean },
): Promise<KeptTokens | undefined> {
  const owner = { provider, providerAccountId, userId }
  const isOurs = row !== null && row.userId === userId && !row.needsConsent
  const old = isOurs ? (await open(vault, row)).tokens : null
  const next = afterSignIn(old, fresh)
  const keepsOld = old?.refresh_token !== undefined && old.refresh_token === next.refresh_token
  // Whoever is using it now stores its successor. Without the lease that would be lost, or used twice.
  if (row && keepsOld && !isLate && !(await lease(vault, row))) return undefined
  const { expires_at: expiresAt = null, scope = null } = next
  const sealed = await vault.sealer.seal(next, owner)
  const isWritten = await vault.rows.write(
    { ...owner, sealed, expiresAt, scope, needsConsent: false },
    row?.version ?? 0,
  )
  return isWritten ? next : undefined
}

function lease({ rows, config }: Vault, row: StoredTokens): Promise<boolean> {
  return rows.lease(row, { version: row.version, leaseId: randomText(16), seconds: leaseSeconds(config) })
}

/** Longer than it takes from the request to the row: the token endpoint, the keys of its id_token twice, and the store. */
function leaseSeconds({ timeout, tokens }: ResolvedConfig): number {
  return Math.min(300, Math.ceil((3 * timeout + 2 * (tokens?.timeout ?? 0)) / 1000) + 2)
}

/** Which of a user's accounts. */
export interface Whose {
  readonly userId: string
  readonly provider: string
  readonly providerAccountId?: string | undefined
}

/** The rows of a user at a provider. @throws {@link AdapterError} */
export async function rowsOf(
  vault: Vault,
  { userId, provider, providerAccountId }: Whose,
): Promise<readonly StoredTokens[]> {
  const rows = await vault.rows.findByUser(userId, provider)
  return rows.filter((row) => providerAccountId === undefined || row.providerAccountId === providerAccountId)
}

/** What the grant of a row covers, as far as is known. */
export async function grantOf(vault: Vault, row: StoredTokens): Promise<string | undefined> {
  const { tokens } = await open(vault, row)
  return tokens ? grantedTo(tokens) : undefined
}

/** Why tokens are not good enough, and the person has to be asked; `undefined` where they are, or can be renewed. */
export function consentFor(tokens: KeptTokens, wish: Wish): ConsentReason | undefined {
  const need = needOf({ row: { needsConsent: false }, tokens }, wish)
  return need.kind === 'consent' ? need.reason : undefined
}

/**
 * Tokens that are good for what is wished.
 *
 * @param refresh As in {@link Renewing}; it may prepare before the lease is taken.
 * @throws {@link NotConnected}, {@link ConsentRequired}, {@link RefreshError}, {@link AdapterError}
 */
export async function useTokens(
  vault: Vault,
  whose: Whose,
  { wish, refresher }: { wish: Wish; refresher: () => Promise<Renewing['refresh']> },
): Promise<Usable> {
  const { provider } = whose
  const [row, ...others] = await rowsOf(vault, whose)
  if (!row) throw new NotConnected(provider, 'account')
  if (others.length > 0) throw new NotConnected(provider, 'several')
  const need = needOf(await open(vault, row), wish)
  if (need.kind === 'nothing') return { row, tokens: need.tokens }
  if (need.kind === 'consent') throw new ConsentRequired(provider, need.reason)
  if (!vault.writable) {
    if (stillServes(need.tokens, wish)) return { row, tokens: need.tokens }
    throw new RefreshError(provider, false, 'the answer is under way, and no cookie can be set on it any more')
  }
  const { config, rows, sealer } = vault
  return inTurn(vault, row, async () => {
    const refresh = await refresher()
    const patience = config.timeout
    return renewed({ rows, sealer, lease: leaseSeconds(config), patience, refresh }, row, wish)
  })
}

/** Removes a row once nobody renews it any more, and says what was in it. @throws {@link AdapterError} */
export function takeTokens(vault: Vault, row: StoredTokens): Promise<KeptTokens | null> {
  const deadline = performance.now() + vault.config.timeout
  return inTurn(vault, row, async () => {
    for (let delay = 50; ; delay = Math.min(400, delay * 2)) {
      const now = await vault.rows.find(row)
      if (!now || now.userId !== row.userId) return null
      if (performance.now() > deadline || (await lease(vault, now))) {
        const { tokens } = await open(vault, now)
        await vault.rows.remove(now, now.userId)
        return tokens
      }
      await pause(delay)
    }
  })
}
