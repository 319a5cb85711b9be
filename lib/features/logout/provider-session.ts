/**
 * The cookie that keeps the data for a sign-out at the provider.
 *
 * It is sealed, and sent to the path of the mount only. It is bound to one browser. An attacker therefore cannot sign a
 * victim out of the attacker's session at the provider, nor get the victim's browser to send the attacker's token. Each
 * sign-in replaces it, whatever the provider.
 */
import { definedOnly } from '../../base/guards.js'
import { warnOnce } from '../../base/warn-once.js'
import type {
  AuthContext,
  ProviderLink,
  ProviderSession,
  ResolvedConfig,
  ResolvedOAuthProvider,
} from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { seal, unseal } from '../../crypto/seal.js'
import { type Attempt, Attempts } from '../../flows/attempt.js'
import { bindBrowser, isBoundToBrowser } from '../../session/browser.js'
import type { CookieOption } from '../../types/cookies.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). A session that is used may live as long. */
const maxAge = 400 * 24 * 60 * 60

/** Characters of the cookie's value. Browsers store 4 KiB, including name and attributes. */
const maxLength = 3 * 1024

/** Stores the provider session instead of the previous one, or as much of it as fits. */
export async function storeProviderSession(context: AuthContext, session: ProviderSession | undefined): Promise<void> {
  if (!session) return forgetProviderSession(context)
  const { idToken: _long, ...short } = session
  const { token: _longer, ...untold } = session
  const { token, provider } = short
  // Most tokens fit. Without its own token the provider may ask the user for confirmation.
  for (const part of [session, short, untold, { provider, logoutHint: short.logoutHint }]) {
    const value = await sealProviderSession(context, part)
    if (value.length > maxLength) continue
    if (token && !('token' in part)) warnOfTokens(context, provider)
    const { name, options } = logoutCookie(context)
    const expires = new Date(Date.now() + maxAge * 1000)
    return context.cookies.set({ name, options: { ...options, maxAge, expires } }, value)
  }
  forgetProviderSession(context)
}

function warnOfTokens({ config }: AuthContext, provider: string): void {
  warnOnce(
    config,
    'tokens-not-revoked',
    `The tokens of the provider "${provider}" are too long for the cookie, so they are not revoked at the sign-out.`,
  )
}

/** Returns the provider session of this browser; `undefined` if there is none, or another browser's. */
export async function readProviderSession(context: AuthContext): Promise<ProviderSession | undefined> {
  const { config, cookies } = context
  for (const value of cookies.getAll(logoutCookie(context).name)) {
    const payload = await unseal('provider-session', value, config.secrets)
    if (payload && isBoundToBrowser(context, payload.browser)) return toProviderSession(payload)
  }
  return undefined
}

/** Clears the cookie. Paths of the application's own code do not get the cookie, so it is cleared there unseen. */
export function forgetProviderSession(context: AuthContext): void {
  const cookie = logoutCookie(context)
  const isThere = context.cookies.get(cookie.name) !== undefined
  if (isThere || (context.ownCall && keepsProviderSessions(context.config))) context.cookies.clear(cookie)
}

function keepsProviderSessions({ providers }: ResolvedConfig): boolean {
  const kept = [...providers.values()].filter((provider) => provider.kind === 'oauth')
  return kept.some(({ logout }) => logout.rpInitiated !== 'never' || logout.revokeTokens)
}

/** Returns the cookie option for this mount. */
export function logoutCookie({ cookiePolicy, request }: AuthContext): CookieOption {
  const { name, options } = cookiePolicy.logout
  return { name, options: { ...options, path: request.basePath || '/' } }
}

function sealProviderSession(context: AuthContext, session: Partial<ProviderSession>): Promise<string> {
  const payload = { ...definedOnly({ ...session }), browser: bindBrowser(context) }
  return seal('provider-session', payload, { secrets: context.config.secrets, maxAge })
}

/** Converts the payload of {@link sealProviderSession}. Only this site has the key. */
function toProviderSession({ provider, idToken, logoutHint, token }: Record<string, unknown>): ProviderSession {
  return definedOnly({ provider, idToken, logoutHint, token }) as unknown as ProviderSession
}

/* Sign-outs that continue. */

// Sign-outs that do not end with the session here: the state for the user's return.

/** The state of such a sign-out. */
export interface PendingSignOut {
  /** The final URL, already checked. */
  readonly callbackUrl: string
  /** True if the user chose to sign out at the provider. */
  readonly federated?: boolean
}

const pendingSignOuts = new Attempts<PendingSignOut>('logout')

/** Seals the state. @param place The provider from which the user returns, if any. */
export function createPendingSignOut(context: AuthContext, leaving: PendingSignOut, place?: string): Promise<string> {
  return pendingSignOuts.seal(context, { ...leaving }, place === undefined ? [] : [place])
}

/**
 * Opens the state, once, for this browser and place; `undefined` for anything else, so that no other site's URL is
 * followed.
 */
export async function completePendingSignOut(
  context: AuthContext,
  sealed: string | undefined,
  place?: string,
): Promise<Attempt<PendingSignOut> | undefined> {
  const opened = sealed ? await pendingSignOuts.open(context, sealed, place === undefined ? [] : [place]) : undefined
  if (!opened?.isHere) return undefined
  try {
    await pendingSignOuts.consume(context, opened.attempt.id, 'The sign-out was completed before.')
  } catch {
    return undefined
  }
  return opened.attempt
}

/**
 * The error for a logout token or front-channel request that is not acceptable. The message contains nothing of the
 * token.
 */
export class RejectedLogoutToken extends Error {
  override readonly name = 'RefusedToken'
}

/* Names. */

/** The claims that name a user and their session at a provider. */
interface NamingClaims {
  readonly iss?: string | undefined
  readonly sub?: unknown
  readonly sid?: unknown
}

/** Returns the names of user and session. They differ for each provider. */
export function providerSessionNames(
  provider: string,
  { iss, sub, sid }: NamingClaims,
): { subject?: string; session?: string } {
  return definedOnly({
    ...(isClaimName(sub) && { subject: providerSessionName(provider, iss, 'sub', sub) }),
    ...(isClaimName(sid) && { session: providerSessionName(provider, iss, 'sid', sid) }),
  })
}

function providerSessionName(provider: string, issuer: string | undefined, kind: 'sub' | 'sid', name: string): string {
  return shortHash(JSON.stringify([provider, issuer, kind, name]))
}

/** Checks whether a claim is a name of usual length. */
export function isClaimName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1024
}

/** Returns the link of a sign-in to its session at the provider; `undefined` if the provider may not end it. */
export function providerLinkOf(
  { id, logout }: ResolvedOAuthProvider,
  claims: (NamingClaims & { readonly sub: string; readonly iat: number }) | undefined,
): ProviderLink | undefined {
  if (!claims || !(logout.backchannel || logout.frontchannel)) return undefined
  const subject = providerSessionName(id, claims.iss, 'sub', claims.sub)
  return { ...providerSessionNames(id, claims), subject, byFrame: logout.frontchannel, at: claims.iat }
}
