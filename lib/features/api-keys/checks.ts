/**
 * Checks keys: by their format, then by an earlier check of this process, and otherwise by the record and the state of its owner. The
 * owner and the membership are read at use, so no function that disables a user or removes a member has to know the keys.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { BoundedMap, ExpiringSet } from '../../base/memory.js'
import { isRecent } from '../../base/time.js'
import type { ResolvedApiKeys, ResolvedConfig } from '../../contracts/index.js'
import { sha256, shortHash } from '../../crypto/hash.js'
import { includesHash } from '../../crypto/keyed-hashes.js'
import { nodeCrypto } from '../../crypto/platform.js'
import { toError } from '../../errors.js'
import { requireStore } from '../../store/guard.js'
import type { Awaitable } from '../../types/identity.js'
import type { ClientFailures } from '../limits/client-failures.js'
import { membershipsOf } from '../organizations/store.js'
import type { StoredApiKey } from './description.js'
import { hasValidChecksum, idOfKey, idPartOf } from './key-format.js'
import { keyHashes, keyRecordsOf, revokedKeysOf } from './store.js'
import type { ApiKey } from './types.js'

/** Keys whose checks are remembered. */
const capacity = 10_000
/** Milliseconds: the shortest time for which a rejected key is remembered. */
const shortestRejection = 1000
/** Milliseconds within which the last use is not recorded again. */
const useInterval = 5 * 60_000

/** The request that a key is checked for. */
export interface KeyUse {
  /** Returns the failures of the client. */
  failures(): ClientFailures
  /** `true` if no earlier check is used. */
  readonly isFresh: boolean
  /** Waits for work in the background, also after the response. */
  background(work: Promise<unknown>): void
}

/** A key that was accepted. */
interface Accepted {
  readonly apiKey: ApiKey
  /** SHA-256 of the key. */
  readonly digest: Buffer
  /** Milliseconds since the epoch, before the queries. */
  readonly checkedAt: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The checks of a configuration. */
export class ApiKeyChecks {
  readonly #config: ResolvedConfig
  readonly #option: ResolvedApiKeys
  readonly #accepted = new BoundedMap<string, Accepted>(capacity)
  readonly #rejected: ExpiringSet
  readonly #pending = new Map<string, Promise<ApiKey | null>>()

  constructor(config: ResolvedConfig, option: ResolvedApiKeys) {
    this.#config = config
    this.#option = option
    const lifetime = Math.max(option.cacheFor, shortestRejection)
    this.#rejected = new ExpiringSet({ lifetime, capacity, hashOf: shortHash })
  }

  /**
   * Checks the text of a request. Synchronous for a text that is no key, and for an earlier check.
   *
   * @returns `null` if the key is unknown, expired or revoked, or its owner may not use it any more.
   * @throws {@link TooManyRequests} if the client has sent too many unknown keys. {@link AdapterError}
   */
  check(text: string, use: KeyUse): Awaitable<ApiKey | null> {
    const accepted = this.#acceptedBefore(text)
    if (accepted && !use.isFresh && this.#isCurrent(accepted)) return this.#unlessEnded(accepted.apiKey, use)
    const id = idOfKey(this.#option.prefix, text)
    if (id === undefined || !hasValidChecksum(text)) return null
    if (!use.isFresh && this.#rejected.has(text)) return null
    // A key that was valid is no guess. Otherwise a stranger could lock out the scripts of a whole network.
    if (!accepted) use.failures().assertAllowed()
    return this.#loadOnce(id, text, use).then((apiKey) => apiKey && this.#unlessEnded(apiKey, use))
  }

  /** Returns the last check in which this process accepted the key. It may be too old to be used again. */
  #acceptedBefore(text: string): Accepted | undefined {
    // The format is not checked first, because the digest of another text differs.
    const accepted = this.#accepted.get(idPartOf(this.#option.prefix, text))
    return accepted && nodeCrypto().timingSafeEqual(sha256(text), accepted.digest) ? accepted : undefined
  }

  #isCurrent({ checkedAt, expiresAt }: Accepted): boolean {
    return isRecent(checkedAt, this.#option.cacheFor) && expiresAt > Date.now()
  }

  /** Rejects a key that this process has revoked, and a key of a disabled user. Without `isFresh` it knows both without a query. */
  #unlessEnded(apiKey: ApiKey, { isFresh }: Pick<KeyUse, 'isFresh'>): Awaitable<ApiKey | null> {
    const { memory, session } = this.#config
    if (revokedKeysOf(memory).has(apiKey.id)) return null
    const { revocation } = session
    if (!revocation) return apiKey
    const { userId } = apiKey
    const asked = isFresh ? revocation.querySession({ userId }) : revocation.refreshSessions([{ userId }])
    return mapMaybePromise<unknown, ApiKey | null>(asked, () => (revocation.hasEnded({ userId }) ? null : apiKey))
  }

  /** Checks a key once for all requests that wait for it. */
  async #loadOnce(id: string, text: string, use: KeyUse): Promise<ApiKey | null> {
    const known = use.isFresh ? undefined : this.#pending.get(text)
    if (known) return known
    const loading = this.#load(id, text, use)
    this.#pending.set(text, loading)
    try {
      return await loading
    } finally {
      if (this.#pending.get(text) === loading) this.#pending.delete(text)
    }
  }

  async #load(id: string, text: string, use: KeyUse): Promise<ApiKey | null> {
    const checkedAt = Date.now()
    const records = keyRecordsOf(this.#option)
    const find = (this.#option.knowsUsers && records.findOfUser) || records.find
    const record = await find({ id })
    const hashes = keyHashes(this.#config, text)
    if (!record || !includesHash(hashes, record.hash)) {
      this.#reject(id, text)
      await use.failures().count()
      return null
    }
    const expiresAt = record.expiresAt.getTime()
    const apiKey = expiresAt > checkedAt && (await this.#keyOf(record))
    if (!apiKey) return this.#reject(id, text)
    this.#accepted.set(id, { apiKey, digest: sha256(text), checkedAt, expiresAt })
    this.#recordUse(record, hashes[0] ?? '', use)
    return apiKey
  }

  /** Remembers the rejection of a key, and forgets that it was accepted. */
  #reject(id: string, text: string): null {
    this.#rejected.add(text)
    if (this.#acceptedBefore(text)) this.#accepted.delete(id)
    return null
  }

  /** Returns the key of a record; `null` if its owner may not use it any more. */
  async #keyOf({ id, userId, organizationId, scopes }: StoredApiKey): Promise<ApiKey | null> {
    const { organizations } = this.#config
    const [isStored, isMember] = await Promise.all([
      this.#option.knowsUsers || this.#isStored(userId),
      organizationId !== null && organizations
        ? membershipsOf(organizations).isMember(userId, organizationId, { isFresh: true })
        : organizationId === null,
    ])
    const known = scopes.split(' ').filter((scope) => this.#option.scopes.has(scope))
    if (!isStored || known.length === 0 || !isMember) return null
    return Object.freeze({
      id,
      userId,
      ...(organizationId !== null && { organization: organizationId }),
      scopes: Object.freeze(known),
    })
  }

  async #isStored(userId: string): Promise<boolean> {
    return (await requireStore(this.#config).getUser(userId))?.id === userId
  }

  /** Records the use, and replaces a hash under an earlier secret. Does nothing if the record was changed or removed. */
  #recordUse(record: StoredApiKey, hash: string, { background }: KeyUse): void {
    const isRecorded = isRecent(record.lastUsedAt?.getTime(), useInterval)
    if (isRecorded && record.hash === hash) return
    const next = { ...record, hash, lastUsedAt: new Date() }
    // After a turn of the event loop, so that the response does not wait. It does not wait for the response, which a client can prevent.
    const recorded = nextTurn().then(() => keyRecordsOf(this.#option).write(next, record.version))
    background(recorded.catch((error: unknown) => this.#config.logger.error(toError(error))))
  }
}
