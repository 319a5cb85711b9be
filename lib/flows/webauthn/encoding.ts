/** Bytes as text: base64 in the database, as published adapters have it; base64url in browsers (RFC 4648 §4, §5). */

/** An id as it is stored. Takes either spelling. */
export function toStored(id: string): string {
  return Buffer.from(id, 'base64url').toString('base64')
}

/** An id as browsers have it. Takes either spelling. */
export function toBrowser(id: string): string {
  return Buffer.from(id, 'base64url').toString('base64url')
}

/** Bytes as they are stored. */
export function storedBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Stored bytes, in memory of their own. */
export function bytesOf(stored: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(stored, 'base64'))
}

/** A text's UTF-8 bytes. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** The text of bytes in base64url; empty for what is no text. */
export function textOf(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString('utf8')
}
