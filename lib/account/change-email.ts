/** A person's address: another one, once they have shown that it is theirs. */
import { changeEmail as mailChange, mailerOf } from '../actions/index.js'
import { sharedAuthOf } from '../engine/index.js'
import type { SessionRequest } from '../get-session.js'
import type { ServerAuthConfig } from '../types/config.js'
import { ownRequest } from './own-request.js'
import { personOf } from './person.js'

/** What {@link changeEmail} came to. */
export type ChangeEmailResult = 'sent' | 'unchanged' | 'refused' | 'limited' | 'unknown'

/** The address that a person wants to have. */
export interface ChangeEmailOptions {
  /** What the person typed. */
  readonly email: string
  /** Where they are sent once it is changed. Goes through the `redirect` callback. Default: the site's root. */
  readonly callbackUrl?: string
}

/**
 * Mails the person who is signed in a link to the address that they want to have. The link leads to a page that asks, in a
 * session of the same user; with that the address is theirs, and proved. It works once, within 30 minutes or the provider's
 * `maxAge` where that is shorter, as long as no newer one was asked for and the user has the address that they had.
 *
 * The answer does not tell whether somebody else has the address. Whoever has proved it keeps it, and the person reads so
 * when they open the link; whoever only claimed it loses it (`events.updateUser` with `lostAddress`). `events.updateUser` tells
 * the change by `previousEmail`, and the old address gets a notice, if it was proved (`sendNotice` of the provider).
 *
 * Check the form with {@link hasCsrfToken} before. Ask for the password once more if you keep one: who sits down at an
 * unlocked screen could take the account along.
 *
 * @returns `sent`; `unchanged` for the proved address that the user has; `refused` for what is no single address, and where
 * the `signIn` callback says no (`email.verificationRequest`); `limited` after too many mails; `unknown` when nobody is
 * signed in whom the adapter knows.
 * @throws {@link ReauthenticationRequired} for who has a second factor, and has not proved it within five minutes;
 * {@link InvalidProvider} without a provider of e-mail, {@link MissingAdapter} without an adapter, {@link AdapterError}
 * when the database fails.
 *
 * @example
 * ```ts
 * if (hasCsrfToken(req, config)) await changeEmail(req, config, { email: String(req.body.email), callbackUrl: '/account' })
 * ```
 */
export async function changeEmail(
  req: SessionRequest,
  config: ServerAuthConfig,
  { email, callbackUrl = '/' }: ChangeEmailOptions,
): Promise<ChangeEmailResult> {
  const auth = sharedAuthOf(config)
  const person = await personOf(req, config, 'changes')
  const provider = mailerOf(auth.config)
  if (!person) return 'unknown'
  // As if the person had asked for a link that signs in: the same is counted, and told where it fails.
  const asked = { action: 'signin', providerId: provider.id, body: { email, callbackUrl } } as const
  return mailChange(auth.ownContext(ownRequest(auth.config, req, asked), 'changes'), person.user)
}
