/** An authenticator app of the demo (RFC 6238). */
import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const period = 30_000

/** Returns the code for a key that a page shows, in base 32. @param time Milliseconds since the epoch. */
export function codeOf(key: string, time: number): string {
  const bits = Array.from(key.replaceAll(' ', ''), (sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join(
    '',
  )
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / period)))
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}
