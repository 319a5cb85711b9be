/** The browser that asked for a link, known by a sealed cookie: only there the link works without a further question. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { seal, unseal } from '../../crypto/seal.js'
import { bindBrowser, isBoundHere } from '../../session/browser.js'
import type { CookieOption } from '../../types/cookies.js'
import { hashes, isShortCode } from './token-form.js'

/** Seconds for which the browser is known. */
const maxAge = 15 * 60

/** A link that this browser asked for. */
export interface EmailAttempt {
  /** Random; also in the link. */
  readonly id: string
  readonly provider: string
  readonly address: string
  /** Hash of the token in the link. */
  readonly hash: string
  readonly callbackUrl: string
  /** The session in which it was asked for. */
  readonly startedBy?: string
}

/** What a link says. */
export interface MailedLink {
  readonly token: string
  readonly address: string
  readonly attempt: string | undefined
}

/** Keeps the attempt; another one of the same browser goes. */
export async function keepAttempt(context: AuthContext, attempt: EmailAttempt): Promise<void> {
  const cookie = cookieOf(context)
  const payload = { ...attempt, browser: bindBrowser(context) }
  const value = await seal('email-attempt', payload, { secrets: context.config.secrets, maxAge })
  const expires = new Date(Date.now() + maxAge * 1000)
  context.cookies.set({ name: cookie.name, options: { ...cookie.options, maxAge, expires } }, value)
}

/** The attempt of this browser for an address; `undefined` where it made none, or another one since. */
export async function readAttempt(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<EmailAttempt | undefined> {
  for (const value of context.cookies.getAll(cookieOf(context).name)) {
    const payload = await unseal('email-attempt', value, context.config.secrets)
    if (!payload || !isBoundHere(context, payload.browser)) continue
    const attempt = payload as unknown as EmailAttempt
    if (attempt.provider === provider.id && attempt.address === address) return attempt
  }
  return undefined
}

/** The attempt that a link belongs to, if this browser made it. A code that a person types names no attempt. */
export async function findAttempt(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  link: MailedLink,
): Promise<EmailAttempt | undefined> {
  const attempt = await readAttempt(context, provider, link.address)
  if (!attempt) return undefined
  const isNamed = link.attempt === undefined ? isShortCode(link.token) : equalText(attempt.id, link.attempt)
  const fits = hashes(provider, link.address, link.token).some((hash) => equalText(hash, attempt.hash))
  return isNamed && fits ? attempt : undefined
}

/** The attempt is over. */
export function clearAttempt(context: AuthContext): void {
  const cookie = cookieOf(context)
  if (context.cookies.get(cookie.name) !== undefined) context.cookies.clear(cookie)
}

/** Bound to our path, so that no other request of the site carries it. */
function cookieOf({ cookiePolicy, request }: AuthContext): CookieOption {
  const { name, options } = cookiePolicy.transaction
  return { name: `${name}.email`, options: { ...options, path: request.basePath || '/' } }
}
