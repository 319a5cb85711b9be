/** The end of the browser's session at a sign-out, and of all other sessions of its user, with retries. */
import { setTimeout } from 'node:timers/promises'
import { emitEvent, emitSessionsEnded } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig, SignedOutSession } from '../contracts/index.js'
import { InvalidConfiguration, MissingAdapterMethods, SignOutError, toError } from '../errors.js'
import { endAndForgetBrowsers } from '../features/factors/store.js'
import { requestInfo } from '../http/message.js'
import { renewCsrf } from '../session/csrf.js'

/**
 * Throws if the sessions of a user cannot be ended.
 * @throws {@link InvalidConfiguration} with JWT sessions and no `session.revocation`, {@link MissingAdapterMethods} with
 *   database sessions and an adapter without `listSessionsByUserId`.
 */
export function assertCanEndOthers({ session, store }: ResolvedConfig): void {
  if (session.strategy === 'jwt' && !session.revocation) {
    throw new InvalidConfiguration(
      '`everywhere` of signOut needs `session.revocation`, because JWT sessions are stored nowhere else. Set it to `true` with one of our adapters, or to a store such as `sqlStore(db)`.',
    )
  }
  if (session.strategy === 'database' && !store?.abilities.listSessions) {
    throw new MissingAdapterMethods(
      'The adapter has no method `listSessionsByUserId`, which `everywhere` of signOut needs. Add it, or remove `everywhere`.',
    )
  }
}

/**
 * Ends the session of the browser. Its cookie is cleared even if the store fails.
 * @param everywhere `true` if all other sessions of the user end, too.
 * @throws {@link SignOutError} if a session still exists. The user is informed, and it is retried.
 */
export async function endSession(context: AuthContext, everywhere: boolean): Promise<void> {
  const mayEndOthers = everywhere && (await isCurrent(context))
  const end = createEnd(context, mayEndOthers === true)
  try {
    await end()
  } catch (error) {
    renewCsrf(context)
    context.background.run(retry(context, end))
    throw new SignOutError('The session could not be deleted from its store. The library tries again.', toError(error))
  }
  if (mayEndOthers instanceof Error) {
    throw new SignOutError(
      'The other sessions of the user were not ended, because the store failed. Sign in, and call signOut again.',
      mayEndOthers,
    )
  }
}

/**
 * Checks whether the store knows the session, because one that another process has ended must not end those that began
 * since. A database session that is deleted existed until then. Returns the error if the store fails.
 */
async function isCurrent(context: AuthContext): Promise<boolean | Error> {
  if (context.config.session.strategy === 'database') return true
  try {
    return await context.sessions.isLive(context)
  } catch (error) {
    return toError(error)
  }
}

/**
 * Creates the function that ends the sessions. A later call continues where the first one failed, so that each event is
 * emitted once.
 */
function createEnd(context: AuthContext, endsOthers: boolean): () => Promise<void> {
  let ended: SignedOutSession | null | undefined
  return async () => {
    if (ended === undefined) {
      ended = await context.sessions.revoke(context)
      if (ended) {
        renewCsrf(context)
        await emitSignOut(context, ended)
      }
    }
    if (endsOthers && ended) await endOtherSessions(context, ended)
  }
}

async function endOtherSessions({ config, sessions, request }: AuthContext, ended: SignedOutSession): Promise<void> {
  const { userId, sid } = ended
  if (userId === undefined) {
    throw new Error('The session does not name its user, because it began before `session.revocation` was set.')
  }
  const others = await endAndForgetBrowsers(config, userId, () => sessions.endAllSessions(config, userId))
  const facts = { reason: 'endOtherSessions', endedBy: sid, request: requestInfo(request) } as const
  await emitSessionsEnded(config, others, facts)
}

function emitSignOut({ config, request }: AuthContext, ended: SignedOutSession): Promise<void> {
  const { userId: _userId, ...message } = ended
  return emitEvent(config, 'signOut', { ...message, request: requestInfo(request) })
}

/** The delays before each retry, in milliseconds: a database that restarts is back by then. */
const pauses = [500, 5_000, 30_000]

async function retry({ config }: AuthContext, end: () => Promise<void>): Promise<void> {
  let last: unknown
  for (const pause of pauses) {
    await setTimeout(pause)
    try {
      return await end()
    } catch (error) {
      last = error
    }
  }
  config.logger.error(
    new SignOutError('The session could not be deleted from its store. It is valid until it expires.', toError(last)),
  )
}
