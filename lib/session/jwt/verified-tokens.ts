import { copyOfJson } from '../../base/json.js'
import { flat, OldestFirstMap } from '../../base/memory.js'

/**
 * Session tokens that were opened before, in this process: a browser sends the same cookie with each request of a page.
 *
 * Only what was opened enters, so that strangers' junk pushes nothing out. Memory is bounded in number and in bytes; of the
 * tokens that were not used since room was last made, the oldest makes room. Nothing is handed out that another request has:
 * each gets a payload of its own, which its callbacks may change.
 */
export class VerifiedTokens {
  /** By the end of the token: a long text takes as long to look up as to decrypt. */
  readonly #entries = new OldestFirstMap<string, Verified>()
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {}

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
    const name = nameOf(token)
    const known = this.#entries.get(name)
    // Whoever changes a token can keep its end.
    if (known?.token !== token || known.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(name)
      return undefined
    }
    known.isUsed = true
    return copyOfJson(known.payload)
  }

  /** Remembers a token that was opened. One without an end, or too large to be worth it, is opened each time. */
  add(token: string, salt: string, payload: Record<string, unknown>): void {
    const { exp } = payload
    // The text, the payload that was in it as values, and what is around them.
    const bytes = 2 * token.length + 500
    if (typeof exp !== 'number' || bytes > this.limits.bytes / 16) return
    const name = flat(nameOf(token))
    this.#delete(name)
    this.#put(name, { token: flat(token), salt, payload: copyOfJson(payload), exp, bytes, isUsed: false })
    while (this.#bytes > this.limits.bytes || this.#entries.size > this.limits.entries) this.#makeRoom()
  }

  #makeRoom(): void {
    const { key = '' } = this.#entries.oldest() ?? {}
    const entry = this.#delete(key)
    // Used since: once more at the end, for as long as a new one.
    if (entry?.isUsed) this.#put(key, { ...entry, isUsed: false })
  }

  #put(name: string, entry: Verified): void {
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
  }

  #delete(name: string): Verified | undefined {
    const entry = this.#entries.get(name)
    if (this.#entries.delete(name)) this.#bytes -= entry?.bytes ?? 0
    return entry
  }
}

/**
 * Tokens that were opened once, as fingerprints in a table that never grows. Only one that comes a second time is worth a place
 * in the memory: a server that sees each token once would fill it for nothing.
 */
export class Sightings {
  readonly #fingerprints = new Int32Array(16_384)

  /** Whether the token was noted before, as far as the table still knows. It is noted now. */
  note(token: string): boolean {
    const end = nameOf(token)
    const slot = mix(end, 0, 8) & (this.#fingerprints.length - 1)
    const fingerprint = mix(end, 8, 16)
    const isKnown = this.#fingerprints[slot] === fingerprint
    this.#fingerprints[slot] = fingerprint
    return isKnown
  }
}

/** 32 bits of these characters. Of a tag they are as good as random. */
function mix(text: string, from: number, to: number): number {
  let bits = 1
  for (let at = from; at < to; at += 1) bits = Math.imul(bits, 31) + text.charCodeAt(at)
  return bits | 0
}

interface Verified {
  readonly token: string
  readonly salt: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
  isUsed: boolean
}

/** Its tag: 32 bytes, which no two tokens of ours have in common. */
function nameOf(token: string): string {
  return token.slice(-43)
}
