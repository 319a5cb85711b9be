/** Whose tokens are meant, and where they are kept: loaded at the first call. */
import type { ResolvedOAuthProvider, TokenHolder } from '../contracts/index.js'
import { type Auth, type CallEffect, sharedAuthOf } from '../engine/index.js'
import { NotConnected } from '../errors.js'
import type { SessionRequest } from '../get-session.js'
import { makeRoomUnseen } from '../http/cookie-budget.js'
import { header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import type { OpenResponse } from '../http/response.js'
import type { ServerAuthConfig } from '../types/config.js'
import type { TokensOfUser } from '../types/tokens.js'
import { type Vault, vaultOf } from '../vault/index.js'
import { oauthProvider } from '../vault/option.js'

/** A request whose answer is made elsewhere. */
export interface TokenRequest extends SessionRequest {
  /** Sets cookies on its answer; absent where none can be set, and with Express, where the request has its response. */
  readonly keepCookies?: ((cookies: () => ReadonlyMap<string, string>) => void) | undefined
}

/** A person's vault. */
export interface Place {
  readonly auth: Auth
  readonly vault: Vault
  readonly provider: ResolvedOAuthProvider
  readonly userId: string
  /** Absent in a job. */
  readonly holder?: TokenHolder
  /** Sends what was changed to the browser, where that keeps the tokens. */
  commit(): void
}

/** @throws {@link NotConnected} when nobody is signed in; {@link MissingCSRF} for a change that a page of another site may have caused. */
export async function placeOf(
  of: TokenRequest | TokensOfUser,
  config: ServerAuthConfig,
  { provider: providerId, effect }: { readonly provider: string; readonly effect: CallEffect },
): Promise<Place> {
  const auth = sharedAuthOf(config)
  if (typeof of !== 'object' || of === null) throw new TypeError('Whose tokens? Give the request, or { userId }.')
  const provider = oauthProvider(auth.config, providerId)
  // A request of the application's may have a property of that name.
  if (!('headers' in of)) {
    if (typeof of.userId !== 'string' || of.userId === '')
      throw new TypeError('Whose tokens? `userId` is the id of a stored user, a text.')
    return { auth, provider, vault: vaultOf(auth.config), userId: of.userId, commit: () => {} }
  }
  const isCookie = auth.config.tokens?.store === 'cookie'
  const source = { cookie: header(of.headers, 'cookie'), origin: readOrigin(of) }
  auth.assertCall({ ...source, headers: of.headers }, effect)
  // Before anything is read, what is wrong with the configuration.
  if (!isCookie) vaultOf(auth.config)
  await auth.readRequest(of)
  const holder = auth.readingOf(of)?.holder
  if (!holder) throw new NotConnected(provider.id, 'session')
  const { userId } = holder
  if (!isCookie) return { auth, provider, vault: vaultOf(auth.config), userId, holder, commit: () => {} }
  const context = auth.cookiesOf(source)
  const keep = of.keepCookies ?? keeperOf(auth, of.res)
  const vault = vaultOf(auth.config, { context, holder, writable: keep !== undefined })
  const commit = () => {
    makeRoomUnseen(context.cookies, context.cookiePolicy, auth.config.basePath || '/')
    if (context.cookies.written.size > 0) keep?.(() => context.cookies.written)
  }
  return { auth, provider, vault, userId, holder, commit }
}

function keeperOf(auth: Auth, response: unknown): TokenRequest['keepCookies'] {
  return isOpen(response) ? (cookies) => auth.writeLater(response, cookies) : undefined
}

function isOpen(value: unknown): value is OpenResponse {
  return (
    typeof value === 'object' &&
    value !== null &&
    'setHeader' in value &&
    'writeHead' in value &&
    !('headersSent' in value && value.headersSent === true)
  )
}
