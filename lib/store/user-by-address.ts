/** Users, looked up by what a stranger says. */
import type { AdapterUser } from '../adapters/types.js'
import type { Store } from '../context.js'

/** The user who has exactly this address: a database may take others for the same. */
export async function userByAddress(store: Store, address: string): Promise<AdapterUser | null> {
  const user = await store.getUserByEmail(address)
  return user?.email?.toLowerCase() === address.toLowerCase() ? user : null
}
