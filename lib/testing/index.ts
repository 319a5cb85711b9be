/** `server-auth/testing`: test suites for database adapters, for stores of ended sessions, and for stores of provider tokens. */
export type { ContractHooks, ContractOptions, ContractSubject } from './adapter-contract.js'
export { adapterContract } from './adapter-contract.js'
export {
  type RevocationContractOptions,
  type RevocationSubject,
  revocationContract,
} from './revocation-contract.js'
export { type TokenContractOptions, type TokenSubject, tokenContract } from './token-contract.js'
