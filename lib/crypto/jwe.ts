/**
 * Compact JWE with a shared key (RFC 7516, `alg: dir`), the form of every sealed value here.
 * jose does the cryptography; this file refuses what jose would let pass: other spellings of the same bytes,
 * and payloads that are not JSON objects.
 */
import { base64url, CompactEncrypt, compactDecrypt } from 'jose'
import { isRecord } from '../base/guards.js'
import type { Awaitable } from '../types/identity.js'
import type { ContentEncryption, DerivedKey } from './keys.js'

/** Encrypts a JSON object. */
export async function encryptJson(
  payload: Record<string, unknown>,
  key: Uint8Array,
  protectedHeader: { enc: ContentEncryption; kid?: string },
): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'dir', ...protectedHeader })
    .encrypt(key)
}

/** Decrypts to a JSON object; `null` for everything that is not exactly such a token. Never throws. */
export async function decryptJson(
  token: string,
  key: Uint8Array,
  encryption: ContentEncryption,
): Promise<Record<string, unknown> | null> {
  try {
    const { plaintext } = await compactDecrypt(token, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: [encryption],
    })
    const payload: unknown = JSON.parse(new TextDecoder().decode(plaintext))
    return isRecord(payload) ? payload : null
  } catch {
    return null
  }
}

/** The protected header of a token in canonical form, or `null`. Read before anything is decrypted. */
export function readHeader(token: string): { enc: ContentEncryption; kid?: string } | null {
  if (!isCanonical(token)) return null
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(token.slice(0, token.indexOf('.')))))
    if (!isRecord(parsed)) return null
    const { alg, enc, kid, ...others } = parsed
    if (alg !== 'dir' || (enc !== 'A256CBC-HS512' && enc !== 'A256GCM')) return null
    if (kid !== undefined && typeof kid !== 'string') return null
    if ('zip' in others || 'crit' in others) return null
    return kid === undefined ? { enc } : { enc, kid }
  } catch {
    return null
  }
}

/** Whether the claims `exp` and `nbf` allow the payload now. `exp` is required; no tolerance: both clocks are ours. */
export function isCurrent(payload: Record<string, unknown>, now = Date.now() / 1000): boolean {
  const { exp, nbf } = payload
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp <= now) return false
  return nbf === undefined || (typeof nbf === 'number' && nbf <= now)
}

/**
 * The payload of a current session token under one of the secrets, else `null`. A token that names its key (`kid`) is tried
 * with that key only; one that names none with all.
 *
 * @param keyOf The key of a secret for an encryption; `undefined` where that encryption is not accepted.
 */
export async function openSessionToken(
  token: string,
  secrets: readonly string[],
  keyOf: (secret: string, encryption: ContentEncryption) => Awaitable<DerivedKey> | undefined,
): Promise<Record<string, unknown> | null> {
  const header = readHeader(token)
  if (!header) return null
  for (const secret of secrets) {
    const key = await keyOf(secret, header.enc)
    if (!key || (header.kid !== undefined && header.kid !== (await key.thumbprint))) continue
    const payload = await decryptJson(token, key.bytes, header.enc)
    if (payload) return isCurrent(payload) ? payload : null
  }
  return null
}

/** Five base64url parts, an empty second one (`dir` has no encrypted key), no padding, no stray trailing bits. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 5 && parts[1] === '' && parts.every((part, at) => (at === 1 ? true : isBase64url(part)))
}

const trailing: Readonly<Record<number, RegExp>> = { 0: /[\w-]$/, 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ }

function isBase64url(part: string): boolean {
  return part !== '' && /^[\w-]+$/.test(part) && (trailing[part.length % 4]?.test(part) ?? false)
}
