/** The session tokens that a request carries, and the one that counts. */
import type { CookiePolicy, ResolvedConfig } from '../../contracts/index.js'
import { legacySessionKey } from '../../crypto/keys.js'
import { openSessionToken } from '../../crypto/session-token.js'
import { JWTSessionError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import type { CookieJar } from '../../http/cookies.js'
import type { JWT } from '../../types/jwt.js'
import { hasEnded } from '../ended-sessions.js'
import { type EngineClaims, endOfText, nowInSeconds, readClaims } from './engine-claims.js'
import { expiryOf } from './renewal.js'

/** A jar, and the names in it. */
export interface Cookies {
  readonly jar: CookieJar
  readonly policy: CookiePolicy
}

/** A valid token, and where it was found. */
export interface FoundToken {
  readonly token: JWT
  readonly claims: EngineClaims
  /** As it was sent. */
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
}

/** What a request carries. */
export interface HeldTokens {
  /** Valid, of sessions that have not ended; of ours those that came first, then those of Auth.js. */
  readonly valid: readonly FoundToken[]
  /** Of all sessions whose tokens opened, ended ones too. */
  readonly names: readonly string[]
  /** What tells cookies from others that hold no valid token. */
  readonly unread: readonly string[]
}

/** The tokens in a request's cookies: ours, else those of Auth.js where they are accepted. */
export async function heldTokens(config: ResolvedConfig, { jar, policy }: Cookies): Promise<HeldTokens> {
  const texts = readChunked(jar.received, policy.sessionToken.name)
  const own = await Promise.all(texts.map((text) => openOwn(config, policy, { text, source: 'cookie' })))
  const found = own.filter((token) => token !== null)
  const all = found.length > 0 ? found : await findLegacy(config, jar)
  return {
    valid: all.filter(({ claims }) => !hasEnded(config, [claims.sid])),
    names: all.map(({ claims }) => claims.sid),
    unread: texts.filter((_text, at) => own[at] === null).map(endOfText),
  }
}

/** The token of an `Authorization` header, which counts only where there is no session cookie at all. */
export async function bearerToken(
  config: ResolvedConfig,
  cookies: Cookies,
  text: string | undefined,
): Promise<FoundToken | null> {
  if (text === undefined || readChunked(cookies.jar.received, cookies.policy.sessionToken.name).length > 0) return null
  const found = await openOwn(config, cookies.policy, { text, source: 'bearer' })
  return found && !hasEnded(config, [found.claims.sid]) ? found : null
}

/** Whether a request carries a session cookie, genuine or not. */
export function holdsSession({ jwt }: ResolvedConfig, { jar, policy }: Cookies): boolean {
  const names = [policy.sessionToken.name, ...(jwt.legacy ? [jwt.legacy.cookieName] : [])]
  return names.some((name) => readChunked(jar.received, name).length > 0)
}

/** Decodes, with the developer's `decode` where there is one. */
async function openOwn(
  config: ResolvedConfig,
  policy: CookiePolicy,
  { text, source }: Pick<FoundToken, 'text' | 'source'>,
): Promise<FoundToken | null> {
  try {
    const token = await config.jwt.decode({ token: text, secret: [...config.secrets], salt: policy.sessionToken.name })
    if (!token || expiryOf(config, token) <= nowInSeconds()) return null
    return { token, claims: readClaims(token, text), text, source }
  } catch (error) {
    config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(error)))
    return null
  }
}

/** Sessions of Auth.js: another cookie, another key, the same claims; but what it says of us is not ours. */
async function findLegacy(config: ResolvedConfig, jar: CookieJar): Promise<FoundToken[]> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return []
  const { cookieName } = legacy
  const opened = readChunked(jar.received, cookieName).map(async (text): Promise<FoundToken[]> => {
    const token = await openSessionToken(text, config.secrets, (secret, encryption) =>
      legacySessionKey(secret, cookieName, encryption),
    )
    if (!token || expiryOf(config, token) <= nowInSeconds()) return []
    return [{ token, claims: readClaims({ ...token, sid: undefined }, text), text, source: 'legacy' }]
  })
  return (await Promise.all(opened)).flat()
}
