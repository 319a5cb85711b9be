/**
 * Compact JWE with a shared key (RFC 7516, `alg: dir`), the form of all sealed values. In Node, session tokens
 * (`A256CBC-HS512`) use the library's codec; everything else uses jose. This file rejects input that either would
 * accept: other spellings of the same bytes, and payloads that are not JSON objects.
 */

import { isRecord } from '../base/guards.js'
import { parseRecord } from '../base/json.js'
import { isPromiseLike, mapMaybePromise } from '../base/maybe-promise.js'
import { BoundedMap, copyText } from '../base/memory.js'
import type { Awaitable } from '../types/identity.js'
import { type CbcHmacKey, openText, prepareKey, sealText } from './cbc-hmac.js'
import { loadJose } from './jose.js'
import type { ContentEncryption, DerivedKey } from './keys.js'
import { fromBase64url, hasNodeCrypto } from './platform.js'

/** Encrypts a JSON object. Synchronous in Node under `A256CBC-HS512`. */
export function encryptJson(
  payload: Record<string, unknown>,
  key: Uint8Array,
  protectedHeader: Header,
): Awaitable<string> {
  const text = JSON.stringify(payload)
  const prepared = preparedKey(key, protectedHeader.enc)
  if (prepared) return sealText(writeHeader(protectedHeader), text, prepared)
  return encryptByJose(text, key, { alg: 'dir', ...protectedHeader })
}

async function encryptByJose(text: string, key: Uint8Array, header: { alg: string; enc: string }): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key)
}

/**
 * Decrypts a JSON object. Returns `null` for everything that is not exactly such a token.
 *
 * Synchronous in Node under `A256CBC-HS512`, where it never throws. Elsewhere it rejects only when jose cannot be
 * loaded. Call {@link readHeader} first.
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
  // Outside the `try`: a missing jose is not the token's fault, and no cookie may be cleared because of it.
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

/** The prepared keys by their bytes, which are derived once. */
const preparedKeys = new WeakMap<Uint8Array, CbcHmacKey>()

/**
 * Returns the key for the library's codec; `undefined` when the encryption, the platform or the key does not allow it.
 */
function preparedKey(bytes: Uint8Array, encryption: ContentEncryption): CbcHmacKey | undefined {
  if (!hasNodeCrypto || encryption !== 'A256CBC-HS512' || bytes.length !== 64) return undefined
  const known = preparedKeys.get(bytes)
  if (known) return known
  const prepared = prepareKey(bytes)
  preparedKeys.set(bytes, prepared)
  return prepared
}

/** A supported protected header. */
interface Header {
  readonly enc: ContentEncryption
  readonly kid?: string
}

/**
 * The parsed headers by their text: most tokens have one of few. Invented headers only evict entries that can be parsed
 * again.
 */
const headerCache = new BoundedMap<string, Header>(100)

/** The headers as base64url by their `kid`. Configurations have few keys. */
const headerTexts = new BoundedMap<string, string>(100)

/** Returns the base64url of a protected header. */
function writeHeader({ enc, kid }: Header): string {
  const name = `${enc} ${kid ?? ''}`
  const known = headerTexts.get(name)
  if (known !== undefined) return known
  const text = Buffer.from(JSON.stringify({ alg: 'dir', enc, kid })).toString('base64url')
  headerTexts.set(name, text)
  return text
}

/** Reads the protected header of a token; returns `null` for an unsupported one. Call it before decrypting. */
export function readHeader(token: string): Header | null {
  const text = token.slice(0, Math.max(0, token.indexOf('.')))
  const known = headerCache.get(text)
  if (known) return known
  const header = parseHeader(text)
  if (header && text.length < 500) headerCache.set(copyText(text), header)
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

/**
 * Checks whether the claims `exp` and `nbf` allow the payload now. `exp` is required. There is no tolerance, because
 * this library sets both times.
 */
export function isCurrent(payload: Record<string, unknown>, now = Date.now() / 1000): boolean {
  const { exp, nbf } = payload
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp <= now) return false
  return nbf === undefined || (typeof nbf === 'number' && nbf <= now)
}

/** Returns the key of a secret for an encryption; `undefined` when that encryption is not accepted. */
export type KeyResolver = (secret: string, encryption: ContentEncryption) => Awaitable<DerivedKey> | undefined

/**
 * Decrypts a session token with one of the secrets. Returns `null` when none fits or when it has expired.
 *
 * A token with a `kid` is tried with that key only, one without with all keys. Synchronous in Node under
 * `A256CBC-HS512`.
 */
export function openSessionToken(
  token: string,
  secrets: readonly string[],
  keyOf: KeyResolver,
): Awaitable<Record<string, unknown> | null> {
  const header = readHeader(token)
  return header && openWithSecretAt({ token, header, secrets, keyOf }, 0)
}

/** Checks whether a session token names a key of none of the secrets. `false` for a token that names no key. */
export function namesOtherSecret(token: string, secrets: readonly string[], keyOf: KeyResolver): Awaitable<boolean> {
  const header = readHeader(token)
  if (header?.kid === undefined) return false
  const thumbprints = secrets.map((secret) => mapMaybePromise(keyOf(secret, header.enc), (key) => key?.thumbprint))
  return thumbprints.some(isPromiseLike)
    ? Promise.all(thumbprints).then((known) => !known.includes(header.kid))
    : !thumbprints.includes(header.kid)
}

interface OpenAttempt {
  readonly token: string
  readonly header: Header
  readonly secrets: readonly string[]
  readonly keyOf: KeyResolver
}

/** Tries the secret at this index, then those after it. */
function openWithSecretAt(opening: OpenAttempt, at: number): Awaitable<Record<string, unknown> | null> {
  const { token, header, secrets, keyOf } = opening
  const secret = secrets[at]
  if (secret === undefined) return null
  const next = () => openWithSecretAt(opening, at + 1)
  return mapMaybePromise(keyOf(secret, header.enc), (key) => {
    if (!key) return next()
    return mapMaybePromise(header.kid === undefined ? undefined : key.thumbprint, (thumbprint) => {
      if (thumbprint !== header.kid) return next()
      return mapMaybePromise(decryptJson(token, key.bytes, header.enc), (payload) => {
        if (!payload) return next()
        return isCurrent(payload) ? payload : null
      })
    })
  })
}

/**
 * Checks the form: five base64url parts, an empty second one (`dir` has no encrypted key), no padding, no leftover
 * bits.
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 5 && parts[1] === '' && parts.every((part, at) => (at === 1 ? true : isBase64url(part)))
}

const trailing: Readonly<Record<number, RegExp>> = { 0: /[\w-]$/, 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ }

function isBase64url(part: string): boolean {
  return part !== '' && /^[\w-]+$/.test(part) && (trailing[part.length % 4]?.test(part) ?? false)
}
