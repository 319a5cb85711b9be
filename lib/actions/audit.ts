/** What an audit log is told of a failed attempt. */

import { emit } from '../callbacks/events.js'
import type { AuthContext } from '../contracts/index.js'
import type { AuthError } from '../errors.js'
import { requestInfo } from '../http/message.js'
import type { FailureMessage } from '../types/config.js'
import { isWrongAddress } from './incidents.js'

/** Tells the `failure` event. A wrong address is no attempt, and not told. */
export async function tellFailure(context: AuthContext, error: AuthError): Promise<void> {
  if (isWrongAddress(error)) return
  await emit(context.config, 'failure', toMessage(context, error))
}

function toMessage({ config, request }: AuthContext, error: AuthError): FailureMessage {
  const { action, providerId } = request
  return {
    type: error.type,
    error,
    action,
    ...(providerId !== undefined && config.providers.has(providerId) && { provider: providerId }),
    request: requestInfo(request),
  }
}
