/** Passwords that wait for a mailed link. */
import { isRecord } from '../../base/guards.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { Verification } from '../../errors.js'
import { keyedHashes } from '../../flows/email/token-format.js'

/** What is stored of a password that waits. */
export interface WaitingPassword {
  readonly hash: string
  /** The browser in which it was typed. */
  readonly browser: string
  readonly callbackUrl: string
}

/** A password that waits, found by its link. */
export interface FoundAttempt extends WaitingPassword {
  readonly tokenHash: string
  readonly email: string
}

/** What is stored of a link's token, under each secret. */
export function attemptHashes({ config }: AuthContext, { id }: PasswordProvider, token: string): string[] {
  return keyedHashes(config, 'password attempt', [id, token])
}

/** @throws {@link Verification} for a link that is too old, was used, or was never sent. */
export async function findAttempt(
  context: AuthContext,
  provider: PasswordProvider,
  token: string,
): Promise<FoundAttempt> {
  for (const tokenHash of attemptHashes(context, provider, token)) {
    const found = await provider.password.store.findAttempt(tokenHash)
    const waiting = found && read(found.data)
    if (found && found.expires.getTime() > Date.now() && isWaiting(waiting)) {
      return { ...waiting, tokenHash, email: found.identifier }
    }
  }
  throw new Verification('There is no such link: it was used, is too old, or was never sent.')
}

function read(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function isWaiting(value: unknown): value is WaitingPassword {
  return isRecord(value) && ['hash', 'browser', 'callbackUrl'].every((name) => typeof value[name] === 'string')
}
