/** The URL at which a user connects an account. Loaded at the first call. */
import { joinScopes, protocolParams, scopesOf } from '../../base/authorization-request.js'
import type { Connection, ResolvedOAuthProvider } from '../../contracts/index.js'
import { NotConnected } from '../../errors.js'
import type { OwnerCall } from '../../functions/run.js'
import { type VaultCall, vaultCallOf } from './calls-vault.js'
import { grantedScopeOf, sealConnection, tokenRecordsOf } from './entry.js'
import { assertRequestableScope } from './settings.js'
import type { ConnectOptions } from './types.js'

/** Characters of the parameters, because they are sent in a URL and a cookie. */
const maxLength = 1000

/** Returns the URL at which the user connects an account. */
export async function connectUrl(call: OwnerCall, options: ConnectOptions): Promise<string> {
  return createConnectUrl(await vaultCallOf(call, options.provider), options)
}

async function createConnectUrl(
  { auth, vault, provider, userId, holder }: VaultCall,
  options: ConnectOptions,
): Promise<string> {
  const { scope: needed = [], providerAccountId, callbackUrl, params = {} } = options
  if (!holder) throw new TypeError('`connectUrl` needs a request. A job cannot connect an account.')
  assertRequestableScope(provider, needed)
  assertParams(params)
  const tokenQuery = { userId, provider: provider.id, providerAccountId }
  const [row, ...others] = await tokenRecordsOf(vault, tokenQuery)
  if (others.length > 0) throw new NotConnected(provider.id, 'several')
  const scope = uniteScopes(provider, row && (await grantedScopeOf(vault, row)), needed)
  const account = providerAccountId ?? row?.providerAccountId
  const connection: Connection = {
    provider: provider.id,
    holder,
    needed,
    ...(account !== undefined && { providerAccountId: account }),
    ...(row && { isOwn: true }),
  }
  const asked = { ...promptFor(provider, scope), ...params, ...(scope !== undefined && { scope }) }
  if (JSON.stringify(asked).length > maxLength) {
    throw new TypeError(`\`scope\` and \`params\` of a connection take more than ${maxLength} characters.`)
  }
  const { secrets, basePath } = auth.config
  const query = new URLSearchParams({ connect: await sealConnection({ connection, params: asked }, secrets) })
  if (callbackUrl !== undefined) query.set('callbackUrl', callbackUrl)
  return `${basePath}/signin/${provider.id}?${query}`
}

/** Combines the scopes of sign-ins, the granted scopes, and those that are needed now. */
function uniteScopes(
  { authorization }: ResolvedOAuthProvider,
  granted: string | undefined,
  needed: readonly string[],
): string | undefined {
  return joinScopes(authorization.params.scope, [...scopesOf(granted), ...needed]) || undefined
}

/** Returns the `prompt` for `offline_access`, which providers must ignore without it (OpenID Connect Core §11). */
function promptFor({ type, authorization }: ResolvedOAuthProvider, scope: string | undefined): Record<string, string> {
  const isAsked = type === 'oidc' && scopesOf(scope).includes('offline_access')
  return isAsked && authorization.params.prompt === undefined ? { prompt: 'consent' } : {}
}

function assertParams(params: Readonly<Record<string, string>>): void {
  const own = Object.keys(params).find((name) => protocolParams.has(name) || name === 'scope')
  if (own === 'scope') throw new TypeError('`params.scope` cannot be set. Use the option `scope`, a list.')
  if (own !== undefined) throw new TypeError(`\`params.${own}\` cannot be set, because the sign-in sets it. Remove it.`)
}
