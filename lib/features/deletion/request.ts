/** The parameters of a deletion, and the facts of its record. */
import { isRecord } from '../../base/guards.js'
import { parseRecord } from '../../base/json.js'
import { AdapterError } from '../../errors.js'
import type { StoredDeletion } from './description.js'
import type { ProviderRevocation } from './types.js'

/** The facts of a deletion that later calls need. */
export interface DeletionFacts {
  readonly reason: string
  readonly keepAudit: boolean
  readonly organizations?: 'delete' | undefined
  /** The time of a scheduled deletion, in milliseconds since the epoch. */
  readonly due?: number
  /** Absent until the tokens of providers are revoked. */
  readonly providers?: readonly ProviderRevocation[]
}

/** Reads the parameters. @throws TypeError for an invalid one. */
export function readRequest(request: unknown): DeletionFacts & { readonly resume: boolean } {
  const { reason, keepAudit = true, resume = false, organizations, ...others } = isRecord(request) ? request : {}
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 500)
    throw new TypeError('users.delete needs `{ reason }`, a text of 1 to 500 characters.')
  if (typeof keepAudit !== 'boolean' || typeof resume !== 'boolean')
    throw new TypeError('`keepAudit` and `resume` of users.delete must be true or false.')
  if (organizations !== undefined && organizations !== 'delete')
    throw new TypeError('`organizations` of users.delete must be "delete", or absent.')
  // A misspelt `keepAudit` would keep what should be removed.
  const [misspelt] = Object.keys(others)
  if (misspelt !== undefined)
    throw new TypeError(
      `users.delete has no parameter \`${misspelt}\`. It has \`reason\`, \`keepAudit\`, \`resume\` and \`organizations\`.`,
    )
  return { reason, keepAudit, resume, ...(organizations && { organizations }) }
}

/** Reads the facts of a record. */
export function factsOf({ data }: StoredDeletion): DeletionFacts {
  const facts = parseRecord(data)
  if (facts && typeof facts.reason === 'string') return facts as unknown as DeletionFacts
  throw new AdapterError('A record of a deletion cannot be read.', { method: 'find' })
}
