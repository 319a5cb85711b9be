/** Provider tokens at the beginning and the end of a session, where the option `tokens` keeps them. */

import type { StepOf } from '../../actions/sign-in-stages.js'
import { scopesOf } from '../../base/authorization-request.js'
import { lazily } from '../../base/lazily.js'
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

/** Loaded where `tokens` is set, and nowhere else. */
export const loadVault = lazily('Keeping provider tokens', () => import('./entry.js'))

/**
 * Checks the room of the browser, and stores the tokens of the provider, before the session begins: where that fails, nobody is signed in.
 * The tokens of a user who is not stored are kept under the id of the account.
 */
export const providerTokens: StepOf<'tokens'> = {
  name: 'provider tokens',
  stage: 'tokens',
  async run({ context, undo, identity, signedIn, owner }) {
    const { type } = identity.account
    const userId = owner ?? (type === 'oauth' || type === 'oidc' ? signedIn.user.id : undefined)
    undo(() => context.cookies.reserve())
    // The session and the tokens share the room in the browser: whether both fit is known before either is written.
    context.cookies.reserve(await roomForTokens(context, identity, { userId, sid: sessionIdOf('') }))
    await storeTokens(context, identity, userId)
    return { owner: userId }
  },
}

/** Binds the tokens in the browser to the session that has begun. */
export const browserTokens: StepOf<'after'> = {
  name: 'provider tokens in the browser',
  stage: 'after',
  async run({ context, owner: userId, sid, signIn }) {
    context.cookies.reserve()
    if (signIn) await setTokens(context, signIn.identity, { userId, sid })
    else if (userId !== undefined) await adoptTokens(context, { userId, id: sid })
    return undefined
  },
}

/** Runs something where tokens are kept in the `cookie`, or in a `store`. Resolves to `undefined` elsewhere, and loads nothing. */
async function keptIn<T>(
  { tokens }: ResolvedConfig,
  place: 'cookie' | 'store',
  use: (vault: Awaited<ReturnType<typeof loadVault>>) => T | Promise<T>,
): Promise<T | undefined> {
  return tokens && (tokens.store === 'cookie') === (place === 'cookie') ? use(await loadVault()) : undefined
}

/** The session that the tokens are of. */
interface Target {
  readonly userId: string | undefined
  readonly sid: string
}

/** What of an identity is kept. */
type TokenBringer = Pick<Identity, 'account' | 'tokenKey'>

/**
 * Stores what the provider gave, before the session begins: where that fails, nobody is signed in. Resolves to what is there then.
 *
 * @throws {@link AdapterError}
 */
export function storeTokens(context: AuthContext, identity: TokenBringer, userId: string | undefined) {
  const { config } = context
  return keptIn(config, 'store', ({ vaultOf }) => keep(vaultOf(config), identity, { context, userId }))
}

/** The same where they are kept in the browser: bound to the session that has begun. Another user's are dropped. */
export function setTokens(context: AuthContext, identity: TokenBringer, { userId, sid }: Target) {
  const { config } = context
  return keptIn(config, 'cookie', async ({ CookieTokens, clearTokens, vaultOf }) => {
    if (userId === undefined) {
      clearTokens(context)
      return undefined
    }
    const holder = { userId, id: sid }
    await new CookieTokens(context, holder).adopt()
    return keep(vaultOf(config, { context, holder, writable: true }), identity, { context, userId })
  })
}

/**
 * Checks whether {@link setTokens} will fit, before anything is written.
 *
 * @returns The bytes to reserve; nothing where no tokens are kept in the browser.
 * @throws {@link SessionTooLarge} {@link TooManyCookies}
 */
export function roomForTokens(context: AuthContext, identity: TokenBringer, { userId, sid }: Target) {
  const { config } = context
  return keptIn(config, 'cookie', async ({ CookieTokens, vaultOf }) => {
    const holder = { userId: userId ?? '', id: sid }
    const rows = await new CookieTokens(context, holder).rehearse()
    await keep({ ...vaultOf(config, { context, holder, writable: true }), rows }, identity, { context, userId })
    return rows.assertBudget()
  })
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

async function adoptTokens(context: AuthContext, holder: TokenHolder): Promise<void> {
  await keptIn(context.config, 'cookie', ({ CookieTokens }) => new CookieTokens(context, holder).adopt())
}

/** Drops what the browser has, after a sign-out. What is in a store stays: jobs use it. */
export async function dropTokens(context: AuthContext): Promise<void> {
  await keptIn(context.config, 'cookie', ({ clearTokens }) => clearTokens(context))
}

/**
 * Removes what is stored of an account that is unlinked. Tokens in a cookie stay until the session ends, for nobody's use but this
 * person's.
 */
export async function forgetTokens(config: ResolvedConfig, owner: TokenOwner): Promise<void> {
  await keptIn(config, 'store', ({ vaultOf }) => vaultOf(config).rows.remove(owner))
}
