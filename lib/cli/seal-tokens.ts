/**
 * `npx server-auth migrate --seal-tokens`: moves unencrypted tokens of accounts into their own table, sealed, and seals
 * tokens of an older secret again.
 */
import type { connect, Preset } from '../adapters/sql/index.js'
import type { MoveTokensOptions } from '../adapters/sql/move-tokens.js'
import type { ResealOptions } from '../adapters/sql/reseal-tokens.js'
import { readEnv } from '../base/env.js'
import { openTokens, sealTokens } from '../features/tokens/seal.js'
import { UsageError } from './terminal.js'

type Connection = ReturnType<typeof connect>

/**
 * Returns the secrets of the application, the sealing one first.
 *
 * @throws {@link UsageError} without a secret.
 */
export function readSecrets(): readonly string[] {
  const { secrets } = readEnv()
  if (secrets.length > 0) return secrets
  throw new UsageError('Tokens are sealed with the secret of the application: set AUTH_SECRET to it.')
}

/** Returns the number of accounts whose tokens `--seal-tokens` would seal. */
export async function planSeals(db: Connection, preset: Preset): Promise<string> {
  const { countOpenTokens } = await import('../adapters/sql/move-tokens.js')
  const count = await countOpenTokens(db, { preset })
  return `-- ${accountCount(count)} to seal the tokens of`
}

/**
 * Seals and moves tokens, and returns the number of accounts.
 *
 * @throws {Error} If existing records were sealed with another secret: an application could not read the new ones.
 */
export async function sealAccounts(db: Connection, preset: Preset, secrets: readonly string[]): Promise<string> {
  const { anyStoredTokens, moveTokens } = await import('../adapters/sql/move-tokens.js')
  const any = await anyStoredTokens(db, { preset })
  if (any && !(await openTokens(any.sealed, any, secrets))) throw new Error(otherSecretMessage)
  const { moved, skipped } = await moveTokens(db, { preset, seal: createSeal(secrets) })
  const left = skipped > 0 ? `\nLeft in the clear: ${accountCount(skipped)}, whose ids are too long for the table.` : ''
  return `Sealed the tokens of ${accountCount(moved)}.${left}${await sealAgain(db, secrets)}`
}

/** Seals tokens again after a change of the secret, which leaves several secrets. */
async function sealAgain(db: Connection, secrets: readonly string[]): Promise<string> {
  if (secrets.length < 2) return ''
  const { resealTokens } = await import('../adapters/sql/reseal-tokens.js')
  const { resealed, busy, unreadable } = await resealTokens(db, { reseal: createReseal(secrets) })
  const lines = [
    `Sealed again with the newest secret: ${accountCount(resealed)}.`,
    busy > 0 && `In use just now, so run it again: ${accountCount(busy)}.`,
    unreadable > 0 && `Sealed with none of the secrets: ${accountCount(unreadable)}.`,
  ]
  return lines.map((line) => (line === false ? '' : `\n${line}`)).join('')
}

function createReseal(secrets: readonly string[]): ResealOptions['reseal'] {
  return async (row) => {
    if (await openTokens(row.sealed, row, secrets.slice(0, 1))) return null
    const held = await openTokens(row.sealed, row, secrets)
    return held ? sealTokens(held, row, secrets) : undefined
  }
}

const otherSecretMessage =
  'Tokens that are stored were sealed with another secret. Set AUTH_SECRET to that of the application. Nothing more was sealed.'

function accountCount(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`
}

/**
 * Returns the function that seals tokens. Stored tokens are newer and remain. Only a missing refresh token is added,
 * because many providers issue one only with the first sign-in.
 */
function createSeal(secrets: readonly string[]): MoveTokensOptions['seal'] {
  return async (account, stored) => {
    if (!stored || stored.userId !== account.userId) {
      const sealed = await sealTokens({ ...account }, account, secrets)
      return { sealed, expiresAt: account.expires_at ?? null, scope: account.scope ?? null }
    }
    const held = await openTokens(stored.sealed, stored, secrets)
    if (!held) throw new Error(otherSecretMessage)
    const { refresh_token } = account
    if (held.refresh_token || !refresh_token) return null
    const sealed = await sealTokens({ ...held, refresh_token }, account, secrets)
    return { sealed, expiresAt: stored.expiresAt, scope: stored.scope }
  }
}
