/**
 * `server-auth/jwt`: the encrypted session token.
 *
 * A token is a compact JWE, `alg: dir`, `enc: A256CBC-HS512`. Its key comes from secret and salt by HKDF-SHA-256, so
 * tokens of two salts (cookie names) are strangers to each other.
 */

import { readEnv } from './base/env.js'
import { encryptJson, openSessionToken } from './crypto/jwe.js'
import { sessionEncryption, sessionKey, sessionKeys } from './crypto/keys.js'
import { MissingSecretError } from './errors.js'
import { readChunked } from './http/chunks.js'
import { parseCookieHeader } from './http/cookies.js'
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from './types/jwt.js'

export type { DefaultJWT, JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions, LegacySessions } from './types/jwt.js'

/** Input of {@link getToken}. */
export interface GetTokenParams<R extends boolean = false> {
  /** A `Request`, an Express request, or anything with `headers`. */
  req:
    | Request
    | {
        /** The headers of the request: those of Fetch, or an object as Node has it. */
        headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
      }
  /** Default: `AUTH_SECRET`. */
  secret?: string | string[]
  /** Default: the cookie's name. */
  salt?: string
  /** Default: by `secureCookie`. */
  cookieName?: string
  /** Return the token's text, unverified. Default `false`. */
  raw?: R
  /** Use the name with the `__Secure-` prefix. Default: true unless `AUTH_URL` is unset or begins with `http://`. */
  secureCookie?: boolean
  /** Reads the token in place of ours, as `jwt.decode` of the configuration. Default: `decode`. */
  decode?: JWTOptions['decode']
  /** Where a token that cannot be read is reported. Default: nowhere. */
  logger?: {
    /** Gets the message and the error. */
    debug?(message: string, ...details: unknown[]): void
  }
}

const defaultMaxAge = 30 * 24 * 60 * 60

/**
 * Makes a session token. `iat`, `exp` and `jti` are set anew.
 *
 * @throws {@link MissingSecretError} without a secret.
 * @throws TypeError when `maxAge` is not a positive number of seconds or the payload cannot be written as JSON.
 */
export async function encode<Payload extends Record<string, unknown> = JWT>(
  params: JWTEncodeParams<Payload>,
): Promise<string> {
  const { token, salt, maxAge = defaultMaxAge } = params
  const [secret] = secretsOf(params.secret)
  if (!Number.isFinite(maxAge) || maxAge <= 0) throw new TypeError('maxAge must be a positive number of seconds')
  const key = await sessionKey(secret, salt)
  const iat = Math.floor(Date.now() / 1000)
  const claims = { ...token, iat, exp: iat + Math.floor(maxAge), jti: globalThis.crypto.randomUUID() }
  return encryptJson(claims, key.bytes, { enc: sessionEncryption, kid: await key.thumbprint })
}

/**
 * Reads a session token. `null` for everything that is not a valid, current token under one of the secrets.
 *
 * @throws {@link MissingSecretError} without a secret; nothing else.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, salt } = params
  const secrets = secretsOf(params.secret)
  if (typeof token !== 'string' || token === '') return null
  return openSessionToken(token, secrets, sessionKeys(salt))
}

/**
 * Reads the session token of a request, from its cookies or from `Authorization: Bearer`.
 *
 * @returns The payload, or its text with `raw: true`; `null` when there is no valid token.
 * @throws TypeError without `req`, {@link MissingSecretError} without a secret (not with `raw`).
 *
 * @example
 * ```ts
 * const token = await getToken({ req })
 * if (token?.sub) console.log('user', token.sub)
 * ```
 */
export async function getToken(
  params: GetTokenParams<true> & {
    /** Return the token's text, unverified. */
    raw: true
  },
): Promise<string | null>
/**
 * Reads the session token of a request, and verifies it: its payload, or `null` when there is no valid token.
 *
 * @throws TypeError without `req`, {@link MissingSecretError} without a secret.
 */
export async function getToken(params: GetTokenParams<false>): Promise<JWT | null>
/** Reads the session token of a request: its text, unverified, with `raw: true`, else its payload; `null` without one. */
export async function getToken(params: GetTokenParams<boolean>): Promise<JWT | string | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<JWT | string | null> {
  if (!params?.req?.headers) throw new TypeError('getToken needs `req`, a request with headers')
  const env = readEnv()
  const secure = params.secureCookie ?? !(env.url === undefined || env.url.startsWith('http://'))
  const cookieName = params.cookieName ?? `${secure ? '__Secure-' : ''}auth.session-token`
  const candidates = tokensOf(params.req.headers, cookieName)
  if (params.raw) return candidates[0] ?? null
  const secret = params.secret ?? env.secrets
  secretsOf(secret)
  for (const token of candidates) {
    try {
      const payload = await (params.decode ?? decode)({ token, secret, salt: params.salt ?? cookieName })
      if (payload) return payload
    } catch (error) {
      params.logger?.debug?.('getToken: the token could not be decoded', error)
    }
  }
  return null
}

/** The cookie's token, else the bearer token: a cookie that is there is never passed over for a header. */
function tokensOf(headers: GetTokenParams['req']['headers'], cookieName: string): string[] {
  const cookies = readChunked(parseCookieHeader(headerOf(headers, 'cookie')), cookieName)
  const bearer = cookies.length === 0 ? bearerToken(headerOf(headers, 'authorization')) : undefined
  return [...cookies, ...(bearer ? [bearer] : [])]
}

/** A header, whatever the case of its name: Node writes lower case, records of other frameworks may not (RFC 9110 §5.1). */
function headerOf(headers: GetTokenParams['req']['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : undefined
}

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1); percent-encoding is undone, a bad one is no token. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  try {
    return text && decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function secretsOf(secret: string | string[] | undefined): [string, ...string[]] {
  const [first, ...others] = (Array.isArray(secret) ? secret : [secret]).filter((entry) => Boolean(entry))
  if (typeof first !== 'string') {
    throw new MissingSecretError(
      'No secret. Pass `secret`, or set AUTH_SECRET (make one with `npx server-auth secret`).',
    )
  }
  return [first, ...others.filter((entry) => entry !== undefined)]
}
