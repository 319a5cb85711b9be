/**
 * The format of keys: `<prefix>_<id><secret><checksum>`, with 12, 43 and 6 characters of base62. The checksum is the CRC-32 of
 * all characters before it. It is no secret, and finds typing errors and texts that are no keys without a query.
 */
import { randomBytes } from '../../crypto/random.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Characters. The secret has 256 bits, the id 71. */
const lengths = { id: 12, secret: 43, checksum: 6 }

/** The characters after the prefix and `_`. */
const bodyLength = lengths.id + lengths.secret + lengths.checksum

const bodyPattern = new RegExp(`^[0-9A-Za-z]{${bodyLength}}$`)

/** Creates a key. */
export function createKey(prefix: string): { readonly id: string; readonly key: string } {
  const id = randomBase62(lengths.id)
  const text = `${prefix}_${id}${randomBase62(lengths.secret)}`
  return { id, key: text + checksumOf(text) }
}

/** Returns the id in a text that has the format of a key. The checksum is not checked. */
export function idOfKey(prefix: string, text: string): string | undefined {
  const start = prefix.length + 1
  if (text.length !== start + bodyLength || !text.startsWith(`${prefix}_`)) return undefined
  return bodyPattern.test(text.slice(start)) ? idPartOf(prefix, text) : undefined
}

/** Returns the part of a text in which a key has its id. The text may be no key. */
export function idPartOf(prefix: string, text: string): string {
  const start = prefix.length + 1
  return text.slice(start, start + lengths.id)
}

/** Checks the checksum of a key. */
export function hasValidChecksum(key: string): boolean {
  const end = key.length - lengths.checksum
  return checksumOf(key.slice(0, end)) === key.slice(end)
}

/** Returns random characters. Bytes above the largest multiple of 62 are dropped, so that all characters are equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 4 * alphabet.length && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let count = 0; count < lengths.checksum; count += 1) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Returns the CRC-32 of an ASCII text (ISO 3309). Node 20 has none. */
function crc32(text: string): number {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    value = (value >>> 8) ^ (crcTable[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (value ^ 0xffffffff) >>> 0
}
