/** The requirement of guards with an organization: the session was confirmed by a connection that the organization requires. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { ResolvedConfig, SessionReading } from '../../contracts/index.js'
import { type GuardedRequest, type Rejection, requestStepUp } from '../../guards/rejection.js'
import { meetsRequirement, requirementParams } from '../../principal/index.js'
import { isProvedBy } from '../../principal/proofs.js'
import type { Awaitable } from '../../types/identity.js'
import { requiredConnections } from './store.js'

/** The member of a guarded request. */
interface GuardedMember {
  readonly userId: string
  readonly organizationId: string
  readonly reading: Partial<Pick<SessionReading, 'proofs' | 'actor'>>
}

/**
 * Returns the rejection of a session that no required connection has confirmed; `undefined` if the request is allowed. It is queried at
 * each request, so that a policy counts at once.
 *
 * @throws {@link AdapterError} if the policy cannot be read.
 */
export function unconfirmedRejection(
  { connections, basePath, factors }: ResolvedConfig,
  request: GuardedRequest,
  { userId, organizationId, reading }: GuardedMember,
): Awaitable<Rejection | undefined> {
  if (!connections) return undefined
  // Computed when they are read.
  const { proofs, actor } = reading
  // Support uses the session of a user without their proofs. An API key has none.
  if (actor || !proofs) return undefined
  return mapMaybePromise(requiredConnections(connections, organizationId), (required) => {
    if (!required || isProvedBy(proofs, required.ids)) return undefined
    if (!required.exempt.has(userId)) {
      return requestStepUp(request, { url: `${basePath}/signin/${required.first.id}`, requirement: {} })
    }
    const strong = { aal: 2 } as const
    if (!factors || meetsRequirement(proofs, strong)) return undefined
    const query = new URLSearchParams({ ...requirementParams(strong) })
    return requestStepUp(request, { url: `${basePath}/two-factor?${query}`, requirement: strong })
  })
}
