/** Stored organizations. Loaded with `organizations.store`. */
export {
  acceptInvitation,
  admitUser,
  createInvitation,
  hasInvitation,
  mayInvite,
  openInvitation,
  revokeInvitation,
} from './admission.js'
export { changeOrganization, hasPermission } from './change.js'
export { removeFromOrganizations, reportUnattended, soleOwnerships } from './departure.js'
export {
  createOrganization,
  deleteOrganization,
  dismissMember,
  leaveOrganization,
  removeMember,
  setMemberRole,
  transferOwnership,
  updateOrganization,
} from './members.js'
export { organizationsOf, recordsOf, requireMembers } from './store.js'
