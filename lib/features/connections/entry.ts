/** Connections: their providers, and what an identity that they prove is worth. Loaded if `connections` is set. */
import { foldAddress, parseEmailAddress } from '../../base/email-address.js'
import { isRecent } from '../../base/time.js'
import type {
  AuthContext,
  ConnectionIdentity,
  Identity,
  ProviderConnection,
  ResolvedConfig,
  ResolvedConnections,
  ResolvedOAuthProvider,
} from '../../contracts/index.js'
import { AccessDenied, OAuthAccountNotLinked, ReauthenticationRequired, toError } from '../../errors.js'
import { isStored, rejectionReasonOf, type StoredPrincipal } from '../../principal/index.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { membershipsOf } from '../organizations/store.js'
import { isInvited, isOwnUser } from './admission.js'
import { checkAgain, isCheckDue } from './domains.js'
import { providerOf } from './provider.js'
import { activeConnections, findConnection, findDomain, recordsOf, verifiesAddresses } from './store.js'

export { admitUser } from './admission.js'

/** Returns the provider of a connection that is not off. @throws {@link AdapterError} */
export async function findConnectionProvider(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  id: string | undefined,
): Promise<ResolvedOAuthProvider | undefined> {
  const stored = await findConnection(connections, id)
  return stored && stored.state !== 'off' ? providerOf(config, connections, stored) : undefined
}

/** Returns the provider for an address that was typed: by its domain only, so that no account is looked up. */
export async function providerOfAddress(
  { config, background }: AuthContext,
  connections: ResolvedConnections,
  address: string,
): Promise<ResolvedOAuthProvider | undefined> {
  const domain = await findDomain(connections, address)
  if (!domain || !verifiesAddresses(domain)) return undefined
  if (isCheckDue(domain)) background.run(checkAgain(config, connections, domain))
  const [first] = await activeConnections(connections, domain.organizationId)
  return first && providerOf(config, connections, first)
}

/**
 * Returns the identity with the address that it proves: one of a domain that the organization has verified. Any other address is
 * removed, because an identity provider could state the address of any user.
 */
export async function judgeIdentity(
  { config, background }: AuthContext,
  connections: ResolvedConnections,
  { identity, connection }: { identity: Identity; connection: ProviderConnection },
): Promise<Identity> {
  const { user, profile, startedBy, ...rest } = identity
  const email = user.email ?? undefined
  const isDenied = profile !== undefined && Object.hasOwn(profile, 'email_verified') && profile.email_verified !== true
  // Another spelling of an address would be another user.
  const isUsable = !isDenied && email !== undefined && parseEmailAddress(email) === email
  const domain = isUsable ? await findDomain(connections, email) : null
  const isOwn = domain?.organizationId === connection.organizationId
  if (domain && isOwn && isCheckDue(domain)) background.run(checkAgain(config, connections, domain))
  const isOwnAddress = domain !== null && isOwn && verifiesAddresses(domain)
  const via: ConnectionIdentity = { ...connection, email, isOwnAddress }
  // The address decides who the user is, and not who is signed in.
  if (isOwnAddress) return { ...rest, user, ...(profile && { profile }), addressProved: true, via }
  return { ...rest, user: { ...user, email: null }, ...(profile && { profile }), ...(startedBy && { startedBy }), via }
}

/** A user to whom an identity of a connection leads. */
interface JudgedUser {
  readonly identity: Identity
  readonly via: ConnectionIdentity
  /** Absent for a new user. */
  readonly userId: string | undefined
  /** `true` if the account is linked to the signed-in user. */
  readonly isAttached: boolean
}

/**
 * Decides what a connection may do for a user. It signs in users that belong to its organization: those with a verified address of its
 * domains, and those who have no other sign-in method. For all others it only confirms a session that they have begun by
 * a method of their own, so that its administrators cannot get into accounts that the users have elsewhere.
 *
 * @returns `signIn`; `confirm` with the session; `begin` if the user has to begin a session first.
 * @throws {@link AccessDenied} {@link OAuthAccountNotLinked} if the user may not sign in.
 */
export async function judgeUser(
  context: AuthContext,
  connections: ResolvedConnections,
  judged: JudgedUser,
): Promise<{ kind: 'signIn' | 'begin' } | { kind: 'confirm'; session: StoredPrincipal }> {
  const { identity, via, userId, isAttached } = judged
  if (via.state === 'test') await assertTester(context, { via, userId })
  if (userId === undefined) {
    await assertProvisioned(context.config, connections, via)
    return { kind: 'signIn' }
  }
  const user = await requireStore(context.config).getUser(userId)
  if (!user) throw new OAuthAccountNotLinked('The user of the account does not exist any more.')
  if (isAttached) {
    await assertSameMailbox(context.config, via, user)
    return { kind: 'signIn' }
  }
  const provider = identity.account.provider
  if (await isOwnUser(context.config, connections, { user, provider, ...via })) return { kind: 'signIn' }
  const session = await ownSession(context, userId)
  return session ? { kind: 'confirm', session } : { kind: 'begin' }
}

/** A sign-in by a connection that continues after a second factor. */
interface ResumedSignIn {
  /** The id of the connection. */
  readonly provider: string
  readonly userId: string
  /** `true` if it only confirms a session that the user has begun before. */
  readonly isConfirming: boolean
}

/**
 * Checks again, after a second factor, whether a connection may sign a user in.
 *
 * @throws {@link ReauthenticationRequired} if it was turned off or deleted meanwhile, or the user no longer belongs to its organization.
 */
export async function assertStillSignsIn(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { provider, userId, isConfirming }: ResumedSignIn,
): Promise<void> {
  const stored = await findConnection(connections, provider)
  const user = await requireStore(config).getUser(userId)
  if (stored && user && stored.state !== 'off') {
    const { organizationId, state } = stored
    const isOpen = state !== 'test' || (await mayWrite(config, userId, organizationId))
    if (isOpen && (isConfirming || (await isOwnUser(config, connections, { user, provider, organizationId })))) return
  }
  throw new ReauthenticationRequired('The connection may no longer sign the user in since the sign-in began.')
}

/** Returns the session that the user has begun in this browser. */
async function ownSession(context: AuthContext, userId: string): Promise<StoredPrincipal | null> {
  const session = await context.sessions.principal(context)
  if (!session || session.userId !== userId || !isStored(session)) return null
  if (rejectionReasonOf(session, 'stepUp', undefined) !== undefined) return null
  return (await context.sessions.isLive(context, session.id)) ? session : null
}

/** @throws {@link AccessDenied} unless a member who may change the connection tries it. */
async function assertTester(context: AuthContext, { via, userId }: Pick<JudgedUser, 'via' | 'userId'>): Promise<void> {
  const session = userId === undefined ? null : await ownSession(context, userId)
  if (session && (await mayWrite(context.config, session.userId, via.organizationId))) return
  throw new AccessDenied('The connection is in the state "test": only signed-in members who may change it can use it.')
}

/** @throws {@link AccessDenied} unless the connection may create the user. */
async function assertProvisioned(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  via: ConnectionIdentity,
): Promise<void> {
  const { provision } = connections
  if (provision === 'everybody') return
  if (via.isOwnAddress && provision === 'verified-domain') return
  if (via.isOwnAddress && (await isInvited(config, connections, via))) return
  throw new AccessDenied('The connection may not create this user (`connections.provision`).')
}

/**
 * Links an account of another domain only to the user whose verified address the identity provider states, and only if the user is a
 * member. Otherwise a stolen session could be combined with the account of another member.
 *
 * @throws {@link OAuthAccountNotLinked}
 */
async function assertSameMailbox(config: ResolvedConfig, via: ConnectionIdentity, user: AdapterUser): Promise<void> {
  const isSame = via.email !== undefined && user.email && foldAddress(user.email) === via.email
  if (isSame && user.emailVerified && (await roleOf(config, user.id, via.organizationId)) !== undefined) return
  throw new OAuthAccountNotLinked(
    'The identity provider states another email address than the verified one of the signed-in user, or the user is no member.',
  )
}

/** Returns the role of a user in an organization; `undefined` if the user is no member. @throws {@link AdapterError} */
async function roleOf({ organizations }: ResolvedConfig, userId: string, id: string): Promise<string | undefined> {
  if (!organizations) return undefined
  return (await membershipsOf(organizations).memberOf(userId, id, { isFresh: true }))?.role
}

/** The milliseconds after which a test is stored again. */
const testInterval = 60_000

/** Stores that a user who may change a connection has signed in by it. Never rejects: the sign-in has succeeded. */
export async function noteTest(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  try {
    const stored = await findConnection(connections, id)
    if (!stored || isRecent(stored.testedAt?.getTime(), testInterval)) return
    if (!(await mayWrite(config, userId, stored.organizationId))) return
    const { version, ...row } = stored
    await recordsOf(connections).connections.write({ ...row, testedAt: new Date() }, version)
  } catch (error) {
    config.logger.error(toError(error))
  }
}

/** The permission that the functions of `auth.connections` need. */
const writePermission = 'connections:write'

/** Checks whether a user may change the connections of an organization. @throws {@link AdapterError} */
export async function mayWrite(config: ResolvedConfig, userId: string, organizationId: string): Promise<boolean> {
  const role = await roleOf(config, userId, organizationId)
  return role !== undefined && config.organizations?.roles.get(role)?.has(writePermission) === true
}
