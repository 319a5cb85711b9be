/** The change of a user's email address, after the user has verified the new one. */
import { changeEmail as mailChange, mailerOf } from '../actions/index.js'
import { ownRequest, sourceOf } from '../calls/call.js'
import type { RequestCall } from '../functions/run.js'
import type { ChangeEmailOptions } from '../types/account.js'
import type { Outcome } from '../types/outcome.js'
import { personOf } from './person.js'

/** Emails the link. */
export async function changeEmail(
  call: RequestCall,
  { email, callbackUrl = '/' }: ChangeEmailOptions,
): Promise<Outcome<'unchanged' | 'refused' | 'limited' | 'unknown'>> {
  const { auth, req } = call
  const person = await personOf(call)
  const { id: providerId } = mailerOf(auth.config)
  if (!person) return { ok: false, reason: 'unknown' }
  // Counted and reported like a request for a sign-in link.
  const task = { action: 'signin', providerId, body: { email, callbackUrl } } as const
  const reason = await mailChange(auth.ownContext(ownRequest(auth.config, sourceOf(req), task)), person.user)
  return reason === 'sent' ? { ok: true } : { ok: false, reason }
}
