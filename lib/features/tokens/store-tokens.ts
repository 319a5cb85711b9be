/** Stores the tokens of a sign-in in the vault, and removes tokens from it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { DpopKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import { type Lease, takeLease } from '../../store/lease.js'
import type { TokenSet } from '../../types/identity.js'
import type { StoredTokens } from './description.js'
import type { KeptTokens, TokenOwner } from './seal.js'
import { afterSignIn, fromSignIn } from './token-sets.js'
import { openTokenRecord, type Vault, writeTokenRecord } from './vault.js'

/** The tokens of a sign-in. */
interface SignInTokens {
  readonly tokens: TokenSet
  readonly provider: Pick<ResolvedOAuthProvider, 'refresh'>
  /** The key that they are bound to. */
  readonly key?: DpopKey | undefined
}

/**
 * Replaces the stored tokens by those of a sign-in, and returns the result.
 *
 * It does not wait for a refresh. A concurrent refresh keeps its lease, and adds its refresh token to these tokens.
 *
 * @throws {@link AdapterError}, also if the store rejects all writes until the time is over.
 */
export async function storeSignInTokens(
  vault: Vault,
  owner: TokenOwner,
  { tokens, provider, key }: SignInTokens,
): Promise<KeptTokens> {
  const fresh = fromSignIn(tokens, provider.refresh !== false, key)
  const deadline = performance.now() + vault.config.timeout
  for (let delay = 20; ; delay = Math.min(400, delay * 2)) {
    const kept = await replaceTokens(vault, owner, fresh)
    if (kept) return kept
    if (performance.now() > deadline) throw rejectedWritesError()
    await pause(delay)
  }
}

function rejectedWritesError(): AdapterError {
  return new AdapterError(
    'The store of provider tokens rejected all writes, although each had the version that it returned. Test the store with `storeContract` of server-auth/testing.',
    { err: new Error('`write` returned false until the time was over'), method: 'write' },
  )
}

/** Replaces the tokens once. @returns The stored tokens; `undefined` after a concurrent write. */
async function replaceTokens(
  vault: Vault,
  { provider, providerAccountId, userId }: TokenOwner,
  fresh: KeptTokens,
): Promise<KeptTokens | undefined> {
  const owner = { provider, providerAccountId, userId }
  const row = await vault.records.find(owner)
  const isOurs = row !== null && row.userId === userId && !row.needsConsent
  const next = afterSignIn(isOurs ? (await openTokenRecord(vault, row)).tokens : null, fresh)
  await vault.records.assertRoom?.(owner, next, 'connection')
  return (await writeTokenRecord(vault, { ...owner, version: row?.version ?? 0 }, next)) ? next : undefined
}

/**
 * Removes a record when no refresh of it runs, or the time is over, and returns its tokens.
 *
 * @throws {@link AdapterError}
 */
export async function takeTokens(vault: Vault, row: StoredTokens): Promise<KeptTokens | null> {
  const deadline = performance.now() + vault.config.timeout
  for (let delay = 50; ; delay = Math.min(400, delay * 2)) {
    const now = await vault.records.find(row)
    if (!now || now.userId !== row.userId) return null
    const lease = await takeLease(vault.records, now, async () => false)
    if (lease || performance.now() > deadline) return removeTokenRecord(vault, now, lease)
    await pause(delay)
  }
}

async function removeTokenRecord(
  vault: Vault,
  row: StoredTokens,
  lease: Lease<StoredTokens> | undefined,
): Promise<KeptTokens | null> {
  try {
    const { tokens } = await openTokenRecord(vault, row)
    await vault.records.remove(row)
    return tokens
  } finally {
    await lease?.release()
  }
}
