/** When a token is made anew, and for how long it lives then. */
import type { CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { encode } from '../../jwt.js'
import type { JWT } from '../../types/jwt.js'
import { endOf, isDue } from '../lifetime.js'
import { type EngineClaims, nowInSeconds, withoutClaims } from './engine-claims.js'
import type { FoundToken } from './held-token.js'

/** When a token that is made now will end, in milliseconds since the epoch. */
export function renewedExpiry(config: ResolvedConfig, { auth_time: startedAt }: EngineClaims): number {
  return endOf(config, nowInSeconds() * 1000, startedAt * 1000)
}

/** Seals a token for as long as it may live, in seconds. */
export async function sealToken(
  { config, cookiePolicy }: CookieContext,
  token: JWT & EngineClaims,
): Promise<{ token: string; maxAge: number }> {
  const maxAge = renewedExpiry(config, token) / 1000 - nowInSeconds()
  const salt = cookiePolicy.sessionToken.name
  return { token: await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge }), maxAge }
}

/**
 * Whether the cookie is written anew without being asked to: a bearer token never is, a session of Auth.js always.
 *
 * @param before The token before the `jwt` callback had it. @param token What came of it.
 */
export async function isToRenew(
  { config, cookiePolicy }: CookieContext,
  { source, text }: FoundToken,
  [before, token]: readonly [before: JWT, token: JWT],
): Promise<boolean> {
  if (source === 'bearer') return false
  const { iat } = before
  if (source === 'legacy' || typeof iat !== 'number' || isDue(config, iat * 1000) || hasChanged(before, token))
    return true
  return hasOldKey(config, cookiePolicy.sessionToken.name, text)
}

/** Whether the `jwt` callback changed anything but the claims that each token gets anew, as JSON will write it. */
function hasChanged(before: JWT, after: JWT): boolean {
  const written = ({ iat: _iat, exp: _exp, jti: _jti, ...claims }: JWT): unknown =>
    JSON.parse(JSON.stringify(withoutClaims(claims)))
  return !isSameJson(written(before), written(after))
}

/** Whether two values of JSON say the same, in whatever order their keys are. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
}

/** Whether the token was made under an older secret. It gets a new one at once, so that the old one can be dropped soon. */
async function hasOldKey({ secrets, jwt }: ResolvedConfig, salt: string, text: string): Promise<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(text)?.kid
  return kid !== undefined && kid !== (await (await sessionKey(secrets[0], salt)).thumbprint)
}
