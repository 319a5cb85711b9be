/**
 * Admissions: each user who becomes a member passes `admitUser`, with an invitation or by a call of the application. Invitations
 * are created and ended here as well.
 */

import type { ResolvedConfig } from '../../contracts/index.js'
import { includesHash, keyedHashes } from '../../crypto/keyed-hashes.js'
import { randomText } from '../../crypto/random.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import type { AdministrationContext } from '../../types/config.js'
import type { Outcome } from '../../types/outcome.js'
import { findDeletion, hasBegun } from '../deletion/store.js'
import {
  changeOrganization,
  hasPermission,
  mayGive,
  memberIn,
  type OrganizationState,
  type OrganizationTarget,
} from './change.js'
import { invitationsTable, membersTable, type StoredInvitation } from './description.js'
import { actorIn, type MemberChange, removeMembership } from './members.js'
import { addressName, recordsOf, requireMembers } from './store.js'

/* ---- invitations ------------------------------------------------------------------------------------------------- */

/** Creates an invitation. It replaces the pending one of the address. */
export function createInvitation(
  change: MemberChange,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<Outcome<'unknown' | 'forbidden', InvitationToSend>> {
  const { config, id: organizationId } = change
  return changeOrganization(change, async (state): Promise<Outcome<'unknown' | 'forbidden', InvitationToSend>> => {
    const actor = await mayInvite(state, change, role)
    if (!actor.ok) return actor
    const address = addressName(email)
    const secret = randomText(32)
    const [tokenHash = ''] = hashesOf(config, { organizationId, address, secret })
    const known = await state.records.invitations.find({ organizationId, address })
    const expires = new Date(Date.now() + state.option.invitationMaxAge * 1000)
    const invitation = {
      ...{ organizationId, address, email, role, tokenHash, expires },
      ...{ invitedBy: change.actor, createdAt: new Date() },
    }
    state.change.write(invitationsTable, invitation, known?.version ?? 0)
    state.report({ change: 'invited', role })
    const token = [organizationId, address, secret].join('.')
    return { ok: true, token, invitation: { ...invitation, version: 0 }, organization: state.organization.name }
  })
}

/** A new invitation, for its email. */
export interface InvitationToSend {
  readonly invitation: StoredInvitation
  readonly token: string
  /** The name of the organization. */
  readonly organization: string
}

/** Checks whether a member may invite users for a role. */
export async function mayInvite(
  state: OrganizationState,
  change: Pick<MemberChange, 'config' | 'actor'>,
  role: string,
) {
  const actor = await actorIn(state, change, 'members:write')
  if (!actor.ok || mayGive(change.config, actor.role, role)) return actor
  return { ok: false, reason: 'forbidden' } as const
}

/** Ends a pending invitation. */
export function revokeInvitation(
  change: MemberChange,
  address: string,
): Promise<Outcome<'unknown' | 'forbidden' | 'invitation'>> {
  const { id: organizationId } = change
  return changeOrganization(change, async (state): Promise<Outcome<'unknown' | 'forbidden' | 'invitation'>> => {
    const actor = await actorIn(state, change, 'members:write')
    if (!actor.ok) return actor
    const found = await state.records.invitations.find({ organizationId, address })
    if (!found) return { ok: false, reason: 'invitation' }
    if (!mayGive(change.config, actor.role, found.role)) return { ok: false, reason: 'forbidden' }
    state.change.remove(invitationsTable, { organizationId, address })
    state.report({ change: 'invitationRevoked', role: found.role })
    return { ok: true }
  })
}

interface InvitationSecret {
  readonly organizationId: string
  readonly address: string
  readonly secret: string
}

function hashesOf(config: ResolvedConfig, { organizationId, address, secret }: InvitationSecret): string[] {
  return keyedHashes(config, 'invitation', [organizationId, address, secret])
}

/** Reads the token of a link; `undefined` for a text that no link contains. */
function readToken(token: string): InvitationSecret | undefined {
  const [, organizationId, address, secret] = /^([\w-]{22})\.([\w-]{1,64})\.([\w-]{43})$/.exec(token) ?? []
  return organizationId && address && secret ? { organizationId, address, secret } : undefined
}

/** An invitation that is valid now. */
export interface OpenedInvitation {
  readonly invitation: StoredInvitation
  /** The name of the organization. */
  readonly organization: string
}

/**
 * Opens the link of an invitation, and changes nothing: mail scanners open links. Returns `undefined` for a link that is unknown, was
 * used, replaced or revoked, has expired, or whose sender may no longer invite.
 */
export async function openInvitation(config: ResolvedConfig, token: string): Promise<OpenedInvitation | undefined> {
  const option = requireMembers(config)
  const secret = readToken(token)
  const { organizations, invitations } = recordsOf(option)
  const organization = secret && (await organizations.find({ id: secret.organizationId }))
  const invitation = organization && (await invitations.find({ ...secret }))
  if (!invitation || !includesHash(hashesOf(config, secret), invitation.tokenHash)) return undefined
  if (!(await isValid(config, invitation))) return undefined
  return { invitation, organization: organization.name }
}

/** Checks whether an invitation has not expired, and its sender may still give its role. */
async function isValid(config: ResolvedConfig, { organizationId, expires, invitedBy, role }: StoredInvitation) {
  if (expires.getTime() <= Date.now() || !config.organizations?.roles.has(role)) return false
  const inviter = await recordsOf(requireMembers(config)).members.find({ organizationId, userId: invitedBy })
  if (!inviter || !hasPermission(config, inviter.role, 'members:write')) return false
  return mayGive(config, inviter.role, role) && !(await isDisabled(config, invitedBy))
}

/** Checks whether an email address has a pending invitation that is valid. */
export async function hasInvitation(
  config: ResolvedConfig,
  { organizationId, email }: { readonly organizationId: string; readonly email: string },
): Promise<boolean> {
  const { invitations } = recordsOf(requireMembers(config))
  const found = await invitations.find({ organizationId, address: addressName(email) })
  return found !== null && (await isValid(config, found))
}

/** Checks whether a user is disabled. */
async function isDisabled({ session }: ResolvedConfig, userId: string): Promise<boolean> {
  return (await session.revocation?.listDisabled([userId]))?.has(userId) ?? false
}

/* ---- admissions -------------------------------------------------------------------------------------------------- */

/** A user who becomes a member. */
export interface Admittance extends OrganizationTarget {
  readonly userId: string
  /** The role of a user without an invitation; absent if an invitation is required. */
  readonly role?: string
  /** `true` if the role also replaces that of a member from the same source, unless the member is an owner. */
  readonly isAssigned?: boolean
  readonly source: string
  /** The token of the invitation's link. Absent: any pending invitation of the user's verified address. */
  readonly token?: string
  /** `true` if the link also signs the user in, so that a used one is of no use to a member either. */
  readonly isSignIn?: boolean
}

/** The result of an admission. */
type AdmissionOutcome = Outcome<'unknown' | 'user' | 'invitation', { readonly role: string; readonly isNew: boolean }>

/**
 * Makes a user a member. The pending invitation of the user's verified email address ends, and decides the role. A member keeps
 * their role, unless they become an owner.
 *
 * @returns `user` if the user is not stored or disabled; `invitation` if one is required and not valid for this user.
 */
export async function admitUser(admittance: Admittance): Promise<AdmissionOutcome> {
  const { config, userId } = admittance
  const user = await requireStore(config).getUser(userId)
  if (user?.id !== userId || (await isDisabled(config, userId))) return { ok: false, reason: 'user' }
  const outcome = await changeOrganization(admittance, (state) => decideAdmission(state, admittance, user))
  // A deletion that began meanwhile may have removed the memberships of the user already.
  if (outcome.ok && outcome.isNew && config.deletion && hasBegun(await findDeletion(config, userId))) {
    await removeDeletedUser(admittance)
    return { ok: false, reason: 'user' }
  }
  return outcome
}

async function decideAdmission(
  state: OrganizationState,
  { config, userId, role: given, isAssigned = false, source, token, isSignIn = false }: Admittance,
  user: AdapterUser,
): Promise<AdmissionOutcome> {
  const { option, organization, records, change, report } = state
  const { id: organizationId } = organization
  const found =
    user.emailVerified && (await records.invitations.find({ organizationId, address: addressName(user.email) }))
  const secret = token === undefined ? undefined : readToken(token)
  const isNamed = token === undefined || (found && secret && includesHash(hashesOf(config, secret), found.tokenHash))
  const invitation = found && isNamed && (await isValid(config, found)) ? found : undefined
  if (isSignIn && !invitation) return { ok: false, reason: 'invitation' }
  const known = await memberIn(state, userId)
  if (invitation) change.remove(invitationsTable, { organizationId, address: invitation.address })
  const base = given === option.owner ? given : (invitation?.role ?? given)
  if (known) {
    const isChanged = given === option.owner || (isAssigned && known.source === source && known.role !== option.owner)
    if (!isChanged || given === undefined || known.role === given) return { ok: true, role: known.role, isNew: false }
    change.write(membersTable, { ...known, role: given }, known.version)
    report({ change: 'roleChanged', userId, role: given })
    return { ok: true, role: given, isNew: false }
  }
  if (base === undefined) return { ok: false, reason: 'invitation' }
  // The role of an invitation stays, although another one is assigned.
  const by = isAssigned && invitation && base !== given ? 'invitation' : source
  change.write(membersTable, { organizationId, userId, role: base, source: by, since: new Date() }, 0)
  report({ change: 'memberAdded', userId, role: base })
  return { ok: true, role: base, isNew: true }
}

/** Removes the membership of a user whose deletion has begun. The user was no owner before. */
async function removeDeletedUser(target: OrganizationTarget & { readonly userId: string }): Promise<void> {
  await changeOrganization(target, async (state) => {
    removeMembership(state, target.userId)
    return { ok: true }
  })
}

/** The origin of an acceptance, for events. */
export type AcceptanceContext = Pick<AdministrationContext, 'by' | 'sid' | 'request'>

/** An acceptance of an invitation by its link. */
interface Acceptance extends Pick<Admittance, 'userId' | 'isSignIn'> {
  readonly token: string
  readonly by: AcceptanceContext
}

/**
 * Accepts an invitation for a user, whose verified email address it has to be.
 *
 * @returns The id of the organization; `undefined` if the invitation is not valid for this user, and the user is no member.
 */
export async function acceptInvitation(
  config: ResolvedConfig,
  { token, by, ...user }: Acceptance,
): Promise<string | undefined> {
  const id = readToken(token)?.organizationId
  if (id === undefined) return undefined
  const outcome = await admitUser({ config, id, by, ...user, source: 'invitation', token })
  return outcome.ok ? id : undefined
}
