/** The session tokens that a request carries. */
import { after } from '../../base/after.js'
import { perOwner } from '../../base/memory.js'
import type { CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { openSessionToken } from '../../crypto/jwe.js'
import { legacySessionKey } from '../../crypto/keys.js'
import { hasNodeCrypto } from '../../crypto/platform.js'
import { JWTSessionError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import type { ReceivedCookies } from '../../http/cookies.js'
import { decode } from '../../jwt.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { hasEnded } from '../ended-sessions.js'
import { endOf } from '../lifetime.js'
import { type EngineClaims, endOfText, nowInSeconds, readClaims, startOf } from './engine-claims.js'
import { VerifiedTokens } from './verified-tokens.js'

/** A valid token, and where it was found. */
export interface FoundToken {
  readonly token: JWT
  readonly claims: EngineClaims
  /** As it was sent. */
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
  /** When it ends, in milliseconds since the epoch. */
  readonly expires: number
}

/** What a request carries. */
export interface HeldTokens {
  /** Valid, of sessions that have not ended; of ours those that came first, then those of Auth.js. */
  readonly valid: readonly FoundToken[]
  /** What tells each cookie from others: whether its token could be opened. Tokens of ended sessions are among them. */
  names(): ReadonlyMap<string, boolean>
}

/** The tokens in a request's cookies: ours, else those of Auth.js where they are accepted. */
export async function heldTokens({ config, cookies, cookiePolicy }: CookieContext): Promise<HeldTokens> {
  const { name } = cookiePolicy.sessionToken
  const texts = readChunked(cookies.received, name)
  const own: Array<FoundToken | null> = []
  for (const text of texts) own.push(await openOwn(config, name, { text, source: 'cookie' }))
  const found = own.filter((token) => token !== null)
  const all = found.length > 0 ? found : await findLegacy(config, cookies.received)
  return {
    valid: all.filter(({ claims }) => !hasEnded(config, [claims.sid])),
    names: () =>
      new Map([
        ...texts.filter((_text, at) => own[at] === null).map((text) => [endOfText(text), false] as const),
        ...all.map(({ claims }) => [claims.sid, true] as const),
      ]),
  }
}

/** The token of an `Authorization` header, which counts only where there is no session cookie at all. */
export async function heldBearer(context: CookieContext, text: string | undefined): Promise<FoundToken | null> {
  const { config, cookies, cookiePolicy } = context
  const { name } = cookiePolicy.sessionToken
  if (text === undefined || readChunked(cookies.received, name).length > 0) return null
  const found = await openOwn(config, name, { text, source: 'bearer' })
  return found && !hasEnded(config, [found.claims.sid]) ? found : null
}

/** Whether a request carries a session cookie, genuine or not. */
export function holdsSession({ config, cookies, cookiePolicy }: CookieContext): boolean {
  const names = [cookiePolicy.sessionToken.name, config.jwt.legacy?.cookieName]
  return names.some((name) => name !== undefined && readChunked(cookies.received, name).length > 0)
}

/** Decodes, with the developer's `decode` where there is one. */
async function openOwn(
  config: ResolvedConfig,
  salt: string,
  { text, source }: Pick<FoundToken, 'text' | 'source'>,
): Promise<FoundToken | null> {
  try {
    const token = await openToken(config, text, salt)
    return token && toFound(config, token, { text, source })
  } catch (error) {
    config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(error)))
    return null
  }
}

/** By configuration: another one may have other secrets. */
const verifiedOf = perOwner((_config: ResolvedConfig) => new VerifiedTokens())

/** What a `decode` of the application's returns may differ from one call to the next. An edge runtime does not live long. */
const isRemembered = ({ jwt }: ResolvedConfig) => hasNodeCrypto && jwt.cache !== false && jwt.decode === decode

function openToken(config: ResolvedConfig, text: string, salt: string): Awaitable<JWT | null> {
  const verified = isRemembered(config) ? verifiedOf(config) : undefined
  const known = verified?.get(text, salt)
  if (known) return known
  return after(config.jwt.decode({ token: text, secret: [...config.secrets], salt }), (token) => {
    if (token) verified?.add(text, salt, token)
    return token
  })
}

/** Sessions of Auth.js: another cookie and another key. */
async function findLegacy(config: ResolvedConfig, received: ReceivedCookies): Promise<FoundToken[]> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return []
  const { cookieName } = legacy
  const opened = readChunked(received, cookieName).map(async (text) => {
    const token = await openSessionToken(text, config.secrets, (secret, encryption) =>
      legacySessionKey(secret, cookieName, encryption),
    )
    return token && toFound(config, token, { text, source: 'legacy' })
  })
  return (await Promise.all(opened)).filter((found) => found !== null)
}

/** The token, if it has not ended. */
function toFound(
  config: ResolvedConfig,
  token: JWT,
  { text, source }: Pick<FoundToken, 'text' | 'source'>,
): FoundToken | null {
  const expires = expiryOf(config, token)
  if (expires <= Date.now()) return null
  // What a token of Auth.js calls `sid` names no session of ours.
  const claims = readClaims(source === 'legacy' ? { ...token, sid: undefined } : token, text)
  return { token, claims, text, source, expires }
}

/** When a token ends: its own `exp`, or sooner where the lifetime has been lowered since. */
function expiryOf(config: ResolvedConfig, token: JWT): number {
  const { exp, iat } = token
  const writtenAt = typeof iat === 'number' ? iat : nowInSeconds()
  const end = endOf(config, writtenAt * 1000, startOf(token) * 1000)
  return typeof exp === 'number' ? Math.min(end, exp * 1000) : end
}
