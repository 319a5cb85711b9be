/** The option `adapter`: whether it can do what the configuration asks of it. */

import { isRecord } from '../base/guards.js'
import type { ResolvedProvider, Store } from '../contracts/index.js'
import { MissingAdapter } from '../errors.js'
import { type ReceivingSession, receivesLogouts } from '../features/logout/option.js'
import { createStore, type StoreOptions } from '../store/index.js'
import { type AdapterFeature, assertMethods } from '../store/requirements.js'
import type { Adapter } from '../types/adapter.js'
import { describe, refuse } from './refusal.js'

const needs = {
  email: 'Sign-in by e-mail keeps its links',
  webauthn: 'Passkeys are kept',
  password: 'Passwords are kept',
}

/** The adapter behind its guard; `undefined` where there is none and nothing needs one. */
export function resolveAdapter(
  value: unknown,
  uses: ReceivingSession & { providers: ReadonlyMap<string, ResolvedProvider> },
  options: StoreOptions,
): Store | undefined {
  const isEndedByProviders = receivesLogouts(uses.providers, uses)
  const kinds = new Set([...uses.providers.values()].map(({ kind }) => kind))
  const keepsPasswords = [...uses.providers.values()].some((each) => each.kind === 'credentials' && each.password)
  if (value === undefined) {
    const stored = (['email', 'webauthn'] as const).find((kind) => kinds.has(kind))
    if (stored === undefined && !keepsPasswords) return undefined
    throw new MissingAdapter(
      `${needs[stored ?? 'password']} in a database: set an \`adapter\`, for example \`memoryAdapter()\` of "server-auth/adapters/memory" to try it out.`,
    )
  }
  if (!isRecord(value)) refuse('adapter', `must be an adapter's object, not ${describe(value)}.${adviceFor(value)}`)
  if (value instanceof Promise) refuse('adapter', "must be an adapter's object, not a promise. Await it before.")
  const adapter: Adapter = value
  const features: AdapterFeature[] = []
  if (uses.strategy === 'database') features.push('sessions')
  if (kinds.has('oauth')) features.push('accounts')
  if (kinds.has('email')) features.push('email')
  if (kinds.has('webauthn')) features.push('passkeys')
  if (keepsPasswords) features.push('passwords')
  if (isEndedByProviders) features.push('logouts')
  if (uses.strategy === 'database' && options.hasData) features.push('data')
  assertMethods(adapter, features)
  return createStore(adapter, options)
}

function adviceFor(value: unknown): string {
  if (typeof value === 'function') return ' Call it: `adapter: someAdapter(…)`.'
  return typeof value === 'string' ? ' Open the database: `adapter: sqlAdapter(connect(url))`.' : ''
}
