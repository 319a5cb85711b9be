/** Where a person is signed in, as an account page shows it. */
import type { ResolvedConfig } from '../contracts/index.js'
import { factsOfRow, type TokenFacts } from '../crypto/stored-token.js'
import { deviceOf } from '../http/device.js'
import { storedSessionKey } from '../session/database/ending.js'
import { lifespanOf } from '../session/database/row.js'
import { absoluteEnd, idleAge } from '../session/lifetime.js'
import { sessionIdOf } from '../session/names.js'
import type { AdapterSession } from '../types/adapter.js'
import type { Person } from './person.js'

/** On what kind of device a session began: the browser's word for itself, and no proof. */
export interface SessionDevice {
  /** Such as `Firefox on Linux`; only one of both where the other is not known. */
  readonly label: string
  /** `Chrome`, `Edge`, `Firefox`, `Opera`, `Safari` or `Samsung Internet`. Browsers that call themselves one of these count as it. */
  readonly browser?: string
  /** `Android`, `ChromeOS`, `iOS`, `iPadOS`, `Linux`, `macOS` or `Windows`. Newer iPads say that they are a Mac. */
  readonly system?: string
}

/** A place where a person is signed in. */
export interface OpenSession {
  /** Names the session in {@link endSession}, and in events (`sid`). No token: nobody signs in with it. */
  readonly id: string
  /** The session of the request itself. */
  readonly current: boolean
  /** When the person signed in. Absent where the session is older than this record, and so are the next five. */
  readonly beganAt?: Date
  /** The id of the provider that they signed in with. Absent, too, where the application's own code began it (`startSession`). */
  readonly provider?: string
  /** The provider's name; its id where the configuration no longer has it. */
  readonly providerName?: string
  /** By which methods (RFC 8176 §2), as `authentication` of the `session` callback says it. */
  readonly amr?: readonly string[]
  /** Absent where the client did not say, and where it is no browser. */
  readonly device?: SessionDevice
  /** The network of the client's address, such as `203.0.113.0/24` or `2001:db8:1::/48`. Only with `session.network`. */
  readonly network?: string
  /**
   * When it was begun, or used last, to within `session.updateAge`. Of database sessions reckoned from `expires`: near its
   * absolute end, or after `session.maxAge` was changed, it may be too early.
   */
  readonly usedAt: Date
  /** When the session ends if it is not used before. */
  readonly expires: Date
}

/** Sessions of the database: this one first, then what was used last. */
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

/** What a session says of its beginning, for people. @param began `startedAt`: in seconds since the epoch. */
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
