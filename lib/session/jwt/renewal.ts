/** The token of a session: how long it lives, and when it is made anew. */
import type { CookiePolicy, ResolvedConfig } from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { encode } from '../../jwt.js'
import type { JWT } from '../../types/jwt.js'
import { type EngineClaims, nowInSeconds, startOf, withoutClaims } from './engine-claims.js'

/** Seals a token for as long as it may live, in seconds. */
export async function sealToken(
  config: ResolvedConfig,
  policy: CookiePolicy,
  token: JWT & EngineClaims,
): Promise<{ token: string; maxAge: number }> {
  const maxAge = renewedExpiry(config, token.auth_time) - nowInSeconds()
  const salt = policy.sessionToken.name
  return { token: await config.jwt.encode({ token, secret: [...config.secrets], salt, maxAge }), maxAge }
}

/** When a token ends: its own `exp`, or sooner where `maxAge` has been lowered since, or at the session's absolute end. */
export function expiryOf(config: ResolvedConfig, token: JWT): number {
  const { exp, iat } = token
  const byAge = (typeof iat === 'number' ? iat : nowInSeconds()) + lifetime(config)
  return Math.min(byAge, absoluteEnd(config, startOf(token)), typeof exp === 'number' ? exp : Number.POSITIVE_INFINITY)
}

/** When a token that is made now will end. */
export function renewedExpiry(config: ResolvedConfig, startedAt: number): number {
  return Math.min(nowInSeconds() + lifetime(config), absoluteEnd(config, startedAt))
}

/** Whether `updateAge` has passed since the token was made. */
export function isDue(config: ResolvedConfig, { iat }: JWT): boolean {
  return typeof iat !== 'number' || nowInSeconds() - iat >= config.session.updateAge
}

/** Whether the `jwt` callback changed anything but the claims that each token gets anew, as JSON will write it. */
export function hasChanged(before: JWT, after: JWT): boolean {
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
export async function hasOldKey(
  { secrets, jwt }: ResolvedConfig,
  policy: CookiePolicy,
  token: string,
): Promise<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(token)?.kid
  return kid !== undefined && kid !== (await (await sessionKey(secrets[0], policy.sessionToken.name)).thumbprint)
}

/** Seconds a token may live: the cookie must not outlive it, nor it the cookie. */
function lifetime(config: ResolvedConfig): number {
  return Math.floor(Math.min(config.jwt.maxAge, config.session.maxAge))
}

function absoluteEnd({ session }: ResolvedConfig, startedAt: number): number {
  return startedAt + (session.absoluteMaxAge ?? Number.POSITIVE_INFINITY)
}
