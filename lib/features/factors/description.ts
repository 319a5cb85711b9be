/** The description of second factors. */
import type { Description } from '../../types/description.js'
import type { NewRecord, RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'
import { factorRules } from './functions.js'

/** Second factors, remembered browsers, and pending sign-ins. Secrets in `data` are sealed or hashed. */
export const factorsTable = {
  name: 'auth_factors',
  key: ['userId', 'id'],
  by: 'userId',
  columns: {
    userId: 'id',
    id: 'id',
    type: 'text',
    name: 'text?',
    data: 'longText',
    createdAt: 'time',
    usedAt: 'time?',
    expiresAt: 'time?',
  },
  version: true,
  expires: 'expiresAt',
  exported: ['type', 'name', 'createdAt', 'usedAt', 'expiresAt'],
  order: ['createdAt', 'id'],
} as const satisfies RecordTable

/** A second factor, or what is pending beside it. */
export type StoredFactor = RecordOf<typeof factorsTable>
/** A second factor to be written. */
export type NewFactor = NewRecord<typeof factorsTable>

/** Second factors. */
export const factors = {
  tables: [factorsTable],
  functions: factorRules,
  routes: { 'two-factor': { plain: ['GET', 'POST'], segment: ['GET', 'POST'], isReturnPage: true } },
} as const satisfies Description
