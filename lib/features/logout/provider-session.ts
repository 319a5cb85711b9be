/**
 * The cookie that keeps what a sign-out tells the provider. It is sealed, and its path is the mount's: no other request of the
 * site carries it. It belongs to one browser, so that nobody signs a victim out of the attacker's session at the provider, or
 * has the victim's browser hand over a token of theirs. Each sign-in replaces it, by whatever provider.
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
import { bindBrowser, isBoundHere } from '../../session/browser.js'
import type { CookieOption } from '../../types/cookies.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). A session that is used may live as long. */
const maxAge = 400 * 24 * 60 * 60

/** Characters of the cookie's value. Browsers keep 4 KiB with the name and the attributes. */
const maxLength = 3 * 1024

/** Keeps what a person signed in with, in place of what was kept before: as much of it as fits. */
export async function keepProviderSession(context: AuthContext, session: ProviderSession | undefined): Promise<void> {
  if (!session) return forgetProviderSession(context)
  const { idToken: _long, ...short } = session
  const { token: _longer, ...untold } = session
  const { token, provider } = short
  // Most tokens fit. Without its own the provider may ask the person whether they mean it.
  for (const part of [session, short, untold, { provider, logoutHint: short.logoutHint }]) {
    const value = await sealed(context, part)
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
    `The tokens of the provider "${provider}" are too long to be kept for the sign-out, where they would be revoked.`,
  )
}

/** What was kept in this browser; `undefined` where nothing was, or another one sealed it. */
export async function readProviderSession(context: AuthContext): Promise<ProviderSession | undefined> {
  const { config, cookies } = context
  for (const value of cookies.getAll(logoutCookie(context).name)) {
    const payload = await unseal('provider-session', value, config.secrets)
    if (payload && isBoundHere(context, payload.browser)) return toProviderSession(payload)
  }
  return undefined
}

/** Drops what was kept. The application's own code answers at paths to which the cookie does not come: it is cleared unseen. */
export function forgetProviderSession(context: AuthContext): void {
  const cookie = logoutCookie(context)
  const isThere = context.cookies.get(cookie.name) !== undefined
  if (isThere || (context.ownCall && keepsSessions(context.config))) context.cookies.clear(cookie)
}

function keepsSessions({ providers }: ResolvedConfig): boolean {
  const kept = [...providers.values()].filter((provider) => provider.kind === 'oauth')
  return kept.some(({ logout }) => logout.rpInitiated !== 'never' || logout.revokeTokens)
}

/** The cookie, at this mount. */
export function logoutCookie({ cookiePolicy, request }: AuthContext): CookieOption {
  const { name, options } = cookiePolicy.logout
  return { name, options: { ...options, path: request.basePath || '/' } }
}

function sealed(context: AuthContext, session: Partial<ProviderSession>): Promise<string> {
  const payload = { ...definedOnly({ ...session }), browser: bindBrowser(context) }
  return seal('provider-session', payload, { secrets: context.config.secrets, maxAge })
}

/** What {@link sealed} sealed: nobody else has the key. */
function toProviderSession({ provider, idToken, logoutHint, token }: Record<string, unknown>): ProviderSession {
  return definedOnly({ provider, idToken, logoutHint, token }) as unknown as ProviderSession
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

// Sign-outs that are not over with the session here: what has to be known when the person comes by again.

/** What is known then. */
export interface Leaving {
  /** Where the person wants to be, already allowed. */
  readonly callbackUrl: string
  /** Whether the person asked for the sign-out at the provider. */
  readonly federated?: boolean
}

const leavings = new Attempts<Leaving>('logout')

/** Seals what has to be known. @param place Where they come by: a provider's way back, or none. */
export function beginLeaving(context: AuthContext, leaving: Leaving, place?: string): Promise<string> {
  return leavings.seal(context, { ...leaving }, place === undefined ? [] : [place])
}

/** What was sealed for this browser and place; once. `undefined` for anything else: nobody's URL is followed then. */
export async function finishLeaving(
  context: AuthContext,
  sealed: string | undefined,
  place?: string,
): Promise<Attempt<Leaving> | undefined> {
  const opened = sealed ? await leavings.open(context, sealed, place === undefined ? [] : [place]) : undefined
  if (!opened?.isHere) return undefined
  try {
    await leavings.use(context, opened.attempt.id, 'The sign-out was completed before.')
  } catch {
    return undefined
  }
  return opened.attempt
}

/** A logout token, or a front-channel request, that says nothing we may act on. The message has nothing of the token. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken'
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

/** The claims that name a person and their session at a provider. */
interface NamingClaims {
  readonly iss?: string | undefined
  readonly sub?: unknown
  readonly sid?: unknown
}

/** Returns the names of person and session. What another provider calls the same is another one. */
export function namesOf(provider: string, { iss, sub, sid }: NamingClaims): { subject?: string; session?: string } {
  return definedOnly({
    ...(isName(sub) && { subject: nameOf(provider, iss, 'sub', sub) }),
    ...(isName(sid) && { session: nameOf(provider, iss, 'sid', sid) }),
  })
}

function nameOf(provider: string, issuer: string | undefined, kind: 'sub' | 'sid', name: string): string {
  return shortHash(JSON.stringify([provider, issuer, kind, name]))
}

/** Checks whether a claim is a name of usual length. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1024
}

/** Returns the link of a sign-in to its session at the provider; `undefined` where the provider may not end it. */
export function providerLinkOf(
  { id, logout }: ResolvedOAuthProvider,
  claims: (NamingClaims & { readonly sub: string; readonly iat: number }) | undefined,
): ProviderLink | undefined {
  if (!claims || !(logout.backchannel || logout.frontchannel)) return undefined
  const subject = nameOf(id, claims.iss, 'sub', claims.sub)
  return { ...namesOf(id, claims), subject, byFrame: logout.frontchannel, at: claims.iat }
}
