/** The places that keep single-use links: verification tokens of the adapter, and records. */
import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'
import { AdapterError } from '../errors.js'
import { storeOf } from '../store/guard.js'
import type { PasswordAttempt, passwordAttemptsTable, Records } from '../store/tables.js'
import { isCurrent, type Place } from './index.js'

/**
 * Returns the place of an identifier among the verification tokens. The newest link is valid. Adapters have no method that reads a token, so a
 * link is checked when it is spent.
 */
export function verificationTokens(
  config: ResolvedConfig,
  { id }: { readonly id: string },
  identifier: string,
): Omit<Place, 'peek'> {
  const store = storeOf(config)
  const newest = newestOf(config.memory)
  const name = shortHash(JSON.stringify([id, identifier]))
  const endAll = async () => store.can.deleteTokens && store.deleteVerificationTokens(identifier)
  return {
    async keep(hash, expires) {
      await endAll()
      await store.createVerificationToken({ identifier, token: hash, expires })
      newest.set(name, hash)
    },
    async take(hashes) {
      const known = newest.get(name)
      for (const hash of hashes) {
        // Where the adapter cannot delete older tokens, this process refuses those that it has replaced.
        if (known !== undefined && known !== hash && !store.can.deleteTokens) continue
        const used = await store.useVerificationToken({ identifier, token: hash })
        if (!used || used.identifier !== identifier || used.token !== hash) continue
        if (isCurrent(used)) await endAll()
        return used
      }
      return undefined
    },
  }
}

/** The newest token's hash, by provider and identifier. */
const newestOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(10_000))

/** How often a new link tries to replace the one before: several may be mailed at once. */
const mostTries = 8

/**
 * Returns a place among the records. With a `key` it is one record, in which the newest link is valid. Without a `key` each link has a record of
 * its own, under its hash.
 *
 * @param record The rest of a new record.
 */
export function linkRecords(
  records: Records<typeof passwordAttemptsTable>,
  { key, identifier = '', data }: { key?: string } & Partial<PasswordAttempt> = {},
): Place<PasswordAttempt> {
  const fits = (hashes: readonly string[], found: PasswordAttempt) =>
    hashes.includes(key === undefined ? found.tokenHash : found.data)
  const peek = async (hashes: readonly string[]) => {
    for (const tokenHash of key === undefined ? hashes : [key]) {
      const found = await records.find({ tokenHash })
      if (found && fits(hashes, found)) return found
    }
    return undefined
  }
  return {
    async keep(hash, expires) {
      const record = { tokenHash: key ?? hash, identifier, data: data ?? hash, expires }
      for (let tries = 0; tries < mostTries; tries++) {
        if (key !== undefined) await records.take(record)
        if (await records.write(record, 0)) return
      }
      throw new AdapterError('A link could not be stored: other links have its key again and again.', {
        method: 'write',
      })
    },
    peek,
    async take(hashes) {
      const found = await peek(hashes)
      const taken = found && (await records.take(found))
      if (!taken || fits(hashes, taken)) return taken ?? undefined
      // A newer link was mailed between the two calls. It stays valid, unless yet another one has its place by now.
      await records.write(taken, 0).catch(() => undefined)
      return undefined
    },
  }
}
