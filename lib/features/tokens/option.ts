/** The option `tokens` with the store of provider tokens, and the option `refresh` of a provider. */
import { isRecord } from '../../base/guards.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { type Check, seconds, shape } from '../../config/shape.js'
import { defaultMinTtl } from '../../config/site.js'
import type { ResolvedOAuthProvider, ResolvedTokens } from '../../contracts/index.js'
import type { RecordStore } from '../../types/store.js'
import type { TokensOptions } from './types.js'

/** The option `tokens`, checked as far as that is possible without the adapter. */
export interface TokensSetting {
  readonly store: RecordStore | true | 'cookie'
}

const options = shape({
  store: (name: string, value: unknown) => (value === 'cookie' ? value : storeOption('records')(name, value)),
} satisfies Record<keyof TokensOptions, Check<unknown>>)

const tokensSetting: Check<TokensSetting | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (isRecord(value) && 'records' in value) {
    return rejectOption(name, 'must be an object that contains the store. Write `tokens: { store: sqlStore(db) }`.')
  }
  if (!isRecord(value)) {
    return rejectOption(
      name,
      `must be { store }, with a store such as \`sqlStore(db)\` or "cookie", not ${describeValue(value)}.`,
    )
  }
  return { store: options(name, value).store ?? true }
}

const refreshOptions = shape({ minTtl: seconds(0) })

/** Checks the option `refresh` of a provider, and adds its defaults. */
export const refreshSetting: Check<ResolvedOAuthProvider['refresh']> = (name, value) => {
  if (value === false) return false
  if (value !== undefined && !isRecord(value))
    rejectOption(name, `must be false or { minTtl }, not ${describeValue(value)}.`)
  return Object.freeze({ minTtl: defaultMinTtl, ...refreshOptions(name, value) })
}

/** Resolves the option; `undefined` where tokens stay with the accounts. */
function resolveTokens(
  setting: TokensSetting | undefined,
  { providers, adapter, timeout }: OptionSurroundings,
): ResolvedTokens | undefined {
  if (!setting) {
    const asking = [...providers.values()].find((each) => each.kind === 'oauth' && each.incrementalScopes)
    if (asking) {
      rejectOption(
        `providers.${asking.id}.incrementalScopes`,
        'needs `tokens`, because scopes that are granted later belong to the stored token. Set `tokens: { store: sqlStore(db) }`.',
      )
    }
    return undefined
  }
  if (![...providers.values()].some(({ kind }) => kind === 'oauth')) {
    rejectOption('tokens', 'is for providers of OAuth and OpenID Connect, and there is none in `providers`. Remove it.')
  }
  const store =
    setting.store === 'cookie'
      ? 'cookie'
      : requiredContract('tokens.store', 'records', { store: setting.store, adapter })
  return Object.freeze({ store, timeout })
}

/** The option `tokens`. */
export const tokensOption: FeatureOption<TokensSetting, ResolvedTokens> = {
  check: tokensSetting,
  resolve: resolveTokens,
}
