/** The option `tokens`, where provider tokens are kept, and `refresh` of a provider. */
import { isRecord } from '../base/guards.js'
import type { ResolvedConfig, ResolvedOAuthProvider } from '../contracts/index.js'
import type { TokenStore, TokensOptions } from '../types/tokens.js'
import { defaultMinTtl } from './defaults.js'
import { describe, refuse } from './refusal.js'
import { anything, type Check, seconds, shape } from './shape.js'

const methods = ['find', 'findByUser', 'write', 'lease', 'release', 'remove'] as const satisfies ReadonlyArray<
  keyof TokenStore
>

const options = shape({ store: anything } satisfies Record<keyof TokensOptions, Check<unknown>>)

/** The option `tokens`. */
export const tokensSetting: Check<TokensOptions | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (isRecord(value) && methods.some((method) => method in value)) {
    return refuse(name, 'is an object with the store in it. Write `tokens: { store: sqlTokens(db) }`.')
  }
  if (!isRecord(value)) {
    return refuse(
      name,
      `must be { store }, with a store such as \`sqlTokens(db)\` or "cookie", not ${describe(value)}.`,
    )
  }
  const { store } = options(name, value)
  if (store === 'cookie' || store === true) return { store }
  return { store: tokenStore(`${name}.store`, store) }
}

function tokenStore(name: string, store: unknown): TokenStore {
  const missing = methods.filter((method) => !isRecord(store) || typeof store[method] !== 'function')
  if (missing.length === 0) return store as TokenStore
  return refuse(
    name,
    `must be a store such as \`sqlTokens(db)\`, \`redisTokens(client)\` or \`memoryTokens()\`, with ${missing.join(', ')}; true for that of the adapter; or "cookie". It is ${describe(store)}.`,
  )
}

const refreshOptions = shape({ minTtl: seconds(0) })

/** The option `refresh` of a provider, complete. */
export const refreshSetting: Check<ResolvedOAuthProvider['refresh']> = (name, value) => {
  if (value === false) return false
  if (value !== undefined && !isRecord(value)) refuse(name, `must be false or { minTtl }, not ${describe(value)}.`)
  return Object.freeze({ minTtl: defaultMinTtl, ...refreshOptions(name, value) })
}

/** @param adapter As the developer gave it. @param timeout Milliseconds that a method of the store may take. */
export function resolveTokens(
  setting: TokensOptions | undefined,
  { providers, adapter, timeout }: { providers: ResolvedConfig['providers']; adapter: unknown; timeout: number },
): ResolvedConfig['tokens'] {
  if (!setting) return undefined
  if (![...providers.values()].some(({ kind }) => kind === 'oauth')) {
    refuse('tokens', 'is for providers of OAuth and OpenID Connect, and there is none in `providers`. Remove it.')
  }
  const store = setting.store === true ? storeOf(adapter) : setting.store
  return Object.freeze({ store, timeout })
}

/** The same one for each configuration with this adapter. */
function storeOf(adapter: unknown): TokenStore {
  const found: unknown =
    isRecord(adapter) && typeof adapter.tokenStore === 'function' ? adapter.tokenStore() : undefined
  if (found !== undefined) return tokenStore('adapter.tokenStore()', found)
  const lack = adapter === undefined ? 'there is no `adapter`' : 'this `adapter` has no store of its own'
  return refuse(
    'tokens.store',
    `is true, and ${lack}. Set it to \`sqlTokens(db)\`, \`redisTokens(client)\`, \`memoryTokens()\` or "cookie".`,
  )
}
