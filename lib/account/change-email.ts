/** The email address of a user: another one, once the user has verified it. */
import { changeEmail as mailChange, mailerOf } from '../actions/index.js'
import { ownRequest, sourceOf } from '../calls/call.js'
import type { RequestCall } from '../functions/run.js'
import type { ChangeEmailOptions } from '../types/account.js'
import type { Outcome } from '../types/outcome.js'
import { personOf } from './person.js'

/** Mails the link. */
export async function changeEmail(
  call: RequestCall,
  { email, callbackUrl = '/' }: ChangeEmailOptions,
): Promise<Outcome<'unchanged' | 'refused' | 'limited' | 'unknown'>> {
  const { auth, req } = call
  const person = await personOf(call)
  const { id: providerId } = mailerOf(auth.config)
  if (!person) return { ok: false, reason: 'unknown' }
  // Counted and reported as a request for a link that signs in.
  const task = { action: 'signin', providerId, body: { email, callbackUrl } } as const
  const reason = await mailChange(auth.ownContext(ownRequest(auth.config, sourceOf(req), task)), person.user)
  return reason === 'sent' ? { ok: true } : { ok: false, reason }
}
