/** The account of an OAuth or OpenID Connect provider, as it is stored. */

import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'
import type { AdapterAccount } from '../types/adapter.js'
import type { Attempt } from './attempt.js'

/** What the provider's `account` chooses of the tokens, and whose it is. */
export function oauthAccount(attempt: Attempt, userId: string): AdapterAccount {
  const { provider, providerAccountId, type, userId: _userId, ...tokens } = attempt.identity.account
  const chosen = Object.entries(oauthProviderOf(attempt).account(tokens)).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(chosen), provider, providerAccountId, type, userId }
}

/** The provider of the attempt. */
export function oauthProviderOf({ context, identity }: Attempt): ResolvedOAuthProvider {
  const provider = context.config.providers.get(identity.account.provider)
  if (provider?.kind === 'oauth') return provider
  throw new InvalidProvider('The account is of no OAuth provider of the configuration.')
}
