/** The provider `Password` of a configuration. */
import type { PasswordProvider, ResolvedConfig, ResolvedProvider } from '../../contracts/index.js'

/** The one that keeps passwords; `undefined` where there is none. */
export function passwordProviderOf({ providers }: Pick<ResolvedConfig, 'providers'>): PasswordProvider | undefined {
  return [...providers.values()].find(keepsPasswords)
}

/** Whether the library itself keeps what is typed there. */
export function keepsPasswords(provider: ResolvedProvider | undefined): provider is PasswordProvider {
  return provider?.kind === 'credentials' && provider.password !== undefined
}
