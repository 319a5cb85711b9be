/** Which feature needs which methods of an adapter. Checked when the configuration is resolved, not when a person signs in. */

import { MissingAdapterMethods } from '../errors.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'

/** What makes use of an adapter. */
export type AdapterFeature = 'accounts' | 'sessions' | 'email' | 'passwords' | 'passkeys' | 'logouts' | 'data'

const accounts = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
] as const satisfies readonly AdapterMethod[]

const requirements: Readonly<Record<AdapterFeature, { needs: readonly AdapterMethod[]; what: string }>> = {
  accounts: { needs: accounts, what: 'users who sign in with OAuth or OpenID Connect' },
  sessions: {
    needs: [...accounts, 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
    what: 'database sessions',
  },
  email: {
    needs: ['createUser', 'getUser', 'getUserByEmail', 'updateUser', 'createVerificationToken', 'useVerificationToken'],
    what: 'sign-in by e-mail',
  },
  passwords: {
    needs: [...accounts, 'createVerificationToken', 'useVerificationToken'],
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

/** @throws {@link MissingAdapterMethods} that names the feature, and all methods it lacks. */
export function assertMethods(adapter: Adapter, features: readonly AdapterFeature[]): void {
  for (const feature of features) {
    const { needs, what } = requirements[feature]
    const missing = needs.filter((name) => typeof adapter[name] !== 'function')
    if (missing.length === 0) continue
    const names = missing.map((name) => `\`${name}\``).join(', ')
    throw new MissingAdapterMethods(
      `The \`adapter\` lacks ${names}, needed for ${what}. ${adviceFor(adapter, feature)}`,
    )
  }
}

function adviceFor(adapter: Adapter, feature: AdapterFeature): string {
  if ('selectFrom' in adapter) return 'It is the database itself: `adapter: sqlAdapter(db)` makes an adapter of it.'
  if ('getSession' in adapter) return 'It keeps sessions only: `combine(users, { sessions })` joins it to an adapter.'
  if (feature === 'passkeys' && 'preset' in adapter && adapter.preset !== 'default') {
    return `The preset \`${adapter.preset}\` has no table of passkeys: use other providers, or our own tables (without \`preset\`).`
  }
  if (feature === 'sessions') return 'Add them, or set `session: { strategy: "jwt" }`.'
  if (feature === 'data') {
    return 'Take an adapter of ours, or `combine(users, { sessions })` with a store of sessions that has them; or set `session: { strategy: "jwt" }`, which keeps the data in the cookie.'
  }
  return 'Add them, or use another adapter.'
}
