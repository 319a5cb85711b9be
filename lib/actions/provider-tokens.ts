/** Provider tokens at the beginning and the end of a session, where the option `tokens` keeps them. */
import { lazily } from '../base/lazily.js'
import type { AuthContext, Identity, ResolvedConfig, SignedIn } from '../contracts/index.js'
import type { KeptTokens, TokenOwner, Vault } from '../vault/index.js'

/** Loaded where `tokens` is set, and nowhere else. */
export const loadVault = lazily('Keeping provider tokens', () => import('../vault/index.js'))

/**
 * Whose provider tokens a session uses that begins now without a stored user: the account itself is the user. `undefined` where one is
 * stored, and where there are none.
 */
export function tokensOf({ config }: AuthContext, { account, user }: Identity, signedIn: SignedIn): string | undefined {
  const isProviders = account.type === 'oauth' || account.type === 'oidc'
  return config.tokens && isProviders && signedIn.isNewUser === undefined ? user.id : undefined
}

/**
 * Stores what the provider gave, before the session begins: where that fails, nobody is signed in. Resolves to what is there then.
 *
 * @throws {@link AdapterError}
 */
export async function storeTokens(
  context: AuthContext,
  identity: Identity,
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
  identity: Identity,
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

async function keep(
  vault: Vault,
  { account, tokenKey: key }: Identity,
  { context, userId }: { context: AuthContext; userId: string | undefined },
): Promise<KeptTokens | undefined> {
  const provider = context.config.providers.get(account.provider)
  if (provider?.kind !== 'oauth' || account.type === 'application' || userId === undefined) return undefined
  const { keepTokens } = await loadVault()
  const { providerAccountId } = account
  return keepTokens(vault, { provider: provider.id, providerAccountId, userId }, { tokens: account, provider, key })
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
