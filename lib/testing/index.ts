/** `server-auth/testing`: test suites for database adapters, and for stores of ended sessions. */
export type { ContractHooks, ContractOptions, ContractSubject } from './adapter-contract.js'
export { adapterContract } from './adapter-contract.js'
export {
  type RevocationContractOptions,
  type RevocationSubject,
  revocationContract,
} from './revocation-contract.js'
