/** The sessions of a user, for an account page. */
import type { Language, ResolvedConfig } from '../contracts/index.js'
import { metadataOfStoredToken, type TokenMetadata } from '../crypto/session-token.js'
import { deviceFromCode, type KnownDevice } from '../http/device.js'
import { translate } from '../pages/texts.js'
import { reasonOfActor } from '../principal/index.js'
import { sessionIdOf } from '../session/browser.js'
import { storedSessionKey } from '../session/database/end-rows.js'
import { rowLifespan } from '../session/database/row.js'
import { absoluteExpiry, idleMaxAge } from '../session/session-cookie.js'
import type { OpenSession } from '../types/account.js'
import type { AdapterSession } from '../types/adapter.js'
import type { ListedUser } from './signed-in-user.js'

/** Returns the database sessions: that of `owner` first, then by last use. */
export async function listDatabaseSessions({
  store,
  user,
  owner,
  resolved,
  language,
}: ListedUser): Promise<OpenSession[]> {
  if (!store.abilities.listSessions) return []
  const now = Date.now()
  return (await store.listSessions(user.id))
    .map((row) => ({
      current: storedSessionKey(row.sessionToken) === owner?.key,
      ...toOpenSession(resolved, row, { now, language }),
    }))
    .filter(({ expires }) => expires.getTime() > now)
    .sort((a, b) => Number(b.current) - Number(a.current) || b.usedAt.getTime() - a.usedAt.getTime())
}

function toOpenSession(
  config: ResolvedConfig,
  { sessionToken, expires }: AdapterSession,
  { now, language }: Pick<ListedUser, 'language'> & { readonly now: number },
) {
  const facts = metadataOfStoredToken(sessionToken)
  const lifespan = rowLifespan({ metadata: facts ?? {}, source: facts ? 'cookie' : 'legacy' })
  const writtenAt = expires.getTime() - idleMaxAge(config, lifespan) * 1000
  const beganAt = (facts?.startedAt ?? 0) * 1000
  return {
    id: sessionIdOf(sessionToken),
    ...describeSignIn(config, facts ?? {}, language),
    usedAt: new Date(Math.max(Math.min(now, writtenAt), beganAt)),
    expires: new Date(Math.min(expires.getTime(), absoluteExpiry(config, lifespan))),
  }
}

/** Describes the sign-in of a session. */
export function describeSignIn(
  { apps, providers }: ResolvedConfig,
  { startedAt, amr, provider, app, device: code, network, act }: Partial<TokenMetadata>,
  language: Language,
): Pick<OpenSession, 'beganAt' | 'provider' | 'providerName' | 'amr' | 'app' | 'device' | 'network' | 'support'> {
  const device = deviceFromCode(code)
  return {
    ...(startedAt && { beganAt: new Date(startedAt * 1000) }),
    ...(provider !== undefined && { provider, providerName: providers.get(provider)?.name ?? provider }),
    ...(amr && { amr }),
    ...(app !== undefined && { app: { id: app, name: apps?.clients.get(app)?.name ?? app } }),
    ...(device && { device: { label: deviceLabel(device, language), ...device } }),
    ...(network !== undefined && { network }),
    ...(act !== undefined && {
      support: { label: translate(language, 'account.support'), reason: reasonOfActor(act) },
    }),
  }
}

/** Returns the names of browser and system in a sentence of the language; one name if the other is not known. */
function deviceLabel({ browser, system }: KnownDevice, language: Language): string {
  if (browser === undefined || system === undefined) return browser ?? system ?? ''
  return translate(language, 'account.device', { browser, system })
}
