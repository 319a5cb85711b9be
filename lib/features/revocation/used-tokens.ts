/** Tokens that do their work once, where the ends of sessions are noted: each process knows then which were used. */
import type { UsedTokens } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import type { LogStore } from '../../types/store.js'
import { guardStore } from './guard.js'

/**
 * Makes use of a store.
 *
 * @param timeout Milliseconds that a method may take.
 */
export function createUsedTokens(store: LogStore, timeout: number): UsedTokens {
  const guarded = guardStore(store, timeout)
  return Object.freeze<UsedTokens>({
    async has(name) {
      return (await guarded.find([keyOf(name)])).revocations.length > 0
    },
    async add(name, seconds) {
      // No session is meant: none began by then.
      const entry = { key: keyOf(name), exceptSid: '', notBefore: 0, until: Math.ceil(Date.now() / 1000) + seconds }
      await guarded.add([entry])
    },
  })
}

/** No session and no user has such a key. */
function keyOf(name: string): string {
  return `t.${shortHash(name)}`
}
