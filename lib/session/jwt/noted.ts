/** What is noted elsewhere of a session in a token: that it is there, and by what it began. */
import { after, rescue } from '../../base/after.js'
import type { Beginning, ResolvedConfig } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { authenticationOf } from '../../principal/index.js'
import type { Awaitable } from '../../types/identity.js'
import { endOf } from '../lifetime.js'
import { countedStart, type EngineClaims, lifespanOf, nowInSeconds } from './engine-claims.js'

/** When a token that is made now will end, in milliseconds since the epoch. */
export function renewedExpiry(config: ResolvedConfig, claims: EngineClaims): number {
  return endOf(config, nowInSeconds() * 1000, lifespanOf(claims))
}

/** For the list of the person's sessions, where one is kept. */
export function noteListed(
  config: ResolvedConfig,
  claims: EngineClaims,
  { userId, began }: { readonly userId: string | undefined; readonly began?: Beginning },
): Awaitable<unknown> {
  const { sid, auth_began: signedInAt } = claims
  const session = { sid, userId, startedAt: countedStart(claims), expires: renewedExpiry(config, claims) }
  return config.session.revocation?.lists?.note({ ...session, began: began && factsOf(began, signedInAt) })
}

function factsOf(
  { proofs, data: _data, startedAt: _start, maxAge: _age, stamp: _stamp, ...facts }: Beginning,
  signedInAt: number,
) {
  return { ...facts, amr: authenticationOf(proofs).amr, signedInAt }
}

/** By which session at a provider it began, where frames may end it. Rejects where that cannot be noted: nobody signs in then. */
export function noteLinked(config: ResolvedConfig, claims: EngineClaims): Awaitable<unknown> {
  const { sid, auth_op: provider } = claims
  const session = { sid, startedAt: countedStart(claims), provider }
  return config.session.revocation?.noteLinked(session, renewedExpiry(config, claims))
}

/** Both, for one that goes on: that it cannot be noted for longer is no reason to turn the person away. */
export function noteRenewed(
  config: ResolvedConfig,
  claims: EngineClaims,
  userId: string | undefined,
): Awaitable<unknown> {
  const linked = rescue<unknown>(
    () => noteLinked(config, claims),
    (thrown) => config.logger.error(toError(thrown)),
  )
  return after(linked, () => noteListed(config, claims, { userId }))
}
