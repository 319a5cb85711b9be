/** The options `trustAcr` and `trustAmr`: what of an id_token's word about the authentication is believed. */
import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { refuse } from './refusal.js'

type ProviderType = ResolvedOAuthProvider['type']

/** When the provider has proved two factors, and what it is asked for then. */
export function levelsOf(
  at: string,
  type: ProviderType,
  trusted: readonly string[] | ResolvedOAuthProvider['levelOf'],
): Pick<ResolvedOAuthProvider, 'levelOf' | 'acrValues'> {
  if (trusted === undefined) return {}
  if (type !== 'oidc')
    refuse(`${at}.trustAcr`, 'is for OpenID Connect: no other answer has the claim `acr`. Remove it.')
  if (typeof trusted === 'function') return { levelOf: trusted }
  const values = Object.freeze([...trusted])
  return { acrValues: values, levelOf: ({ acr }) => (values.some((value) => value === acr) ? 2 : 1) }
}

export function trustedMethods(
  at: string,
  type: ProviderType,
  trusted: true | readonly string[] | undefined,
): Pick<ResolvedOAuthProvider, 'trustsMethod'> {
  if (trusted === undefined) return {}
  if (type !== 'oidc')
    refuse(`${at}.trustAmr`, 'is for OpenID Connect: no other answer has the claim `amr`. Remove it.')
  if (trusted === true) return { trustsMethod: () => true }
  const methods = new Set(trusted)
  return { trustsMethod: (method) => methods.has(method) }
}
