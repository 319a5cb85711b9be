/** Compares the published metadata of OpenID Connect providers with the configuration. */
import { isRecord } from '../../../base/guards.js'
import type { ResolvedOAuthProvider } from '../../../contracts/index.js'
import { createProviderFetch } from '../../../flows/oauth/fetch.js'
import type { ValidDoctorContext } from '../context.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'
import { clockSkew, describeNetworkError, formatSkew, requestTimeLimit } from './network.js'

/** Checks all providers with metadata, concurrently. */
export async function checkDiscovery({ resolved }: ValidDoctorContext): Promise<Finding[]> {
  const providers = [...resolved.providers.values()].filter((each) => each.kind === 'oauth')
  return (await Promise.all(providers.map(checkProvider))).flat()
}

async function checkProvider(provider: ResolvedOAuthProvider): Promise<Finding[]> {
  const url = discoveryUrl(provider)
  if (url === undefined) return []
  const { id } = provider
  const document = await readMetadata(provider, url)
  if ('finding' in document) return [document.finding]
  const { metadata, skew } = document
  const findings = [
    ...checkProviderClock(id, skew),
    ...checkIssuer(provider, metadata),
    ...checkMetadata(provider, metadata),
  ]
  if (findings.some((each) => each.id === 'provider.issuer')) return findings
  findings.push(...(await checkKeys(provider, metadata)))
  const alarming = findings.some(({ level }) => level === 'failure' || level === 'warning')
  return alarming ? findings : [ok('provider.discovery', `Provider "${id}" publishes what is needed.`), ...findings]
}

/** Returns the URL of the metadata; `undefined` if all endpoints are configured. */
function discoveryUrl(provider: ResolvedOAuthProvider): string | undefined {
  const { wellKnown, issuer, authorization, token, jwksUri, type, userinfo, idToken } = provider
  if (wellKnown !== undefined) return wellKnown
  const hasEndpoints = authorization.url !== undefined && (token.url !== undefined || token.request !== undefined)
  const hasRest = type === 'oauth' || (jwksUri !== undefined && (idToken || userinfo.url !== undefined))
  if (issuer === undefined || (hasEndpoints && hasRest)) return undefined
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

type Metadata = Readonly<Record<string, unknown>>
type MetadataResult = { readonly metadata: Metadata; readonly skew: number | undefined } | { readonly finding: Finding }

async function readMetadata(provider: ResolvedOAuthProvider, url: string): Promise<MetadataResult> {
  const subject = `Provider "${provider.id}": ${new URL(url).host}`
  const from = Date.now()
  let response: Response
  try {
    response = await requestFromProvider(provider, url)
  } catch (error) {
    const { isTls, message: words } = describeNetworkError(error)
    const message = `${subject} ${words}`
    return { finding: isTls ? failure('provider.tls', message) : failure('provider.unreachable', message) }
  }
  const skew = clockSkew(response.headers, { from, to: Date.now() })
  const parsed: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (isRecord(parsed)) return { metadata: parsed, skew }
  const what = response.ok ? 'what is no JSON' : `the status ${response.status}`
  const advice =
    'The issuer may lack its path (such as /realms/<name> or /oauth2/default), or be misspelt: open that URL in a browser.'
  return { finding: failure('provider.discovery', `Provider "${provider.id}": ${url} answers with ${what}. ${advice}`) }
}

/** Sends a request as the engine does, with the same checks and limits. */
function requestFromProvider(provider: ResolvedOAuthProvider, url: string): Promise<Response> {
  return createProviderFetch(provider, requestTimeLimit)(url, { headers: { accept: 'application/json' } })
}

/** Checks the clock. Tokens of providers are accepted with a tolerance of 15 seconds. */
function checkProviderClock(id: string, skew: number | undefined): Finding[] {
  if (skew === undefined || Math.abs(skew) <= 5) return []
  const words = `The clock of this machine is ${formatSkew(-skew)} that of provider "${id}". From 15 seconds on its tokens are refused: let the clock be set by NTP.`
  return [(Math.abs(skew) > 14 ? failure : warning)('provider.clock', words)]
}

/** Checks the issuer, except for a slash at the end. */
function checkIssuer({ id, issuer, wellKnown }: ResolvedOAuthProvider, metadata: Metadata): Finding[] {
  const named = String(metadata.issuer)
  const expected = issuer ?? wellKnown?.split('/.well-known/')[0] ?? ''
  if (named.includes('{tenantid}') || named.replace(/\/$/, '') === expected.replace(/\/$/, '')) return []
  return [
    failure(
      'provider.issuer',
      `Provider "${id}" calls itself ${named}, and the configuration calls it ${expected}. Write \`issuer\` exactly as the provider does.`,
    ),
  ]
}

interface MetadataRule {
  readonly id: string
  readonly level: typeof failure
  readonly isBroken: (provider: ResolvedOAuthProvider, metadata: Metadata) => boolean
  readonly message: string
}

const lacks = (list: unknown, value: string | undefined) =>
  value !== undefined && Array.isArray(list) && !list.includes(value)

/** Contradictions between the metadata and the configuration. Missing metadata are not reported. */
const rules: readonly MetadataRule[] = [
  {
    id: 'provider.pkce',
    level: warning,
    isBroken: ({ pkce }, { code_challenge_methods_supported: methods }) => pkce && lacks(methods, 'S256'),
    message:
      'does not list S256 among its code challenges, so PKCE protects nothing there. Ask for an update of the provider.',
  },
  {
    id: 'provider.authentication',
    level: failure,
    isBroken: ({ client }, { token_endpoint_auth_methods_supported: methods }) =>
      lacks(methods, client.token_endpoint_auth_method),
    message:
      'does not list the `token_endpoint_auth_method` of the configuration. Take one that it lists, as the client is registered there.',
  },
  {
    id: 'provider.par',
    level: failure,
    isBroken: ({ protocol }, metadata) =>
      (metadata.require_pushed_authorization_requests === true && protocol.pushedRequests === false) ||
      (protocol.pushedRequests === true && metadata.pushed_authorization_request_endpoint === undefined),
    message:
      'and the configuration differ about pushed authorization requests. Set `pushedAuthorizationRequests` to "auto".',
  },
  {
    id: 'provider.end-session',
    level: warning,
    isBroken: ({ logout }, metadata) =>
      logout.rpInitiated === 'always' && logout.url === undefined && metadata.end_session_endpoint === undefined,
    message:
      'has no `end_session_endpoint`, so no user is signed out there. Remove `logout.rpInitiated`, or set `logout.url`.',
  },
  {
    id: 'provider.backchannel',
    level: warning,
    isBroken: ({ logout }, metadata) => logout.backchannel && metadata.backchannel_logout_supported !== true,
    message:
      'does not declare that it reports sign-outs (`backchannel_logout_supported`), as `logout.backchannel` requires. Enable it there, or remove the option.',
  },
  {
    id: 'provider.logout-frame',
    level: note,
    isBroken: ({ logout }, metadata) => logout.frontchannel && metadata.frontchannel_logout_supported !== true,
    message:
      'does not declare that it shows our frame at a sign-out (`frontchannel_logout_supported`), as `logout.frontchannel` requires.',
  },
]

function checkMetadata(provider: ResolvedOAuthProvider, metadata: Metadata): Finding[] {
  const broken = rules.filter(({ isBroken }) => isBroken(provider, metadata))
  return broken.map(({ id, level, message }) => level(id, `Provider "${provider.id}" ${message}`))
}

const keyTypes: ReadonlyArray<[algorithm: RegExp, type: string]> = [
  [/^[RP]S\d+$/, 'RSA'],
  [/^ES\d+K?$/, 'EC'],
  [/^(?:EdDSA|Ed25519|Ed448)$/, 'OKP'],
]

/**
 * Checks that the keys exist, and fit the algorithm of the configuration; `RS256` by default (OpenID Connect Core
 * §3.1.3.7).
 */
async function checkKeys(provider: ResolvedOAuthProvider, metadata: Metadata): Promise<Finding[]> {
  const { id, client, jwksUri, type } = provider
  const pinned = client.id_token_signed_response_alg
  const listed = metadata.id_token_signing_alg_values_supported
  if (type !== 'oidc' || pinned?.startsWith('HS')) return []
  if (lacks(listed, pinned)) {
    return [
      failure(
        'provider.algorithm',
        `Provider "${id}" signs with ${(listed as unknown[]).join(', ')}, and the configuration wants ${pinned}. Correct \`client.id_token_signed_response_alg\`.`,
      ),
    ]
  }
  const uri = jwksUri ?? metadata.jwks_uri
  const keys = typeof uri === 'string' ? await readKeys(provider, uri) : undefined
  if (keys === undefined) {
    return [
      failure(
        'provider.keys',
        `Provider "${id}": its keys cannot be read at ${uri}, so no signature can be verified. Open that URL in a browser.`,
      ),
    ]
  }
  const [, family] = keyTypes.find(([algorithm]) => algorithm.test(pinned ?? 'RS256')) ?? []
  if (family === undefined || keys.some(({ kty }) => kty === family)) return []
  return [
    failure(
      'provider.algorithm',
      `Provider "${id}" publishes no key for ${pinned ?? 'RS256'}, with which its tokens have to be signed. Name the algorithm in \`client.id_token_signed_response_alg\`.`,
    ),
  ]
}

async function readKeys(provider: ResolvedOAuthProvider, uri: string): Promise<Metadata[] | undefined> {
  try {
    const body: unknown = await (await requestFromProvider(provider, uri)).json()
    return isRecord(body) && Array.isArray(body.keys) ? body.keys.filter(isRecord) : undefined
  } catch {
    return undefined
  }
}
