/**
 * Security stamps in a sign-in. A stamp is read before anything is verified, passed to where the sign-in continues, and
 * compared once the session exists and before the browser receives it. So an end of the user's sessions in between is
 * always noticed.
 */
import type { AuthContext, EndedSession, ResolvedConfig, SecurityStamp, SecurityStamps } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import { ReauthenticationRequired } from '../errors.js'

type SessionConfig = Pick<ResolvedConfig, 'session'>

/** The marks by request: the changes of a sign-in itself do not end it. */
const requestMarks = new WeakMap<AuthContext['request'], string>()

/** Returns the mark of the changes that this request makes ({@link SecurityStamp.mark}). */
export function requestMark({ request }: Pick<AuthContext, 'request'>): string {
  const known = requestMarks.get(request) ?? randomText(16)
  requestMarks.set(request, known)
  return known
}

/**
 * Reads the stamp of a user. Returns `undefined` when no store has stamps, or the application chose to continue without
 * the store.
 *
 * @throws {@link AdapterError} when the store fails.
 */
export async function readStamp({ session: { stamps } }: SessionConfig, of: Omit<SecurityStamp, 'value'>) {
  return stamps?.read(of)
}

/**
 * Asserts that the sessions of the user were not ended since the stamp was read.
 *
 * @throws {@link ReauthenticationRequired} when they were, {@link AdapterError} when the store fails.
 */
export async function assertStampUnchanged({ session: { stamps } }: SessionConfig, stamp: SecurityStamp | undefined) {
  if (!stamp || !(await stamps?.hasChanged(stamp))) return
  throw new ReauthenticationRequired('All sessions of the user were ended during the sign-in.')
}

/**
 * Ends stored sessions and changes a stamp. The sessions end before and after the change.
 *
 * A request that reads the stamp after the change finds its session ended. A session that started with the old stamp is
 * rejected, or ends the second time.
 *
 * @returns The results of `end`, both times.
 */
export async function endSessionsAndChange<T>(
  { session: { stamps } }: SessionConfig,
  end: () => Promise<readonly T[]>,
  change: (stamps: SecurityStamps) => Promise<void>,
): Promise<T[]> {
  const ended = [...(await end())]
  if (!stamps) return ended
  await change(stamps)
  return [...ended, ...(await end())]
}

/**
 * Ends sessions before something that they depend on changes, such as a password. If the change came first and the end
 * failed, the sessions would continue, and no retry would end them.
 *
 * @returns The sessions that have ended, and a function to call after the change, which ends those that started in
 *   between. With JWT sessions it returns none: they cannot be listed, so they are reported once.
 */
export async function endSessionsBefore({ session }: SessionConfig, end: () => Promise<readonly EndedSession[]>) {
  const ended = await end()
  const endAfter = async (): Promise<readonly EndedSession[]> => {
    const late = await end()
    return session.strategy === 'database' ? late : []
  }
  return { ended, endAfter }
}
