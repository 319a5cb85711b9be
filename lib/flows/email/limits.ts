/** Limits of emails, for each address and client. They stop attackers who would flood a mailbox through this site. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { consumeAttempt, foldName, mailboxText } from '../../features/limits/attempts.js'

/**
 * Counts an email for the address and the client. A browser that signed in with the address before has its own count.
 * Otherwise a stranger could block emails to the owner with a few repeated requests.
 *
 * @throws {@link TooManyRequests} if one of them exceeds the provider's `limit`. Such a request counts for neither.
 */
export async function countMail(context: AuthContext, provider: ResolvedEmailProvider, address: string): Promise<void> {
  const { id, limit } = provider
  if (!limit) return
  const { perAddress, perClient, window } = limit
  const attempt = { rule: 'mail', scope: id, accounts: [foldName(address)], typed: mailboxText(address) } as const
  await consumeAttempt(context, attempt, { perAccount: perAddress, perClient, window })
}

/**
 * Counts a second-factor code that is sent to the user who has proved the first factor. Emails that any client may
 * request have another count, because a stranger could otherwise keep the user from signing in.
 *
 * @throws {@link TooManyRequests} if the user exceeds the `perAddress` of the provider's `limit`.
 */
export async function countFactorMail(
  context: AuthContext,
  { id, limit }: ResolvedEmailProvider,
  userId: string,
): Promise<void> {
  if (!limit) return
  const { perAddress, window } = limit
  const attempt = { rule: 'mail', scope: `second factor ${id}`, accounts: [userId] } as const
  await consumeAttempt(context, attempt, { perAccount: perAddress, window })
}
