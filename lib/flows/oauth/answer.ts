/** What the provider's answer says of its request, before it is verified. */
import { decodeJwt } from 'jose'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { onlyValue } from '../../http/urls.js'

/**
 * The `state`, which leads to the attempt. In a signed answer (JARM §4.1) it stands in the token: there it is read before the signature is
 * verified, and compared again afterwards. A plain answer has none then.
 */
export function stateOf(
  { protocol }: Pick<ResolvedOAuthProvider, 'protocol'>,
  answer: URLSearchParams,
): string | undefined {
  if (!protocol.signedAnswer) return onlyValue(answer, 'state')
  try {
    const { state } = decodeJwt(onlyValue(answer, 'response') ?? '')
    return typeof state === 'string' ? state : undefined
  } catch {
    return undefined
  }
}
