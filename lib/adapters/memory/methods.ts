/** The methods of the memory adapter: what each does with the tables, in one piece. */
import { randomUUID } from 'node:crypto'
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

/** Runs a piece of work that nothing interrupts, on copies: of what goes in, and of what comes out. */
export type Turn = <In, Out>(input: In, work: (input: In) => Out) => Promise<Out>

/** All methods but `transaction` and `prune`. */
export function methodsOn(tables: Tables, turn: Turn): Required<Omit<Adapter, 'prune' | 'transaction'>> {
  return {
    ...userMethods(tables, turn),
    ...accountMethods(tables, turn),
    ...sessionMethods(tables, turn),
    ...tokenMethods(tables, turn),
    ...authenticatorMethods(tables, turn),
  }
}

function userMethods({ users, accounts, sessions, authenticators }: Tables, turn: Turn) {
  function assertFreeAddress({ id, email }: AdapterUser): void {
    if (email && users.in(email).some((other) => other.id !== id)) throw new Error('The e-mail address is taken.')
  }
  return {
    createUser: (user: AdapterUser) =>
      turn(user, (given) => {
        const row = { ...given, id: given.id || randomUUID(), emailVerified: given.emailVerified ?? null }
        assertFreeAddress(row)
        return users.insert(row)
      }),
    getUser: (id: string) => turn(id, () => users.get(id)),
    getUserByEmail: (email: string) => turn(email, () => users.in(email)[0] ?? null),
    getUserByAccount: (key: AccountKey) =>
      turn(key, ({ provider, providerAccountId }) => {
        const account = accounts.get(toKey(provider, providerAccountId))
        return account && users.get(account.userId)
      }),
    updateUser: (patch: Partial<AdapterUser> & { id: string }) =>
      turn(patch, (changes) => {
        const before = existing(users, changes.id)
        const row = changed(before, changes)
        // Another address is proved by a new proof only: the old one, read and written back, is of the old address.
        const isMoved = before.email?.toLowerCase() !== row.email?.toLowerCase()
        if (isMoved && row.emailVerified?.getTime() === before.emailVerified?.getTime()) row.emailVerified = null
        assertFreeAddress(row)
        return users.put(row)
      }),
    deleteUser: (id: string) =>
      turn(id, () => {
        for (const table of [accounts, sessions, authenticators]) table.removeAllIn(id)
        return users.remove(id)
      }),
  }
}

function accountMethods({ users, accounts }: Tables, turn: Turn) {
  return {
    linkAccount: (account: AdapterAccount) =>
      turn(account, (row) => {
        existing(users, row.userId)
        return accounts.insert(row)
      }),
    unlinkAccount: (key: AccountKey) =>
      turn(key, ({ provider, providerAccountId }) => accounts.remove(toKey(provider, providerAccountId))),
    getAccount: (providerAccountId: string, provider: string) =>
      turn(undefined, () => accounts.get(toKey(provider, providerAccountId))),
    listAccountsByUserId: (userId: string) => turn(userId, () => accounts.in(userId)),
  }
}

function sessionMethods({ users, sessions }: Tables, turn: Turn) {
  return {
    createSession: (session: AdapterSession) =>
      turn(session, (row) => {
        existing(users, row.userId)
        return sessions.insert(row)
      }),
    getSessionAndUser: (sessionToken: string) =>
      turn(sessionToken, () => {
        const session = sessions.get(sessionToken)
        const user = session && users.get(session.userId)
        return session && user && { session, user }
      }),
    updateSession: (patch: Partial<AdapterSession> & { sessionToken: string }) =>
      turn(patch, (changes) => {
        const session = sessions.get(changes.sessionToken)
        return session && sessions.put(changed(session, changes))
      }),
    deleteSession: (sessionToken: string) => turn(sessionToken, () => sessions.remove(sessionToken)),
    listSessionsByUserId: (userId: string) => turn(userId, () => sessions.in(userId)),
    deleteSessionsByUserId: (userId: string) => turn(userId, () => sessions.removeAllIn(userId)),
  }
}

function tokenMethods({ verificationTokens }: Tables, turn: Turn) {
  return {
    createVerificationToken: (token: VerificationToken) => turn(token, (row) => verificationTokens.insert(row)),
    useVerificationToken: (params: { identifier: string; token: string }) =>
      turn(params, ({ identifier, token }) => verificationTokens.remove(toKey(identifier, token))),
    deleteVerificationTokens: (identifier: string) =>
      turn(identifier, () => verificationTokens.removeAllIn(identifier)),
  }
}

function authenticatorMethods({ users, authenticators }: Tables, turn: Turn) {
  return {
    createAuthenticator: (authenticator: AdapterAuthenticator) =>
      turn(authenticator, (row) => {
        existing(users, row.userId)
        return authenticators.insert(row)
      }),
    getAuthenticator: (credentialID: string) => turn(credentialID, () => authenticators.get(credentialID)),
    listAuthenticatorsByUserId: (userId: string) => turn(userId, () => authenticators.in(userId)),
    updateAuthenticatorCounter: (credentialID: string, counter: number, use?: AuthenticatorUse) =>
      turn({ counter, ...use }, (change) =>
        authenticators.put({ ...existing(authenticators, credentialID), ...change }),
      ),
    renameAuthenticator: (credentialID: string, name: string) =>
      turn(name, () => authenticators.put({ ...existing(authenticators, credentialID), name })),
    deleteAuthenticator: (credentialID: string) => turn(credentialID, () => authenticators.remove(credentialID)),
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
