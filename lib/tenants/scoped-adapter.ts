/** An adapter that stores values of one tenant: accounts, sessions, email links and passkeys. Users are shared. */
import { isRecord } from '../base/guards.js'
import { isPromiseLike, mapMaybePromise } from '../base/maybe-promise.js'
import { perOwner } from '../base/memory.js'
import type { Adapter, AdapterMethod } from '../types/adapter.js'
import type { Store } from '../types/store.js'
import type { TenantScope } from './scope.js'
import { scopeStore } from './scoped-store.js'

/** The column of a record that has the name of the tenant, and its functions of {@link TenantScope}. */
const columns = {
  account: ['provider', 'provider', 'providerOf'],
  session: ['sessionToken', 'session', 'sessionOf'],
  link: ['identifier', 'name', 'value'],
  passkey: ['credentialID', 'name', 'value'],
} as const

/**
 * The methods by the record that they read or write, with the position of the argument that is the record or its key.
 * `shared`: the records belong to no tenant. A new method does not compile without an entry.
 */
const methods: Readonly<
  Record<Exclude<AdapterMethod, 'transaction' | 'store'>, 'shared' | readonly [keyof typeof columns, at?: number]>
> = {
  ...{ createUser: 'shared', getUser: 'shared', getUserByEmail: 'shared', updateUser: 'shared', listUsers: 'shared' },
  ...{ deleteUser: 'shared', deleteSessionsByUserId: 'shared', checkUserFields: 'shared', inspect: 'shared' },
  prune: 'shared',
  getUserByAccount: ['account', 0],
  linkAccount: ['account', 0],
  unlinkAccount: ['account', 0],
  getAccount: ['account', 1],
  listAccountsByUserId: ['account'],
  createSession: ['session', 0],
  getSessionAndUser: ['session', 0],
  getSessionUserAndData: ['session', 0],
  updateSession: ['session', 0],
  deleteSession: ['session', 0],
  listSessionsByUserId: ['session'],
  getSessions: ['session', 0],
  linkSession: ['session', 0],
  listSessionLinks: ['session'],
  writeSessionData: ['session', 0],
  createVerificationToken: ['link', 0],
  useVerificationToken: ['link', 0],
  deleteVerificationTokens: ['link', 0],
  getAuthenticator: ['passkey', 0],
  createAuthenticator: ['passkey', 0],
  listAuthenticatorsByUserId: ['passkey'],
  updateAuthenticatorCounter: ['passkey', 0],
  deleteAuthenticator: ['passkey', 0],
  renameAuthenticator: ['passkey', 0],
}

/**
 * Returns the adapter of a tenant. Its methods are looked up at each access, because an adapter may get them when it
 * connects. A method that this file does not know is not passed on.
 */
export function scopeAdapter<Fields>(adapter: Adapter<Fields>, scope: TenantScope): Adapter<Fields> {
  const storeOf = perOwner((store: Partial<Store>) => scopeStore(store, scope))
  const scoped = (name: PropertyKey, own: (...args: unknown[]) => unknown): unknown => {
    if (name === 'store') {
      return () => {
        const store = own()
        // The configuration rejects other values.
        return isRecord(store) && !isPromiseLike(store) ? storeOf(store) : store
      }
    }
    if (name === 'transaction') {
      return (work: (inside: Adapter) => unknown) => own((inside: Adapter) => work(scopeAdapter(inside, scope)))
    }
    const entry = Object.hasOwn(methods, name) ? methods[name as keyof typeof methods] : undefined
    if (entry === undefined || entry === 'shared') return entry && own
    return scopedMethod(own, recordScope(entry[0], scope), entry[1])
  }
  // The target is empty, because a proxy may not replace the methods of a frozen object.
  return new Proxy<Adapter<Fields>>(
    {},
    {
      get(_target, name) {
        const own: unknown = Reflect.get(adapter, name)
        return typeof own === 'function' ? scoped(name, (...args) => Reflect.apply(own, adapter, args)) : own
      },
      has: (_target, name) => name in adapter,
    },
  )
}

type RecordScope = ReturnType<typeof recordScope>

/** Returns the functions that put the tenant into a record or its key, and take it out of a result. */
function recordScope(kind: keyof typeof columns, scope: TenantScope) {
  const [column, into, from] = columns[kind]
  /** Returns `undefined` for a key that no tenant can have. */
  const put = (value: unknown): unknown => {
    if (typeof value === 'string') return scope[into](value)
    if (Array.isArray(value)) return value.map(put).filter((each) => each !== undefined)
    const name = isRecord(value) ? scope[into](String(value[column])) : undefined
    return name === undefined ? undefined : { ...Object(value), [column]: name }
  }
  /** Returns `null` for a record of another tenant. Other results, such as a user, stay as they are. */
  const take = (result: unknown): unknown => {
    if (Array.isArray(result)) return result.map(take).filter((each) => each !== null)
    if (!isRecord(result)) return result
    if (isRecord(result.session)) {
      const session = take(result.session)
      return session === null ? null : { ...result, session }
    }
    if (typeof result[column] !== 'string') return result
    const value = scope[from](result[column])
    return value === undefined ? null : { ...result, [column]: value }
  }
  return { put, take }
}

/** @param at The position of the argument that has the column. */
function scopedMethod(method: (...args: unknown[]) => unknown, { put, take }: RecordScope, at?: number) {
  return (...args: unknown[]): unknown => {
    const given = args.map((value, position) => (position === at ? put(value) : value))
    // Another library's session token in the clear belongs to no tenant.
    if (at !== undefined && given[at] === undefined) return null
    return mapMaybePromise(method(...given), take)
  }
}
