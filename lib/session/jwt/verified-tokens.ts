/** Caches the verified session tokens of a configuration in this process. */
import { copyText, OldestFirstMap } from '../../base/memory.js'
import type { VerifiedToken } from './verified-token.js'

/**
 * A cache of verified session tokens in this process: a browser sends the same cookie with each request of a page.
 *
 * Only genuine tokens are stored, so invalid ones evict nothing. Memory is limited in number and in bytes; the oldest token that
 * was not used since the last eviction is evicted.
 */
export class VerifiedTokens {
  /** The entries by the last characters of the token, because looking up a long text takes as long as decrypting it. */
  readonly #entries = new OldestFirstMap<string, CachedToken>()
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 24 * 1024 * 1024 }) {}

  /** The approximate size in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns what is known of a token; `undefined` for a token that is unknown or has expired.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): VerifiedToken | undefined {
    const name = tokenTag(token)
    const known = this.#entries.get(name)
    // A modified token can have the same end.
    if (known?.token !== token || known.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(name)
      return undefined
    }
    known.isUsed = true
    return known.verified
  }

  /**
   * Stores a token. Only one whose times are in it: the times of others are those of the read. One without an end, or a large one,
   * is verified each time.
   *
   * @param size The bytes that its payload takes.
   */
  add(token: string, salt: string, verified: VerifiedToken, size: number): void {
    const { exp, iat } = verified
    const bytes = token.length + size + entryBytes
    if (exp === undefined || iat === undefined || bytes > this.limits.bytes / 16) return
    const name = copyText(tokenTag(token))
    this.#delete(name)
    this.#put(name, { token: copyText(token), salt, verified, exp, bytes, isUsed: false })
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
  /** Each token has two places. */
  readonly #fingerprints = new Uint16Array(32_768)

  /** Notes a token. Returns whether the table already had it. */
  note(token: string): boolean {
    const end = tokenTag(token)
    const place = (fingerprintOf(end, 0, 8) << 1) & (this.#fingerprints.length - 1)
    // Not 0, which is an empty place.
    const fingerprint = fingerprintOf(end, 8, 16) & 0xffff || 1
    if (this.#fingerprints[place] === fingerprint || this.#fingerprints[place + 1] === fingerprint) return true
    // At random: tokens that come in turn would always replace each other.
    this.#fingerprints[place + (Math.random() < 0.5 ? 0 : 1)] = fingerprint
    return false
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
  readonly verified: VerifiedToken
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
  isUsed: boolean
}

/** The bytes of an entry besides its texts and its payload, measured: the entry, its name, the claims, and the data derived from them. */
const entryBytes = 600

/** Returns the tag: 32 bytes, which are unique to a token. */
function tokenTag(token: string): string {
  return token.slice(-43)
}
