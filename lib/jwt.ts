/**
 * The encrypted session token (`server-auth/jwt`).
 * A token is a compact JWE, `alg: dir`, `enc: A256CBC-HS512`. Its key is derived from secret and salt by HKDF-SHA-256,
 * so a token is only valid with its salt (the cookie name).
 */

import { readEnv } from './base/env.js'
import { encryptJson, openSessionToken } from './crypto/jwe.js'
import { sessionEncryption, sessionKey, sessionKeys } from './crypto/keys.js'
import { MissingSecretError } from './errors.js'
import { readChunked } from './http/chunks.js'
import { parseCookieHeader } from './http/cookies.js'
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from './types/jwt.js'

export type { DefaultJWT, JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions, LegacySessions } from './types/jwt.js'

/** The input of {@link getToken}. */
export interface GetTokenParams<R extends boolean = false> {
  /** The request: a `Request`, an Express request, or any object with `headers`. */
  req:
    | Request
    | {
        /** The headers of the request: those of Fetch, or an object like Node's. */
        headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
      }
  /** The secret. Default: `AUTH_SECRET`. */
  secret?: string | string[]
  /** The salt. Default: the cookie's name. */
  salt?: string
  /** The name of the cookie. Default: by `secureCookie`. */
  cookieName?: string
  /** Returns the token itself, unverified. Default `false`. */
  raw?: R
  /** Uses the name with the `__Secure-` prefix. Default: true unless `AUTH_URL` is unset or begins with `http://`. */
  secureCookie?: boolean
  /** Reads the token in place of the built-in function, like `jwt.decode` of the configuration. Default: `decode`. */
  decode?: JWTOptions['decode']
  /** The logger for tokens that cannot be read. Default: none. */
  logger?: {
    /** Logs the message and the error. */
    debug?(message: string, ...details: unknown[]): void
  }
}

const defaultMaxAge = 30 * 24 * 60 * 60

/**
 * Creates a session token. `iat`, `exp` and `jti` are replaced.
 * @throws {@link MissingSecretError} without a secret.
 * @throws TypeError if `maxAge` is not a positive number of seconds or the payload is not JSON.
 */
export async function encode<Payload extends Record<string, unknown> = JWT>(
  params: JWTEncodeParams<Payload>,
): Promise<string> {
  const { token, salt, maxAge = defaultMaxAge } = params
  const [secret] = requireSecrets(params.secret)
  if (!Number.isFinite(maxAge) || maxAge <= 0) throw new TypeError('maxAge must be a positive number of seconds')
  const key = await sessionKey(secret, salt)
  const iat = Math.floor(Date.now() / 1000)
  const claims = { ...token, iat, exp: iat + Math.floor(maxAge), jti: globalThis.crypto.randomUUID() }
  return encryptJson(claims, key.bytes, { enc: sessionEncryption, kid: await key.thumbprint })
}

/**
 * Reads a session token. Returns `null` for everything except a valid, current token of one of the secrets.
 * @throws {@link MissingSecretError} without a secret; nothing else.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, salt } = params
  const secrets = requireSecrets(params.secret)
  if (typeof token !== 'string' || token === '') return null
  return openSessionToken(token, secrets, sessionKeys(salt))
}

/**
 * Reads the session token of a request, from its cookies or from `Authorization: Bearer`.
 * @returns The payload, or the token with `raw: true`; `null` without a valid token.
 * @throws TypeError without `req`, {@link MissingSecretError} without a secret (not with `raw`).
 * @example
 * ```ts
 * const token = await getToken({ req })
 * if (token?.sub) console.log('user', token.sub)
 * ```
 */
export async function getToken(
  params: GetTokenParams<true> & {
    /** Returns the token itself, unverified. */
    raw: true
  },
): Promise<string | null>
/**
 * Reads and verifies the session token of a request. Returns its payload, or `null` without a valid token.
 * @throws TypeError without `req`, {@link MissingSecretError} without a secret.
 */
export async function getToken(params: GetTokenParams<false>): Promise<JWT | null>
/**
 * Reads the session token of a request. Returns the unverified token with `raw: true`, otherwise its payload; `null`
 * without one.
 */
export async function getToken(params: GetTokenParams<boolean>): Promise<JWT | string | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<JWT | string | null> {
  if (!params?.req?.headers) throw new TypeError('getToken needs `req`, a request with headers')
  const env = readEnv()
  const secure = params.secureCookie ?? !(env.url === undefined || env.url.startsWith('http://'))
  const cookieName = params.cookieName ?? `${secure ? '__Secure-' : ''}auth.session-token`
  const candidates = sessionTokensFrom(params.req.headers, cookieName)
  if (params.raw) return candidates[0] ?? null
  const secret = params.secret ?? env.secrets
  requireSecrets(secret)
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

/**
 * Returns the cookie's token, or the bearer token if there is no cookie. A header never replaces an existing cookie.
 */
function sessionTokensFrom(headers: GetTokenParams['req']['headers'], cookieName: string): string[] {
  const cookies = readChunked(parseCookieHeader(getHeader(headers, 'cookie')), cookieName)
  const bearer = cookies.length === 0 ? bearerToken(getHeader(headers, 'authorization')) : undefined
  return [...cookies, ...(bearer ? [bearer] : [])]
}

/**
 * Returns a header, case-insensitively: Node writes lower case, records of other frameworks may not (RFC 9110 §5.1).
 */
function getHeader(headers: GetTokenParams['req']['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : undefined
}

/**
 * Returns the token of an `Authorization: Bearer` header (RFC 6750 §2.1), percent-decoded; `undefined` for an invalid
 * encoding.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  try {
    return text && decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function requireSecrets(secret: string | string[] | undefined): [string, ...string[]] {
  const [first, ...others] = (Array.isArray(secret) ? secret : [secret]).filter((entry) => Boolean(entry))
  if (typeof first !== 'string') {
    throw new MissingSecretError(
      'No secret. Pass `secret`, or set AUTH_SECRET (make one with `npx server-auth secret`).',
    )
  }
  return [first, ...others.filter((entry) => entry !== undefined)]
}
