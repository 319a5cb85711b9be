/** Reads the metadata of an identity provider before a connection to it is created. Returns only the class of a failure. */
import { parseUrl } from '../../base/url.js'
import type { ResolvedConfig, ResolvedConnections } from '../../contracts/index.js'
import { clientOf } from '../../flows/oauth/client.js'
import { decodePercent } from '../../http/urls.js'
import { assertAllowedUrl } from './egress.js'
import { type ConnectionSettings, compileProvider, egressRulesOf, type ProviderParts } from './provider.js'

/** The reason for which an issuer cannot be used. */
export type ProbeFault = 'issuer' | 'unreachable' | 'metadata'

/** The parts of a connection that is not stored yet. */
type NewParts = Omit<ProviderParts, 'settings' | 'state' | 'clientSecret'> & {
  readonly clientSecret?: string
  readonly scopes: readonly string[]
}

/** Returns the settings for an issuer, or the class of the fault. */
export async function probeIssuer(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { scopes, ...parts }: NewParts,
): Promise<ConnectionSettings | ProbeFault> {
  const { clientSecret } = parts
  if (!isUsableIssuer(connections, parts.issuer)) return 'issuer'
  const settings = { scopes, isSecretInBody: false }
  try {
    const provider = compileProvider(config, connections, { ...parts, clientSecret, state: 'test', settings })
    const server = await clientOf(provider, config.timeout).metadata()
    const { issuer, token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    for (const name of usedEndpoints) {
      const url = parseUrl(server[name] ?? '')
      if (!url) return 'metadata'
      assertAllowedUrl(url, egressRulesOf(connections, issuer))
    }
    // The issuer of several companies has a placeholder for theirs.
    if (issuer.includes('{')) return 'metadata'
    return {
      scopes,
      isSecretInBody: !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
    }
  } catch (error) {
    config.logger.debug('the metadata of a new connection could not be used', {
      kind: error instanceof Error && error.name,
    })
    return isAboutContent(error) ? 'metadata' : 'unreachable'
  }
}

const usedEndpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Checks whether a document was received. A private address and a refused connection are the same class. */
function isAboutContent(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.message.startsWith('the discovery document'))
}

/** The paths of Microsoft's issuers whose users belong to any company. */
const sharedTenants: ReadonlySet<string> = new Set([
  'common',
  'organizations',
  'consumers',
  // The tenant of all personal accounts.
  '9188040d-6c67-4b79-b112-36a304b66dad',
])

function isUsableIssuer(connections: ResolvedConnections, issuer: string): boolean {
  const url = parseUrl(issuer)
  if (url?.search !== '' || url.hash !== '') return false
  const [, first = ''] = url.pathname.split('/')
  if (
    /^login\.(?:microsoftonline|windows)\./.test(url.hostname) &&
    sharedTenants.has((decodePercent(first) ?? '').toLowerCase())
  )
    return false
  try {
    assertAllowedUrl(url, connections)
    // An async function returns a promise, which would be true.
    return connections.allowIssuer === undefined || connections.allowIssuer(new URL(url)) === true
  } catch {
    return false
  }
}
