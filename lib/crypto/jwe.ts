/**
 * Compact JWE with a shared key (RFC 7516, `alg: dir`), the form of every sealed value here. Session tokens
 * (`A256CBC-HS512`) are made and opened by our own codec where there is Node, all else by jose. This file refuses what
 * either would let pass: other spellings of the same bytes, and payloads that are not JSON objects.
 */
import { after } from '../base/after.js'
import { isRecord } from '../base/guards.js'
import { parseRecord } from '../base/json.js'
import { BoundedMap, flat } from '../base/memory.js'
import type { Awaitable } from '../types/identity.js'
import { type CbcHmacKey, openText, prepareKey, sealText } from './cbc-hmac.js'
import { loadJose } from './jose.js'
import type { ContentEncryption, DerivedKey } from './keys.js'
import { fromBase64url, hasNodeCrypto } from './platform.js'

/** Encrypts a JSON object. At once in Node under `A256CBC-HS512`. */
export function encryptJson(
  payload: Record<string, unknown>,
  key: Uint8Array,
  protectedHeader: { enc: ContentEncryption; kid?: string },
): Awaitable<string> {
  const header = { alg: 'dir', ...protectedHeader }
  const text = JSON.stringify(payload)
  const prepared = preparedKey(key, header.enc)
  if (prepared) return sealText(Buffer.from(JSON.stringify(header)).toString('base64url'), text, prepared)
  return encryptByJose(text, key, header)
}

async function encryptByJose(text: string, key: Uint8Array, header: { alg: string; enc: string }): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key)
}

/**
 * Decrypts to a JSON object; `null` for everything that is not exactly such a token. At once in Node under
 * `A256CBC-HS512`, and never throws there; elsewhere it rejects only where jose cannot be loaded. {@link readHeader} has read
 * the token's header before.
 */
export function decryptJson(
  token: string,
  key: Uint8Array,
  encryption: ContentEncryption,
): Awaitable<Record<string, unknown> | null> {
  const prepared = preparedKey(key, encryption)
  if (prepared) return toPayload(openText(token, prepared))
  return isCanonical(token) ? decryptByJose(token, key, encryption) : null
}

async function decryptByJose(
  token: string,
  key: Uint8Array,
  encryption: ContentEncryption,
): Promise<Record<string, unknown> | null> {
  // Not in the `try`: where jose is missing, nobody's token is at fault, and no cookie may be cleared for it.
  const { compactDecrypt } = await loadJose()
  try {
    const { plaintext } = await compactDecrypt(token, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: [encryption],
    })
    return toPayload(new TextDecoder().decode(plaintext))
  } catch {
    return null
  }
}

function toPayload(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (parseRecord(text) ?? null)
}

/** By the bytes, which are derived once. */
const preparedKeys = new WeakMap<Uint8Array, CbcHmacKey>()

/** The key for our own codec; `undefined` where that is not for this encryption, platform or key. */
function preparedKey(bytes: Uint8Array, encryption: ContentEncryption): CbcHmacKey | undefined {
  if (!hasNodeCrypto || encryption !== 'A256CBC-HS512' || bytes.length !== 64) return undefined
  const known = preparedKeys.get(bytes)
  if (known) return known
  const prepared = prepareKey(bytes)
  preparedKeys.set(bytes, prepared)
  return prepared
}

/** A protected header that we read. */
interface Header {
  readonly enc: ContentEncryption
  readonly kid?: string
}

/** By their text: most tokens have one of few. What a stranger makes up pushes out what is read again. */
const headers = new BoundedMap<string, Header>(100)

/** The protected header of a token, or `null` for one that we do not write. Read before anything is decrypted. */
export function readHeader(token: string): Header | null {
  const text = token.slice(0, Math.max(0, token.indexOf('.')))
  const known = headers.get(text)
  if (known) return known
  const header = parseHeader(text)
  if (header && text.length < 500) headers.set(flat(text), header)
  return header
}

function parseHeader(text: string): Header | null {
  if (!isBase64url(text)) return null
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(text)))
    if (!isRecord(parsed)) return null
    const { alg, enc, kid, ...others } = parsed
    if (alg !== 'dir' || (enc !== 'A256CBC-HS512' && enc !== 'A256GCM')) return null
    if (kid !== undefined && typeof kid !== 'string') return null
    if ('zip' in others || 'crit' in others) return null
    return Object.freeze(kid === undefined ? { enc } : { enc, kid })
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

/** The key of a secret for an encryption; `undefined` where that encryption is not accepted. */
export type KeyChoice = (secret: string, encryption: ContentEncryption) => Awaitable<DerivedKey> | undefined

/**
 * The payload of a current session token under one of the secrets, else `null`. A token that names its key (`kid`) is tried with
 * that key only; one that names none with all. At once in Node under `A256CBC-HS512`.
 */
export function openSessionToken(
  token: string,
  secrets: readonly string[],
  keyOf: KeyChoice,
): Awaitable<Record<string, unknown> | null> {
  const header = readHeader(token)
  return header && openUnder({ token, header, secrets, keyOf }, 0)
}

interface Opening {
  readonly token: string
  readonly header: Header
  readonly secrets: readonly string[]
  readonly keyOf: KeyChoice
}

/** Tries the secret at a place in the list, and those after it. */
function openUnder(opening: Opening, at: number): Awaitable<Record<string, unknown> | null> {
  const { token, header, secrets, keyOf } = opening
  const secret = secrets[at]
  if (secret === undefined) return null
  const next = () => openUnder(opening, at + 1)
  return after(keyOf(secret, header.enc), (key) => {
    if (!key) return next()
    return after(header.kid === undefined ? undefined : key.thumbprint, (thumbprint) => {
      if (thumbprint !== header.kid) return next()
      return after(decryptJson(token, key.bytes, header.enc), (payload) => {
        if (!payload) return next()
        return isCurrent(payload) ? payload : null
      })
    })
  })
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
