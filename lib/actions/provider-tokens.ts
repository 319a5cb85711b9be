/** Provider tokens at the beginning and the end of a session, where the option `tokens` keeps them. */
import { scopesOf } from '../base/authorization-request.js'
import { lazily } from '../base/lazily.js'
import { warnOnce } from '../base/warn-once.js'
import type {
  AuthContext,
  Identity,
  ResolvedConfig,
  ResolvedOAuthProvider,
  SignedIn,
  TokenHolder,
} from '../contracts/index.js'
import type { Reserved } from '../http/cookies.js'
import type { KeptTokens, TokenOwner, Vault } from '../vault/index.js'

/** Loaded where `tokens` is set, and nowhere else. */
export const loadVault = lazily('Keeping provider tokens', () => import('../vault/index.js'))

/** A sign-in whose session begins now. */
interface BeginningSession {
  readonly identity: Pick<Identity, 'account'>
  readonly signedIn: SignedIn
  readonly owner: string | undefined
}

/**
 * Whose provider tokens, or second factors, a session uses that begins now without a stored user: the account itself is the user.
 * `undefined` where one is stored, and where there are neither.
 */
export function ownUserOf(
  { config }: AuthContext,
  { identity: { account }, signedIn, owner }: BeginningSession,
): string | undefined {
  const isProviders = account.type === 'oauth' || account.type === 'oidc'
  const isKept = (config.tokens && isProviders) || config.factors !== undefined
  return isKept && signedIn.isNewUser === undefined ? owner : undefined
}

/** What of an identity is kept. */
type TokenBringer = Pick<Identity, 'account' | 'tokenKey'>

/**
 * Stores what the provider gave, before the session begins: where that fails, nobody is signed in. Resolves to what is there then.
 *
 * @throws {@link AdapterError}
 */
export async function storeTokens(
  context: AuthContext,
  identity: TokenBringer,
  userId: string | undefined,
): Promise<KeptTokens | undefined> {
  const { config } = context
  if (!config.tokens || config.tokens.store === 'cookie') return undefined
  const { vaultOf } = await loadVault()
  return keep(vaultOf(config), identity, { context, userId })
}

/** The same where they are kept in the browser: bound to the session that has begun. Another user's are dropped. */
export async function setTokens(
  context: AuthContext,
  identity: TokenBringer,
  { userId, sid }: { userId: string | undefined; sid: string },
): Promise<KeptTokens | undefined> {
  const { config } = context
  if (config.tokens?.store !== 'cookie') return undefined
  const { CookieTokens, clearTokens, vaultOf } = await loadVault()
  if (userId === undefined) {
    clearTokens(context)
    return undefined
  }
  const holder = { userId, id: sid }
  await new CookieTokens(context, holder).adopt()
  return keep(vaultOf(config, { context, holder, writable: true }), identity, { context, userId })
}

/**
 * Checks whether {@link setTokens} will fit, before anything is written.
 *
 * @returns The bytes to reserve; nothing where no tokens are kept in the browser.
 * @throws {@link SessionTooLarge} {@link TooManyCookies}
 */
export async function roomForTokens(
  context: AuthContext,
  identity: TokenBringer,
  { userId, sid }: { userId: string | undefined; sid: string },
): Promise<Reserved | undefined> {
  const { config } = context
  if (config.tokens?.store !== 'cookie') return undefined
  const { CookieTokens, vaultOf } = await loadVault()
  const holder = { userId: userId ?? '', id: sid }
  const rows = await new CookieTokens(context, holder).rehearse()
  if (userId !== undefined) {
    await keep({ ...vaultOf(config, { context, holder, writable: true }), rows }, identity, { context, userId })
  }
  return rows.assertBudget()
}

async function keep(
  vault: Vault,
  { account, tokenKey: key }: TokenBringer,
  { context, userId }: { context: AuthContext; userId: string | undefined },
): Promise<KeptTokens | undefined> {
  const provider = context.config.providers.get(account.provider)
  if (provider?.kind !== 'oauth' || account.type === 'application' || userId === undefined) return undefined
  const { keepTokens } = await loadVault()
  const { providerAccountId } = account
  const owner = { provider: provider.id, providerAccountId, userId }
  const kept = await keepTokens(vault, owner, { tokens: account, provider, key })
  if (isLostAtItsEnd(provider, kept)) {
    warnOnce(context.config, 'no-refresh-token', noRefreshToken(provider), provider.id)
  }
  return kept
}

/** Whether nothing renews the access token, though nobody has said that it need not be, or that one is asked for later. */
function isLostAtItsEnd({ refresh, token, incrementalScopes }: ResolvedOAuthProvider, kept: KeptTokens): boolean {
  const isLater = incrementalScopes?.includes('offline_access') === true
  const isMeant = refresh !== false && token.request === undefined && !isLater
  return isMeant && kept.refresh_token === undefined && kept.expires_at !== undefined
}

function noRefreshToken({ id, type, authorization: { params } }: ResolvedOAuthProvider): string {
  const isAsked = scopesOf(params.scope).includes('offline_access')
  const advice =
    type === 'oidc' && isAsked && params.prompt === undefined
      ? 'Add `prompt: "consent"` to its `authorization.params`: without it providers ignore the scope `offline_access`.'
      : 'Ask for a refresh token as it wants it, in `authorization.params`; often by the scope `offline_access` with `prompt: "consent"`.'
  return `"${id}" gave an access token that ends, and nothing to renew it with: people have to agree again then. ${advice} If that is meant, set its \`refresh: false\`.`
}

/** Binds what the browser has to the session that took the place of its last one. */
export async function adoptTokens(context: AuthContext, holder: TokenHolder): Promise<void> {
  if (context.config.tokens?.store !== 'cookie') return
  const { CookieTokens } = await loadVault()
  await new CookieTokens(context, holder).adopt()
}

/** Drops what the browser has, after a sign-out. What is in a store stays: jobs use it. */
export async function dropTokens(context: AuthContext): Promise<void> {
  if (context.config.tokens?.store !== 'cookie') return
  const { clearTokens } = await loadVault()
  clearTokens(context)
}

/**
 * Removes what is stored of an account that is unlinked. Tokens in a cookie stay until the session ends, for nobody's use but this
 * person's.
 */
export async function forgetTokens(config: ResolvedConfig, owner: TokenOwner): Promise<void> {
  if (!config.tokens || config.tokens.store === 'cookie') return
  const { vaultOf } = await loadVault()
  await vaultOf(config).rows.remove(owner, owner.userId)
}
