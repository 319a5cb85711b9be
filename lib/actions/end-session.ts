/** The end of the browser's session at a sign-out, and of all other sessions of its user, with retries. */
import { setTimeout } from 'node:timers/promises'
import { emitEvent, emitSessionsEnded } from '../callbacks/index.js'
import type { AuthContext, BrowserSignOut, ResolvedConfig } from '../contracts/index.js'
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
 * @param extent The other sessions that end.
 * @throws {@link SignOutError} if a session still exists. The user is informed, and it is retried.
 */
export async function endSession(context: AuthContext, extent: SignOutExtent = {}): Promise<void> {
  const end = prepareSignOut(context, extent)
  try {
    await end()
  } catch (error) {
    if (error instanceof SignOutError) throw error
    renewCsrf(context)
    context.background.run(retry(context, end))
    throw new SignOutError('The session could not be deleted from its store. The library tries again.', toError(error))
  }
}

type Step = () => Promise<void>

/** The sessions that end beside that of the browser. */
interface SignOutExtent {
  /**
   * `true` if all other sessions of the user end, too. If it is ambiguous which of several sessions is this browser's, those
   * of each of their users end: the request could end each one by its own cookie.
   */
  readonly everywhere?: boolean
  /** The contexts of own sessions that impersonation keeps in this browser. */
  readonly kept?: readonly AuthContext[]
}

/**
 * Returns the function that ends the sessions. A later call continues with the step that failed, so that the session in
 * use is chosen once and each event is emitted once. It ends no session that began after the first call.
 */
function prepareSignOut(context: AuthContext, { everywhere = false, kept = [] }: SignOutExtent): Step {
  const calledAt = Date.now()
  let asOf: number | undefined
  const steps: Step[] = [
    async () => {
      const signOut = await context.sessions.signOut(context)
      steps.push(...(signOut ? stepsOf(signOut) : []), ...kept.map((own) => prepareSignOut(own, {})))
    },
  ]
  const stepsOf = (signOut: BrowserSignOut): Step[] => [
    ...(everywhere ? [async () => void steps.push(...endsOfOthers(signOut.message, await signOut.owners()))] : []),
    () => signOut.end(),
    async () => {
      renewCsrf(context)
      const { message, impersonation } = signOut
      const request = requestInfo(context.request)
      const by = impersonation && { by: impersonation.by }
      await emitEvent(context.config, 'signOut', { ...message, ...by, request })
      if (impersonation) await emitEvent(context.config, 'impersonationEnded', { ...impersonation, request })
    },
  ]
  const endsOfOthers = ({ sid }: BrowserSignOut['message'], owners: ReadonlyArray<string | undefined>): Step[] => {
    const userIds = new Set(owners.filter((userId) => userId !== undefined))
    const ends = [...userIds].map((userId) => prepareEndOfOthers(context, userId, sid))
    return [...ends.map((end) => () => end(asOf)), ...(owners.includes(undefined) ? [rejectNameless] : [])]
  }
  return async () => {
    try {
      for (let step = steps[0]; step; step = steps[0]) {
        await step()
        steps.shift()
      }
    } finally {
      asOf = calledAt
    }
  }
}

/** Returns the function that ends the other sessions of a user. @param endedBy The public id of the session in use. */
function prepareEndOfOthers({ config, sessions, request }: AuthContext, userId: string, endedBy: string | undefined) {
  const end = sessions.prepareEndOfAll(config, userId)
  return async (asOf?: number): Promise<void> => {
    const others = await endAndForgetBrowsers(config, userId, () => end(asOf))
    await emitSessionsEnded(config, others, { reason: 'endOtherSessions', endedBy, request: requestInfo(request) })
  }
}

async function rejectNameless(): Promise<never> {
  throw new SignOutError(
    'The other sessions of the user were not ended, because this session began before `session.revocation` was set and does not name its user. Sign in, and call signOut again.',
  )
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
      if (error instanceof SignOutError) return config.logger.error(error)
      last = error
    }
  }
  config.logger.error(
    new SignOutError('The session could not be deleted from its store. It is valid until it expires.', toError(last)),
  )
}
