/** `server-auth/testing`: a test suite for database adapters. */
export type { ContractHooks, ContractOptions, ContractSubject } from './adapter-contract.js'
export { adapterContract } from './adapter-contract.js'
