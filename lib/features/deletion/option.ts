/** The option `deletion`: whether users can be deleted and exported. */
import { definedOnly, isRecord } from '../../base/guards.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { adapterStoreContract, requiredContract, storeOption } from '../../config/resolve-store.js'
import { type Check, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedDeletion } from '../../contracts/index.js'
import type { DeletionOptions } from './types.js'

const options = shape({ store: storeOption('records'), graceDays: wholeNumber('of days', 0, 90) } satisfies Record<
  keyof DeletionOptions,
  Check<unknown>
>)

type DeletionSetting = ReturnType<typeof options>

const deletionSetting: Check<DeletionSetting | undefined> = (name, value) => {
  if (value === undefined || value === false) return undefined
  if (value === true) return {}
  if (isRecord(value)) return options(name, value)
  return rejectOption(name, `must be true or { store, graceDays }, not ${describeValue(value)}.`)
}

/** Resolves the option; `undefined` if users cannot be deleted. */
function resolveDeletion(
  setting: DeletionSetting | undefined,
  { adapter, timeout, revocation }: OptionSurroundings,
): ResolvedDeletion | undefined {
  if (!setting) return undefined
  if (!isRecord(adapter) || typeof adapter.deleteUser !== 'function')
    rejectOption('deletion', 'needs an `adapter` with `deleteUser`. Set one, such as `sqlAdapter(db)`.')
  if (!revocation) {
    rejectOption(
      'deletion',
      'needs `session.revocation`: without it, a user could sign in while they are deleted, and JWT sessions would continue. Set `session: { revocation: true }`.',
    )
  }
  return Object.freeze(
    definedOnly<ResolvedDeletion>({
      store: requiredContract('deletion.store', 'records', { store: setting.store, adapter }),
      graceDays: setting.graceDays ?? 0,
      adapterStore: adapterStoreContract(adapter, 'records'),
      userColumns: Object.keys(isRecord(adapter.userFields) ? adapter.userFields : {}),
      timeout,
    }),
  )
}

/** The option `deletion`. */
export const deletionOption: FeatureOption<DeletionSetting, ResolvedDeletion> = {
  check: deletionSetting,
  resolve: resolveDeletion,
}
