/** How many mails may be asked for, by address and by client, so that nobody floods a mailbox through this site. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { foldName, mailboxOf, take } from '../../features/limits/attempts.js'

/**
 * Counts a mail for the address and for the client; in a browser that signed in with the address before, for that alone. Otherwise
 * a few requests of a stranger, again and again, would keep its owner from mails.
 *
 * @throws {@link TooManyRequests} when one of them asks for more than the provider's `limit`. That counts for neither.
 */
export async function countMail(context: AuthContext, provider: ResolvedEmailProvider, address: string): Promise<void> {
  const { id, limit } = provider
  if (!limit) return
  const { perAddress, perClient, window } = limit
  const attempt = { rule: 'mail', scope: id, accounts: [foldName(address)], typed: mailboxOf(address) } as const
  await take(context, attempt, { perAccount: perAddress, perClient, window })
}

/**
 * Counts a code that is sent as a second factor, for the user who has proved the first one. Emails that anybody may ask for have another
 * count, because a stranger could otherwise keep the user from signing in.
 *
 * @throws {@link TooManyRequests} when the user asks for more than the `perAddress` of the provider's `limit`.
 */
export async function countFactorMail(
  context: AuthContext,
  { id, limit }: ResolvedEmailProvider,
  userId: string,
): Promise<void> {
  if (!limit) return
  const { perAddress, window } = limit
  const attempt = { rule: 'mail', scope: `second factor ${id}`, accounts: [userId] } as const
  await take(context, attempt, { perAccount: perAddress, window })
}
