/** The methods of the memory adapter. */
import { randomUUID } from 'node:crypto'
import { losesVerification } from '../../base/email-address.js'
import { type DescribedFields, writeFields } from '../../base/user-fields.js'
import type { Adapter, AdapterUser } from '../../types/adapter.js'
import { listMemoryUsers } from './list-users.js'
import { accountTableKey, type Tables, tokenTableKey } from './tables.js'

/** All methods, except those that do not only use the tables. */
export type MemoryMethods = Required<
  Omit<Adapter, 'checkUserFields' | 'inspect' | 'prune' | 'store' | 'transaction' | 'userFields'>
>

/** Creates the methods on the rows themselves. The caller copies arguments and results. */
export function createMemoryMethods(tables: Tables, fields: DescribedFields): MemoryMethods {
  return { ...memoryUserMethods(tables, fields), ...memorySessionMethods(tables), ...memoryPasskeyMethods(tables) }
}

/** Creates the methods for users and their accounts. */
function memoryUserMethods({ users, accounts, sessions, passkeys }: Tables, fields: DescribedFields) {
  /** @throws {Error} When another user has the address. */
  function withFreeAddress(row: AdapterUser): AdapterUser {
    if (row.email && users.in(row.email).some(({ id }) => id !== row.id))
      throw new Error('The email address is already in use.')
    return row
  }
  return {
    createUser(user) {
      const given = writeFields(fields, user, true)
      const row = { ...given, id: user.id || randomUUID(), emailVerified: user.emailVerified ?? null }
      return users.insert(withFreeAddress(row))
    },
    getUser: (id) => users.get(id),
    getUserByEmail: (email) => users.in(email)[0] ?? null,
    getUserByAccount(key) {
      const account = accounts.get(accountTableKey(key))
      return account && users.get(account.userId)
    },
    updateUser(changes) {
      const before = users.existing(changes.id)
      const written = writeFields(fields, changes, false)
      const given = losesVerification(before, changes) ? { ...written, emailVerified: null } : written
      return users.put(withFreeAddress(withChanges(before, given)))
    },
    listUsers: (query) => listMemoryUsers(users.all(), query),
    deleteUser(id) {
      for (const table of [accounts, sessions, passkeys]) table.removeAllIn(id)
      return users.remove(id)
    },
    linkAccount: (account) => users.existing(account.userId) && accounts.insert(account),
    unlinkAccount: (key) => accounts.remove(accountTableKey(key)),
    getAccount: (providerAccountId, provider) => accounts.get(accountTableKey({ provider, providerAccountId })),
    listAccountsByUserId: (userId) => accounts.in(userId),
  } satisfies Partial<MemoryMethods>
}

/** Creates the methods for sessions and for tokens of email links. */
function memorySessionMethods({ users, sessions, data, links, tokens }: Tables) {
  const find = (sessionToken: string) => {
    const session = sessions.get(sessionToken)
    const user = session && users.get(session.userId)
    return session && user && { session, user }
  }
  return {
    createSession: (session) => users.existing(session.userId) && sessions.insert(session),
    getSessionAndUser: find,
    getSessionUserAndData(sessionToken) {
      const found = find(sessionToken)
      return found && { ...found, data: data.get(sessionToken)?.data ?? null }
    },
    writeSessionData({ sessionToken, data: text, previous }) {
      const held = data.get(sessionToken)?.data ?? null
      if (held !== previous || !sessions.get(sessionToken)) return false
      data.put({ sessionToken, data: text })
      return true
    },
    updateSession(changes) {
      const session = sessions.get(changes.sessionToken)
      return session && sessions.put(withChanges(session, changes))
    },
    deleteSession(sessionToken) {
      links.remove(sessionToken)
      return sessions.remove(sessionToken)
    },
    linkSession: (link) => sessions.existing(link.sessionToken) && links.insert(link),
    listSessionLinks: (by) =>
      'subject' in by
        ? links.in(by.subject)
        : links.all().filter(({ providerSession }) => providerSession === by.providerSession),
    listSessionsByUserId: (userId) => sessions.in(userId),
    getSessions: (sessionTokens) => sessionTokens.flatMap((each) => find(each)?.session ?? []),
    deleteSessionsByUserId(userId) {
      for (const { sessionToken } of sessions.in(userId)) links.remove(sessionToken)
      sessions.removeAllIn(userId)
    },
    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: (token) => tokens.remove(tokenTableKey(token)),
    deleteVerificationTokens: (identifier) => tokens.removeAllIn(identifier),
  } satisfies Partial<MemoryMethods>
}

function memoryPasskeyMethods({ users, passkeys }: Tables) {
  return {
    createAuthenticator: (passkey) => users.existing(passkey.userId) && passkeys.insert(passkey),
    getAuthenticator: (credentialID) => passkeys.get(credentialID),
    listAuthenticatorsByUserId: (userId) => passkeys.in(userId),
    updateAuthenticatorCounter: (credentialID, counter, use) =>
      passkeys.put({ ...passkeys.existing(credentialID), counter, ...use }),
    renameAuthenticator: (credentialID, name) => passkeys.put({ ...passkeys.existing(credentialID), name }),
    deleteAuthenticator: (credentialID) => passkeys.remove(credentialID),
  } satisfies Partial<MemoryMethods>
}

/** Returns the row with the given fields. Fields that are `undefined` are not changed. */
function withChanges<Row extends object>(row: Row, changes: Partial<Row>): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...row, ...Object.fromEntries(given) }
}
