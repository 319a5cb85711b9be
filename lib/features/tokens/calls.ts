/** The functions of `auth.tokens`. Their code is loaded at the first call. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { Runs } from '../../functions/run.js'
import type { TokenFunctions, tokenRules } from './functions.js'

/** Loads the code of the functions. */
export const loadTokens = createLazyLoader('Provider tokens', () => import('./calls-all.js'))

/** The functions of `auth.tokens`. */
export const tokenFunctions: Runs<TokenFunctions, typeof tokenRules> = {
  get: async (call, options) => (await loadTokens()).accessToken(call, options),
  fetch: (call, options) => async (input, init) =>
    (await loadTokens()).fetchWithToken(call, options, new Request(input, init)),
  exchange: async (call, options) => (await loadTokens()).exchange(call, options),
  disconnect: async (call, options) => (await loadTokens()).disconnect(call, options),
  connectUrl: async ({ auth, req }, options) => (await loadTokens()).connectUrl({ auth, of: req }, options),
}
