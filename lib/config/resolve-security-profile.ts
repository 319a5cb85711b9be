/**
 * The security profiles of OAuth for banks, health services and governments. A profile sets no options. It rejects a
 * provider whose options violate it, so that they cannot be weakened by accident.
 */
import { isRecord } from '../base/guards.js'
import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { rejectOption } from './reject-option.js'

/** The allowed algorithms (FAPI 2.0 Security Profile §5.4). */
const profileAlgorithms: readonly unknown[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']
const profileAuthMethods: readonly unknown[] = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth']

/** Checks a provider against its profile. @throws {@link InvalidConfiguration} with all violations. */
export function assertSecurityProfile(provider: ResolvedOAuthProvider): void {
  const { id, protocol } = provider
  const { profile } = protocol
  if (profile === undefined) return
  const faults = [
    ...securityViolations(provider),
    ...algorithmViolations(provider),
    ...(profile === 'fapi2-message-signing' ? signingViolations(provider) : []),
  ]
  if (faults.length === 0) return
  rejectOption(`providers.${id}.securityProfile`, `is "${profile}", which needs ${faults.join('; ')}.`)
}

/** Returns the requirement if it is not met. */
function unless(isRight: boolean, wanted: string): readonly string[] {
  return isRight ? [] : [wanted]
}

/** Returns the violations of FAPI 2.0 Security Profile §5.3.3. */
function securityViolations(provider: ResolvedOAuthProvider): readonly string[] {
  const { protocol, pkce, client, token, userinfo, issuer, wellKnown, allowInsecure } = provider
  return [
    ...unless(issuer !== undefined || wellKnown !== undefined, '`issuer`, for discovery'),
    ...unless(protocol.pushedRequests === true, '`pushedAuthorizationRequests: true`'),
    ...unless(pkce, 'PKCE: remove `checks`'),
    ...unless(
      profileAuthMethods.includes(client.token_endpoint_auth_method),
      '`client.token_endpoint_auth_method`: "private_key_jwt", "tls_client_auth" or "self_signed_tls_client_auth"',
    ),
    ...unless(!Object.hasOwn(provider, 'clientSecret'), 'no `clientSecret`, also not in the environment'),
    ...unless(
      protocol.dpop !== undefined || protocol.certificate !== undefined,
      '`dpop: true`, or `clientCertificate`',
    ),
    ...unless(!allowInsecure, 'https: remove `allowInsecureIssuer`'),
    ...unless(
      !token.request && !userinfo.request,
      'the standard requests: no `token.request`, and no `userinfo.request`',
    ),
  ]
}

function algorithmViolations({ type, client, token, protocol }: ResolvedOAuthProvider): readonly string[] {
  const list = '"PS256", "ES256" or "EdDSA"'
  const isAllowed = (alg: unknown) => profileAlgorithms.includes(alg)
  const { id_token_signed_response_alg: idToken, userinfo_signed_response_alg: userinfo } = client
  const isKeyed = client.token_endpoint_auth_method === 'private_key_jwt'
  return [
    ...unless(type === 'oauth' || isAllowed(idToken), `\`client.id_token_signed_response_alg\`: ${list}`),
    ...unless(userinfo === undefined || isAllowed(userinfo), `\`client.userinfo_signed_response_alg\`: ${list}`),
    ...unless(
      !isKeyed || keyAlgorithms(token.clientPrivateKey).every(isAllowed),
      `\`token.clientPrivateKey\` for ${list}`,
    ),
    ...unless(
      protocol.requestKey === undefined || isAllowed(protocol.requestKey.alg),
      `\`requestObject.keys\` for ${list}`,
    ),
    ...unless(protocol.dpop === undefined || protocol.dpop.alg === 'ES256', '`dpop` with ES256'),
  ]
}

/** Returns the violations of FAPI 2.0 Message Signing §5.3 and §5.4. */
function signingViolations({ protocol, client }: ResolvedOAuthProvider): readonly string[] {
  return [
    ...unless(protocol.requestKey !== undefined, '`requestObject`'),
    ...unless(protocol.signedResponse, '`responseMode`: "query.jwt" or "form_post.jwt"'),
    ...unless(
      profileAlgorithms.includes(client.authorization_signed_response_alg),
      '`client.authorization_signed_response_alg`: "PS256", "ES256" or "EdDSA"',
    ),
  ]
}

/** Returns the algorithms of the keys, from a JSON Web Key or a Web Crypto key. */
function keyAlgorithms(configured: unknown): readonly unknown[] {
  if (Array.isArray(configured)) return configured.map((key: unknown) => (isRecord(key) ? key.alg : undefined))
  const key = isRecord(configured) && isRecord(configured.key) ? configured.key : configured
  const { name, namedCurve, hash } = (isRecord(key) && isRecord(key.algorithm) ? key.algorithm : {}) as Algorithm
  if (name === 'RSA-PSS') return [hash?.name === 'SHA-256' ? 'PS256' : 'another']
  if (name === 'ECDSA') return [namedCurve === 'P-256' ? 'ES256' : 'another']
  return [name]
}

interface Algorithm {
  readonly name?: string
  readonly namedCurve?: string
  readonly hash?: { readonly name?: string }
}
