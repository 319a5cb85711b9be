/** The option `adapter`, with the check of its methods for the configured features. */
import { isRecord } from '../base/guards.js'
import type { AdapterStore, ResolvedProvider } from '../contracts/index.js'
import { MissingAdapter, MissingAdapterMethods } from '../errors.js'
import { type ReceivingSession, receivesLogouts } from '../features/logout/option.js'
import { createGuardedStore, type StoreOptions } from '../store/index.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'
import { describeValue, rejectOption } from './reject-option.js'

const missingAdapterMessages = {
  email: 'Email links require',
  webauthn: 'Passkeys require',
  password: 'Passwords require',
}

/** Returns the adapter behind its guard; `undefined` if there is none and no feature requires one. */
export function resolveAdapter(
  value: unknown,
  uses: ReceivingSession & { providers: ReadonlyMap<string, ResolvedProvider> },
  options: StoreOptions,
): AdapterStore | undefined {
  const isEndedByProviders = receivesLogouts(uses.providers, uses)
  const kinds = new Set([...uses.providers.values()].map(({ kind }) => kind))
  const keepsPasswords = [...uses.providers.values()].some((each) => each.kind === 'credentials' && each.password)
  if (value === undefined) {
    const stored = (['email', 'webauthn'] as const).find((kind) => kinds.has(kind))
    if (stored === undefined && !keepsPasswords) return undefined
    throw new MissingAdapter(
      `${missingAdapterMessages[stored ?? 'password']} a database. Set an \`adapter\`, for example \`memoryAdapter()\` of "server-auth/adapters/memory" to try it out.`,
    )
  }
  if (!isRecord(value))
    rejectOption('adapter', `must be an adapter's object, not ${describeValue(value)}.${invalidAdapterAdvice(value)}`)
  if (value instanceof Promise) rejectOption('adapter', "must be an adapter's object, not a promise. Await it first.")
  const adapter: Adapter = value
  const features: AdapterFeature[] = []
  if (uses.strategy === 'database') features.push('sessions')
  if (kinds.has('oauth')) features.push('accounts')
  if (kinds.has('email')) features.push('email')
  if (kinds.has('webauthn')) features.push('passkeys')
  if (keepsPasswords) features.push('passwords')
  if (isEndedByProviders) features.push('logouts')
  if (uses.strategy === 'database' && options.hasData) features.push('data')
  assertAdapterMethods(adapter, features)
  return createGuardedStore(adapter, options)
}

function invalidAdapterAdvice(value: unknown): string {
  if (typeof value === 'function') return ' Call it: `adapter: someAdapter(…)`.'
  return typeof value === 'string' ? ' Open the database: `adapter: sqlAdapter(connect(url))`.' : ''
}

/* ---- requirements ------------------------------------------------------------------------------------------------ */

/** A feature that uses the adapter. */
type AdapterFeature = 'accounts' | 'sessions' | 'email' | 'passwords' | 'passkeys' | 'logouts' | 'data'

const accountMethods = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
] as const satisfies readonly AdapterMethod[]

const featureMethods: Readonly<Record<AdapterFeature, { needs: readonly AdapterMethod[]; what: string }>> = {
  accounts: { needs: accountMethods, what: 'users who sign in with OAuth or OpenID Connect' },
  sessions: {
    needs: [...accountMethods, 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
    what: 'database sessions',
  },
  email: {
    needs: ['createUser', 'getUser', 'getUserByEmail', 'updateUser', 'createVerificationToken', 'useVerificationToken'],
    what: 'sign-in by email',
  },
  passwords: {
    needs: [...accountMethods, 'createVerificationToken', 'useVerificationToken'],
    what: 'passwords',
  },
  passkeys: {
    needs: [
      'createUser',
      'getUser',
      'getUserByEmail',
      'getUserByAccount',
      'linkAccount',
      'getAccount',
      'getAuthenticator',
      'createAuthenticator',
      'listAuthenticatorsByUserId',
      'updateAuthenticatorCounter',
    ],
    what: 'passkeys',
  },
  logouts: {
    needs: ['linkSession', 'listSessionLinks'],
    what: 'sessions that a provider ends (`logout.backchannel`, `logout.frontchannel`)',
  },
  data: {
    needs: ['getSessionUserAndData', 'writeSessionData'],
    what: 'data in database sessions (`session.data`)',
  },
}

/**
 * Checks that the adapter has the methods of each feature, at construction and not at a sign-in. @throws {@link
 * MissingAdapterMethods} with the feature and all missing methods.
 */
function assertAdapterMethods(adapter: Adapter, features: readonly AdapterFeature[]): void {
  for (const feature of features) {
    const { needs, what } = featureMethods[feature]
    const missing = needs.filter((name) => typeof adapter[name] !== 'function')
    if (missing.length === 0) continue
    const names = missing.map((name) => `\`${name}\``).join(', ')
    throw new MissingAdapterMethods(
      `The \`adapter\` lacks ${names}, needed for ${what}. ${missingMethodsAdvice(adapter, feature)}`,
    )
  }
}

function missingMethodsAdvice(adapter: Adapter, feature: AdapterFeature): string {
  if ('selectFrom' in adapter) return 'It is the database itself. Set `adapter: sqlAdapter(db)`.'
  if ('$connect' in adapter) {
    return 'It is a Prisma client. Set `adapter: PrismaAdapter(prisma)`, of the package `@auth/prisma-adapter`.'
  }
  if (['query', 'execute', 'prepare'].some((name) => name in adapter)) {
    return 'It is a connection to a database. Set `adapter: sqlAdapter(connect(url))` of `server-auth/adapters/sql`, with the URL of the database.'
  }
  if ('getSession' in adapter)
    return 'It only stores sessions. Add it to an adapter with `combine(users, { sessions })`.'
  if (feature === 'passkeys' && 'preset' in adapter && adapter.preset !== 'default') {
    return `The preset \`${adapter.preset}\` has no table of passkeys. Use other providers, or the default tables (without \`preset\`).`
  }
  if (feature === 'sessions') return 'Add them, or set `session: { strategy: "jwt" }`.'
  if (feature === 'data') {
    return 'Use an adapter of this package, or `combine(users, { sessions })` with a store of sessions that has them. Or set `session: { strategy: "jwt" }`, which keeps the data in the cookie.'
  }
  return 'Add them, or use another adapter.'
}
