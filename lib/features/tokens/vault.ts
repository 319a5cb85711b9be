/** The vault of a request or a job: the records of provider tokens, and their sealer. */
import type { CookieContext, ResolvedConfig, TokenHolder } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { RecordStore } from '../../types/store.js'
import { CookieTokens, plainSealer } from './cookie.js'
import type { StoredTokens } from './description.js'
import { type GuardedTokens, guardTokens } from './guard.js'
import { type KeptTokens, openTokens, type Sealer, sealTokens, toKept } from './seal.js'
import { tokensOption } from './settings.js'
import type { Held } from './token-sets.js'

/** The records of provider tokens, and their sealer. */
export interface Vault {
  readonly config: ResolvedConfig
  readonly rows: GuardedTokens
  readonly sealer: Sealer
  /** Whether changes can be stored: a cookie cannot be set after the headers were sent. */
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
  const tokens = tokensOption(config)
  if (tokens.store !== 'cookie') {
    const sealer: Sealer = {
      seal: (set, owner) => sealTokens(set, owner, secrets),
      open: (sealed, owner) => openTokens(sealed, owner, secrets),
    }
    return { config, rows: guardedOf(config, tokens.store), sealer, writable: true, browser: [] }
  }
  if (!browser) {
    throw new InvalidConfiguration(
      'Tokens in cookies are available only in requests of their browser. Set `tokens.store` to a store such as `sqlStore(db)`.',
    )
  }
  const { context, holder, writable } = browser
  const rows = new CookieTokens(context, holder)
  return { config, rows, sealer: plainSealer, writable, browser: [holder.userId, holder.id] }
}

const guards = new WeakMap<ResolvedConfig, GuardedTokens>()

function guardedOf(config: ResolvedConfig, store: RecordStore): GuardedTokens {
  const known = guards.get(config) ?? guardTokens(store, config.tokens?.timeout ?? config.timeout)
  guards.set(config, known)
  return known
}

/* Records. */

// Reads and writes records of provider tokens.

/** A user, and which of their accounts. */
export interface Whose {
  readonly userId: string
  readonly provider: string
  readonly providerAccountId?: string | undefined
}

/** Returns the records of a user at a provider. @throws {@link AdapterError} */
export async function rowsOf(
  vault: Pick<Vault, 'rows'>,
  { userId, provider, providerAccountId }: Whose,
): Promise<readonly StoredTokens[]> {
  const rows = (await vault.rows.list(userId)).filter((row) => row.provider === provider)
  return rows.filter((row) => providerAccountId === undefined || row.providerAccountId === providerAccountId)
}

/** Opens a record. */
export async function open({ sealer }: Pick<Vault, 'sealer'>, row: StoredTokens): Promise<Held> {
  return { row, tokens: await sealer.open(row.sealed, row) }
}

/** Writes the record's next version. Returns `false` after a concurrent write. */
export async function write(
  { rows, sealer }: Pick<Vault, 'rows' | 'sealer'>,
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
  return rows.write({ ...key, sealed, expiresAt, scope, needsConsent }, version)
}
