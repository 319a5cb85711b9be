/** The methods of the adapter. */
import { randomUUID } from 'node:crypto'
import { losesVerification } from '../../base/email-address.js'
import { writeFields } from '../../base/user-fields.js'
import type { Adapter, AdapterUser, AuthenticatorUse } from '../../types/adapter.js'
import type { Database, Row } from './database.js'
import type { Layout } from './layout.js'
import { createUserLists } from './list-users.js'
import { createReads, createSessionsRead } from './reads.js'
import { removeSqlRecordsOf } from './record-store.js'
import { createSessionData, type DataUse } from './session-data.js'
import { createSqlSessionLinks } from './session-links.js'
import { createTableStore, type TableStore } from './store.js'
import { storeUnique } from './unique.js'

/** All methods of an adapter except `transaction`. */
export type SqlMethods = ReturnType<typeof createMethods>

/** Creates the methods on a database or on one of its transactions. */
export function createMethods(db: Database, layout: Layout, use: DataUse) {
  const data = createSessionData(db, layout, use)
  const tools: MethodTools = { db, layout, store: createTableStore(db, layout), data }
  return {
    ...sqlUserMethods(tools),
    ...accountMethods(tools),
    ...sqlSessionMethods(tools),
    ...authenticatorMethods(tools),
    ...createSqlSessionLinks(db),
  }
}

interface MethodTools {
  readonly db: Database
  readonly layout: Layout
  readonly store: TableStore
  readonly data: ReturnType<typeof createSessionData>
}

function sqlUserMethods({ db, layout, store, data }: MethodTools) {
  const reads = createReads(db, layout)
  async function withoutOldProof(id: string, patch: Partial<AdapterUser>): Promise<Partial<AdapterUser>> {
    const user = patch.email === undefined ? null : await store.find('users', { id })
    return user && losesVerification(user, patch) ? { ...patch, emailVerified: null } : patch
  }
  return {
    async createUser(user) {
      const given = writeFields(layout.userFields, user, true)
      const record = { ...given, emailVerified: user.emailVerified ?? null, ...newId(layout, user.id) }
      return storeUnique({ db, layout, table: 'users', record }, (unique) => unique.insert('users', record))
    },
    getUser: (id) => store.find('users', { id }),
    getUserByEmail: async (email) => (await store.find('users', { email })) ?? reads.userByMixedCaseEmail(email),
    getUserByAccount: (key) => reads.userByAccount(key),
    getSessionAndUser: (sessionToken) => reads.sessionAndUser(sessionToken),
    getSessionUserAndData(sessionToken) {
      data.use.isOn = true
      return reads.sessionUserAndData(sessionToken)
    },
    listUsers: createUserLists(db, layout),
    async updateUser({ id, ...patch }) {
      const given = writeFields(layout.userFields, patch, false)
      return (await store.change('users', { id }, await withoutOldProof(id, given))) ?? throwMissing('user')
    },
    /** Deletes referencing rows first, because tables of other libraries may not cascade. */
    async deleteUser(id): Promise<void> {
      await store.remove('accounts', { userId: id })
      await data.detect()
      const tokens = await data.tokensOf(id)
      await store.remove('sessions', { userId: id })
      await data.removeData(tokens)
      if (layout.hasAuthenticators) await store.remove('authenticators', { userId: id })
      await store.remove('users', { id })
      await removeSqlRecordsOf(db, layout.dialect, id)
    },
  } satisfies Partial<Adapter>
}

/** Returns the proposed id if the column can store it. Integer columns create their own. */
function newId({ ids }: Layout, proposal: unknown): Row {
  if (ids === 'integer') return { id: undefined }
  const isUuid = typeof proposal === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(proposal)
  return { id: isUuid || (ids === 'text' && proposal) ? proposal : randomUUID() }
}

function accountMethods({ db, layout, store }: MethodTools) {
  return {
    async linkAccount(account) {
      await storeUnique({ db, layout, table: 'accounts', record: account }, (unique) => unique.add('accounts', account))
      return account
    },
    async unlinkAccount({ provider, providerAccountId }): Promise<void> {
      await store.remove('accounts', { provider, providerAccountId })
    },
    getAccount: (providerAccountId, provider) => store.find('accounts', { provider, providerAccountId }),
    listAccountsByUserId: (userId) => store.list('accounts', { userId }, 'provider'),
  } satisfies Partial<Adapter>
}

/** Creates the methods for sessions and for tokens of email links. */
function sqlSessionMethods({ db, layout, store, data }: MethodTools) {
  return {
    async createSession(session) {
      const record = { ...session }
      await storeUnique({ db, layout, table: 'sessions', record }, (unique) => unique.add('sessions', record))
      return session
    },
    updateSession: ({ sessionToken, ...patch }) => store.change('sessions', { sessionToken }, patch),
    // The session first: without its data, which may restrict it, it could allow more.
    async deleteSession(sessionToken) {
      const session = await store.take('sessions', { sessionToken })
      await data.removeData([sessionToken])
      return session
    },
    writeSessionData: data.writeSessionData,
    listSessionsByUserId: (userId) => store.list('sessions', { userId }, 'expires'),
    getSessions: createSessionsRead(db, layout),
    async deleteSessionsByUserId(userId): Promise<void> {
      const tokens = await data.tokensOf(userId)
      await store.remove('sessions', { userId })
      await data.removeData(tokens)
    },
    async createVerificationToken(token) {
      await store.add('verificationTokens', { ...token })
      return token
    },
    useVerificationToken: ({ identifier, token }) => store.take('verificationTokens', { identifier, token }),
    async deleteVerificationTokens(identifier): Promise<void> {
      await store.remove('verificationTokens', { identifier })
    },
  } satisfies Partial<Adapter>
}

function authenticatorMethods({ layout, store }: MethodTools) {
  const hasOwn = layout.columns.authenticators.lastUsedAt !== undefined
  return {
    getAuthenticator: (credentialID) => store.find('authenticators', { credentialID }),
    createAuthenticator: (authenticator) => store.insert('authenticators', { ...authenticator }),
    listAuthenticatorsByUserId: (userId) => store.list('authenticators', { userId }, 'credentialID'),
    async updateAuthenticatorCounter(credentialID, counter, use?: AuthenticatorUse) {
      const patch = { counter, ...(hasOwn ? use : undefined) }
      return (await store.change('authenticators', { credentialID }, patch)) ?? throwMissing('passkey')
    },
    async deleteAuthenticator(credentialID): Promise<void> {
      await store.remove('authenticators', { credentialID })
    },
    async renameAuthenticator(credentialID, name): Promise<void> {
      if (!(await store.change('authenticators', { credentialID }, { name }))) throwMissing('passkey')
    },
  } satisfies Partial<Adapter>
}

function throwMissing(what: string): never {
  throw new Error(`The ${what} does not exist.`)
}
