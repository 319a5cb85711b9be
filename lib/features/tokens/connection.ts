/**
 * The connection that an URL carries: who may follow it, and what is asked for. Sealed, so that neither the browser nor somebody who
 * sends a person there chooses the scope, and bound to one session.
 */
import type { ConnectionRequest } from '../../contracts/index.js'
import { seal, unseal } from '../../crypto/seal.js'

/** Seconds: as long as a page with such a link lies open. */
const maxAge = 60 * 60

/** Makes the text. */
export function sealConnection({ connection, params }: ConnectionRequest, secrets: readonly string[]): Promise<string> {
  return seal('connection', { connection, params }, { secrets, maxAge })
}

/** Opens what {@link sealConnection} made; `null` where it did not, or too long ago. */
export async function openConnection(sealed: string, secrets: readonly string[]): Promise<ConnectionRequest | null> {
  const payload = await unseal('connection', sealed, secrets)
  return payload as ConnectionRequest | null
}
