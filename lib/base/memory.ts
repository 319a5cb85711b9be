/**
 * What is remembered in the process: for as long as its owner lives, so many entries, or so long. Nothing grows for ever.
 *
 * Counts are those of `features/limits`, single-use marks {@link ExpiringSet}, turns {@link KeyedLock}; what a room knows besides is
 * in a {@link BoundedMap}.
 */

/**
 * What a process remembers for one site hangs on this, by {@link perOwner}. Configurations that read each other's cookies
 * share one, so that a configuration that is made anew for each request forgets nothing.
 */
export interface SiteMemory {
  /** Told apart by identity only. */
  readonly kind: 'site-memory'
}

/** The memory of a site. @param name Says what the configuration is: its secret, and the name of its session cookie. */
export function siteMemory(...name: readonly string[]): SiteMemory {
  const key = JSON.stringify(name)
  const memory = sites.get(key) ?? ownMemory()
  // Anew at the end: what is used is not forgotten for sites that were only tried once.
  sites.delete(key)
  sites.set(key, memory)
  return memory
}

/** A memory that nobody shares. */
export function ownMemory(): SiteMemory {
  return Object.freeze({ kind: 'site-memory' })
}

/** Sites begin anew in this process, as if it had been started again. For tests. */
export function forgetSites(): void {
  sites.clear()
}

/** A value for each owner, made when it is first asked for and gone with the owner. A `make` that throws leaves nothing. */
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

/** A value for each name, made when it is first asked for. For names that the configuration gives: they are few. */
export function perName<Value>(make: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>()
  return (name) => {
    const known = values.get(name)
    if (known !== undefined) return known
    const value = make(name)
    values.set(name, value)
    return value
  }
}

/** The text once more, for a memory: one that was cut out of a header would keep the whole header there. */
export function flat(text: string): string {
  return globalThis.Buffer ? Buffer.from(text).toString() : Array.from(text).join('')
}

/**
 * A map that knows its oldest entry, however many were deleted before it. To begin anew at its front would pass all of those
 * each time, until the map is made over: with 100,000 entries, each new key of a stranger would cost that much.
 */
export class OldestFirstMap<Key, Value> extends Map<Key, Value> {
  /** Stands behind {@link #oldest}, and goes on from there. */
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

  /** The key that was added first; `undefined` in an empty map. */
  oldest(): { readonly key: Key } | undefined {
    if (this.#oldest) return this.#oldest
    this.#front ??= this.keys()
    let next = this.#front.next()
    if (next.done) {
      // One that has come to the end stays there.
      this.#front = this.keys()
      next = this.#front.next()
    }
    this.#oldest = next.done ? undefined : { key: next.value }
    return this.#oldest
  }
}

/** A map that holds so many entries at the most: a new one takes the place of the oldest. */
export class BoundedMap<Key, Value> extends OldestFirstMap<Key, Value> {
  readonly #capacity: number

  constructor(capacity: number) {
    super()
    this.#capacity = capacity
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#capacity && !this.has(key)) {
      const oldest = this.oldest()
      if (oldest) this.delete(oldest.key)
    }
    return super.set(key, value)
  }
}

const sites = new BoundedMap<string, SiteMemory>(1000)

/** Texts that are remembered for some time, as hashes: they are short then, and nobody reads them out of the memory. */
export class ExpiringSet {
  readonly #lifetime: number
  readonly #until: BoundedMap<string, number>
  readonly #hashOf: (text: string) => string

  /**
   * @param lifetime Milliseconds.
   * @param hashOf A short text in the place of a text.
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
    return (this.#until.get(this.#hashOf(text)) ?? 0) > Date.now()
  }

  /** Whether the text is new; it is not afterwards. */
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

/** Runs work of the same key one after the other, in this process. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @param hold Milliseconds after which it is the next one's turn, though this work has not come to an end. */
  async run<T>(key: string, work: () => Promise<T>, hold?: number): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work)
    const turn = hold === undefined ? mine : before.then(() => endOrLate(mine, hold))
    const settled = turn.catch(() => {})
    this.#last.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    }
  }
}

/** When the work has ended, or after so many milliseconds. */
async function endOrLate(work: Promise<unknown>, milliseconds: number): Promise<void> {
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
