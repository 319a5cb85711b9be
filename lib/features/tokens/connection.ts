/**
 * The sealed connection in a URL: its session and its scopes. It is sealed so that neither the browser nor the sender
 * of a link can choose the scope, and is bound to one session.
 */
import type { ConnectionRequest } from '../../contracts/index.js'
import { seal, unseal } from '../../crypto/seal.js'

/** Seconds: the time that a page with such a link stays open. */
const maxAge = 60 * 60

/** Seals a connection. */
export function sealConnection({ connection, params }: ConnectionRequest, secrets: readonly string[]): Promise<string> {
  return seal('connection', { connection, params }, { secrets, maxAge })
}

/** Opens the text of {@link sealConnection}; `null` if it is invalid or too old. */
export async function openConnection(sealed: string, secrets: readonly string[]): Promise<ConnectionRequest | null> {
  const payload = await unseal('connection', sealed, secrets)
  return payload as ConnectionRequest | null
}
