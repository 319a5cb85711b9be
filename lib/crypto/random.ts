/** Random values from the operating system's generator. */
import { toBase64url } from './platform.js'

/** The number of bytes that are drawn at once: one call costs as much for them as for a single one. */
const drawnBytes = 512

/** Milliseconds until unused bytes are dropped. A process may be copied meanwhile, such as in a snapshot of its machine. */
const drawnLifetime = 1000

/** Random bytes that are drawn in advance. Each byte is handed out once and then zeroed. */
class DrawnBytes {
  readonly #bytes = new Uint8Array(drawnBytes)
  #next = drawnBytes
  #drawnAt = 0

  /** Calls `read` with the range of `length` unused bytes. They are zero afterwards. */
  take<T>(length: number, read: (bytes: Uint8Array) => T): T {
    if (length > drawnBytes) return read(crypto.getRandomValues(new Uint8Array(length)))
    const age = Date.now() - this.#drawnAt
    if (this.#next + length > drawnBytes || age < 0 || age > drawnLifetime) this.#draw()
    const taken = this.#bytes.subarray(this.#next, this.#next + length)
    this.#next += length
    try {
      return read(taken)
    } finally {
      taken.fill(0)
    }
  }

  #draw(): void {
    crypto.getRandomValues(this.#bytes)
    this.#drawnAt = Date.now()
    this.#next = 0
  }
}

const drawn = new DrawnBytes()

/** Returns random bytes. */
export function randomBytes(bytes: number): Uint8Array {
  return drawn.take(bytes, (taken) => taken.slice())
}

/** Returns random bytes as hexadecimal text. 32 bytes are 64 characters. */
export function randomHex(bytes: number): string {
  return drawn.take(bytes, toHex)
}

function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexadecimal[byte]
  return text
}

/** The two digits of each byte. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns random bytes as base64url text. 32 bytes are 43 characters. */
export function randomText(bytes = 32): string {
  return drawn.take(bytes, toBase64url)
}

/** Returns a random UUID (RFC 9562 §5.4), as the id of a new record. */
export function randomUuid(): string {
  return crypto.randomUUID()
}
