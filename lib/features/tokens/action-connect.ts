/**
 * The endpoint `GET signin/:provider?connect=…`: the signed-in user connects an account, or grants more scopes.
 *
 * The application's code made the URL for this session (`connectUrl`), so it leads straight to the provider. The
 * session continues in any case.
 */

import { confirmationResponse } from '../../actions/confirmation-page.js'
import { canonicalUrl, requestedProvider } from '../../actions/requested-provider.js'
import { attachAccount } from '../../actions/sign-in-pipeline.js'
import { readCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, Connection, Identity, ResolvedOAuthProvider, TokenHolder } from '../../contracts/index.js'
import { ConsentRequired, InvalidCheck, OAuthAccountNotLinked } from '../../errors.js'
import { oauthTokens } from '../../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { renderConnect } from '../../pages/index.js'
import { isFromOwnPage, mayLink } from '../../users/linking.js'
import { removeLateRecords } from '../deletion/store.js'
import type { KeptTokens } from './entry.js'
import { checkTokenRoom, loadVault, setBrowserTokens, storeTokens } from './steps.js'

/** Returns the text that `auth.tokens.connectUrl` sealed; `undefined` for a sign-in. */
export function sealedConnectionIn({ config, request }: AuthContext): string | undefined {
  const { connect: posted } = request.body
  if (!config.tokens) return undefined
  return request.url.searchParams.get('connect') ?? (typeof posted === 'string' ? posted : undefined)
}

/** Sends the user to the provider. @throws {@link InvalidCheck} in another session, and for an expired URL. */
export async function startConnection(context: AuthContext, sealed: string): Promise<AuthResponse> {
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const provider = requestedProvider(context)
  const { openConnection } = await loadVault()
  const asked = await openConnection(sealed, context.config.secrets)
  if (provider?.kind !== 'oauth' || asked?.connection.provider !== provider.id) {
    throw new InvalidCheck('The URL to connect an account is too old, or of another application.')
  }
  await requireConnectionHolder(context, asked.connection)
  // Link checkers and prefetching begin nothing.
  if (context.request.method === 'HEAD') return { kind: 'empty', status: 200 }
  const callbackUrl = await readCallbackUrl(context)
  if (!isInitiatedByUser(context, asked.connection))
    return renderConnectConfirmation(context, provider, { sealed, callbackUrl })
  return oauthTokens.startConnection(context, provider, callbackUrl, asked)
}

/**
 * Checks whether the user themselves wants to link an account, if that can happen here.
 *
 * A guard sends users to the provider, even from a page of another site. If that site has signed the browser in at the
 * provider as the attacker, the attacker's account would become a sign-in method of this user.
 */
function isInitiatedByUser(context: AuthContext, { isOwn = false }: Connection): boolean {
  if (!context.config.store || isOwn) return true
  return context.request.method === 'POST' ? mayLink(context) : isFromOwnPage(context)
}

/** Renders the page that asks for confirmation. Its form is from this site. */
function renderConnectConfirmation(
  context: AuthContext,
  { id, name: provider }: ResolvedOAuthProvider,
  { sealed: sealedConnection, callbackUrl }: { sealed: string; callbackUrl: SafeRedirect },
): Promise<AuthResponse> {
  const action = context.urls.endpoint('signin', id)
  const fields = { callbackUrl, connect: sealedConnection }
  const asked = { kind: 'connect', canConfirm: true, action, provider, fields } as const
  return confirmationResponse(context, asked, (page) =>
    renderConnect({ ...page, action, callbackUrl, sealedConnection, provider }),
  )
}

/** Completes a connection: stores the tokens, and links the account if it is new. */
export async function completeConnection(
  context: AuthContext,
  { identity, connection }: { identity: Identity; connection: Connection },
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const holder = await requireConnectionHolder(context, connection)
  const { account } = identity
  const { providerAccountId = account.providerAccountId } = connection
  if (account.providerAccountId !== providerAccountId) throw new ConsentRequired(connection.provider, 'account')
  if (!context.config.store && identity.user.id !== holder.userId) {
    const err = new Error('without an adapter, only the account of the sign-in can be connected')
    throw new ConsentRequired(connection.provider, 'account', { err })
  }
  const { userId, id: sid } = holder
  // Before the account is linked, because a link cannot be undone.
  await checkTokenRoom(context, identity, { userId, sid })
  const signedIn = await attachAccount(context, { identity, sessionOptions: {}, to: callbackUrl })
  if (typeof signedIn === 'string') return { kind: 'redirect', to: signedIn }
  if (signedIn.user.id !== holder.userId) {
    throw new OAuthAccountNotLinked('The account belongs to another user than the one who is signed in.')
  }
  const stored = await storeTokens(context, identity, userId)
  await removeLateRecords(context.config, userId)
  const tokens = stored ?? (await setBrowserTokens(context, identity, { userId, sid }))
  await assertConnected(context, connection, tokens ?? {})
  return { kind: 'redirect', to: callbackUrl }
}

/** Returns the session. @throws {@link InvalidCheck} if the connection is for another one. */
async function requireConnectionHolder(context: AuthContext, { holder: expected }: Connection): Promise<TokenHolder> {
  const holder = (await context.sessions.read(context, { writable: false }))?.holder
  if (holder?.userId === expected.userId && holder.id === expected.id) return holder
  throw new InvalidCheck(
    'The session in which the account should be connected has ended or was replaced. Start the connection again.',
  )
}

/** Checks that the provider granted enough. Otherwise a guard would send the user there again and again. */
async function assertConnected(
  context: AuthContext,
  { provider, needed: scope }: Connection,
  tokens: KeptTokens,
): Promise<void> {
  const { consentReasonFor } = await loadVault()
  const reason = consentReasonFor(tokens, { minTtl: 0, scope, canRefresh: isRenewable(context, provider) })
  if (reason !== undefined) throw new ConsentRequired(provider, reason)
}

/** Checks whether tokens can be refreshed. A provider with a custom token request can only exchange codes. */
function isRenewable({ config }: AuthContext, id: string): boolean {
  const provider = config.providers.get(id)
  return provider?.kind === 'oauth' && provider.refresh !== false && provider.token.request === undefined
}
