/** The browser that asked for a link, known by a sealed cookie: only there the link works without a further question. */
import type { AuthContext, ResolvedEmailProvider } from '../../context.js'
import { equalText } from '../../crypto/hash.js'
import { seal, unseal } from '../../crypto/seal.js'
import type { CookieOption } from '../../types.js'
import { hashes } from './token.js'

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
  const value = await seal('email-attempt', { ...attempt }, { secrets: context.config.secrets, maxAge })
  const expires = new Date(Date.now() + maxAge * 1000)
  context.cookies.set({ name: cookie.name, options: { ...cookie.options, maxAge, expires } }, value)
}

/** The attempt that a link belongs to, if this browser made it. */
export async function findAttempt(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  link: MailedLink,
): Promise<EmailAttempt | undefined> {
  const value = context.cookies.get(cookieOf(context).name)
  const payload = value && (await unseal('email-attempt', value, context.config.secrets))
  if (!payload) return undefined
  const attempt = payload as unknown as EmailAttempt
  if (attempt.provider !== provider.id || attempt.address !== link.address) return undefined
  if (link.attempt === undefined || !equalText(attempt.id, link.attempt)) return undefined
  const fits = hashes(provider, link.address, link.token).some((hash) => equalText(hash, attempt.hash))
  return fits ? attempt : undefined
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
