/** The advanced protocol options: pushed and signed requests, signed responses, encrypted tokens, claims. */
import { definedOnly, isRecord } from '../base/guards.js'
import { isCloudflareWorkers } from '../base/runtime.js'
import type { ResolvedOAuthProvider, ResolvedProtocol } from '../contracts/index.js'
import { toError } from '../errors.js'
import type { ClaimsRequest, ClientCertificate, PrivateJwk } from '../types/protocol.js'
import type { ClientOptions } from '../types/provider.js'
import { describeValue, rejectOption } from './reject-option.js'
import { type Check, nonEmptyText, oneOf, optional, shape } from './shape.js'

/**
 * The algorithms by use, and the key type of each. Symmetric algorithms, and RSA with PKCS #1 v1.5 encryption, are
 * excluded on purpose.
 */
const keyAlgorithmTypes = {
  sig: {
    PS256: 'RSA',
    PS384: 'RSA',
    PS512: 'RSA',
    RS256: 'RSA',
    RS384: 'RSA',
    RS512: 'RSA',
    ES256: 'EC',
    ES384: 'EC',
    ES512: 'EC',
    EdDSA: 'OKP',
    Ed25519: 'OKP',
  },
  enc: {
    'RSA-OAEP-256': 'RSA',
    'RSA-OAEP-384': 'RSA',
    'RSA-OAEP-512': 'RSA',
    'ECDH-ES': 'EC or OKP',
    'ECDH-ES+A128KW': 'EC or OKP',
    'ECDH-ES+A192KW': 'EC or OKP',
    'ECDH-ES+A256KW': 'EC or OKP',
  },
} as const

type Use = keyof typeof keyAlgorithmTypes

/** The private members of a key (RFC 7518 §6). */
const secretMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

/** Returns the check of private keys for one use. Errors do not contain the keys. */
export function privateKeys(use: Use): Check<readonly PrivateJwk[] | undefined> {
  const known: Readonly<Record<string, string>> = keyAlgorithmTypes[use]
  return (name, value) => {
    if (value === undefined) return undefined
    if (!Array.isArray(value) || value.length === 0) {
      return rejectOption(name, `must be a list of private keys as JSON Web Keys, not ${describeValue(value)}.`)
    }
    const keys = value.map((key: unknown, at): PrivateJwk => {
      const here = `${name}[${at}]`
      if (!isRecord(key))
        return rejectOption(here, `must be a private key as a JSON Web Key, not ${describeValue(key)}.`)
      const { kid, alg, kty, d } = key
      if (typeof kid !== 'string' || kid === '')
        rejectOption(`${here}.kid`, 'must name the key: a text of your choice.')
      const needed = typeof alg === 'string' && Object.hasOwn(known, alg) ? known[alg] : undefined
      if (needed === undefined) rejectOption(`${here}.alg`, `must be one of ${Object.keys(known).join(', ')}.`)
      if (typeof kty !== 'string' || !needed.split(' or ').includes(kty)) {
        rejectOption(`${here}.kty`, `must be ${needed}: the algorithm needs such a key.`)
      }
      if (typeof d !== 'string') rejectOption(here, 'is not a private key: it has no `d`.')
      return Object.freeze({ ...key }) as PrivateJwk
    })
    if (new Set(keys.map(({ kid }) => kid)).size < keys.length) rejectOption(name, 'has two keys of the same `kid`.')
    return Object.freeze(keys)
  }
}

const pushed = optional<boolean | 'auto'>(
  (value) => typeof value === 'boolean' || value === 'auto',
  'must be true, false or "auto", not {kind}.',
)

const requestObjectShape = shape({ keys: privateKeys('sig') })

const claims: Check<ClaimsRequest | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (!isRecord(value)) return rejectOption(name, 'must be { id_token, userinfo }, with claims by their names.')
  for (const [place, requested] of Object.entries(value)) {
    if (place !== 'id_token' && place !== 'userinfo')
      rejectOption(`${name}.${place}`, 'is unknown. Use `id_token` or `userinfo`.')
    if (!isRecord(requested))
      rejectOption(
        `${name}.${place}`,
        'must be an object of claims, such as { acr: { essential: true, values: ["…"] } }.',
      )
    for (const [claim, request] of Object.entries(requested)) {
      if (request !== null && !isRecord(request))
        rejectOption(`${name}.${place}.${claim}`, 'must be null or an object such as { essential: true }.')
    }
  }
  return value as ClaimsRequest
}

const dpopShape = shape({ alg: oneOf('ES256', 'ES384', 'ES512') })

const dpopSetting: Check<ResolvedProtocol['dpop']> = (name, value) => {
  if (value === undefined || value === false) return undefined
  if (value !== true && !isRecord(value)) rejectOption(name, `must be true, or { alg }, not ${describeValue(value)}.`)
  return Object.freeze({ alg: 'ES256', ...(isRecord(value) && dpopShape(name, value)) })
}

const certificateShape = shape({ cert: nonEmptyText, key: nonEmptyText, ca: nonEmptyText, passphrase: nonEmptyText })

const certificateSetting: Check<ClientCertificate | undefined> = (name, value) => {
  if (value === undefined) return undefined
  const { cert, key, ...others } = certificateShape(name, value)
  if (cert === undefined || key === undefined) return rejectOption(name, 'must be { cert, key }, both in PEM form.')
  if (isCloudflareWorkers()) {
    return rejectOption(
      name,
      'cannot be used on Cloudflare Workers. Use `customFetch` with an mTLS certificate binding.',
    )
  }
  const certificate = { cert, key, ...others }
  assertUsable(name, certificate)
  return certificate
}

/** Checks a certificate with Node's TLS, which edge runtimes lack. The message does not contain the key. */
function assertUsable(name: string, certificate: ClientCertificate): void {
  try {
    globalThis.process?.getBuiltinModule?.('node:tls').createSecureContext(definedOnly(certificate))
  } catch (error) {
    rejectOption(name, `cannot be used: ${toError(error).message.replace(/^error:[^:]*:/, '')}.`)
  }
}

/** The checks of the options. */
export const protocolChecks = {
  claims,
  clientCertificate: certificateSetting,
  decryptionKeys: privateKeys('enc'),
  dpop: dpopSetting,
  securityProfile: oneOf('fapi2', 'fapi2-message-signing'),
  pushedAuthorizationRequests: pushed,
  requestObject: (name: string, value: unknown) => (value === undefined ? undefined : requestObjectShape(name, value)),
  responseMode: oneOf('query', 'form_post', 'query.jwt', 'form_post.jwt'),
}

type Given = { readonly [Name in keyof typeof protocolChecks]?: ReturnType<(typeof protocolChecks)[Name]> }

/**
 * Returns the parameters of the authorization request for the options. @throws {@link InvalidConfiguration} if
 * `authorization.params` contradict them.
 */
export function protocolParams(
  at: string,
  given: Given,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const { responseMode, claims: asked } = given
  if (responseMode !== undefined && own.response_mode !== undefined && own.response_mode !== responseMode) {
    rejectOption(`${at}.responseMode`, 'contradicts `authorization.params.response_mode`. Remove that.')
  }
  if (asked !== undefined && own.claims !== undefined) {
    rejectOption(`${at}.claims`, 'contradicts `authorization.params.claims`. Remove that.')
  }
  return {
    ...(responseMode !== undefined && responseMode !== 'query' && { response_mode: responseMode }),
    ...(asked !== undefined && { claims: JSON.stringify(asked) }),
  }
}

const noKeys: readonly PrivateJwk[] = Object.freeze([])

/** Returns the resolved protocol options. @throws {@link InvalidConfiguration} for options that cannot work. */
export function resolveProtocol(
  at: string,
  given: Given,
  { type, client, signingKeys }: { type: 'oauth' | 'oidc'; client: ClientOptions; signingKeys: readonly PrivateJwk[] },
): ResolvedProtocol {
  const { requestObject, decryptionKeys = noKeys, pushedAuthorizationRequests = false, responseMode } = given
  const { clientCertificate: certificate } = given
  const acr = given.claims?.id_token?.acr
  if (type === 'oauth' && (given.claims || decryptionKeys.length > 0)) {
    rejectOption(at, 'has `claims` or `decryptionKeys`, which are for OpenID Connect: set `type: "oidc"`.')
  }
  if (requestObject && !requestObject.keys)
    rejectOption(`${at}.requestObject.keys`, 'is missing: a list of private keys to sign with.')
  assertEncryptionKeys(at, client, decryptionKeys)
  if (client.authorization_signed_response_alg !== undefined && !responseMode?.endsWith('.jwt')) {
    rejectOption(
      `${at}.client.authorization_signed_response_alg`,
      'has no effect: set `responseMode` to "query.jwt" or "form_post.jwt".',
    )
  }
  const signing = [...(requestObject?.keys ?? []), ...signingKeys]
  return Object.freeze(
    definedOnly<ResolvedProtocol>({
      pushedRequests: pushedAuthorizationRequests,
      requestKey: requestObject?.keys?.[0],
      signedResponse: responseMode === 'query.jwt' || responseMode === 'form_post.jwt',
      decryptionKeys,
      profile: given.securityProfile,
      certificate: certificate && (() => certificate),
      dpop: given.dpop,
      essentialAcr: acr?.essential === true ? essentialValues(`${at}.claims.id_token.acr`, acr) : undefined,
      publicKeys: Object.freeze([
        ...signing.map((key) => toPublicKey(key, 'sig')),
        ...decryptionKeys.map((key) => toPublicKey(key, 'enc')),
      ]),
    }),
  )
}

/** Checks that each required encryption is supported and has a key. */
function assertEncryptionKeys(at: string, client: ClientOptions, keys: readonly PrivateJwk[]): void {
  for (const name of ['id_token_encrypted_response_alg', 'userinfo_encrypted_response_alg'] as const) {
    const alg = client[name]
    if (alg === undefined || keys.some((key) => key.alg === alg)) continue
    const supported = Object.keys(keyAlgorithmTypes.enc)
    if (!supported.includes(alg)) rejectOption(`${at}.client.${name}`, `must be one of ${supported.join(', ')}.`)
    rejectOption(`${at}.client.${name}`, `needs a key of that \`alg\` in \`decryptionKeys\`.`)
  }
}

function essentialValues(
  name: string,
  { value, values }: { value?: unknown; values?: readonly unknown[] },
): readonly unknown[] {
  const wanted = values ?? (value === undefined ? [] : [value])
  if (!Array.isArray(wanted) || wanted.length === 0 || !wanted.every((each) => typeof each === 'string')) {
    rejectOption(name, 'is essential, so it needs `value` or `values`: texts, of which the provider must return one.')
  }
  return wanted
}

/** Returns the public part of a key (RFC 7517 §4). */
function toPublicKey(key: PrivateJwk, use: Use): Readonly<Record<string, unknown>> {
  const open = Object.entries(key).filter(
    ([member]) => !secretMembers.has(member) && member !== 'key_ops' && member !== 'ext',
  )
  return Object.freeze({ ...Object.fromEntries(open), use })
}

type ProviderType = ResolvedOAuthProvider['type']

/** Returns the function that reads the provider's assurance level, and the values to request. */
export function resolveTrustedAcr(
  at: string,
  type: ProviderType,
  trusted: readonly string[] | ResolvedOAuthProvider['levelOf'],
): Pick<ResolvedOAuthProvider, 'levelOf' | 'acrValues'> {
  if (trusted === undefined) return {}
  if (type !== 'oidc')
    rejectOption(`${at}.trustAcr`, 'is for OpenID Connect: other responses lack the claim `acr`. Remove it.')
  if (typeof trusted === 'function') return { levelOf: trusted }
  const values = Object.freeze([...trusted])
  return { acrValues: values, levelOf: ({ acr }) => (values.some((value) => value === acr) ? 2 : 1) }
}

export function resolveTrustedAmr(
  at: string,
  type: ProviderType,
  trusted: true | readonly string[] | undefined,
): Pick<ResolvedOAuthProvider, 'trustsMethod'> {
  if (trusted === undefined) return {}
  if (type !== 'oidc')
    rejectOption(`${at}.trustAmr`, 'is for OpenID Connect: other responses lack the claim `amr`. Remove it.')
  if (trusted === true) return { trustsMethod: () => true }
  const methods = new Set(trusted)
  return { trustsMethod: (method) => methods.has(method) }
}
