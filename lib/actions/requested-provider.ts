/** The provider that the path names. */
import type { AuthContext, ResolvedProvider } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'

/** The provider; `undefined` when the path names none. @throws {@link InvalidProvider} for a name that is none of ours. */
export function requestedProvider({ config, request }: AuthContext): ResolvedProvider | undefined {
  const { providerId } = request
  if (providerId === undefined) return undefined
  const provider = config.providers.get(providerId)
  if (!provider) throw new InvalidProvider('There is no provider with the id that the address names.')
  return provider
}
