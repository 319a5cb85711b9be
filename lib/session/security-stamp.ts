/**
 * Security stamps in a sign-in. A stamp is read before anything is verified, carried to wherever the sign-in continues, and compared when
 * the session exists and before the browser receives it. So nothing that ends sessions can happen unnoticed between the two.
 */
import type { AuthContext, LostSession, ResolvedConfig, SecurityStamp, SecurityStamps } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import { ReauthenticationRequired } from '../errors.js'

type Sessions = Pick<ResolvedConfig, 'session'>

/** By request: the changes that a sign-in makes itself do not end it. */
const marks = new WeakMap<AuthContext['request'], string>()

/** Returns the mark of the changes that this request makes ({@link SecurityStamp.mark}). */
export function markOf({ request }: Pick<AuthContext, 'request'>): string {
  const known = marks.get(request) ?? randomText(16)
  marks.set(request, known)
  return known
}

/**
 * Reads the stamp of a user. `undefined` where no store holds stamps, or the application chose to continue without the store.
 *
 * @throws {@link AdapterError} when the store fails.
 */
export async function readStamp({ session: { stamps } }: Sessions, of: Omit<SecurityStamp, 'value'>) {
  return stamps?.read(of)
}

/**
 * Asserts that nothing has ended the sessions of the user since the stamp was read.
 *
 * @throws {@link ReauthenticationRequired} where something has, {@link AdapterError} when the store fails.
 */
export async function assertUnchanged({ session: { stamps } }: Sessions, stamp: SecurityStamp | undefined) {
  if (!stamp || !(await stamps?.hasChanged(stamp))) return
  throw new ReauthenticationRequired('All sessions of the user were ended during the sign-in.')
}

/**
 * Ends stored sessions, and changes a stamp. The sessions end before and after the change. A request that reads the stamp after the change
 * finds the session ended in which it was sent. A session that began with the stamp from before is refused, or ends the second time.
 *
 * @returns What `end` returned, both times.
 */
export async function endAndChange<T>(
  { session: { stamps } }: Sessions,
  end: () => Promise<readonly T[]>,
  change: (stamps: SecurityStamps) => Promise<void>,
): Promise<T[]> {
  const ended = [...(await end())]
  if (!stamps) return ended
  await change(stamps)
  return [...ended, ...(await end())]
}

/**
 * Ends sessions before something changes that they rest on, such as a password. Were the change first, and the end failed, the sessions would
 * continue with nothing left to do again.
 *
 * @returns The sessions that have ended, and a function to call after the change. It ends those that began in between. It returns none with
 * JWT sessions: nobody knows which there are, and they are reported once.
 */
export async function endBefore({ session }: Sessions, end: () => Promise<readonly LostSession[]>) {
  const ended = await end()
  const endAfter = async (): Promise<readonly LostSession[]> => {
    const late = await end()
    return session.strategy === 'database' ? late : []
  }
  return { ended, endAfter }
}
