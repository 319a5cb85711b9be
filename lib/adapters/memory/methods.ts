/** The methods of the memory adapter: what each does with the tables, in one piece. */
import { randomUUID } from 'node:crypto'
import { losesProof } from '../../base/address.js'
import type {
  AccountKey,
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  AuthenticatorUse,
  VerificationToken,
} from '../../types/adapter.js'
import { type Table, type Tables, toKey } from './tables.js'

/** All methods but `transaction` and `prune`. */
export type Methods = Required<Omit<Adapter, 'prune' | 'transaction'>>

/** The methods on the rows themselves: who calls them copies what goes in and what comes out. */
export function methodsOn(tables: Tables): Methods {
  return {
    ...userMethods(tables),
    ...accountMethods(tables),
    ...sessionMethods(tables),
    ...tokenMethods(tables),
    ...authenticatorMethods(tables),
  }
}

function userMethods({ users, accounts, sessions, authenticators }: Tables) {
  function assertFreeAddress({ id, email }: AdapterUser): void {
    if (email && users.in(email).some((other) => other.id !== id)) throw new Error('The e-mail address is taken.')
  }
  return {
    createUser(user: AdapterUser) {
      const row = { ...user, id: user.id || randomUUID(), emailVerified: user.emailVerified ?? null }
      assertFreeAddress(row)
      return users.insert(row)
    },
    getUser: (id: string) => users.get(id),
    getUserByEmail: (email: string) => users.in(email)[0] ?? null,
    getUserByAccount({ provider, providerAccountId }: AccountKey) {
      const account = accounts.get(toKey(provider, providerAccountId))
      return account && users.get(account.userId)
    },
    updateUser(changes: Partial<AdapterUser> & { id: string }) {
      const before = existing(users, changes.id)
      const row = changed(before, losesProof(before, changes) ? { ...changes, emailVerified: null } : changes)
      assertFreeAddress(row)
      return users.put(row)
    },
    deleteUser(id: string) {
      for (const table of [accounts, sessions, authenticators]) table.removeAllIn(id)
      return users.remove(id)
    },
  }
}

function accountMethods({ users, accounts }: Tables) {
  return {
    linkAccount(account: AdapterAccount) {
      existing(users, account.userId)
      return accounts.insert(account)
    },
    unlinkAccount: ({ provider, providerAccountId }: AccountKey) => accounts.remove(toKey(provider, providerAccountId)),
    getAccount: (providerAccountId: string, provider: string) => accounts.get(toKey(provider, providerAccountId)),
    listAccountsByUserId: (userId: string) => accounts.in(userId),
  }
}

function sessionMethods({ users, sessions }: Tables) {
  return {
    createSession(session: AdapterSession) {
      existing(users, session.userId)
      return sessions.insert(session)
    },
    getSessionAndUser(sessionToken: string) {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return session && user && { session, user }
    },
    updateSession(changes: Partial<AdapterSession> & { sessionToken: string }) {
      const session = sessions.get(changes.sessionToken)
      return session && sessions.put(changed(session, changes))
    },
    deleteSession: (sessionToken: string) => sessions.remove(sessionToken),
    listSessionsByUserId: (userId: string) => sessions.in(userId),
    deleteSessionsByUserId: (userId: string) => sessions.removeAllIn(userId),
  }
}

function tokenMethods({ verificationTokens }: Tables) {
  return {
    createVerificationToken: (token: VerificationToken) => verificationTokens.insert(token),
    useVerificationToken: ({ identifier, token }: { identifier: string; token: string }) =>
      verificationTokens.remove(toKey(identifier, token)),
    deleteVerificationTokens: (identifier: string) => verificationTokens.removeAllIn(identifier),
  }
}

function authenticatorMethods({ users, authenticators }: Tables) {
  return {
    createAuthenticator(authenticator: AdapterAuthenticator) {
      existing(users, authenticator.userId)
      return authenticators.insert(authenticator)
    },
    getAuthenticator: (credentialID: string) => authenticators.get(credentialID),
    listAuthenticatorsByUserId: (userId: string) => authenticators.in(userId),
    updateAuthenticatorCounter: (credentialID: string, counter: number, use?: AuthenticatorUse) =>
      authenticators.put({ ...existing(authenticators, credentialID), counter, ...use }),
    renameAuthenticator: (credentialID: string, name: string) =>
      authenticators.put({ ...existing(authenticators, credentialID), name }),
    deleteAuthenticator: (credentialID: string) => authenticators.remove(credentialID),
  }
}

function existing<Row extends object>(table: Table<Row>, key: string): Row {
  const row = table.get(key)
  if (!row) throw new Error(`There is no such ${table.what}.`)
  return row
}

/** The row with the fields that are given; `undefined` is not given. */
function changed<Row extends object>(row: Row, changes: Partial<Row>): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...row, ...Object.fromEntries(given) }
}
