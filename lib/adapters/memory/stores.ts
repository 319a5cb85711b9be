/** The small stores of the memory adapter, beside its tables. */
import { createFactors } from './factors.js'
import type { Methods } from './methods.js'
import { createPasswords } from './passwords.js'
import { memoryRevocations } from './revocations.js'
import { memoryTokens } from './tokens.js'

export type Stores = ReturnType<typeof createStores>

/** The small stores, which take no part in transactions. */
export function createStores() {
  const revocations = memoryRevocations()
  const tokens = memoryTokens()
  const factors = createFactors()
  const passwords = createPasswords()
  const stores = {
    methods: {
      revocationStore: () => revocations,
      tokenStore: () => tokens,
      factorStore: () => factors.store,
      passwordStore: () => passwords.store,
    },
    /** Removes what a user who was deleted has there. */
    async removeOf(userId: string): Promise<void> {
      for (const row of await tokens.findByUser(userId)) await tokens.remove(row, userId)
      await factors.store.remove(userId)
      await passwords.store.remove(userId)
    },
    prune(): void {
      factors.prune()
      passwords.prune()
    },
  }
  return {
    ...stores,
    /** Deletes a user with what they have there. */
    deleting(deleteUser: Methods['deleteUser']): Methods['deleteUser'] {
      return async (id) => {
        const deleted = await deleteUser(id)
        await stores.removeOf(id)
        return deleted
      }
    },
  }
}
