/** The account that stands for a user's password: account pages show it, and it counts as a way in. */
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { storeOf } from '../../store/store-of.js'

/** Stores the account where it is not there. */
export async function keepAccount(
  { config }: Pick<AuthContext, 'config'>,
  { id: provider }: PasswordProvider,
  { id: userId }: { readonly id: string },
): Promise<void> {
  const store = storeOf(config)
  const key = { provider, providerAccountId: userId }
  if (await store.getUserByAccount(key)) return
  await store.linkAccount({ ...key, type: 'credentials', userId })
}
