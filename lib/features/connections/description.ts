/** The description of connections: the identity providers of organizations, and their domains. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { connectionRules } from './functions.js'

/** The form of ids. They are in lower case, because some databases ignore the case, and too long to be chosen by a developer. */
export const connectionIdFormat: RegExp = /^connection-[0-9a-f]{32}$/

/** Connections. `settings` and `exempt` are JSON. */
export const connectionsTable = {
  name: 'auth_connections',
  key: ['id'],
  by: 'organizationId',
  columns: {
    id: 'id',
    organizationId: 'id',
    name: 'text',
    issuer: 'text',
    clientId: 'text',
    secret: 'longText',
    settings: 'text',
    state: 'id',
    policy: 'id',
    exempt: 'longText',
    testedAt: 'time?',
    createdAt: 'time',
  },
  version: true,
  order: ['createdAt', 'id'],
} as const satisfies RecordTable

/** A stored connection. */
export type StoredConnection = RecordOf<typeof connectionsTable>

/**
 * Verified domains. The domain is the key, so that two organizations never have the same one. Claims are not stored: the
 * text that an organization has to publish is derived.
 */
export const domainsTable = {
  name: 'auth_domains',
  key: ['domain'],
  by: 'organizationId',
  columns: { domain: 'id', organizationId: 'id', verifiedAt: 'time', checkedAt: 'time', failedSince: 'time?' },
  version: true,
  order: ['domain'],
} as const satisfies RecordTable

/** A stored domain. */
export type StoredDomain = RecordOf<typeof domainsTable>

/** Connections of organizations. */
export const connections = {
  tables: [connectionsTable, domainsTable],
  functions: connectionRules,
  routes: { initiate: { segment: ['GET', 'POST'], getHasEffects: true } },
} as const satisfies Description
