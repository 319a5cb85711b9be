/** Provider tokens at the beginning and the end of a session, if the option `tokens` is set. */

import type { StepOf } from '../../actions/sign-in-stages.js'
import { scopesOf } from '../../base/authorization-request.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import { warnOnce } from '../../base/warn-once.js'
import type {
  AuthContext,
  Identity,
  ResolvedConfig,
  ResolvedOAuthProvider,
  TokenHolder,
} from '../../contracts/index.js'
import { sessionIdOf } from '../../session/browser.js'
import type { KeptTokens, TokenOwner, Vault } from './entry.js'

/** Loads the vault, if `tokens` is set. */
export const loadVault = createLazyLoader('Keeping provider tokens', () => import('./entry.js'))

/**
 * Checks the room in the browser, and stores the provider's tokens, before the session begins. An error prevents the
 * sign-in. The tokens of a user who is not stored are kept under the account's id.
 */
export const providerTokensStep: StepOf<'tokens'> = {
  name: 'provider tokens',
  stage: 'tokens',
  async run({ context, undo, identity, signedIn, owner }) {
    const { type } = identity.account
    const userId = owner ?? (type === 'oauth' || type === 'oidc' ? signedIn.user.id : undefined)
    undo(() => context.cookies.reserve())
    // The session and the tokens share the room in the browser. Both must fit before either is written.
    context.cookies.reserve(await checkTokenRoom(context, identity, { userId, sid: sessionIdOf('') }))
    await storeTokens(context, identity, userId)
    return { owner: userId }
  },
}

/** Binds the tokens in the browser to the session that has begun. */
export const browserTokensStep: StepOf<'after'> = {
  name: 'provider tokens in the browser',
  stage: 'after',
  async run({ context, owner: userId, sid, signIn }) {
    context.cookies.reserve()
    if (signIn) await setBrowserTokens(context, signIn.identity, { userId, sid })
    else if (userId !== undefined) await adoptBrowserTokens(context, { userId, id: sid })
    return undefined
  },
}

/**
 * Calls a function if tokens are kept in the `cookie`, or in a `store`. Otherwise resolves to `undefined`, and loads
 * nothing.
 */
async function useVaultOf<T>(
  { tokens }: ResolvedConfig,
  vaultCall: 'cookie' | 'store',
  use: (vault: Awaited<ReturnType<typeof loadVault>>) => T | Promise<T>,
): Promise<T | undefined> {
  return tokens && (tokens.store === 'cookie') === (vaultCall === 'cookie') ? use(await loadVault()) : undefined
}

/** The session that the tokens belong to. */
interface TokenTarget {
  readonly userId: string | undefined
  readonly sid: string
}

/** The parts of an identity that are kept. */
type TokenSource = Pick<Identity, 'account' | 'tokenKey'>

/**
 * Stores the provider's tokens before the session begins, and returns the stored ones. An error prevents the sign-in.
 *
 * @throws {@link AdapterError}
 */
export function storeTokens(context: AuthContext, identity: TokenSource, userId: string | undefined) {
  const { config } = context
  return useVaultOf(config, 'store', ({ vaultOf }) =>
    storeIdentityTokens(vaultOf(config), identity, { context, userId }),
  )
}

/**
 * Stores the provider's tokens in the browser, bound to the session that has begun. Tokens of another user are removed.
 */
export function setBrowserTokens(context: AuthContext, identity: TokenSource, { userId, sid }: TokenTarget) {
  const { config } = context
  return useVaultOf(config, 'cookie', async ({ CookieTokens, clearTokens, vaultOf }) => {
    if (userId === undefined) {
      clearTokens(context)
      return undefined
    }
    const holder = { userId, id: sid }
    await new CookieTokens(context, holder).adopt()
    return storeIdentityTokens(vaultOf(config, { context, holder, writable: true }), identity, { context, userId })
  })
}

/**
 * Checks whether {@link setBrowserTokens} will fit, before anything is written.
 *
 * @returns The bytes to reserve; `undefined` if no tokens are kept in the browser.
 * @throws {@link SessionTooLarge} {@link TooManyCookies}
 */
export function checkTokenRoom(context: AuthContext, identity: TokenSource, { userId, sid }: TokenTarget) {
  const { config } = context
  return useVaultOf(config, 'cookie', async ({ CookieTokens, vaultOf }) => {
    const holder = { userId: userId ?? '', id: sid }
    const records = await new CookieTokens(context, holder).rehearse()
    await storeIdentityTokens({ ...vaultOf(config, { context, holder, writable: true }), records }, identity, {
      context,
      userId,
    })
    return records.assertBudget()
  })
}

async function storeIdentityTokens(
  vault: Vault,
  { account, tokenKey: key }: TokenSource,
  { context, userId }: { context: AuthContext; userId: string | undefined },
): Promise<KeptTokens | undefined> {
  const provider = context.config.providers.get(account.provider)
  if (provider?.kind !== 'oauth' || account.type === 'application' || userId === undefined) return undefined
  const { storeSignInTokens } = await loadVault()
  const { providerAccountId } = account
  const owner = { provider: provider.id, providerAccountId, userId }
  const kept = await storeSignInTokens(vault, owner, { tokens: account, provider, key })
  if (lacksRefreshToken(provider, kept)) {
    warnOnce(context.config, 'no-refresh-token', refreshTokenAdvice(provider), provider.id)
  }
  return kept
}

/**
 * Checks whether the access token expires without a refresh token, although the configuration does not say that this is
 * intended.
 */
function lacksRefreshToken({ refresh, token, incrementalScopes }: ResolvedOAuthProvider, kept: KeptTokens): boolean {
  const isLater = incrementalScopes?.includes('offline_access') === true
  const isMeant = refresh !== false && token.request === undefined && !isLater
  return isMeant && kept.refresh_token === undefined && kept.expires_at !== undefined
}

function refreshTokenAdvice({ id, type, authorization: { params } }: ResolvedOAuthProvider): string {
  const isAsked = scopesOf(params.scope).includes('offline_access')
  const advice =
    type === 'oidc' && isAsked && params.prompt === undefined
      ? 'Add `prompt: "consent"` to its `authorization.params`: without it providers ignore the scope `offline_access`.'
      : 'Request a refresh token in `authorization.params`, often with the scope `offline_access` and `prompt: "consent"`.'
  return `"${id}" returned an access token that expires and no refresh token, so users have to consent again. ${advice} If this is intended, set its \`refresh: false\`.`
}

async function adoptBrowserTokens(context: AuthContext, holder: TokenHolder): Promise<void> {
  await useVaultOf(context.config, 'cookie', ({ CookieTokens }) => new CookieTokens(context, holder).adopt())
}

/** Removes the tokens in the browser, after a sign-out. Tokens in a store are kept, because jobs use them. */
export async function clearBrowserTokens(context: AuthContext): Promise<void> {
  await useVaultOf(context.config, 'cookie', ({ clearTokens }) => clearTokens(context))
}

/**
 * Removes the stored tokens of an account that is unlinked. Tokens in a cookie stay until the session ends; only this
 * user can use them.
 */
export async function removeStoredTokens(config: ResolvedConfig, owner: TokenOwner): Promise<void> {
  await useVaultOf(config, 'store', ({ vaultOf }) => vaultOf(config).records.remove(owner))
}
