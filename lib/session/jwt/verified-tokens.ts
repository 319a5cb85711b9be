/** Caches the payloads of decrypted session tokens in this process. */
import { copyJson } from '../../base/json.js'
import { copyText, OldestFirstMap } from '../../base/memory.js'

/**
 * A cache of decrypted session tokens in this process: a browser sends the same cookie with each request of a page.
 *
 * Only decrypted tokens are stored, so invalid ones evict nothing. Memory is limited in number and in bytes; the oldest token that
 * was not used since the last eviction is evicted. Each request gets its own payload, which its callbacks may change.
 */
export class VerifiedTokens {
  /** The entries by the last characters of the token, because looking up a long text takes as long as decrypting it. */
  readonly #entries = new OldestFirstMap<string, CachedToken>()
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {}

  /** The approximate size in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns a copy of the payload; `undefined` for a token that is unknown or has expired.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): Record<string, unknown> | undefined {
    const name = tokenTag(token)
    const known = this.#entries.get(name)
    // A modified token can have the same end.
    if (known?.token !== token || known.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(name)
      return undefined
    }
    known.isUsed = true
    return copyJson(known.payload)
  }

  /** Stores a decrypted token. One without an end, or a large one, is decrypted each time. */
  add(token: string, salt: string, payload: Record<string, unknown>): void {
    const { exp } = payload
    // The text, the payload as values, and overhead.
    const bytes = 2 * token.length + 500
    if (typeof exp !== 'number' || bytes > this.limits.bytes / 16) return
    const name = copyText(tokenTag(token))
    this.#delete(name)
    this.#put(name, { token: copyText(token), salt, payload: copyJson(payload), exp, bytes, isUsed: false })
    while (this.#bytes > this.limits.bytes || this.#entries.size > this.limits.entries) this.#makeRoom()
  }

  #makeRoom(): void {
    const { key = '' } = this.#entries.oldest() ?? {}
    const entry = this.#delete(key)
    // Used since: moved to the end, like a new one.
    if (entry?.isUsed) this.#put(key, { ...entry, isUsed: false })
  }

  #put(name: string, entry: CachedToken): void {
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
  }

  #delete(name: string): CachedToken | undefined {
    const entry = this.#entries.get(name)
    if (this.#entries.delete(name)) this.#bytes -= entry?.bytes ?? 0
    return entry
  }
}

/**
 * A table of fixed size with fingerprints of decrypted tokens. Only a token that is seen twice is cached: otherwise a server that
 * sees each token once would fill its memory in vain.
 */
export class SeenTokens {
  readonly #fingerprints = new Int32Array(16_384)

  /** Notes a token. Returns whether the table already had it. */
  note(token: string): boolean {
    const end = tokenTag(token)
    const slot = fingerprintOf(end, 0, 8) & (this.#fingerprints.length - 1)
    const fingerprint = fingerprintOf(end, 8, 16)
    const isKnown = this.#fingerprints[slot] === fingerprint
    this.#fingerprints[slot] = fingerprint
    return isKnown
  }
}

/** Returns 32 bits of these characters, which are as good as random in a tag. */
function fingerprintOf(text: string, from: number, to: number): number {
  let bits = 1
  for (let at = from; at < to; at += 1) bits = Math.imul(bits, 31) + text.charCodeAt(at)
  return bits | 0
}

interface CachedToken {
  readonly token: string
  readonly salt: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
  isUsed: boolean
}

/** Returns the tag: 32 bytes, which are unique to a token. */
function tokenTag(token: string): string {
  return token.slice(-43)
}
