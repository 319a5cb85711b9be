/** Reading and writing records of provider tokens. */
import type { StoredTokens } from '../../store/tables.js'
import type { Held } from './need.js'
import { type KeptTokens, toKept } from './seal.js'
import type { Vault } from './vault.js'

/** Which of a user's accounts. */
export interface Whose {
  readonly userId: string
  readonly provider: string
  readonly providerAccountId?: string | undefined
}

/** The rows of a user at a provider. @throws {@link AdapterError} */
export async function rowsOf(
  vault: Pick<Vault, 'rows'>,
  { userId, provider, providerAccountId }: Whose,
): Promise<readonly StoredTokens[]> {
  const rows = (await vault.rows.list(userId)).filter((row) => row.provider === provider)
  return rows.filter((row) => providerAccountId === undefined || row.providerAccountId === providerAccountId)
}

/** A row, and what is in it. */
export async function open({ sealer }: Pick<Vault, 'sealer'>, row: StoredTokens): Promise<Held> {
  return { row, tokens: await sealer.open(row.sealed, row) }
}

/** Writes the row's next version. Returns `false` where another one was written meanwhile. */
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
