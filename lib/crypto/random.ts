/** Random values from the operating system's generator. */
import { toBase64url } from './platform.js'

/** Returns random bytes as hexadecimal text. 32 bytes are 64 characters. */
export function randomHex(bytes: number): string {
  let text = ''
  for (const byte of randomBytes(bytes)) text += hexadecimal[byte]
  return text
}

/** The two digits of each byte. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns random bytes as base64url text. 32 bytes are 43 characters. */
export function randomText(bytes = 32): string {
  return toBase64url(randomBytes(bytes))
}

/** Returns a random UUID (RFC 9562 §5.4), as the id of a new record. */
export function randomUuid(): string {
  return crypto.randomUUID()
}

function randomBytes(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes))
}
