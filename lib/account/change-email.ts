/** The change of a user's email address, after the user has verified the new one. */
import { emailProviderOf, changeEmail as mailChange } from '../actions/index.js'
import { callSourceOf, ownRequest } from '../calls/call.js'
import type { RequestCall } from '../functions/run.js'
import type { ChangeEmailOptions } from '../types/account.js'
import type { Outcome } from '../types/outcome.js'
import { signedInUserOf } from './signed-in-user.js'

/** Emails the link. */
export async function changeEmail(
  call: RequestCall,
  { email, callbackUrl = '/' }: ChangeEmailOptions,
): Promise<Outcome<'unchanged' | 'refused' | 'limited' | 'unknown'>> {
  const { auth, req } = call
  const signedIn = await signedInUserOf(call)
  const { id: providerId } = emailProviderOf(auth.config)
  if (!signedIn) return { ok: false, reason: 'unknown' }
  // Counted and reported like a request for a sign-in link.
  const task = { action: 'signin', providerId, body: { email, callbackUrl } } as const
  const reason = await mailChange(
    auth.createCallContext(ownRequest(auth.config, callSourceOf(req), task)),
    signedIn.user,
  )
  return reason === 'sent' ? { ok: true } : { ok: false, reason }
}
