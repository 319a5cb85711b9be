/** How many mails may be asked for, by address and by client, so that nobody floods a mailbox through this site. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { take } from '../../limits/index.js'

/**
 * Counts a mail for the address and for the client.
 *
 * @throws {@link TooManyRequests} when one of them asks for more than the provider's `limit`. That counts for neither.
 */
export async function countMail(context: AuthContext, provider: ResolvedEmailProvider, address: string): Promise<void> {
  const { id, limit } = provider
  if (!limit) return
  const { perAddress, perClient, window } = limit
  await take(context, { rule: 'mail', scope: id, accounts: [address] }, { perAccount: perAddress, perClient, window })
}
