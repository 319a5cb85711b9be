/** The sessions of a user, for an account page. */
import type { ResolvedConfig } from '../contracts/index.js'
import { factsOfRow, type TokenFacts } from '../crypto/stored-token.js'
import { deviceOf } from '../http/device.js'
import { sessionIdOf } from '../session/browser.js'
import { storedSessionKey } from '../session/database/ending.js'
import { lifespanOf } from '../session/database/row.js'
import { absoluteEnd, idleAge } from '../session/session-cookie.js'
import type { OpenSession } from '../types/account.js'
import type { AdapterSession } from '../types/adapter.js'
import type { Person } from './person.js'

/** Returns the database sessions: the current one first, then by last use. */
export async function openRows({ store, user, owner, resolved }: Person): Promise<OpenSession[]> {
  if (!store.can.listSessions) return []
  const now = Date.now()
  return (await store.listSessions(user.id))
    .map((row) => ({ current: storedSessionKey(row.sessionToken) === owner.key, ...toOpen(resolved, row, now) }))
    .filter(({ expires }) => expires.getTime() > now)
    .sort((a, b) => Number(b.current) - Number(a.current) || b.usedAt.getTime() - a.usedAt.getTime())
}

function toOpen(config: ResolvedConfig, { sessionToken, expires }: AdapterSession, now: number) {
  const facts = factsOfRow(sessionToken)
  const lifespan = lifespanOf({ facts: facts ?? {}, source: facts ? 'cookie' : 'legacy' })
  const writtenAt = expires.getTime() - idleAge(config, lifespan) * 1000
  const beganAt = (facts?.startedAt ?? 0) * 1000
  return {
    id: sessionIdOf(sessionToken),
    ...describeBeginning(config, facts ?? {}),
    usedAt: new Date(Math.max(Math.min(now, writtenAt), beganAt)),
    expires: new Date(Math.min(expires.getTime(), absoluteEnd(config, lifespan))),
  }
}

/** Describes the sign-in of a session. @param began `startedAt`: in seconds since the epoch. */
export function describeBeginning(
  { providers }: ResolvedConfig,
  { startedAt, amr, provider, device: code, network }: Partial<TokenFacts>,
): Pick<OpenSession, 'beganAt' | 'provider' | 'providerName' | 'amr' | 'device' | 'network'> {
  const device = deviceOf(code)
  return {
    ...(startedAt && { beganAt: new Date(startedAt * 1000) }),
    ...(provider !== undefined && { provider, providerName: providers.get(provider)?.name ?? provider }),
    ...(amr && { amr }),
    ...(device && { device: { label: Object.values(device).join(' on '), ...device } }),
    ...(network !== undefined && { network }),
  }
}
