/** What calls about tokens need of the configuration: the option `tokens`, and the provider that is named. */
import type { ResolvedConfig, ResolvedOAuthProvider, ResolvedTokens } from '../contracts/index.js'
import { InvalidConfiguration, InvalidProvider } from '../errors.js'

/** @throws {@link InvalidConfiguration} where provider tokens are not kept. */
export function tokensOption({ tokens }: ResolvedConfig): ResolvedTokens {
  if (tokens) return tokens
  throw new InvalidConfiguration(
    'Provider tokens are not kept: set `tokens`, for example to `{ store: sqlTokens(db) }`, or to `{ store: "cookie" }` without a database.',
  )
}

/** @throws {@link InvalidProvider} where none of OAuth or OpenID Connect has the id. */
export function oauthProvider({ providers }: ResolvedConfig, id: string): ResolvedOAuthProvider {
  const provider = providers.get(id)
  if (provider?.kind === 'oauth') return provider
  const known = [...providers.values()].filter(({ kind }) => kind === 'oauth').map((each) => JSON.stringify(each.id))
  throw new InvalidProvider(
    `No provider of OAuth or OpenID Connect has the id ${JSON.stringify(id)}. \`providers\` has ${known.join(', ') || 'none'}.`,
  )
}
