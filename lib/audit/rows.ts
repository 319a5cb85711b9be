/** What an event becomes in the table: ids and reasons, and nothing that a person typed or could be found by. */
import type { AuditRow } from '../adapters/sql/audit-table.js'
import { isStorableId } from '../adapters/sql/values.js'
import { isRecord } from '../base/guards.js'
import { randomHex } from '../crypto/random.js'
import { coarseNetworkOf } from '../http/addresses.js'
import type { EventCallbacks, FactorMessage, RequestInfo, SessionEndReason, SignOutMessage } from '../types/config.js'

/** The events that are written down. `session` is none: it tells of every read. */
export type AuditedEvent = Exclude<keyof EventCallbacks, 'session'>

/** What of an event is written down. */
export interface AuditFacts {
  readonly userId?: string | null | undefined
  readonly actor?: string | null | undefined
  readonly provider?: string | undefined
  readonly request?: RequestInfo | undefined
  readonly detail?: Readonly<Record<string, unknown>>
}

type Facts = { readonly [E in AuditedEvent]: (message: Parameters<EventCallbacks[E]>[0]) => AuditFacts }

/** By event. An event of the library without an entry does not compile. */
export const factsOf: Facts = {
  signIn: ({ user: { id }, account, isNewUser, sid, request }) => {
    const detail = { sid, isNewUser, kind: account?.type ?? 'application' }
    return { userId: id, actor: id, provider: account?.provider, request, detail }
  },
  signOut: ({ sid, request, ...ended }) => {
    const { userId, sub } = ownerOf(ended)
    return { userId, actor: userId, request, detail: { sid, sub } }
  },
  createUser: ({ user: { id } }) => ({ userId: id, actor: id }),
  updateUser: ({ user: { id }, firstProof, lostAddress, previousEmail }) => {
    const detail = { firstProof, lostAddress, changedAddress: previousEmail === undefined ? undefined : true }
    return { userId: id, actor: lostAddress ? null : id, detail }
  },
  linkAccount: ({ user: { id }, account: { provider, type } }) => {
    return { userId: id, actor: id, provider, detail: { kind: type } }
  },
  unlinkAccount: ({ user: { id }, account: { provider }, sid, request }) => {
    return { userId: id, actor: id, provider, request, detail: { sid } }
  },
  passkeyRemoved: ({ user: { id }, credentialID, sid, request }) => {
    return { userId: id, actor: id, request, detail: { sid, credentialID } }
  },
  factorAdded: factorFacts,
  factorRemoved: factorFacts,
  sessionEnded: ({ reason, sid, userId, provider, endedBy, by, request }) => {
    const actor = by ?? (ownEnds.has(reason) ? userId : null)
    return { userId, actor, provider, request, detail: { reason, sid, endedBy } }
  },
  userDisabled: ({ userId, by, sid, request }) => ({ userId, actor: by, request, detail: { sid } }),
  userEnabled: ({ userId, by, sid, request }) => ({ userId, actor: by, request, detail: { sid } }),
  passwordChanged: ({ user: { id }, reason, sid, request }) => {
    return { userId: id, actor: reason === 'set' ? undefined : id, request, detail: { reason, sid } }
  },
  failure: ({ type, action, provider, request }) => ({ provider, request, detail: { error: type, action } }),
  denied: ({ rule, by, key, retryAfter, provider, request }) => {
    return { provider, request, detail: { rule, by, key, retryAfter } }
  },
}

function factorFacts({ userId, factor, reason, sid, request }: FactorMessage): AuditFacts {
  return { userId, actor: reason === 'reset' ? null : userId, request, detail: { factor, reason, sid } }
}

/** What only the person themselves can do. */
const ownEnds: ReadonlySet<SessionEndReason> = new Set<SessionEndReason>([
  'endSession',
  'endOtherSessions',
  'steppedUp',
])

/**
 * Whose session was left. Of a token only the claim counts that no callback can write: `sub` may be what a client sent, and would put
 * a sign-out on somebody else's account. It is told beside.
 */
function ownerOf(ended: SignOutMessage): { userId?: string; sub?: string | undefined } {
  if (ended.session) return { userId: ended.session.userId }
  if (!ended.token) return {}
  const { auth_owner: owner, sub } = ended.token
  if (isRecord(owner) && typeof owner.id === 'string') return { userId: owner.id }
  // As long as an id can be: a table that only grows keeps for ever what a client sends.
  return { sub: storable(sub) ?? undefined }
}

/** Makes the row of what happens now. */
export type RowMaker = (type: string, facts: AuditFacts) => AuditRow

/**
 * Ids are in the order in which they were made in this process, and by the clock between processes: the time, a number that tells apart
 * what happens in one millisecond, and a random part.
 */
export function createRows(): RowMaker {
  let count = 0
  return (type, { userId, actor, provider, request, detail = {} }) => {
    const at = Date.now()
    count = (count + 1) % 0x10000
    return {
      id: at.toString(16).padStart(12, '0') + count.toString(16).padStart(4, '0') + randomHex(8),
      at,
      type,
      userId: storable(userId),
      actor: storable(actor),
      provider: storable(provider),
      network: (request?.ip !== undefined && coarseNetworkOf(request.ip)) || null,
      detail: JSON.stringify(detail),
    }
  }
}

/** An id that the column does not hold exactly would be another one: then nobody's. */
function storable(id: unknown): string | null {
  return typeof id === 'string' && isStorableId(id) ? id : null
}
