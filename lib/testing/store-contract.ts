/** The contract suite of stores. */
import { recordTables } from '../store/tables.js'
import type { Awaitable } from '../types/identity.js'
import type { Store } from '../types/store.js'
import type { ContractHooks } from './adapter-contract.js'
import { counterCases } from './counter-cases.js'
import { groupCases } from './group-cases.js'
import { logCases } from './log-cases.js'
import { recordCases } from './record-cases.js'
import { type Cases, registerSuite } from './store-suite.js'

/** The subject of the suite. */
export interface StoreSubject {
  /** The store to be tested, with the contracts that are tested. */
  store: Partial<Store>
  /** Closes what `create` opened. */
  close?(): Awaitable<unknown>
}

/** Options of `storeContract`. */
export interface StoreContractOptions {
  /** Creates the store, once. It need not be empty. */
  create(): Awaitable<StoreSubject>
  /** The title of the suite. Default `store contract`. */
  name?: string
  /** The contracts to be tested. Default: all three. */
  contracts?: ReadonlyArray<'records' | 'counter' | 'log'>
}

/**
 * Tests a store: for each table of the library its records, versions, leases and races; then changes of several records, the
 * counter and the log.
 * Each test creates its own records with random keys, and leaves most of them there.
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'mocha'
 * import { storeContract } from 'server-auth/testing'
 *
 * storeContract({ describe, it, before, after }, { create: () => ({ store: myStore(client) }) })
 * ```
 */
export function storeContract(hooks: ContractHooks, { create, name, contracts }: StoreContractOptions): void {
  const groups: Record<string, Cases> = {
    ...Object.fromEntries(recordTables.map((table) => [`records in ${table.name}`, recordCases(table)])),
    'records that are changed together': groupCases,
    counter: counterCases,
    log: logCases,
  }
  const chosen = Object.entries(groups).filter(
    ([group]) => contracts === undefined || contracts.some((contract) => group.startsWith(contract)),
  )
  registerSuite(hooks, { name: name ?? 'store contract', create, groups: Object.fromEntries(chosen) })
}
