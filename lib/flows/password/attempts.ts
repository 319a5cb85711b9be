/** Passwords that wait for a mailed link, and the link in the browser that opened it. */
import { isRecord } from '../../base/guards.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { Verification } from '../../errors.js'
import { onlyValue } from '../../http/urls.js'
import { Attempts, clearAttempt } from '../attempt.js'
import { keyedHashes } from '../email/token-format.js'

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

/* ---- the link in the browser ---------------------------------------------------------------------------------- */

/** What a link leads to. */
export type LinkStep = 'verify' | 'reset'

const links = new Attempts<{ readonly token: string }>('password-link')

/** The end of the cookie's name. */
const slotOf = (step: LinkStep) => `password-${step}` as const

/**
 * Takes the token out of the URL, where histories, logs and `Referer` headers would keep it.
 *
 * @returns Whether there was one: then the browser is sent to the same page without it.
 */
export async function takeLink(context: AuthContext, step: LinkStep): Promise<boolean> {
  const { searchParams } = context.request.url
  if (!searchParams.has('token')) return false
  const token = onlyValue(searchParams, 'token')
  if (token === undefined || token.length > longest) throw incomplete()
  await links.keep(context, slotOf(step), { token })
  return true
}

/** The token that the browser holds, or that a client sends. @throws {@link Verification} where there is none. */
export async function tokenOf(context: AuthContext, step: LinkStep): Promise<string> {
  const { body } = context.request
  if (typeof body.token === 'string' && body.token.length <= longest) return body.token
  const [held] = await links.held(context, [slotOf(step)])
  if (held) return held.attempt.token
  throw incomplete()
}

/** The link was used. */
export function forgetLink(context: AuthContext, step: LinkStep): void {
  clearAttempt(context, slotOf(step))
}

/** Characters. */
const longest = 2048

function incomplete(): Verification {
  return new Verification('The link is incomplete, or was opened too long ago.')
}
