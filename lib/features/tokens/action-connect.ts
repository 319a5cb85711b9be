/**
 * `GET signin/:provider?connect=…`: who is signed in connects an account, or lets us do more with it. The application's code made the
 * URL for this very session (`connectUrl`), so it leads straight to the provider. The session goes on, whatever comes of it.
 */

import { questionResponse } from '../../actions/question-page.js'
import { canonicalUrl, requestedProvider } from '../../actions/request.js'
import { attachAccount } from '../../actions/sign-in-pipeline.js'
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, Connection, Identity, ResolvedOAuthProvider, TokenHolder } from '../../contracts/index.js'
import { ConsentRequired, InvalidCheck, OAuthAccountNotLinked } from '../../errors.js'
import { oauthTokens } from '../../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { renderConnect } from '../../pages/index.js'
import { isFromOwnPage, mayLink } from '../../users/linking.js'
import type { KeptTokens } from './entry.js'
import { loadVault, roomForTokens, setTokens, storeTokens } from './steps.js'

/** The text that `auth.tokens.connectUrl` sealed; `undefined` where this is a sign-in. */
export function connectionIn({ config, request }: AuthContext): string | undefined {
  const { connect: posted } = request.body
  if (!config.tokens) return undefined
  return request.url.searchParams.get('connect') ?? (typeof posted === 'string' ? posted : undefined)
}

/** Sends the person to the provider. @throws {@link InvalidCheck} in another session, and where the URL is too old. */
export async function connect(context: AuthContext, sealed: string): Promise<AuthResponse> {
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const provider = requestedProvider(context)
  const { openConnection } = await loadVault()
  const asked = await openConnection(sealed, context.config.secrets)
  if (provider?.kind !== 'oauth' || asked?.connection.provider !== provider.id) {
    throw new InvalidCheck('The URL to connect an account is too old, or of another application.')
  }
  await holderOf(context, asked.connection)
  // Whoever checks links, or loads them beforehand, begins nothing.
  if (context.request.method === 'HEAD') return { kind: 'empty', status: 200 }
  const callbackUrl = await readCallbackUrl(context)
  if (!isOwnWish(context, asked.connection)) return ask(context, provider, { sealed, callbackUrl })
  return oauthTokens.beginConnection(context, provider, callbackUrl, asked)
}

/**
 * Whether the person wants an account to become theirs, as far as that can happen here. A guard sends whoever comes on to the provider,
 * also from the page of another site. Where that has signed the browser in at the provider as the attacker before, the attacker's
 * account would become a way into this user.
 */
function isOwnWish(context: AuthContext, { isOwn = false }: Connection): boolean {
  if (!context.config.store || isOwn) return true
  return context.request.method === 'POST' ? mayLink(context) : isFromOwnPage(context)
}

/** The page that asks. Its form is one of the own site. */
function ask(
  context: AuthContext,
  { id, name: provider }: ResolvedOAuthProvider,
  { sealed, callbackUrl }: { sealed: string; callbackUrl: SafeRedirect },
): Promise<AuthResponse> {
  const action = context.urls.endpoint('signin', id)
  const fields = { callbackUrl, connect: sealed }
  const asked = { kind: 'connect', canConfirm: true, action, provider, fields } as const
  return questionResponse(context, asked, (page) => renderConnect({ ...page, action, callbackUrl, sealed, provider }))
}

/** The person is back. Stores the tokens, and links the account where it is new. */
export async function completeConnection(
  context: AuthContext,
  { identity, connection }: { identity: Identity; connection: Connection },
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const holder = await holderOf(context, connection)
  const { account } = identity
  const { providerAccountId = account.providerAccountId } = connection
  if (account.providerAccountId !== providerAccountId) throw new ConsentRequired(connection.provider, 'account')
  if (!context.config.store && identity.user.id !== holder.userId) {
    const err = new Error('without an adapter, only the account can be connected by which the person signed in')
    throw new ConsentRequired(connection.provider, 'account', { err })
  }
  const { userId, id: sid } = holder
  // Before the account is linked, which would stay.
  await roomForTokens(context, identity, { userId, sid })
  const signedIn = await attachAccount(context, { identity, wish: {}, to: callbackUrl })
  if (typeof signedIn === 'string') return { kind: 'redirect', to: signedIn }
  if (signedIn.user.id !== holder.userId) {
    throw new OAuthAccountNotLinked('The account belongs to another user than the one who is signed in.')
  }
  const stored = await storeTokens(context, identity, userId)
  const tokens = stored ?? (await setTokens(context, identity, { userId, sid }))
  await assertConnected(context, connection, tokens ?? {})
  return { kind: 'redirect', to: callbackUrl }
}

/** Whose session it is. @throws {@link InvalidCheck} where it is not the one that the connection is for. */
async function holderOf(context: AuthContext, { holder: expected }: Connection): Promise<TokenHolder> {
  const holder = (await context.sessions.read(context, { writable: false }))?.holder
  if (holder?.userId === expected.userId && holder.id === expected.id) return holder
  throw new InvalidCheck('The account was to be connected in a session that has ended, or is another one by now.')
}

/** Where the provider gave less than was asked for, a guard would send the person there again and again. */
async function assertConnected(
  context: AuthContext,
  { provider, needed: scope }: Connection,
  tokens: KeptTokens,
): Promise<void> {
  const { consentFor } = await loadVault()
  const reason = consentFor(tokens, { minTtl: 0, scope, canRefresh: isRenewable(context, provider) })
  if (reason !== undefined) throw new ConsentRequired(provider, reason)
}

/** A provider with a request of its own knows how to exchange codes, and nothing else. */
function isRenewable({ config }: AuthContext, id: string): boolean {
  const provider = config.providers.get(id)
  return provider?.kind === 'oauth' && provider.refresh !== false && provider.token.request === undefined
}
