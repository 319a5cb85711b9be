/** The implementations of `auth.connections`: who may change a connection, and to what. */
import { signedInUserOf } from '../../account/signed-in-user.js'
import { rejectionReasons } from '../../actions/index.js'
import { parseEmailAddress } from '../../base/email-address.js'
import { callSourceOf, ownRequest } from '../../calls/call.js'
import type { AuthContext, ResolvedConfig, ResolvedConnections } from '../../contracts/index.js'
import { randomHex } from '../../crypto/random.js'
import { InvalidRequest } from '../../errors.js'
import type { AnyCall, RequestCall } from '../../functions/run.js'
import { requireStore } from '../../store/guard.js'
import type { Outcome } from '../../types/outcome.js'
import { hasSecondFactors } from '../../users/records.js'
import { limitKey, limitStoreOf } from '../limits/attempts.js'
import { passwordProviderOf } from '../passwords/store.js'
import type { StoredConnection } from './description.js'
import { checkAgain, domainRecordOf, isCheckDue, verifyClaim } from './domains.js'
import { mayWrite } from './entry.js'
import type { ConnectionFunctions } from './functions.js'
import { readChange, readNewConnection } from './input.js'
import { probeIssuer } from './probe.js'
import { sealSecret } from './provider.js'
import {
  exemptOf,
  findConnection,
  findDomain,
  isConfirmed,
  normalizeDomain,
  recordsOf,
  requireConnections,
  toConnection,
  verifiesAddresses,
} from './store.js'
import type { ConnectionChange, NewConnection } from './types.js'

/** Seconds. */
const hour = 60 * 60

type Result<Name extends keyof ConnectionFunctions> = ReturnType<ConnectionFunctions[Name]>
type Refusal<Reason extends string> = { readonly ok: false; readonly reason: Reason }

/** A member who may change the connections of an organization. */
interface Manager {
  readonly config: ResolvedConfig
  readonly connections: ResolvedConnections
  readonly context: AuthContext
  readonly userId: string
}

/**
 * Returns the signed-in user, if their role has the permission; `null` also if there is no such organization. A session that a required
 * connection has not confirmed could otherwise remove the requirement.
 */
async function managerOf(call: RequestCall, organizationId: unknown): Promise<Manager | null> {
  const { config } = call.auth
  if (typeof organizationId !== 'string') throw new InvalidRequest('The organization must be an id, a string.')
  const signedIn = await signedInUserOf(call)
  if (!signedIn || !(await mayWrite(config, signedIn.user.id, organizationId))) return null
  if (!(await isConfirmed(config, signedIn.owner, organizationId))) return null
  const context = call.auth.createCallContext(ownRequest(config, callSourceOf(call.req), { action: 'session' }))
  return { config, connections: requireConnections(config), context, userId: signedIn.user.id }
}

/** Returns the member as {@link managerOf} does, in a session that may make the change. */
async function freshManagerOf(
  call: RequestCall,
  organizationId: unknown,
): Promise<Manager | Refusal<'refused' | 'stale'>> {
  const manager = await managerOf(call, organizationId)
  if (!manager) return refused
  const rejection = await rejectionReasons(manager.context)(manager.userId, 'manageConnections')
  return rejection === undefined ? manager : { ok: false, reason: 'stale' }
}

const refused: Refusal<'refused'> = { ok: false, reason: 'refused' }

/** Counts an attempt of an organization, which makes this server send requests. Also counted without `rateLimit`. */
async function isLimited({ config }: Manager, what: string, organizationId: string, limit: number): Promise<boolean> {
  const key = limitKey(config, ['connections', what, organizationId])
  const [answer] = await limitStoreOf(config).consume([{ key, cost: 1, limit, window: hour }])
  return answer?.allowed !== true
}

/** Creates a connection. */
export async function createConnection(call: RequestCall, given: NewConnection): Result<'create'> {
  const wanted = readNewConnection(given)
  const { organization: organizationId, name, issuer, clientId, clientSecret, scopes } = wanted
  const manager = await freshManagerOf(call, organizationId)
  if ('ok' in manager) return manager
  const { config, connections, context } = manager
  if (await isLimited(manager, 'create', organizationId, 10)) return { ok: false, reason: 'limited' }
  const id = `connection-${randomHex(16)}`
  const probed = await probeIssuer(config, connections, { ...wanted, id, organizationId, scopes })
  if (typeof probed === 'string') return { ok: false, reason: probed }
  const record = {
    ...{ id, organizationId, name, issuer, clientId, settings: JSON.stringify(probed) },
    secret: await sealSecret(config, id, clientSecret),
    ...{ state: 'test', policy: 'optional', exempt: '[]', testedAt: null, createdAt: new Date() },
  }
  if (!(await recordsOf(connections).connections.write(record, 0))) throw new Error('The random id is taken.')
  return { ok: true, id, ...urlsOf(context, id) }
}

/** Returns the URLs that a company registers at its identity provider. */
const urlsOf = ({ urls }: AuthContext, id: string) => ({
  redirectUri: urls.endpoint('callback', id),
  initiateUrl: urls.endpoint('initiate', id),
})

/** Lists connections and domains. */
export async function listConnections(call: RequestCall, organizationId: string): Result<'list'> {
  const manager = await managerOf(call, organizationId)
  if (!manager) return refused
  const records = recordsOf(manager.connections)
  const [connections, domains] = await Promise.all([
    records.connections.list(organizationId),
    records.domains.list(organizationId),
  ])
  return {
    ok: true,
    connections: connections.map((stored) => ({ ...toConnection(stored), ...urlsOf(manager.context, stored.id) })),
    domains: domains.map(({ domain, verifiedAt, failedSince }) => ({ domain, verifiedAt, failedSince })),
  }
}

type Claim = Parameters<ConnectionFunctions['claimDomain']>[0]

/** Returns the record that proves a domain. */
export async function claimDomain(call: RequestCall, claim: Claim): Result<'claimDomain'> {
  const manager = await managerOf(call, claim?.organization)
  if (!manager) return refused
  const domain = readDomain(claim)
  if (domain === undefined) return { ok: false, reason: 'domain' }
  return { ok: true, record: domainRecordOf(manager.config, { organizationId: claim.organization, domain }) }
}

/** Verifies a domain. */
export async function verifyDomain(call: RequestCall, claim: Claim): Result<'verifyDomain'> {
  const manager = await managerOf(call, claim?.organization)
  if (!manager) return refused
  const domain = readDomain(claim)
  if (domain === undefined) return { ok: false, reason: 'domain' }
  const { organization: organizationId } = claim
  if (await isLimited(manager, 'domain', organizationId, 60)) return { ok: false, reason: 'limited' }
  const result = await verifyClaim(manager.config, manager.connections, { organizationId, domain })
  return result === 'verified' ? { ok: true } : { ok: false, reason: result }
}

/** Removes a verified domain. */
export async function releaseDomain(call: RequestCall, claim: Claim): Result<'releaseDomain'> {
  const manager = await freshManagerOf(call, claim?.organization)
  if ('ok' in manager) return manager
  const { domains } = recordsOf(manager.connections)
  const stored = await domains.find({ domain: readDomain(claim) ?? '' })
  if (stored?.organizationId !== claim.organization) return { ok: false, reason: 'unknown' }
  await domains.remove({ domain: stored.domain })
  return { ok: true }
}

function readDomain({ domain }: Claim): string | undefined {
  if (typeof domain !== 'string') throw new InvalidRequest('`domain` must be a string.')
  return normalizeDomain(domain)
}

/** Checks whether an organization has verified the domain of an email address. */
export async function verifiesAddress(
  { auth: { config, runInBackground } }: AnyCall,
  { organization, email }: Parameters<ConnectionFunctions['verifiesAddress']>[0],
): Result<'verifiesAddress'> {
  const connections = requireConnections(config)
  const address = typeof email === 'string' ? parseEmailAddress(email) : undefined
  const domain = await findDomain(connections, address)
  if (domain?.organizationId !== organization) return false
  if (isCheckDue(domain)) runInBackground(checkAgain(config, connections, domain))
  return verifiesAddresses(domain)
}

/** Changes a connection. */
export async function setConnection(call: RequestCall, id: string, given: ConnectionChange): Result<'set'> {
  const { state, policy, clientSecret, exempt } = readChange(given)
  const found = await managedConnection(call, id)
  if ('ok' in found) return found
  const { manager, stored } = found
  const { config, connections } = manager
  const { version, ...row } = stored
  const changed = {
    ...row,
    ...(state !== undefined && { state }),
    ...(policy !== undefined && { policy }),
    ...(exempt !== undefined && { exempt: JSON.stringify(exempt) }),
    // A sign-in with the old secret says nothing about the new one.
    ...(clientSecret !== undefined && { secret: await sealSecret(config, id, clientSecret), testedAt: null }),
  }
  const lack = changed.policy === 'required' ? await lackOf(manager, stored, changed) : undefined
  if (lack) return { ok: false, reason: lack }
  const isWritten = await recordsOf(connections).connections.write(changed, version)
  return isWritten ? { ok: true } : { ok: false, reason: 'conflict' }
}

/**
 * Returns the missing condition of a required connection. Without the conditions, a fault of the identity provider could lock the whole
 * organization out.
 */
async function lackOf(
  { config }: Manager,
  before: StoredConnection,
  after: Omit<StoredConnection, 'version'>,
): Promise<'untested' | 'exempt' | undefined> {
  const isApplied = (each: Pick<StoredConnection, 'policy' | 'state'>) =>
    each.policy === 'required' && each.state === 'on'
  if (!isApplied(before) && Date.now() - (after.testedAt?.getTime() ?? 0) > hour * 1000) return 'untested'
  for (const userId of exemptOf(after)) if (await canReturn(config, userId, after.organizationId)) return undefined
  return 'exempt'
}

/** Checks whether a user may change connections, and has a sign-in method of their own with a second factor. */
async function canReturn(config: ResolvedConfig, userId: string, organizationId: string): Promise<boolean> {
  if (!(await mayWrite(config, userId, organizationId))) return false
  if (!(await hasSecondFactors(config, { id: userId }))) return false
  if ((await passwordProviderOf(config)?.password.store.find(userId)) != null) return true
  const store = requireStore(config)
  return store.abilities.listPasskeys && (await store.listAuthenticators(userId)).length > 0
}

/** Deletes a connection. */
export async function deleteConnection(call: RequestCall, id: string): Result<'delete'> {
  const found = await managedConnection(call, id)
  if ('ok' in found) return found
  await recordsOf(found.manager.connections).connections.remove({ id })
  return { ok: true }
}

/** Returns a connection that the signed-in user may change now. An unknown one is refused like one of others. */
async function managedConnection(
  call: RequestCall,
  id: unknown,
): Promise<{ manager: Manager; stored: StoredConnection } | Outcome<'refused' | 'stale'>> {
  if (typeof id !== 'string') throw new InvalidRequest('The first argument must be the id of a connection, a string.')
  const stored = await findConnection(requireConnections(call.auth.config), id)
  if (!stored) return refused
  const manager = await freshManagerOf(call, stored.organizationId)
  return 'ok' in manager ? manager : { manager, stored }
}
