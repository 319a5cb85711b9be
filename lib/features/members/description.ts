/** The description of stored organizations: their members and invitations. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { memberRules } from './functions.js'

/** The tables are changed together. */
const group = 'organizations'

/** Organizations. Each change of members or invitations writes the next version, so that concurrent decisions are noticed. */
export const organizationsTable = {
  name: 'auth_organizations',
  key: ['id'],
  columns: { id: 'id', name: 'text', slug: 'text?', createdAt: 'time' },
  version: true,
  group,
} as const satisfies RecordTable

/** The organization of each slug. */
export const slugsTable = {
  name: 'auth_organization_slugs',
  key: ['slug'],
  columns: { slug: 'id', organizationId: 'text' },
  version: true,
  group,
} as const satisfies RecordTable

/** Members, with one role each. */
export const membersTable = {
  name: 'auth_members',
  key: ['organizationId', 'userId'],
  by: 'userId',
  columns: { organizationId: 'id', userId: 'id', role: 'text', source: 'text', since: 'time' },
  version: true,
  exported: ['organizationId', 'role', 'source', 'since'],
  group,
} as const satisfies RecordTable

/** Pending invitations, one for each email address. `address` is the hash of the email address. */
export const invitationsTable = {
  name: 'auth_invitations',
  key: ['organizationId', 'address'],
  by: 'address',
  columns: {
    organizationId: 'id',
    address: 'id',
    email: 'text',
    role: 'text',
    tokenHash: 'text',
    invitedBy: 'text',
    createdAt: 'time',
    expires: 'time',
  },
  version: true,
  expires: 'expires',
  exported: ['organizationId', 'email', 'role', 'createdAt', 'expires'],
  group,
} as const satisfies RecordTable

/** An organization, as it is stored. */
export type StoredOrganization = RecordOf<typeof organizationsTable>
/** A member, as it is stored. */
export type StoredMember = RecordOf<typeof membersTable>
/** An invitation, as it is stored. */
export type StoredInvitation = RecordOf<typeof invitationsTable>

/** Stored organizations. Their functions are in the group `organizations`. */
export const members = {
  tables: [organizationsTable, slugsTable, membersTable, invitationsTable],
  joins: { organizations: memberRules },
  routes: { invitation: { plain: ['GET', 'POST'], isReturnPage: true } },
} as const satisfies Description
