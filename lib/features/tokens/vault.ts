/** The vault of a request or a job: the records of provider tokens, and their sealer. */
import type { CookieContext, ResolvedConfig, TokenHolder } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { RecordStore } from '../../types/store.js'
import { CookieTokens, jsonSealer } from './cookie.js'
import type { StoredTokens } from './description.js'
import { type GuardedTokens, guardTokens } from './guard.js'
import { type KeptTokens, openTokens, type Sealer, sealTokens, toKept } from './seal.js'
import { requireTokensOption } from './settings.js'
import type { OpenedTokenRecord } from './token-sets.js'

/** The records of provider tokens, and their sealer. */
export interface Vault {
  readonly config: ResolvedConfig
  readonly records: GuardedTokens
  readonly sealer: Sealer
  /** True if changes can be stored: a cookie cannot be set after the headers were sent. */
  readonly writable: boolean
  /** Distinguishes browsers with tokens of the same account. Empty with a store. */
  readonly browser: readonly string[]
}

/** Returns the vault of a request, or of jobs without one. @throws {@link InvalidConfiguration} if there is none. */
export function vaultOf(
  config: ResolvedConfig,
  browser?: { readonly context: CookieContext; readonly holder: TokenHolder; readonly writable: boolean },
): Vault {
  const { secrets } = config
  const tokens = requireTokensOption(config)
  if (tokens.store !== 'cookie') {
    const sealer: Sealer = {
      seal: (set, owner) => sealTokens(set, owner, secrets),
      open: (sealed, owner) => openTokens(sealed, owner, secrets),
    }
    return { config, records: guardedTokensOf(config, tokens.store), sealer, writable: true, browser: [] }
  }
  if (!browser) {
    throw new InvalidConfiguration(
      'Tokens in cookies are available only in requests of their browser. Set `tokens.store` to a store such as `sqlStore(db)`.',
    )
  }
  const { context, holder, writable } = browser
  const records = new CookieTokens(context, holder)
  return { config, records, sealer: jsonSealer, writable, browser: [holder.userId, holder.id] }
}

const guards = new WeakMap<ResolvedConfig, GuardedTokens>()

function guardedTokensOf(config: ResolvedConfig, store: RecordStore): GuardedTokens {
  const known = guards.get(config) ?? guardTokens(store, config.tokens?.timeout ?? config.timeout)
  guards.set(config, known)
  return known
}

/* Records. */

// Reads and writes records of provider tokens.

/** A user, and which of their accounts. */
export interface TokenQuery {
  readonly userId: string
  readonly provider: string
  readonly providerAccountId?: string | undefined
}

/** Returns the records of a user at a provider. @throws {@link AdapterError} */
export async function tokenRecordsOf(
  vault: Pick<Vault, 'records'>,
  { userId, provider, providerAccountId }: TokenQuery,
): Promise<readonly StoredTokens[]> {
  const rows = (await vault.records.list(userId)).filter((row) => row.provider === provider)
  return rows.filter((row) => providerAccountId === undefined || row.providerAccountId === providerAccountId)
}

/** Opens a record. */
export async function openTokenRecord(
  { sealer }: Pick<Vault, 'sealer'>,
  record: StoredTokens,
): Promise<OpenedTokenRecord> {
  return { record, tokens: await sealer.open(record.sealed, record) }
}

/** Writes the record's next version. Returns `false` after a concurrent write. */
export async function writeTokenRecord(
  { records, sealer }: Pick<Vault, 'records' | 'sealer'>,
  {
    provider,
    providerAccountId,
    userId,
    version,
  }: Omit<StoredTokens, 'sealed' | 'expiresAt' | 'scope' | 'needsConsent'>,
  tokens: KeptTokens,
  needsConsent = false,
): Promise<boolean> {
  const key = { provider, providerAccountId, userId }
  const sealed = await sealer.seal(tokens, key)
  const { expires_at: expiresAt = null, scope = null } = toKept({ ...tokens })
  return records.write({ ...key, sealed, expiresAt, scope, needsConsent }, version)
}
