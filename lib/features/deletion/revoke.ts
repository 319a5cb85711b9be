/** Revokes the provider tokens of a user who is deleted (RFC 7009). Loaded at the first call. */
import { withTimeout } from '../../base/timeout.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { oauthTokens } from '../../flows/index.js'
import { requireStore } from '../../store/guard.js'
import { factorOwnersOf } from '../factors/store.js'
import { type KeptTokens, toKept } from '../tokens/seal.js'
import { openTokenRecord, vaultOf } from '../tokens/vault.js'
import type { ProviderRevocation } from './types.js'

/** The milliseconds that a provider has to confirm. */
const patience = 2000

/** The tokens of one account. */
interface Grant {
  readonly provider: string
  readonly tokens: KeptTokens | null
}

/**
 * Revokes the tokens of all accounts of a user, those of each account for two seconds at most. Failures are logged and
 * reported: a provider must not keep a user from being deleted.
 *
 * @throws {@link AdapterError} if the tokens cannot be read.
 */
export async function revokeProviderTokens(config: ResolvedConfig, userId: string): Promise<ProviderRevocation[]> {
  const grants = [...(await accountGrants(config, userId)), ...(await vaultGrants(config, userId))]
  return Promise.all(
    grants.map(async (grant) => ({ provider: grant.provider, result: await revokeGrant(config, grant) })),
  )
}

/** Returns the tokens in the accounts themselves. */
async function accountGrants(config: ResolvedConfig, userId: string): Promise<Grant[]> {
  const store = requireStore(config)
  if (!store.abilities.listAccounts) return []
  const accounts = (await store.listAccounts(userId)).map((account) => ({
    provider: account.provider,
    tokens: toKept({ ...account }),
  }))
  return accounts.filter(({ tokens }) => (tokens.access_token ?? tokens.refresh_token) !== undefined)
}

/** Returns the tokens in the store of the option `tokens`. Those in cookies end with the session. */
async function vaultGrants(config: ResolvedConfig, userId: string): Promise<Grant[]> {
  if (!config.tokens || config.tokens.store === 'cookie') return []
  const vault = vaultOf(config)
  const rows = await Promise.all(factorOwnersOf(config, userId).map((name) => vault.records.list(name)))
  const opened = await Promise.all(rows.flat().map((row) => openTokenRecord(vault, row)))
  return opened.map(({ record, tokens }) => ({ provider: record.provider, tokens }))
}

async function revokeGrant(
  config: ResolvedConfig,
  { provider: id, tokens }: Grant,
): Promise<ProviderRevocation['result']> {
  const provider = config.providers.get(id)
  if (provider?.kind !== 'oauth' || !tokens) return 'unsupported'
  try {
    const revocation = oauthTokens.revokeStoredTokens(config, provider, tokens)
    return (await withTimeout(revocation, patience, `The revocation of tokens at "${id}"`)) ? 'revoked' : 'unsupported'
  } catch (error) {
    config.logger.error(toError(error))
    return 'failed'
  }
}
