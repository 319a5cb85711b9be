/**
 * When a session ends and when it is extended, with both strategies. Every time is in milliseconds since the epoch; claims of
 * tokens, which are in seconds, are converted by who reads them.
 */
import type { ResolvedConfig } from '../contracts/index.js'

/** When a session that was written at `writtenAt` ends: after `maxAge` without a visit, or at its absolute end. */
export function endOf(config: ResolvedConfig, writtenAt: number, startedAt: number): number {
  return Math.min(writtenAt + maxAgeOf(config) * 1000, absoluteEnd(config, startedAt))
}

/** When a session ends however often it is used: never, unless `absoluteMaxAge` is configured. */
export function absoluteEnd({ session }: ResolvedConfig, startedAt: number): number {
  return startedAt + (session.absoluteMaxAge ?? Number.POSITIVE_INFINITY) * 1000
}

/** Whether `updateAge` has passed since the session was written. */
export function isDue({ session }: ResolvedConfig, writtenAt: number): boolean {
  return writtenAt + session.updateAge * 1000 <= Date.now()
}

/** Seconds. A token and its cookie must not outlive each other; the token's own end is in whole seconds. */
function maxAgeOf({ session, jwt }: ResolvedConfig): number {
  return session.strategy === 'jwt' ? Math.floor(Math.min(jwt.maxAge, session.maxAge)) : session.maxAge
}
