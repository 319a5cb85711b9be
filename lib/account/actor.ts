/** The user who calls a function about any user, for events. */
import type { AnyCall } from '../functions/run.js'
import { requestInfo } from '../http/message.js'
import type { AdministrationContext, EventCallbacks, SessionEndedMessage } from '../types/config.js'

/** The signed-in user of a request, as the event `sessionEnded` names them. */
export type Actor = Pick<SessionEndedMessage, 'endedBy' | 'by' | 'request'>

/** The events that name the actor. */
const eventsWithActor: ReadonlyArray<keyof EventCallbacks> = [
  'sessionEnded',
  'userDisabled',
  'userEnabled',
  'beforeDeleteUser',
  'userDeleted',
  'factorRemoved',
  'createUser',
  'updateUser',
  'passwordLinkSent',
  'apiKeyRevoked',
  'organizationChanged',
]

/**
 * Returns the signed-in user of the request, also by a bearer token, for the event. Errors are ignored, so that sessions
 * end in any case.
 */
export async function actorOf({ auth, request }: AnyCall): Promise<Actor> {
  const isReported = eventsWithActor.some((name) => auth.config.events[name] !== undefined)
  const req = isReported ? await request() : undefined
  if (!req) return {}
  const holder = await auth.holderOf(req).catch(() => null)
  return { ...(holder && { endedBy: holder.id, by: holder.userId }), request: requestInfo(req) }
}

/** Returns the actor as the events of `auth.users` name them. */
export function administrationContextOf({ endedBy: sid, ...actor }: Actor): AdministrationContext {
  return { ...actor, ...(sid !== undefined && { sid }) }
}

/** Throws for an invalid id. With `undefined`, no session would end, without an error. */
export function assertUserId(userId: unknown): void {
  if (typeof userId !== 'string' || userId === '')
    throw new TypeError('The first argument must be the id of a user, a string. The request is the last argument.')
}
