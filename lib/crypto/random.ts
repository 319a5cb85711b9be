/** Random values, all from the operating system's generator. */
import { randomBytes, randomUUID } from 'node:crypto'

/** Random bytes as hexadecimal text. 32 bytes are 64 characters. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Random bytes as base64url text. 32 bytes are 43 characters. */
export function randomText(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** A random UUID (RFC 9562 §5.4), proposed as the id of a new record. */
export function randomUuid(): string {
  return randomUUID()
}
