/** The implementations of the functions of stored organizations. Loaded at the first call. */
import { actorOf, administrationContextOf } from '../../account/actor.js'
import { type SignedInUser, signedInUserOf } from '../../account/signed-in-user.js'
import type { RequestCall, Runs } from '../../functions/run.js'
import { rejectionReasonOf } from '../../principal/index.js'
import type { Outcome } from '../../types/outcome.js'
import { isConfirmed } from '../connections/store.js'
import { guardFactors, isEnrolled } from '../factors/store.js'
import { sendInvitation } from './calls-invite.js'
import type { StoredInvitation, StoredMember, StoredOrganization } from './description.js'
import {
  admitUser,
  createOrganization,
  deleteOrganization,
  dismissMember,
  hasPermission,
  leaveOrganization,
  organizationsOf,
  recordsOf,
  removeMember,
  requireMembers,
  revokeInvitation,
  setMemberRole,
  transferOwnership,
  updateOrganization,
} from './entry.js'
import type { MemberFunctions, memberRules } from './functions.js'
import type { MemberChange } from './members.js'
import { readId, readNewOrganization, readPageQuery, readRole, readSource, readUpdate } from './parameters.js'
import type { Invitation, Member, Organization, OwnOrganization } from './types.js'

/** The most invitations of a list. */
const maxInvitations = 500

type Functions = Runs<MemberFunctions, typeof memberRules>

/** The functions. */
export const memberCalls: Functions = {
  async create(call, organization) {
    const names = readNewOrganization(organization)
    return withUser(call, async ({ user, resolved, facts }) => {
      if (!names.ok) return names
      const { name, slug } = names
      const created = { name, slug, owner: user.id, by: { by: user.id, ...facts } }
      const outcome = await createOrganization(resolved, created)
      return outcome.ok ? { ok: true, organization: toOrganization(outcome.organization) } : outcome
    })
  },
  async get(call, idOrSlug) {
    const signedIn = await signedInUserOf(call)
    return signedIn && findOwn(signedIn, readId('id', idOrSlug))
  },
  async list(call) {
    const signedIn = await signedInUserOf(call)
    if (!signedIn) return []
    const { resolved, user } = signedIn
    return (await organizationsOf(requireMembers(resolved), user.id)).map(toOwn)
  },
  async members(call, organization, query) {
    const { after, limit } = readPageQuery(query)
    return withReader(call, organization, async (id, { resolved }) => {
      // One more than shown, to know whether there is a next page.
      const page = await recordsOf(requireMembers(resolved)).members.page(id, { after, limit: limit + 1 })
      const shown = page.slice(0, limit)
      const next = page.length > limit ? (shown.at(-1)?.userId ?? null) : null
      return { members: shown.map(toMember), next }
    })
  },
  invitations: (call, organization) =>
    withReader(call, organization, async (id, { resolved }) => {
      const rows = await recordsOf(requireMembers(resolved)).invitations.page(id, { limit: maxInvitations })
      return { invitations: rows.map(toInvitation) }
    }),
  async invite(call, { organization, email, role }) {
    const id = readId('organization', organization)
    const { config } = call.auth
    const invited = { email, role: readRole(config, role) }
    return withMember(call, id, async (signedIn) => {
      const outcome = await sendInvitation(call, changeOf(signedIn, id), invited)
      return outcome.ok ? { ok: true, invitation: toInvitation(outcome.invitation) } : outcome
    })
  },
  async revokeInvitation(call, { organization, id }) {
    const [of, invitation] = [readId('organization', organization), readId('id', id)]
    return withMember(call, of, (signedIn) => revokeInvitation(changeOf(signedIn, of), invitation))
  },
  async setRole(call, { organization, userId, role }) {
    const [of, user, next] = [
      readId('organization', organization),
      readId('userId', userId),
      readRole(call.auth.config, role),
    ]
    return withMember(call, of, (signedIn) => setMemberRole(changeOf(signedIn, of), user, next))
  },
  async removeMember(call, { organization, userId }) {
    const [of, user] = [readId('organization', organization), readId('userId', userId)]
    return withMember(call, of, (signedIn) => removeMember(changeOf(signedIn, of), user))
  },
  async leave(call, organization) {
    const id = readId('organization', organization)
    return withUser(call, (signedIn) => leaveOrganization(changeOf(signedIn, id)))
  },
  async transferOwnership(call, { organization, userId, role }) {
    const [of, user, next] = [
      readId('organization', organization),
      readId('userId', userId),
      readRole(call.auth.config, role),
    ]
    return withMember(call, of, (signedIn) => transferOwnership(changeOf(signedIn, of), user, next))
  },
  async update(call, update) {
    const id = readId('organization', update?.organization)
    const names = readUpdate(update)
    return withMember(call, id, async (signedIn) => {
      if (!names.ok) return names
      const outcome = await updateOrganization(changeOf(signedIn, id), names)
      return outcome.ok ? { ok: true, organization: toOrganization(outcome.organization) } : outcome
    })
  },
  async delete(call, organization) {
    const id = readId('organization', organization)
    return withMember(call, id, async (signedIn) => {
      if (await isStale(signedIn)) return { ok: false, reason: 'stale' }
      return deleteOrganization(changeOf(signedIn, id))
    })
  },
  async admit(call, { organization, userId, role, source }) {
    const { config } = call.auth
    const admitted = { role: readRole(config, role), source: readSource(source), userId: readId('userId', userId) }
    const by = administrationContextOf(await actorOf(call))
    const outcome = await admitUser({ config, id: readId('organization', organization), by, ...admitted })
    // With a role, no invitation is required.
    if (outcome.ok) return outcome
    return { ok: false, reason: outcome.reason === 'user' ? 'user' : 'unknown' }
  },
  async dismiss(call, { organization, userId }) {
    const [id, user] = [readId('organization', organization), readId('userId', userId)]
    const by = administrationContextOf(await actorOf(call))
    return dismissMember({ config: call.auth.config, id, by }, user)
  },
  async listOf(call, userId) {
    const id = readId('userId', userId)
    return (await organizationsOf(requireMembers(call.auth.config), id)).map(toOwn)
  },
}

/** Runs work for the signed-in user. */
async function withUser<Result extends { readonly ok: boolean }>(
  call: RequestCall,
  work: (signedIn: SignedInUser) => Promise<Result>,
): Promise<Result | { readonly ok: false; readonly reason: 'session' }> {
  const signedIn = await signedInUserOf(call)
  return signedIn ? work(signedIn) : { ok: false, reason: 'session' }
}

/**
 * Runs work for the signed-in user in an organization. In a session that a required connection has not confirmed, the user is treated as
 * no member.
 */
function withMember<Result extends { readonly ok: boolean }>(
  call: RequestCall,
  organizationId: string,
  work: (signedIn: SignedInUser) => Promise<Result>,
): Promise<Result | { readonly ok: false; readonly reason: 'session' | 'unknown' }> {
  return withUser(call, async (signedIn) => {
    const { resolved, owner } = signedIn
    return (await isConfirmed(resolved, owner, organizationId))
      ? work(signedIn)
      : ({ ok: false, reason: 'unknown' } as const)
  })
}

/** Runs work for a member who may read members. */
function withReader<Result>(
  call: RequestCall,
  organization: unknown,
  work: (id: string, signedIn: SignedInUser) => Promise<Result>,
): Promise<Outcome<'session' | 'unknown' | 'forbidden', Result>> {
  const organizationId = readId('organization', organization)
  return withMember(call, organizationId, async (signedIn): Promise<Outcome<'unknown' | 'forbidden', Result>> => {
    const { resolved, user } = signedIn
    const member = await recordsOf(requireMembers(resolved)).members.find({ organizationId, userId: user.id })
    if (!member) return { ok: false, reason: 'unknown' }
    if (!hasPermission(resolved, member.role, 'members:read')) return { ok: false, reason: 'forbidden' }
    return { ok: true, ...(await work(organizationId, signedIn)) }
  })
}

function changeOf({ resolved: config, user, facts }: SignedInUser, id: string): MemberChange {
  return { config, id, actor: user.id, by: { by: user.id, ...facts } }
}

/** Checks whether the user has to sign in again before a deletion. */
async function isStale({ resolved: { factors }, owner, user }: SignedInUser): Promise<boolean> {
  const rows = factors && (await guardFactors(factors).list(user.id))
  return rejectionReasonOf(owner, 'deleteAccount', rows && isEnrolled(rows)) !== undefined
}

async function findOwn({ resolved, user }: SignedInUser, idOrSlug: string): Promise<OwnOrganization | null> {
  const { organizations, slugs, members } = recordsOf(requireMembers(resolved))
  const id = (await slugs.find({ slug: idOrSlug }))?.organizationId ?? idOrSlug
  const member = await members.find({ organizationId: id, userId: user.id })
  const organization = member && (await organizations.find({ id }))
  return organization && toOwn({ ...organization, role: member.role })
}

const toOrganization = ({ id, name, slug, createdAt }: StoredOrganization): Organization => ({
  id,
  name,
  slug,
  createdAt,
})
const toOwn = ({ role, ...organization }: StoredOrganization & { readonly role: string }): OwnOrganization => ({
  ...toOrganization(organization),
  role,
})
const toMember = ({ userId, role, source, since }: StoredMember): Member => ({ userId, role, source, since })
const toInvitation = ({ address, email, role, invitedBy, createdAt, expires }: StoredInvitation): Invitation => {
  return { id: address, email, role, invitedBy, createdAt, expires }
}
