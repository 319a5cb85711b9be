/**
 * Proving anew who one is: who is signed in is sent to sign in again, as the same person. What was asked waits in a sealed cookie, so that a
 * form that leaves it out changes nothing. Who signs in as somebody else is refused, and stays who they were (MF-10).
 */
import type { AuthContext } from '../contracts/index.js'
import { AccountMismatch, ReauthenticationRequired } from '../errors.js'
import { Attempts, attemptCookie, clearAttempt } from '../flows/attempt.js'
import { provesPresence } from '../principal/index.js'
import type { StepOf } from './sign-in-stages.js'

/** What was asked of whom. */
interface Reauthentication {
  readonly userId: string
  /** Seconds: the proof must not be older. */
  readonly maxAge: number
}

const slot = 'reauth'
const asked = new Attempts<Reauthentication>('reauthentication')

/**
 * Notes that who is signed in is to prove it. The page without the mark forgets it: there anybody may sign in.
 *
 * @returns The seconds; `undefined` where nobody is asked.
 */
export async function noteReauthentication(context: AuthContext): Promise<number | undefined> {
  if (context.request.method === 'HEAD') return undefined
  const text = context.request.url.searchParams.get('reauth')
  const maxAge = Math.max(/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0, 1)
  const userId = text === null ? undefined : await whoIsHere(context)
  if (userId === undefined) {
    forgetReauthentication(context)
    return undefined
  }
  await asked.keep(context, slot, { userId, maxAge })
  return maxAge
}

async function whoIsHere(context: AuthContext): Promise<string | undefined> {
  const reading = await context.sessions.read(context, { writable: true })
  return reading?.userId
}

/** Finds the question of this browser; `undefined` for most sign-ins, without work. */
async function findReauthentication(context: AuthContext): Promise<Reauthentication | undefined> {
  if (context.cookies.get(attemptCookie(context, slot).name) === undefined) return undefined
  const [found] = await asked.held(context, [slot])
  if (!found) return undefined
  // Who has signed out meanwhile may sign in as anybody.
  return (await whoIsHere(context)) === found.attempt.userId ? found.attempt : undefined
}

/** Forgets it: it was answered, or somebody signs out. */
export function forgetReauthentication(context: AuthContext): void {
  clearAttempt(context, slot)
}

/**
 * Answers a reauthentication: the sign-in has to prove that the user was present.
 *
 * @throws {@link ReauthenticationRequired} where it does not.
 */
export const reauthentication: StepOf<'reauthentication'> = {
  name: 'reauthentication',
  stage: 'reauthentication',
  async run({ context, identity }) {
    const found = identity.account.type === 'application' ? undefined : await findReauthentication(context)
    if (!found) return undefined
    forgetReauthentication(context)
    if (provesPresence(identity, found.maxAge)) return { onlyUser: found.userId }
    throw new ReauthenticationRequired(
      `The provider "${identity.account.provider}" did not say that it has just asked the person (\`auth_time\`). Ask them for another way to sign in, or for a second factor.`,
    )
  },
}

/** Refuses a sign-in that would end at another user, or give the account to this one. @throws {@link AccountMismatch} */
export const sameUser: StepOf<'user'> = {
  name: 'same user',
  stage: 'user',
  run({ onlyUser, userId, isAttached }) {
    if (onlyUser === undefined || (userId === onlyUser && !isAttached)) return undefined
    throw new AccountMismatch('Who was to confirm that it is them signed in with an account that is not theirs.')
  },
}
