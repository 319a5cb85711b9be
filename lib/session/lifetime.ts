/**
 * When a session ends and when it is extended, with both strategies. Every time is in milliseconds since the epoch, but those of
 * a {@link Lifespan}, which are in seconds, as tokens say them.
 */
import type { Lifespan, ResolvedConfig } from '../contracts/index.js'

/** Seconds since the epoch. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** When a session that was written at `writtenAt` ends: after so long without a visit, or at its absolute end. */
export function endOf(config: ResolvedConfig, writtenAt: number, lifespan: Lifespan): number {
  return Math.min(writtenAt + idleAge(config, lifespan) * 1000, absoluteEnd(config, lifespan))
}

/** When a session ends however often it is used: never, unless it is configured, or was said when it began. */
export function absoluteEnd({ session }: ResolvedConfig, { startedAt, end }: Lifespan): number {
  const { absoluteMaxAge = Number.POSITIVE_INFINITY } = session
  return Math.min(startedAt + absoluteMaxAge, end ?? Number.POSITIVE_INFINITY) * 1000
}

/**
 * Whether a token says that it was written in the future: the clock was set back since, and it would end too late by as much. Clocks of
 * several machines may differ by a minute. @param iat Seconds since the epoch.
 */
export function isOfTheFuture(iat: number): boolean {
  return iat > Date.now() / 1000 + 60
}

/** The last second of the year 9999. */
const latest = 253_402_300_799

/**
 * Seconds since the epoch at which a session ends that is to last so long: whole ones, and no more than the tokens of both strategies
 * can say. What such a token does not say would never end.
 */
export function ownEnd(startedAt: number, maxAge: number): number {
  return Math.min(Math.floor(startedAt + maxAge), latest)
}

/** Whether `updateAge` has passed since the session was written. */
export function isDue({ session }: ResolvedConfig, writtenAt: number): boolean {
  return writtenAt + session.updateAge * 1000 <= Date.now()
}

/** Whether the browser forgets the session when it is closed. A session that says nothing of it is kept. */
export function endsWithBrowser({ session }: ResolvedConfig, { remembered }: Pick<Lifespan, 'remembered'>): boolean {
  return session.rememberMaxAge !== undefined && remembered === false
}

/** Seconds without a visit. A token and its cookie must not outlive each other; the token's own end is in whole seconds. */
export function idleAge({ session, jwt }: ResolvedConfig, { remembered }: Pick<Lifespan, 'remembered'>): number {
  const isJwt = session.strategy === 'jwt'
  const usual = isJwt ? Math.min(jwt.maxAge, session.maxAge) : session.maxAge
  const age = remembered ? (session.rememberMaxAge ?? usual) : usual
  return isJwt ? Math.floor(age) : age
}
