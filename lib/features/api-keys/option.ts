/** The option `apiKeys`. */
import { definedOnly, isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { type Check, isListOf, optional, required, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedApiKeys } from '../../contracts/index.js'
import type { ApiKeysOptions } from './types.js'

/** Seconds. */
const year = 365 * 24 * 60 * 60

/** A scope as in RFC 6749 §3.3, without the characters that would end a quoted string. */
const isScope = (value: unknown) => typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(value)

/** The headers that have another meaning. */
const takenHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host'])

const options = shape({
  store: storeOption('records'),
  prefix: required<string>(
    (value) => typeof value === 'string' && /^[a-z][a-z0-9]{1,11}$/.test(value),
    'must be 2 to 12 characters of a-z and 0-9, the first one a letter, such as "acme". It is {kind}.',
  ),
  scopes: required<readonly string[]>(
    (value) => isListOf(value, isScope, 1) && new Set(value as string[]).size === (value as string[]).length,
    'must be a list of different words without spaces and quotes, such as ["notes:read"]. It is {kind}.',
  ),
  maxAge: wholeNumber('of seconds', 60, 10 * year),
  cacheFor: wholeNumber('of seconds', 0, 300),
  header: optional<string>(
    (value) =>
      typeof value === 'string' && /^[a-z][a-z0-9-]{0,63}$/i.test(value) && !takenHeaders.has(value.toLowerCase()),
    'must be the name of a header such as "X-Api-Key", and not that of another use. It is {kind}.',
  ),
} satisfies Record<keyof ApiKeysOptions, Check<unknown>>)

type ApiKeysSetting = ReturnType<typeof options>

/** The option `apiKeys`. */
export const apiKeysOption: FeatureOption<ApiKeysSetting, ResolvedApiKeys> = {
  check(name, value) {
    if (value === undefined) return undefined
    if (isRecord(value)) return options(name, value)
    return rejectOption(name, `must be { store, prefix, scopes }, not ${describeValue(value)}.`)
  },
  resolve(setting, { adapter, timeout }) {
    if (!setting) return undefined
    if (adapter === undefined) {
      rejectOption('apiKeys', 'needs stored users. Set an `adapter`, such as `sqlAdapter(db)`.')
    }
    const { prefix, scopes, maxAge = year, cacheFor = 10, header, store } = setting
    const records = requiredContract('apiKeys.store', 'records', { store, adapter })
    const { findOfUser, usersBy } = records
    return Object.freeze(
      definedOnly<ResolvedApiKeys>({
        store: records,
        knowsUsers: findOfUser !== undefined && isRecord(adapter) && usersBy === adapter.getUser,
        prefix,
        scopes: new Set(scopes),
        maxAge: maxAge * 1000,
        cacheFor: cacheFor * 1000,
        header: header?.toLowerCase(),
        timeout,
      }),
    )
  },
}
