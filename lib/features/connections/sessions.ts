/** The end of sessions that a connection began: with the connection, at the next read. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { ResolvedConfig, ResolvedConnections, SessionStrategy } from '../../contracts/index.js'
import { beginningProviders, type Proof } from '../../principal/proofs.js'
import type { Awaitable } from '../../types/identity.js'
import { findConnection, isConnectionId } from './store.js'

/**
 * Returns a strategy that reads no session whose only proofs are by deleted connections. Only sessions that were begun by a connection need
 * a query.
 */
export function endWithConnections({ connections }: ResolvedConfig, sessions: SessionStrategy): SessionStrategy {
  if (!connections) return sessions
  return {
    ...sessions,
    read: (context, options) =>
      mapMaybePromise(sessions.read(context, options), (reading) =>
        mapMaybePromise(reading !== null && isOver(connections, reading.proofs), (over) => (over ? null : reading)),
      ),
    async principal(context, inside) {
      const principal = await sessions.principal(context, inside)
      // The database may have only one connection, so nothing else is queried in a transaction.
      const over = principal !== null && inside === undefined && (await isOver(connections, principal.proofs))
      return over ? null : principal
    },
  }
}

/** Checks whether a session was begun by connections of which none exists any more. @throws {@link AdapterError} */
export function isOver(connections: ResolvedConnections, proofs: readonly Proof[]): Awaitable<boolean> {
  const providers = beginningProviders(proofs)
  return providers.length > 0 && providers.every(isConnectionId) && areDeleted(connections, providers)
}

async function areDeleted(connections: ResolvedConnections, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (await findConnection(connections, id)) return false
  return true
}
