/** The option `logout` of a provider: sign-outs there and here. */

import { rejectOption } from '../../config/reject-option.js'
import { boolean, type Check, nonEmptyText, oneOf, shape } from '../../config/shape.js'
import type { ResolvedConfig, ResolvedOAuthProvider, ResolvedProvider, Revocations } from '../../contracts/index.js'
import type { ProviderLogoutOptions } from '../../types/provider.js'

/** The check of the option. */
export const logoutShape = shape({
  rpInitiated: oneOf('never', 'ask', 'always'),
  backchannel: boolean,
  frontchannel: boolean,
  revokeTokens: boolean,
  url: nonEmptyText,
} satisfies Record<keyof ProviderLogoutOptions, Check<unknown>>)

/** Resolves the option. Plain OAuth 2 has no sessions at the provider, so users cannot be signed out there. */
export function resolveLogout(
  { id, type }: Pick<ResolvedOAuthProvider, 'id' | 'type'>,
  options: ReturnType<typeof logoutShape>,
): ResolvedOAuthProvider['logout'] {
  const isOidc = type === 'oidc'
  const set = Object.entries(options).find(([, value]) => value !== false && value !== 'never')
  if (!isOidc && set) {
    rejectOption(
      `providers.${id}.logout.${set[0]}`,
      'is for OpenID Connect (`type: "oidc"`): OAuth 2.0 has no sign-out.',
    )
  }
  const {
    backchannel = false,
    frontchannel = false,
    revokeTokens = false,
    rpInitiated = isOidc ? 'ask' : 'never',
  } = options
  return Object.freeze({ ...options, backchannel, frontchannel, revokeTokens, rpInitiated })
}

/** The session options that decide whether a provider may end sessions. */
export interface ReceivingSession {
  readonly strategy: ResolvedConfig['session']['strategy']
  /** The store of ended JWT sessions. */
  readonly revocation: Pick<Revocations, 'canRestrictFrames'> | undefined
}

/**
 * Checks whether a provider may end database sessions. JWT sessions can only be ended by a provider with a store of
 * ended sessions.
 */
export function receivesLogouts(
  providers: ReadonlyMap<string, ResolvedProvider>,
  { strategy, revocation }: ReceivingSession,
): boolean {
  for (const provider of providers.values()) {
    if (provider.kind !== 'oauth') continue
    const option = (['backchannel', 'frontchannel'] as const).find((name) => provider.logout[name])
    if (option === undefined) continue
    if (strategy === 'database') return true
    if (revocation && provider.logout.frontchannel && !revocation.canRestrictFrames) {
      rejectOption(
        `providers.${provider.id}.logout.frontchannel`,
        'needs a store with `list` and `listed`, to distinguish your sessions from invented names. Add both methods to the store of `session.revocation`, or remove the option.',
      )
    }
    if (revocation) continue
    rejectOption(
      `providers.${provider.id}.logout.${option}`,
      'needs sessions that can be ended by the server. Set `session.revocation`, or an `adapter` and `session: { strategy: "database" }`, or remove the option.',
    )
  }
  return false
}
