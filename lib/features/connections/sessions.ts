/** The end of sessions that a connection began: with the connection, at the next read. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { ResolvedConfig, SessionStrategy } from '../../contracts/index.js'
import { hasEndedWithConnections } from './store.js'

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
        mapMaybePromise(reading !== null && hasEndedWithConnections(connections, reading.proofs), (over) =>
          over ? null : reading,
        ),
      ),
    async principal(context, inside) {
      const principal = await sessions.principal(context, inside)
      // The database may have only one connection, so nothing else is queried in a transaction.
      const over =
        principal !== null && inside === undefined && (await hasEndedWithConnections(connections, principal.proofs))
      return over ? null : principal
    },
  }
}
