/** The vault of a call, and its user. Loaded at the first call. */

import type { DoorRequest } from '../../calls/call.js'
import type { ResolvedOAuthProvider, TokenHolder } from '../../contracts/index.js'
import { type AuthEngine, visitorOf } from '../../engine/auth.js'
import { NotConnected } from '../../errors.js'
import type { OwnerCall } from '../../functions/run.js'
import { clearAttemptsUnseen } from '../../http/cookie-budget.js'
import type { OpenResponse } from '../../http/response.js'
import { toFound } from '../../session/reader.js'
import type { Awaitable } from '../../types/identity.js'
import { type Vault, vaultOf } from './entry.js'
import { requireOAuthProvider } from './settings.js'

/** The vault of a user. */
export interface VaultCall {
  readonly auth: AuthEngine
  readonly vault: Vault
  readonly provider: ResolvedOAuthProvider
  readonly userId: string
  /** Absent in a job. */
  readonly holder?: TokenHolder
  /** Sends changes to the browser, if it keeps the tokens. */
  commit(): Awaitable<void>
}

/** Returns the vault of a call. @throws {@link NotConnected} if no user is signed in. */
export async function vaultCallOf({ auth, of }: OwnerCall, providerId: string): Promise<VaultCall> {
  const provider = requireOAuthProvider(auth.config, providerId)
  // A request of the application may have a property of that name.
  if (!('headers' in of)) {
    if (typeof of.userId !== 'string' || of.userId === '')
      throw new TypeError('`userId` must be the id of a stored user, as text.')
    return { auth, provider, vault: vaultOf(auth.config), userId: of.userId, commit: () => {} }
  }
  const isCookie = auth.config.tokens?.store === 'cookie'
  // Reports an invalid configuration before anything is read.
  if (!isCookie) vaultOf(auth.config)
  const { reading } = await toFound(auth.readingOf(of))
  const holder = reading?.holder
  if (!holder) throw new NotConnected(provider.id, 'session')
  const { userId } = holder
  if (!isCookie) return { auth, provider, vault: vaultOf(auth.config), userId, holder, commit: () => {} }
  const context = auth.cookieContext(visitorOf(of))
  const keep = of.keepCookies ?? cookieWriterOf(auth, of.res)
  const vault = vaultOf(auth.config, { context, holder, writable: keep !== undefined })
  const commit = () => {
    clearAttemptsUnseen(context.cookies, context.cookiePolicy, auth.config.basePath || '/')
    return context.cookies.written.size > 0 ? keep?.(() => context.cookies.written) : undefined
  }
  return { auth, provider, vault, userId, holder, commit }
}

function cookieWriterOf(auth: AuthEngine, response: unknown): DoorRequest['keepCookies'] {
  return isOpenResponse(response) ? (cookies) => auth.writeCookiesLater(response, cookies) : undefined
}

function isOpenResponse(value: unknown): value is OpenResponse {
  return (
    typeof value === 'object' &&
    value !== null &&
    'setHeader' in value &&
    'writeHead' in value &&
    !('headersSent' in value && value.headersSent === true)
  )
}
