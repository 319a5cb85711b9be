/** The option `session.userFields`: the fields of users that sessions show. */
import { isRecord } from '../base/guards.js'
import { type DescribedFields, describeFields } from '../base/user-fields.js'
import { InvalidConfiguration, MissingAdapter, MissingAdapterMethods, toError } from '../errors.js'
import { rejectOption } from './reject-option.js'

const declaration = 'Declare them with `user` of `sqlAdapter` or `memoryAdapter`, or with `withUserFields`'

/** Returns the fields by their names; `undefined` without any. Rejects names that the adapter does not declare. */
export function resolveUserFields(names: readonly string[] = [], adapter: unknown): DescribedFields | undefined {
  if (names.length === 0) return undefined
  if (!isRecord(adapter)) throw new MissingAdapter(`\`session.userFields\` needs an \`adapter\`. ${declaration}.`)
  if (typeof adapter.getUser !== 'function') {
    throw new MissingAdapterMethods('The `adapter` lacks `getUser`, needed for `session.userFields`. Add it.')
  }
  const declared = declaredFields(adapter)
  const missing = names.find((name) => !Object.hasOwn(declared, name))
  if (missing !== undefined) {
    const known = Object.keys(declared)
    const advice = known.length > 0 ? `It declares: ${known.join(', ')}.` : `${declaration}.`
    rejectOption('session.userFields', `has ${JSON.stringify(missing)}, which the adapter does not declare. ${advice}`)
  }
  return Object.freeze(Object.fromEntries(Object.entries(declared).filter(([name]) => names.includes(name))))
}

/** Returns the fields that the adapter declares. An adapter of your own may declare them by hand. */
function declaredFields({ userFields = {} }: Readonly<Record<string, unknown>>): DescribedFields {
  const given = isRecord(userFields) ? Object.entries(userFields) : []
  const fields = given.map(([name, field]) => [
    name,
    isRecord(field) ? { type: field.values ?? field.type, default: field.default } : field,
  ])
  try {
    return describeFields('adapter.userFields', Object.fromEntries(fields))
  } catch (error) {
    throw new InvalidConfiguration(toError(error).message)
  }
}
