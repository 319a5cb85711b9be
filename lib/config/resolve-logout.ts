/** The option `logout` of a provider: what a sign-out means there and here. */

import type { ResolvedOAuthProvider } from '../contracts/index.js'
import type { ProviderLogoutOptions } from '../types/provider.js'
import { refuse } from './refusal.js'
import { type Check, oneOf, shape, text } from './shape.js'

/** The option. */
export const logoutShape = shape({
  rpInitiated: oneOf('never', 'ask', 'always'),
  url: text,
} satisfies Record<keyof ProviderLogoutOptions, Check<unknown>>)

/** With its defaults. Plain OAuth 2 knows no sessions at the provider, so nobody can be signed out there. */
export function resolveLogout(
  { id, type }: Pick<ResolvedOAuthProvider, 'id' | 'type'>,
  options: ReturnType<typeof logoutShape>,
): ResolvedOAuthProvider['logout'] {
  const isOidc = type === 'oidc'
  const set = Object.keys(options).find((name) => name !== 'rpInitiated' || options.rpInitiated !== 'never')
  if (!isOidc && set !== undefined) {
    refuse(`providers.${id}.logout.${set}`, 'is for OpenID Connect (`type: "oidc"`): OAuth 2.0 has no sign-out.')
  }
  return Object.freeze({ ...options, rpInitiated: options.rpInitiated ?? (isOidc ? 'ask' : 'never') })
}
