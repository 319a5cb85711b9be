/**
 * State in the memory of the process, limited by its owner's lifetime, by a number of entries or by time.
 *
 * Rate limits count in `features/limits`; single-use marks use {@link ExpiringSet}, serialised work uses {@link
 * KeyedLock}, and other caches use {@link BoundedMap}.
 */

/**
 * The key for everything that a process remembers of one site, by {@link perOwner}. Configurations that read each
 * other's cookies share one, so a configuration that is created for each request forgets nothing.
 */
export interface SiteMemory {
  /** A tag: instances are compared by identity only. */
  readonly kind: 'site-memory'
}

/** The number of sites that are remembered, and that of secrets whose keys are cached. */
const capacity = { sites: 1000, secrets: 100 }

/**
 * Makes room for this number of configurations, each with its own secrets. Memories of sites are small until they are
 * used, and last longer than engines: a site that is loaded again still knows its used attempts and counts.
 */
export function reserveSites(configurations: number, secretsOfEach: number): void {
  capacity.sites = Math.max(capacity.sites, configurations * memoriesPerEngine)
  capacity.secrets = Math.max(capacity.secrets, configurations * secretsOfEach)
}

/** The number of sites that are remembered for each engine in memory. */
const memoriesPerEngine = 10

/** Returns the number of secrets whose keys are cached. */
export function cachedSecrets(): number {
  return capacity.secrets
}

/**
 * Returns the memory of a site.
 *
 * @param name Identifies the configuration: its secret, and the name of its session cookie.
 */
export function siteMemory(...name: readonly string[]): SiteMemory {
  const key = JSON.stringify(name)
  const memory = sites.get(key) ?? createOwnMemory()
  // Re-inserted at the end, so that sites that were used once do not evict sites in use.
  sites.delete(key)
  sites.set(key, memory)
  return memory
}

/** Creates a memory that is not shared. */
export function createOwnMemory(): SiteMemory {
  return Object.freeze({ kind: 'site-memory' })
}

/** Forgets all sites, as after a restart of the process. For tests. */
export function clearSiteMemories(): void {
  sites.clear()
}

/**
 * Creates one value for each owner, on first use, which is collected with its owner. Nothing is kept when `make`
 * throws.
 */
export function perOwner<Owner extends object, Value extends object | null>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>()
  return (owner) => {
    const known = values.get(owner)
    if (known !== undefined) return known
    const value = make(owner)
    values.set(owner, value)
    return value
  }
}

/**
 * Creates one value for each name, on first use.
 *
 * @param capacity The most values that are kept. Default: no limit, for names from the configuration, which are few.
 */
export function perName<Value>(
  make: (name: string) => Value,
  capacity: Capacity = Number.POSITIVE_INFINITY,
): (name: string) => Value {
  const values = new BoundedMap<string, Value>(capacity)
  return (name) => {
    const known = values.get(name)
    if (known !== undefined) return known
    const value = make(name)
    values.set(name, value)
    return value
  }
}

/** Copies a text: a substring of a header would keep the whole header in memory. */
export function copyText(text: string): string {
  return globalThis.Buffer ? Buffer.from(text).toString() : Array.from(text).join('')
}

/**
 * A map that knows its oldest entry even after many deletions. A new iterator would skip all deleted entries until the
 * map is rehashed. With 100,000 entries, each new key of an attacker would cost that much.
 */
export class OldestFirstMap<Key, Value> extends Map<Key, Value> {
  /** The iterator behind {@link #oldest}, which continues where it stopped. */
  #front: MapIterator<Key> | undefined
  #oldest: { readonly key: Key } | undefined

  override delete(key: Key): boolean {
    if (this.#oldest?.key === key) this.#oldest = undefined
    return super.delete(key)
  }

  override clear(): void {
    this.#oldest = undefined
    this.#front = undefined
    super.clear()
  }

  /** Returns the key that was added first; `undefined` in an empty map. */
  oldest(): { readonly key: Key } | undefined {
    if (this.#oldest) return this.#oldest
    this.#front ??= this.keys()
    let next = this.#front.next()
    if (next.done) {
      // A finished iterator stays finished, so a new one is needed.
      this.#front = this.keys()
      next = this.#front.next()
    }
    this.#oldest = next.done ? undefined : { key: next.value }
    return this.#oldest
  }
}

/** A maximum number of entries: fixed, or as it is when an entry is added. */
type Capacity = number | (() => number)

/** A map with a maximum number of entries. A new entry replaces the oldest. */
export class BoundedMap<Key, Value> extends OldestFirstMap<Key, Value> {
  readonly #limit: Capacity

  constructor(capacity: Capacity) {
    super()
    this.#limit = capacity
  }

  get #capacity(): number {
    return typeof this.#limit === 'number' ? this.#limit : this.#limit()
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#capacity && !this.has(key)) {
      const oldest = this.oldest()
      if (oldest) this.delete(oldest.key)
    }
    return super.set(key, value)
  }
}

const sites = new BoundedMap<string, SiteMemory>(() => capacity.sites)

/** Texts that are remembered for a limited time. Hashes keep them short and unreadable in a memory dump. */
export class ExpiringSet {
  readonly #lifetime: number
  readonly #until: BoundedMap<string, number>
  readonly #hashOf: (text: string) => string

  /**
   * @param lifetime Milliseconds.
   * @param hashOf Returns a short text for a text.
   */
  constructor({
    lifetime,
    capacity,
    hashOf,
  }: { lifetime: number; capacity: number; hashOf: (text: string) => string }) {
    this.#lifetime = lifetime
    this.#hashOf = hashOf
    this.#until = new BoundedMap(capacity)
  }

  has(text: string): boolean {
    const until = this.#until.get(this.#hashOf(text))
    return until !== undefined && until > Date.now()
  }

  /** Adds a text. Returns whether it was new. */
  add(text: string): boolean {
    const now = Date.now()
    for (let first = this.#until.oldest(); first !== undefined; first = this.#until.oldest()) {
      if ((this.#until.get(first.key) ?? 0) > now) break
      this.#until.delete(first.key)
    }
    const hash = this.#hashOf(text)
    const isNew = !this.#until.delete(hash)
    this.#until.set(hash, now + this.#lifetime)
    return isNew
  }
}

/** Runs work with the same key one after the other, in this process. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @param hold Milliseconds after which the next work starts even if this work has not ended. */
  async run<T>(key: string, work: () => Promise<T>, hold?: number): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work)
    const turn = hold === undefined ? mine : before.then(() => settledOrTimeout(mine, hold))
    const settled = turn.catch(() => {})
    this.#last.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }
}

/** Resolves when the work has ended, or after this many milliseconds. */
async function settledOrTimeout(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs the work unless work with the same key is in progress. In that case it returns `null`. */
export async function runExclusively<T>(
  underWay: Set<string>,
  key: string,
  work: () => Promise<T | null>,
): Promise<T | null> {
  if (underWay.has(key)) return null
  underWay.add(key)
  try {
    return await work()
  } finally {
    underWay.delete(key)
  }
}
