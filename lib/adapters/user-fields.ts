/** Declares the application's own fields of users for an adapter that does not know them. */
import { bindMethods } from '../base/bind-methods.js'
import { type DescribedFields, describeFields, readFields, writeFields } from '../base/user-fields.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'
import type { UserFields, UserFieldValues } from '../types/user-fields.js'

/**
 * Creates an adapter whose users have typed fields. It has each method of `adapter`, called on that object. The values
 * that `adapter` returns are checked and converted: a value of another type rejects, and a missing one is the default.
 *
 * For adapters of other packages, whose users have more columns than their types say. They must read these columns, and
 * write the additional properties of `createUser` and `updateUser`.
 *
 * @throws {TypeError} When `fields` is not a declaration of fields.
 * @example
 * ```ts
 * const adapter = withUserFields(PrismaAdapter(prisma), { role: { type: ['reader', 'admin'], default: 'reader' } })
 * ```
 */
export function withUserFields<const Declared extends UserFields>(
  adapter: Adapter,
  fields: Declared,
): Adapter<UserFieldValues<Declared>> {
  const described = describeFields('withUserFields', fields)
  // Users have the declared fields, because each method below checks them.
  return declareFields(adapter, described) as Adapter<UserFieldValues<Declared>>
}

/** A record, so that the compiler reports a method that is missing here. */
const methodNames = Object.keys({
  checkUserFields: true,
  createAuthenticator: true,
  createSession: true,
  createUser: true,
  createVerificationToken: true,
  deleteAuthenticator: true,
  deleteSession: true,
  deleteSessionsByUserId: true,
  deleteUser: true,
  deleteVerificationTokens: true,
  getAccount: true,
  getAuthenticator: true,
  getSessionAndUser: true,
  getSessionUserAndData: true,
  getSessions: true,
  getUser: true,
  getUserByAccount: true,
  getUserByEmail: true,
  inspect: true,
  linkAccount: true,
  linkSession: true,
  listAccountsByUserId: true,
  listAuthenticatorsByUserId: true,
  listSessionLinks: true,
  listSessionsByUserId: true,
  listUsers: true,
  prune: true,
  renameAuthenticator: true,
  store: true,
  transaction: true,
  unlinkAccount: true,
  updateAuthenticatorCounter: true,
  updateSession: true,
  updateUser: true,
  useVerificationToken: true,
  writeSessionData: true,
} satisfies Record<AdapterMethod, true>)

function declareFields(adapter: Adapter, fields: DescribedFields): Adapter {
  const bound = bindMethods(adapter, methodNames)
  const read = <U extends object>(user: U): U => readFields(fields, user)
  const readOrNull = <U extends object>(user: U | null | undefined) => (user ? read(user) : null)
  const readWithSession = <F extends { readonly user: object }>(found: F | null | undefined) =>
    found ? { ...found, user: read(found.user) } : null
  const { createUser, updateUser, getUser, getUserByEmail, getUserByAccount, listUsers, transaction } = bound
  const { getSessionAndUser, getSessionUserAndData } = bound
  return {
    ...bound,
    // The engine mentions the preset in errors about missing methods.
    ...('preset' in adapter && { preset: adapter.preset }),
    userFields: fields,
    ...(createUser && { createUser: async (user) => read(await createUser(writeFields(fields, user, true))) }),
    ...(updateUser && { updateUser: async (user) => read(await updateUser(writeFields(fields, user, false))) }),
    ...(getUser && { getUser: async (id) => readOrNull(await getUser(id)) }),
    ...(getUserByEmail && { getUserByEmail: async (email) => readOrNull(await getUserByEmail(email)) }),
    ...(getUserByAccount && { getUserByAccount: async (key) => readOrNull(await getUserByAccount(key)) }),
    ...(listUsers && { listUsers: async (query) => (await listUsers(query)).map(read) }),
    ...(getSessionAndUser && { getSessionAndUser: async (token) => readWithSession(await getSessionAndUser(token)) }),
    ...(getSessionUserAndData && {
      getSessionUserAndData: async (token) => readWithSession(await getSessionUserAndData(token)),
    }),
    ...(transaction && {
      transaction: (work) => transaction((inside) => work(declareFields(inside, fields))),
    }),
  }
}
