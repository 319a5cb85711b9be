/** Admissions by a connection: the users who belong to its organization, their memberships and roles. */
import { withTimeout } from '../../base/timeout.js'
import type {
  AuthContext,
  ConnectionIdentity,
  Identity,
  ResolvedConfig,
  ResolvedConnections,
} from '../../contracts/index.js'
import { AccessDenied, CallbackRouteError, toError } from '../../errors.js'
import { requestInfo } from '../../http/message.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import type { User } from '../../types/identity.js'
import type { Admittance } from '../members/admission.js'
import { loadMembers } from '../members/loader.js'
import { membershipsOf } from '../organizations/store.js'
import { passwordProviderOf } from '../passwords/store.js'
import { connectionsOfAccounts, findConnection, findDomain, toConnection } from './store.js'

/**
 * Checks whether a user belongs to the organization of a connection: by a verified address, or without any other sign-in method.
 */
export async function isOwnUser(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { user, provider, organizationId }: { user: AdapterUser; provider: string; organizationId: string },
): Promise<boolean> {
  if (user.email && user.emailVerified) {
    return (await findDomain(connections, user.email))?.organizationId === organizationId
  }
  const store = requireStore(config)
  if (!store.abilities.listAccounts) return false
  // A password has no account. Its user may have lost the verified address by a change that the application made.
  if ((await passwordProviderOf(config)?.password.store.find(user.id)) != null) return false
  const accounts = await store.listAccounts(user.id)
  const known = await connectionsOfAccounts(config, accounts)
  return accounts.every((account) => account.provider === provider || known.get(account.provider) === null)
}

/** Checks whether an address has an invitation: by the function of the option, otherwise by stored organizations. */
export async function isInvited(
  config: ResolvedConfig,
  { invited, timeout }: ResolvedConnections,
  { organizationId, email = '' }: Pick<ConnectionIdentity, 'organizationId' | 'email'>,
): Promise<boolean> {
  if (!invited) return (await loadMembers()).hasInvitation(config, { organizationId, email })
  return callOption('invited', timeout, async () => (await invited(organizationId, email)) === true)
}

/** A sign-in whose user is known, and has proved all factors. */
interface FinishedSignIn {
  readonly identity: Pick<Identity, 'account' | 'profile'>
  readonly signedIn: { readonly user: User }
}

/**
 * Makes the user of a finished sign-in a member, if the user belongs to the organization. Others are members by other means.
 *
 * @throws {@link AccessDenied} if `admit` returns `false`, or the stored organization does not exist any more. {@link
 *   CallbackRouteError} if a function of the option throws.
 */
export async function admitUser(
  { config, request }: AuthContext,
  connections: ResolvedConnections,
  { identity, signedIn }: FinishedSignIn,
): Promise<void> {
  const { admit, role: wanted, timeout } = connections
  const { account, profile = {} } = identity
  const stored = await findConnection(connections, account.provider)
  const user = signedIn.user.id === undefined ? null : await requireStore(config).getUser(signedIn.user.id)
  if (!stored || !user) throw new AccessDenied('The connection or the user was deleted during the sign-in.')
  const { id: provider, organizationId } = stored
  if (!(await isOwnUser(config, connections, { user, provider, organizationId }))) return
  const isAssigned = typeof wanted === 'function'
  const role = isAssigned
    ? await callOption('role', timeout, async () => wanted(profile, toConnection(stored)))
    : wanted
  if (!admit) {
    const by = { by: user.id, request: requestInfo(request) }
    await admitToStored({ config, by, id: organizationId, userId: user.id, isAssigned }, role)
    return
  }
  const isAdmitted = await callOption('admit', timeout, async () => {
    const verifiedEmail = user.email && user.emailVerified ? user.email : undefined
    return admit(user.id, organizationId, {
      source: 'connection',
      ...(role !== undefined && { role }),
      ...(verifiedEmail !== undefined && { verifiedEmail }),
    })
  })
  if (isAdmitted === false) throw new AccessDenied('`connections.admit` rejected the user.')
  if (config.organizations) membershipsOf(config.organizations).forget(user.id)
}

/** Makes a user a member of a stored organization. @throws {@link AccessDenied} {@link CallbackRouteError} */
async function admitToStored(admittance: Omit<Admittance, 'source' | 'role'>, role: string | undefined): Promise<void> {
  if (role !== undefined && !admittance.config.organizations?.roles.has(role))
    throw new CallbackRouteError('`connections.role` returned a role that is not in `organizations.roles`.')
  const { admitUser: admit } = await loadMembers()
  const outcome = await admit({ ...admittance, source: 'connection', ...(role !== undefined && { role }) })
  // Without a role, only invited users become members. Guards reject the others.
  if (outcome.ok || outcome.reason === 'invitation') return
  throw new AccessDenied('The user or the organization of the connection does not exist any more, or is disabled.')
}

/** Calls a function of the option. @throws {@link CallbackRouteError} if it throws or takes too long. */
async function callOption<T>(name: string, timeout: number, call: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(call(), timeout, `\`connections.${name}\``)
  } catch (error) {
    throw new CallbackRouteError(`\`connections.${name}\` threw.`, toError(error))
  }
}
