/**
 * `server-auth/testing`: for tests of applications, signed-in users, a mailbox, a provider and a clock; for authors of
 * stores, test suites for database adapters and for stores.
 */
export type { ContractHooks, ContractOptions, ContractSubject } from './adapter-contract.js'
export { adapterContract } from './adapter-contract.js'
export { stopClock, type TestClock } from './clock.js'
export {
  type BrowserCookie,
  createSession,
  type StorageState,
  type TestSession,
  type TestSessionOptions,
  type TestUser,
} from './create-session.js'
export { type Mailbox, mailbox } from './mailbox.js'
export {
  type OpenIdProviderOptions,
  openIdProvider,
  type ProviderMode,
  type ProviderUser,
  type TestOpenIdProvider,
} from './openid-provider.js'
export { type CookieAgent, signInAs } from './sign-in-as.js'
export { type StoreContractOptions, type StoreSubject, storeContract } from './store-contract.js'
