/** The options `store`: `true` for the adapter's, or a store with the contract that the capability needs. */

import { isRecord } from '../base/guards.js'
import { isPromiseLike } from '../base/maybe-promise.js'
import { InvalidConfiguration } from '../errors.js'
import type { Store } from '../types/store.js'
import { describeValue, rejectOption } from './reject-option.js'
import type { Check } from './shape.js'

type Contract = Exclude<keyof Store, 'inspect'>

/**
 * The member of a configuration with a function that replaces each store of its options: a tenant's has names of its own.
 * Stores are replaced where they are read, because options may be objects of any class, and providers may be functions.
 */
export const ownStores: unique symbol = Symbol.for('server-auth.own-stores')

/** Returns a store with other names. */
export type StoreReplacement = (store: Partial<Store>) => Partial<Store>

/** The configuration that is being resolved. Its checks get no context, and run in one synchronous call. */
const resolving: { replacement: StoreReplacement | undefined } = { replacement: undefined }

/** Resolves a configuration, whose stores are replaced if it says so. A provider may resolve another one meanwhile. */
export function withOwnStores<T>(config: unknown, resolve: () => T): T {
  const outer = resolving.replacement
  const own: unknown = isRecord(config) ? Reflect.get(config, ownStores) : undefined
  resolving.replacement = typeof own === 'function' ? (own as StoreReplacement) : undefined
  try {
    return resolve()
  } finally {
    resolving.replacement = outer
  }
}

/** The methods that a contract needs. */
const contractMethods: { readonly [C in Contract]: ReadonlyArray<keyof Store[C] & string> } = {
  records: ['find', 'list', 'write', 'take', 'remove', 'lease', 'release'],
  counter: ['consume', 'refund'],
  log: ['add', 'replace', 'find'],
}

/** Returns the contract of a store in an option. @throws {@link InvalidConfiguration} if methods are missing. */
export function storeContract<C extends Contract>(name: string, contract: C, value: unknown): Store[C] {
  const given = assertContract(name, contract, value)
  const { replacement } = resolving
  if (!replacement) return given
  return assertContract(name, contract, replacement({ [contract]: given } as Partial<Store>))
}

/** Returns the contract as it is given. */
function assertContract<C extends Contract>(name: string, contract: C, value: unknown): Store[C] {
  const own: unknown = isRecord(value) ? value[contract] : undefined
  const lacking = contractMethods[contract].filter((method) => !isRecord(own) || typeof own[method] !== 'function')
  if (lacking.length === 0) return own as Store[C]
  const lack = isRecord(own) ? `its \`${contract}\` lacks ${lacking.join(', ')}` : `it is ${describeValue(value)}`
  return rejectOption(
    name,
    `must be true, or a store with \`${contract}\` such as \`sqlStore(db)\`, \`redisStore(client)\` or \`memoryStore()\`; ${lack}.`,
  )
}

/** Returns the check of an option `store`, as far as possible without the adapter. `true` is the adapter's. */
export function storeOption<C extends Contract>(contract: C): Check<Store[C] | true | undefined> {
  return (name, value) => (value === undefined || value === true ? value : storeContract(name, contract, value))
}

/** Returns the contract of the adapter's store; `undefined` if it has none. The same object at each call. */
export function adapterStoreContract<C extends Contract>(adapter: unknown, contract: C): Store[C] | undefined {
  const store: unknown = isRecord(adapter) && typeof adapter.store === 'function' ? adapter.store() : undefined
  // A promise has no contracts, so an adapter that returns one would look like an adapter without a store.
  if (isPromiseLike(store)) return rejectOption('adapter.store()', 'must return the store itself, not a promise.')
  if (store === undefined || (isRecord(store) && store[contract] === undefined)) return undefined
  // An adapter of a tenant replaces the names itself.
  return assertContract('adapter.store()', contract, store)
}

/** Returns the configured contract, or the adapter's. @throws {@link InvalidConfiguration} if the adapter has none. */
export function requiredContract<C extends Contract>(
  name: string,
  contract: C,
  { store, adapter }: { readonly store: Store[C] | true | undefined; readonly adapter: unknown },
): Store[C] {
  if (store !== undefined && store !== true) return store
  const found = adapterStoreContract(adapter, contract)
  if (found) return found
  const lack = adapter === undefined ? 'there is no `adapter`' : `this \`adapter\` has no store with \`${contract}\``
  throw new InvalidConfiguration(
    `\`${name}\` needs a store, and ${lack}. Set it to \`sqlStore(db)\`, \`redisStore(client)\` or \`memoryStore()\`.`,
  )
}
