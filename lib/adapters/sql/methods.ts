/** The adapter's methods: what each does with the tables. */
import { randomUUID } from 'node:crypto'
import { losesProof } from '../../base/address.js'
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  AuthenticatorUse,
  VerificationToken,
} from '../../types/adapter.js'
import type { Database, Row } from './database.js'
import type { Layout } from './layout.js'
import { createReads, type Reads } from './reads.js'
import { toAccount, toAuthenticator, toSession, toUser, toVerificationToken } from './records.js'
import { createStore, type Store } from './store.js'
import { insertUnique } from './unique.js'

/** All methods of an adapter but `transaction`. */
export type Methods = ReturnType<typeof createMethods>

/** The methods on a database, or on one transaction of it. */
export function createMethods(db: Database, layout: Layout) {
  const store = createStore(db, layout)
  const tools: Tools = { db, layout, store, reads: createReads(db, layout) }
  return {
    ...userMethods(tools),
    ...accountMethods(tools),
    ...sessionMethods(tools),
    ...tokenMethods(store),
    ...authenticatorMethods(store, layout.columns.authenticators.lastUsedAt !== undefined),
  }
}

interface Tools {
  readonly db: Database
  readonly layout: Layout
  readonly store: Store
  readonly reads: Reads
}

function userMethods({ db, layout, store, reads }: Tools) {
  async function withoutOldProof(id: string, patch: Partial<AdapterUser>): Promise<Partial<AdapterUser>> {
    const row = patch.email === undefined ? null : await store.find('users', { id })
    return row && losesProof(toUser(row), patch) ? { ...patch, emailVerified: null } : patch
  }
  return {
    async createUser(user: AdapterUser): Promise<AdapterUser> {
      const row = { ...user, emailVerified: user.emailVerified ?? null }
      return toUser(await insertUnique(db, layout, 'users', { ...row, ...newId(layout, user.id) }))
    },
    async getUser(id: string): Promise<AdapterUser | null> {
      const row = await store.find('users', { id })
      return row && toUser(row)
    },
    async getUserByEmail(email: string): Promise<AdapterUser | null> {
      const row = (await store.find('users', { email })) ?? (await reads.userByMixedCaseEmail(email))
      return row && toUser(row)
    },
    async getUserByAccount(key: AccountKey): Promise<AdapterUser | null> {
      const row = await reads.userByAccount(key)
      return row && toUser(row)
    },
    async updateUser({ id, ...patch }: Partial<AdapterUser> & { id: string }): Promise<AdapterUser> {
      const row = await store.change('users', { id }, await withoutOldProof(id, patch))
      return toUser(row ?? missing('user'))
    },
    /** Rows first that point at the user: tables of other libraries may not do it by themselves. */
    async deleteUser(id: string): Promise<void> {
      await store.remove('accounts', { userId: id })
      await store.remove('sessions', { userId: id })
      if (layout.hasAuthenticators) await store.remove('authenticators', { userId: id })
      await store.remove('users', { id })
    },
  }
}

/** The proposal, where the column can hold it. A column that counts makes its own. */
function newId({ ids }: Layout, proposal: unknown): Row {
  if (ids === 'integer') return { id: undefined }
  const isUuid = typeof proposal === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(proposal)
  return { id: isUuid || (ids === 'text' && proposal) ? proposal : randomUUID() }
}

function accountMethods({ db, layout, store }: Tools) {
  return {
    async linkAccount(account: AdapterAccount): Promise<AdapterAccount> {
      await insertUnique(db, layout, 'accounts', account)
      return account
    },
    async unlinkAccount({ provider, providerAccountId }: AccountKey): Promise<void> {
      await store.remove('accounts', { provider, providerAccountId })
    },
    async getAccount(providerAccountId: string, provider: string): Promise<AdapterAccount | null> {
      const row = await store.find('accounts', { provider, providerAccountId })
      return row && toAccount(row)
    },
    async listAccountsByUserId(userId: string): Promise<AdapterAccount[]> {
      return (await store.list('accounts', { userId }, 'provider')).map(toAccount)
    },
  }
}

function sessionMethods({ db, layout, store, reads }: Tools) {
  return {
    async createSession(session: AdapterSession): Promise<AdapterSession> {
      await insertUnique(db, layout, 'sessions', { ...session })
      return session
    },
    async getSessionAndUser(sessionToken: string) {
      const found = await reads.sessionAndUser(sessionToken)
      if (!found) return null
      const user = toUser(found.user)
      return { session: { sessionToken, userId: user.id, expires: found.expires }, user }
    },
    async updateSession({ sessionToken, ...patch }: Partial<AdapterSession> & { sessionToken: string }) {
      const row = await store.change('sessions', { sessionToken }, patch)
      return row && toSession(row)
    },
    async deleteSession(sessionToken: string): Promise<AdapterSession | null> {
      const row = await store.take('sessions', { sessionToken })
      return row && toSession(row)
    },
    async listSessionsByUserId(userId: string): Promise<AdapterSession[]> {
      return (await store.list('sessions', { userId }, 'expires')).map(toSession)
    },
    async deleteSessionsByUserId(userId: string): Promise<void> {
      await store.remove('sessions', { userId })
    },
  }
}

function tokenMethods(store: Store) {
  return {
    async createVerificationToken(token: VerificationToken): Promise<VerificationToken> {
      await store.add('verificationTokens', { ...token })
      return token
    },
    async useVerificationToken(params: { identifier: string; token: string }): Promise<VerificationToken | null> {
      const { identifier, token } = params
      const row = await store.take('verificationTokens', { identifier, token })
      return row && toVerificationToken(row)
    },
    async deleteVerificationTokens(identifier: string): Promise<void> {
      await store.remove('verificationTokens', { identifier })
    },
  }
}

function authenticatorMethods(store: Store, hasOwn: boolean) {
  return {
    async getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null> {
      const row = await store.find('authenticators', { credentialID })
      return row && toAuthenticator(row)
    },
    async createAuthenticator(authenticator: AdapterAuthenticator): Promise<AdapterAuthenticator> {
      return toAuthenticator(await store.insert('authenticators', { ...authenticator }))
    },
    async listAuthenticatorsByUserId(userId: string): Promise<AdapterAuthenticator[]> {
      return (await store.list('authenticators', { userId }, 'credentialID')).map(toAuthenticator)
    },
    async updateAuthenticatorCounter(
      credentialID: string,
      counter: number,
      use?: AuthenticatorUse,
    ): Promise<AdapterAuthenticator> {
      const row = await store.change('authenticators', { credentialID }, { counter, ...(hasOwn ? use : undefined) })
      return toAuthenticator(row ?? missing('passkey'))
    },
    async deleteAuthenticator(credentialID: string): Promise<void> {
      await store.remove('authenticators', { credentialID })
    },
    async renameAuthenticator(credentialID: string, name: string): Promise<void> {
      if (!(await store.change('authenticators', { credentialID }, { name }))) missing('passkey')
    },
  }
}

function missing(what: string): never {
  throw new Error(`There is no such ${what}.`)
}
