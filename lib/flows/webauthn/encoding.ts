/**
 * Conversions of bytes to text: base64 in the database, as in published adapters; base64url in browsers (RFC 4648 §4,
 * §5).
 */

/** Returns an id as it is stored. Accepts either spelling. */
export function toStoredId(id: string): string {
  return Buffer.from(id, 'base64url').toString('base64')
}

/** Returns an id as browsers expect it. Accepts either spelling. */
export function toBrowserId(id: string): string {
  return Buffer.from(id, 'base64url').toString('base64url')
}

/** Returns bytes as they are stored. */
export function toStoredBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Returns stored bytes as a copy with its own memory. */
export function fromStoredBytes(stored: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(stored, 'base64'))
}

/** Returns the UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Returns the text of bytes in base64url; empty for invalid input. */
export function decodeBase64UrlText(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString('utf8')
}
