/** Hashes and comparisons. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Keyed hash (HMAC-SHA-256), hexadecimal. */
export function hmac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [sha256(a), sha256(b)]
  return timingSafeEqual(left, right)
}

/** SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
