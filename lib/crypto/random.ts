/** Random values, all from the operating system's generator. */
import { randomBytes } from 'node:crypto'

/** Random bytes as hexadecimal text. 32 bytes are 64 characters. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** Random bytes as base64url text. 32 bytes are 43 characters. */
export function randomText(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}
