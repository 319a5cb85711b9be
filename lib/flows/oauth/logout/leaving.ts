/** Sign-outs that are not over with the session here: what has to be known when the person comes by again. */
import type { AuthContext } from '../../../contracts/index.js'
import { type Attempt, Attempts } from '../../attempt.js'

/** What is known then. */
export interface Leaving {
  /** Where the person wants to be, already allowed. */
  readonly callbackUrl: string
  /** Whether the person asked for the sign-out at the provider. */
  readonly federated?: boolean
}

const leavings = new Attempts<Leaving>('logout')

/** Seals what has to be known. @param place Where they come by: a provider's way back, or none. */
export function beginLeaving(context: AuthContext, leaving: Leaving, place?: string): Promise<string> {
  return leavings.seal(context, { ...leaving }, place === undefined ? [] : [place])
}

/** What was sealed for this browser and place; once. `undefined` for anything else: nobody's URL is followed then. */
export async function finishLeaving(
  context: AuthContext,
  sealed: string | undefined,
  place?: string,
): Promise<Attempt<Leaving> | undefined> {
  const opened = sealed ? await leavings.open(context, sealed, place === undefined ? [] : [place]) : undefined
  if (!opened?.isHere) return undefined
  try {
    await leavings.use(context, opened.attempt.id, 'The sign-out was completed before.')
  } catch {
    return undefined
  }
  return opened.attempt
}
