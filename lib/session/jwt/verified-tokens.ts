/** Caches the verified session tokens of a configuration in this process. */
import { copyText, OldestFirstMap } from '../../base/memory.js'
import { fingerprintOf } from '../../base/recent-results.js'
import { shortHash } from '../../crypto/hash.js'
import type { VerifiedToken } from './verified-token.js'

/**
 * A cache of verified session tokens in this process: a browser sends the same cookie with each request of a page.
 *
 * Only genuine tokens are stored, so invalid ones evict nothing. Memory is limited in number and in bytes; the oldest token that
 * was not used since the last eviction is evicted.
 */
export class VerifiedTokens {
  /** The entries by the hash of the token: the text would take as many bytes as everything else that is known of a token. */
  readonly #entries = new OldestFirstMap<string, CachedToken>()
  /** The texts of tokens in use, each at the place of its tag: comparing a text takes less time than hashing it. */
  readonly #recent: Array<RecentToken | undefined> = Array.from({ length: recentPlaces }, () => undefined)
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 24 * 1024 * 1024 }) {}

  /** The approximate size of the entries in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns what is known of a token; `undefined` for a token that is unknown or has expired.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): VerifiedToken | undefined {
    const place = placeOf(token)
    const recent = this.#recent[place]
    // A modified token can have the same end.
    const isRecent = recent?.text === token
    const known = isRecent ? recent.entry : this.#entries.get(shortHash(token))
    if (known?.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(known.name)
      return undefined
    }
    if (!isRecent && token.length <= longestRecent) this.#recent[place] = { text: copyText(token), entry: known }
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
    const bytes = size + entryBytes
    if (exp === undefined || iat === undefined || bytes > this.limits.bytes / 16) return
    const name = shortHash(token)
    this.#delete(name)
    this.#put({ name, place: placeOf(token), salt, verified, exp, bytes, isUsed: false })
    while (this.#bytes > this.limits.bytes || this.#entries.size > this.limits.entries) this.#makeRoom()
  }

  #makeRoom(): void {
    const { key = '' } = this.#entries.oldest() ?? {}
    const entry = this.#delete(key)
    // Used since: moved to the end, like a new one.
    if (entry?.isUsed) this.#put({ ...entry, isUsed: false })
  }

  #put(entry: CachedToken): void {
    this.#entries.set(entry.name, entry)
    this.#bytes += entry.bytes
  }

  #delete(name: string): CachedToken | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    this.#entries.delete(name)
    this.#bytes -= entry.bytes
    if (this.#recent[entry.place]?.entry === entry) this.#recent[entry.place] = undefined
    return entry
  }
}

/** The number of texts of tokens in use, and the length of the longest one: at most 256 kB. */
const recentPlaces = 64
const longestRecent = 4096

function placeOf(token: string): number {
  return fingerprintOf(tokenTag(token), 0, 8) & (recentPlaces - 1)
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

interface CachedToken {
  /** The hash of the token. */
  readonly name: string
  /** The place for its text while it is in use. */
  readonly place: number
  readonly salt: string
  readonly verified: VerifiedToken
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
  isUsed: boolean
}

/** A token in use. */
interface RecentToken {
  readonly text: string
  readonly entry: CachedToken
}

/** The bytes of an entry besides its payload, measured: the entry, its name, the claims, and the data derived from them. */
const entryBytes = 600

/** Returns the tag: 32 bytes, which are unique to a token. */
function tokenTag(token: string): string {
  return token.slice(-43)
}
