/** The records of connections and domains, and which connection an email address or an organization requires. */
import { BoundedMap, perOwner } from '../../base/memory.js'
import { parseUrl } from '../../base/url.js'
import type { ResolvedConfig, ResolvedConnections } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { StoredPrincipal } from '../../principal/index.js'
import { beginningProviders, isProvedBy, type Proof } from '../../principal/proofs.js'
import { guardRecords } from '../../store/guard.js'
import type { Awaitable } from '../../types/identity.js'
import {
  connectionIdFormat,
  connectionsTable,
  domainsTable,
  type StoredConnection,
  type StoredDomain,
} from './description.js'
import type { ConnectionState, OrganizationConnection } from './types.js'

/** The milliseconds after which a domain whose record is missing verifies no more addresses. */
const grace = 3 * 24 * 60 * 60 * 1000
/** The most characters of a domain: columns are 255 characters long, with the name of a tenant. */
const maxDomainLength = 200

/** Returns the option `connections`. @throws {@link InvalidConfiguration} without it. */
export function requireConnections({ connections }: Pick<ResolvedConfig, 'connections'>): ResolvedConnections {
  if (connections) return connections
  throw new InvalidConfiguration('`auth.connections` needs `connections`. Set `connections: { store: true }`.')
}

/** Returns the records of connections and of domains, behind the guard. */
export const recordsOf = perOwner(({ store, timeout }: ResolvedConnections) => ({
  connections: guardRecords(store, connectionsTable, { keeps: 'connections', timeout }),
  domains: guardRecords(store, domainsTable, { keeps: 'domains of connections', timeout }),
}))

/** Checks whether the id of a provider can be that of a connection. */
export function isConnectionId(id: string | undefined): id is string {
  return id !== undefined && connectionIdFormat.test(id)
}

/** Returns a connection; `null` if there is none with this id. @throws {@link AdapterError} */
export async function findConnection(
  connections: ResolvedConnections,
  id: string | undefined,
): Promise<StoredConnection | null> {
  return isConnectionId(id) ? recordsOf(connections).connections.find({ id }) : null
}

/** Returns the connections of accounts, by their ids: `null` for one that was deleted. @throws {@link AdapterError} */
export async function connectionsOfAccounts(
  { connections }: Pick<ResolvedConfig, 'connections'>,
  accounts: ReadonlyArray<{ readonly provider: string }>,
): Promise<ReadonlyMap<string, StoredConnection | null>> {
  const ids = new Set(accounts.map(({ provider }) => provider).filter(isConnectionId))
  if (!connections) return new Map()
  return new Map(await Promise.all([...ids].map(async (id) => [id, await findConnection(connections, id)] as const)))
}

/** Checks whether a session was begun by connections of which none exists any more. @throws {@link AdapterError} */
export function hasEndedWithConnections(
  connections: ResolvedConnections,
  proofs: readonly Proof[],
): Awaitable<boolean> {
  const providers = beginningProviders(proofs)
  return providers.length > 0 && providers.every(isConnectionId) && areDeleted(connections, providers)
}

async function areDeleted(connections: ResolvedConnections, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (await findConnection(connections, id)) return false
  return true
}

/** Removes the connections and domains of an organization that is deleted. @throws {@link AdapterError} */
export async function removeConnectionsOf(
  { connections }: Pick<ResolvedConfig, 'connections'>,
  organizationId: string,
): Promise<void> {
  if (!connections) return
  const records = recordsOf(connections)
  for (const { id } of await records.connections.list(organizationId)) await records.connections.remove({ id })
  for (const { domain } of await records.domains.list(organizationId)) await records.domains.remove({ domain })
}

/** Returns the list in the column `exempt`. */
export function exemptOf({ exempt }: Pick<StoredConnection, 'exempt'>): readonly string[] {
  return exemptLists.get(exempt) ?? parseExempt(exempt)
}

const exemptLists = new BoundedMap<string, readonly string[]>(100)

function parseExempt(text: string): readonly string[] {
  const ids = JSON.parse(text) as readonly string[]
  exemptLists.set(text, ids)
  return ids
}

/** Returns a connection for the application, without its secret. */
export function toConnection(stored: StoredConnection): OrganizationConnection {
  const { id, organizationId: organization, name, issuer, clientId, state, policy, testedAt } = stored
  return {
    ...{ id, organization, name, issuer, clientId, testedAt, exempt: exemptOf(stored) },
    state: state as ConnectionState,
    policy: policy === 'required' ? 'required' : 'optional',
  }
}

/* ---- domains ------------------------------------------------------------------------------------------------------ */

// A domain belongs to the organization that verified it. While its record in DNS is missing, it still belongs to it, so
// that an outage of DNS weakens no policy. It verifies no addresses then.

/** Returns a domain as it is stored: lower case, ASCII, without a dot at the end. `undefined` for other texts. */
export function normalizeDomain(text: string): string | undefined {
  const name = text.trim().replace(/\.$/, '')
  if (!/^[^\s/:@?#\\[\]%]{1,300}$/u.test(name)) return undefined
  const host = parseUrl(`https://${name}/`)?.hostname
  const isDomain =
    host !== undefined && host.length <= maxDomainLength && /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]*$/.test(host)
  return isDomain ? host : undefined
}

/** Returns the domain of an email address. */
export function domainOf(address: string | null | undefined): string | undefined {
  const at = address?.lastIndexOf('@') ?? -1
  return address && at > 0 ? normalizeDomain(address.slice(at + 1)) : undefined
}

/** Returns the verified domain of an email address: this one exactly, and no parent. @throws {@link AdapterError} */
export async function findDomain(
  connections: ResolvedConnections,
  address: string | null | undefined,
): Promise<StoredDomain | null> {
  const domain = domainOf(address)
  return domain === undefined ? null : recordsOf(connections).domains.find({ domain })
}

/** Checks whether addresses of a domain are verified now. */
export function verifiesAddresses({ failedSince }: Pick<StoredDomain, 'failedSince'>): boolean {
  return failedSince === null || Date.now() - failedSince.getTime() < grace
}

/* ---- policy ------------------------------------------------------------------------------------------------------- */

/** The connections by which members of an organization can sign in, if they have to by one of them. */
export interface RequiredConnections {
  /** The connection to which users are sent. */
  readonly first: StoredConnection
  /** The ids of all that are accepted. */
  readonly ids: ReadonlySet<string>
  /** The ids of the users who may sign in by other methods. */
  readonly exempt: ReadonlySet<string>
}

/** Returns the connections that are on, the required ones first. @throws {@link AdapterError} */
export async function activeConnections(
  connections: ResolvedConnections,
  organizationId: string,
): Promise<readonly StoredConnection[]> {
  const all = await recordsOf(connections).connections.list(organizationId)
  const active = all.filter(({ state }) => state === 'on')
  return [...active.filter(isRequired), ...active.filter((each) => !isRequired(each))]
}

/**
 * Returns the connections that an organization requires; `undefined` if it requires none.
 *
 * @throws {@link AdapterError} The caller must not continue then: users would sign in by a weaker method.
 */
export async function requiredConnections(
  connections: ResolvedConnections,
  organizationId: string,
): Promise<RequiredConnections | undefined> {
  const active = await activeConnections(connections, organizationId)
  const [first] = active
  if (!first || !isRequired(first)) return undefined
  const exempt = active.filter(isRequired).flatMap(exemptOf)
  return { first, ids: new Set(active.map(({ id }) => id)), exempt: new Set(exempt) }
}

function isRequired({ policy }: StoredConnection): boolean {
  return policy === 'required'
}

/**
 * Checks whether a session may act for an organization: it requires no connection, or the session has proved one.
 *
 * @param organizationId `null` for no organization.
 * @throws {@link AdapterError}
 */
export async function isConfirmed(
  { connections }: Pick<ResolvedConfig, 'connections'>,
  { userId, proofs }: Pick<StoredPrincipal, 'userId' | 'proofs'>,
  organizationId: string | null,
): Promise<boolean> {
  if (!connections || organizationId === null) return true
  const required = await requiredConnections(connections, organizationId)
  return !required || required.exempt.has(userId) || isProvedBy(proofs, required.ids)
}
