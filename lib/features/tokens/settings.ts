/** Reads the configuration for calls about tokens: the option `tokens`, and the named provider and scope. */
import { scopesOf } from '../../base/authorization-request.js'
import type { ResolvedConfig, ResolvedOAuthProvider, ResolvedTokens } from '../../contracts/index.js'
import { InvalidConfiguration, InvalidProvider } from '../../errors.js'

/** Returns the option `tokens`. @throws {@link InvalidConfiguration} without it. */
export function requireTokensOption({ tokens }: ResolvedConfig): ResolvedTokens {
  if (tokens) return tokens
  throw new InvalidConfiguration(
    'Provider tokens are not stored. Set `tokens` to `{ store: true }` with one of our adapters, to `{ store: sqlStore(db) }` with another database, or to `{ store: "cookie" }` without one.',
  )
}

/** Returns a provider of OAuth or OpenID Connect. @throws {@link InvalidProvider} if none has the id. */
export function requireOAuthProvider({ providers }: ResolvedConfig, id: string): ResolvedOAuthProvider {
  const provider = providers.get(id)
  if (provider?.kind === 'oauth') return provider
  const known = [...providers.values()].filter(({ kind }) => kind === 'oauth').map((each) => JSON.stringify(each.id))
  throw new InvalidProvider(
    `No provider of OAuth or OpenID Connect has the id ${JSON.stringify(id)}. \`providers\` has ${known.join(', ') || 'none'}.`,
  )
}

/**
 * Throws for anything but a list of scopes (RFC 6749 §3.3). Commas are rejected as well, because some providers
 * separate names by them.
 */
export function assertScopeNames(scope: readonly string[]): void {
  const isList = Array.isArray(scope) && scope.every((name) => typeof name === 'string')
  if (isList && scope.every((name) => /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/.test(name))) return
  throw new TypeError(`\`scope\` must be a list of names without spaces and commas, not ${JSON.stringify(scope)}.`)
}

/** Throws for scopes that may not be requested: others than `incrementalScopes`, if the provider has that option. */
export function assertRequestableScope(
  { id, authorization, incrementalScopes }: ResolvedOAuthProvider,
  scope: readonly string[],
): void {
  assertScopeNames(scope)
  if (!incrementalScopes) return
  const known = new Set([...incrementalScopes, ...scopesOf(authorization.params.scope)])
  const unknown = scope.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new TypeError(`"${unknown}" is not among the \`incrementalScopes\` of the provider "${id}".`)
  }
}
