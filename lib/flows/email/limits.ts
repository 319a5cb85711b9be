/** How many mails may be asked for, by address and by client, so that nobody floods a mailbox through this site. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { foldName, mailboxOf, take } from '../../limits/index.js'

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
