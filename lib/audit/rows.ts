/**
 * Converts events to records of the audit log: ids and reasons, but no personal data and no text that a user typed. The
 * reason of an impersonation is stored as support typed it.
 */
import type { AuditRow } from '../adapters/sql/audit-table.js'
import { isStorableId } from '../adapters/sql/values.js'
import { isRecord } from '../base/guards.js'
import { randomHex } from '../crypto/random.js'
import type { ImpersonationMessage } from '../features/impersonation/types.js'
import { coarseNetwork } from '../http/ip-addresses.js'
import type { EventCallbacks, FactorMessage, RequestInfo, SessionEndReason, SignOutMessage } from '../types/config.js'

/** The events that are logged. `session` is not, because it is emitted on every read; `beforeDeleteUser` is a question. */
export type AuditedEvent = Exclude<keyof EventCallbacks, 'session' | 'beforeDeleteUser'>

/** The fields of an event that the audit log stores. */
export interface AuditFacts {
  readonly userId?: string | null | undefined
  readonly actor?: string | null | undefined
  readonly provider?: string | undefined
  readonly request?: RequestInfo | undefined
  readonly detail?: Readonly<Record<string, unknown>>
}

type FactsByEvent = { readonly [E in AuditedEvent]: (message: Parameters<EventCallbacks[E]>[0]) => AuditFacts }

/** The facts of each event. An event of the library without an entry does not compile. */
export const auditFactsOf: FactsByEvent = {
  signIn: ({ user: { id }, account, isNewUser, sid, request }) => {
    const detail = { sid, isNewUser, kind: account?.type ?? 'application' }
    return { userId: id, actor: id, provider: account?.provider, request, detail }
  },
  signOut: ({ sid, by, request, ...ended }) => {
    const { userId, sub } = signOutOwner(ended)
    return { userId, actor: by ?? userId, request, detail: { sid, sub } }
  },
  createUser: ({ user: { id }, administered, by, sid, request }) => {
    return { userId: id, actor: administered ? by : id, request, detail: { administered, sid } }
  },
  updateUser: ({ user: { id }, firstProof, lostAddress, previousEmail, administered, by, sid, request }) => {
    const changedAddress = previousEmail === undefined ? undefined : true
    const actor = administered ? by : id
    const detail = { firstProof, lostAddress, changedAddress, administered, sid }
    return { userId: id, actor: lostAddress ? null : actor, request, detail }
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
    const actor = by ?? (userCausedReasons.has(reason) ? userId : null)
    return { userId, actor, provider, request, detail: { reason, sid, endedBy } }
  },
  userDisabled: ({ userId, by, sid, request }) => ({ userId, actor: by, request, detail: { sid } }),
  userEnabled: ({ userId, by, sid, request }) => ({ userId, actor: by, request, detail: { sid } }),
  userDeleted: ({ userId, reason, keepAudit, by, sid, request }) => {
    return { userId: keepAudit ? userId : null, actor: by, request, detail: { reason, sid } }
  },
  passwordLinkSent: ({ userId, by, sid, request }) => ({ userId, actor: by, request, detail: { sid } }),
  passwordChanged: ({ user: { id }, reason, sid, request }) => {
    return { userId: id, actor: reason === 'set' ? undefined : id, request, detail: { reason, sid } }
  },
  impersonationBegan: impersonationFacts,
  impersonationEnded: impersonationFacts,
  apiKeyCreated: ({ userId, keyId, scopes, organization, expires, sid, request }) => {
    return { userId, actor: userId, request, detail: { keyId, scopes, organization, expires, sid } }
  },
  apiKeyRevoked: ({ userId, keyId, by, sid, request }) => {
    return { userId, actor: by, request, detail: { keyId, sid } }
  },
  organizationChanged: ({ organizationId, change, userId, role, by, sid, request }) => {
    return { userId, actor: by, request, detail: { organizationId, change, role, sid } }
  },
  failure: ({ type, error, action, provider, request }) => {
    const actor = error instanceof Error && 'by' in error && typeof error.by === 'string' ? error.by : undefined
    return { actor, provider, request, detail: { error: type, action } }
  },
  denied: ({ rule, by, key, retryAfter, provider, request }) => {
    return { provider, request, detail: { rule, by, key, retryAfter } }
  },
}

function impersonationFacts({ userId, by, reason, sid, request }: ImpersonationMessage): AuditFacts {
  return { userId, actor: by, request, detail: { sid, reason } }
}

function factorFacts({ userId, factor, reason, by, sid, request }: FactorMessage): AuditFacts {
  return { userId, actor: reason === 'reset' ? by : userId, request, detail: { factor, reason, sid } }
}

/** The reasons that only the user can cause. */
const userCausedReasons: ReadonlySet<SessionEndReason> = new Set<SessionEndReason>([
  'endSession',
  'endOtherSessions',
  'steppedUp',
  'organizationChanged',
])

/**
 * Returns the owner of the session that was ended.
 *
 * A token is only trusted by the claim that no callback can write. `sub` may be sent by a client and could log the
 * sign-out under another user, so it is stored as a detail.
 */
function signOutOwner(ended: SignOutMessage): { userId?: string; sub?: string | undefined } {
  if (ended.session) return { userId: ended.session.userId }
  if (!ended.token) return {}
  const { auth_owner: owner, sub } = ended.token
  if (isRecord(owner) && typeof owner.id === 'string') return { userId: owner.id }
  // Limited to the length of an id, because the log would keep any text of a client.
  return { sub: toStorableId(sub) ?? undefined }
}

/** Creates the record of an event that happens now. */
export type RowMaker = (type: string, facts: AuditFacts) => AuditRow

/**
 * Creates a function that makes records. Ids are in the order of creation in this process, and by the clock between
 * processes: the time, a counter within a millisecond, and a random part.
 */
export function createRowMaker(): RowMaker {
  let count = 0
  return (type, { userId, actor, provider, request, detail = {} }) => {
    const at = Date.now()
    count = (count + 1) % 0x10000
    return {
      id: at.toString(16).padStart(12, '0') + count.toString(16).padStart(4, '0') + randomHex(8),
      at,
      type,
      userId: toStorableId(userId),
      actor: toStorableId(actor),
      provider: toStorableId(provider),
      network: (request?.ip !== undefined && coarseNetwork(request.ip)) || null,
      detail: JSON.stringify(detail),
    }
  }
}

/** Returns an id that the column can store exactly, else `null`: a changed id would be that of another user. */
function toStorableId(id: unknown): string | null {
  return typeof id === 'string' && isStorableId(id) ? id : null
}
