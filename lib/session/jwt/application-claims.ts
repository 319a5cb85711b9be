/** The claims of a session token that are not the engine's, and their comparison. */
import type { JWT } from '../../types/jwt.js'
import { withoutClaims } from './claims.js'

/** Returns the application's own claims as JSON, without those that are new in each token. */
export function applicationClaims(token: JWT): string {
  const { iat: _iat, exp: _exp, jti: _jti, ...own } = withoutClaims(token)
  return JSON.stringify(own)
}

/** Checks whether two texts of {@link applicationClaims} differ. A callback may have reordered the same claims. */
export function applicationClaimsDiffer(before: string, after: string): boolean {
  return before !== after && !isSameJson(JSON.parse(before), JSON.parse(after))
}

/** Compares two JSON values, regardless of the order of keys. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
}
