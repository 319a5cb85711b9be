/**
 * Session tokens that were opened before, in this process: a browser sends the same cookie with each request of a page.
 *
 * Only what was opened enters, so that strangers' junk pushes nothing out. What is kept of a token is its text and its payload
 * as JSON, bounded in number and in bytes; the token that was used longest ago makes room. Nothing is handed out that another
 * request has: each gets a payload of its own, which its callbacks may change.
 */
export class VerifiedTokens {
  readonly #entries = new Map<string, Verified>()
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {
    this.#limits = limits
  }

  /** Bytes that are kept, about. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * A payload of one's own; `undefined` for a token that is not known, or has ended.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): Record<string, unknown> | undefined {
    const known = this.#entries.get(token)
    if (known?.salt !== salt) return undefined
    // Anew at the end, where the next one to make room is farthest away.
    this.#entries.delete(token)
    if (known.exp <= Date.now() / 1000) {
      this.#bytes -= known.bytes
      return undefined
    }
    this.#entries.set(token, known)
    return JSON.parse(known.json) as Record<string, unknown>
  }

  /** Remembers a token that was opened. One without an end, or too large to be worth it, is opened each time. */
  add(token: string, salt: string, payload: Record<string, unknown>): void {
    const { exp } = payload
    if (typeof exp !== 'number' || this.#entries.has(token)) return
    const json = JSON.stringify(payload)
    const bytes = token.length + json.length + entryBytes
    if (bytes > this.#limits.bytes / 16) return
    this.#entries.set(flat(token), { salt, json, exp, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= this.#limits.bytes && this.#entries.size <= this.#limits.entries) break
      this.#entries.delete(oldest)
      this.#bytes -= freed
    }
  }
}

interface Limits {
  readonly entries: number
  readonly bytes: number
}

interface Verified {
  readonly salt: string
  readonly json: string
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
}

/** What an entry takes beside its texts. */
const entryBytes = 200

/** A copy: a text that was cut out of a header keeps the whole header in memory. */
function flat(token: string): string {
  return Buffer.from(token, 'latin1').toString('latin1')
}
