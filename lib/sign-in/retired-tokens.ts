/** CSRF tokens that a sign-in has just replaced. A form that was submitted twice comes with one, and means no harm. */
import type { ResolvedConfig } from '../context.js'
import { sha256 } from '../crypto/hash.js'

/** Milliseconds: a double click, on a slow line. */
const lifetime = 10_000
const capacity = 10_000

const memories = new WeakMap<ResolvedConfig, Map<string, number>>()

/** Remembers a token for a moment. */
export function retireToken(config: ResolvedConfig, token: string): void {
  const retired = memories.get(config) ?? new Map<string, number>()
  memories.set(config, retired)
  for (const [known, until] of retired) {
    if (until > Date.now() && retired.size < capacity) break
    retired.delete(known)
  }
  retired.set(hashOf(token), Date.now() + lifetime)
}

/** Whether a form's token was replaced by a sign-in a moment ago. */
export function isRetired(config: ResolvedConfig, token: unknown): boolean {
  if (typeof token !== 'string') return false
  return (memories.get(config)?.get(hashOf(token)) ?? 0) > Date.now()
}

function hashOf(token: string): string {
  return sha256(token).toString('base64url')
}
