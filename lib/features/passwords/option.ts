/** The options of the provider `Password`: its rules, its store, and its mailer. */
import { definedOnly, isRecord } from '../../base/guards.js'
import { describeValue, type Options, rejectOption } from '../../config/reject-option.js'
import type { ProviderContext } from '../../config/resolve-client.js'
import { resolveEmail } from '../../config/resolve-email.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { anyValue, boolean, type Check, oneOf, optional, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedEmailProvider, ResolvedPassword } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { RecordStore } from '../../types/store.js'
import { isMeasured } from './hashing/measure.js'
import { guardPasswords } from './store.js'
import type { BreachCheck, ImportedHash, PasswordHasher } from './types.js'

/** Characters. NIST SP 800-63B-4 §3.1.1.2: 15 if the password is the only factor, 8 with a second factor. */
const usualMinLength = 15
const leastMinLength = 8
const mostMinLength = 64
const usualMaxLength = 1024

/** Checks a list of objects with these functions. */
function listOf<T>(what: string, ...functions: readonly string[]): Check<readonly T[] | undefined> {
  return (name, value) => {
    if (value === undefined) return undefined
    const isOne = (each: unknown) => isRecord(each) && functions.every((method) => typeof each[method] === 'function')
    if (Array.isArray(value) && value.every(isOne)) return Object.freeze([...value]) as readonly T[]
    if (Array.isArray(value)) {
      const at = value.findIndex((each) => !isOne(each))
      return rejectOption(`${name}[${at}]`, `must be one of ${what}, not ${describeValue(value[at])}.`)
    }
    return rejectOption(name, `must be an array of ${what}, not ${describeValue(value)}.`)
  }
}

const importedHashList = listOf<ImportedHash>('kinds of hashes, such as `bcrypt()`', 'recognizes', 'verify')

/** Checks the kinds of hashes. Without a decoy, the time of an attempt would reveal who has a hash of the kind. */
const checkImported: Check<readonly ImportedHash[] | undefined> = (name, value) => {
  const found = importedHashList(name, value)
  const lacking = found?.findIndex((kind) => !isMeasured(kind) && !isDecoy(kind)) ?? -1
  if (lacking < 0) return found
  return rejectOption(
    `${name}[${lacking}]`,
    'needs a `decoy`: a hash of the kind with the most work and an unknown password.',
  )
}

function isDecoy(kind: ImportedHash): boolean {
  return typeof kind.decoy === 'string' && kind.recognizes(kind.decoy)
}

const passwordShape = shape({
  store: storeOption('records'),
  mail: anyValue,
  minLength: wholeNumber('of characters', leastMinLength, mostMinLength),
  maxLength: wholeNumber('of characters', mostMinLength, usualMaxLength),
  hash: optional<PasswordHasher>(
    (value) =>
      isRecord(value) && ['hash', 'verify', 'needsRehash'].every((method) => typeof value[method] === 'function'),
    'must be an object with the functions hash, verify and needsRehash, not {kind}.',
  ),
  imported: checkImported,
  breached: listOf<BreachCheck>('checks, such as `hibp()`', 'isBreached'),
  signUp: boolean,
  changeRevokes: oneOf('others', 'none'),
})

/** The surroundings of the provider `Password`, with those of all providers. */
interface PasswordResolution extends ProviderContext {
  /** The first email provider of the configuration. */
  readonly mailer: ResolvedEmailProvider | undefined
}

/** Resolves the options. @param id The provider's id. @param given The options of `Password`. */
export function resolvePassword(id: string, given: unknown, surroundings: PasswordResolution): ResolvedPassword {
  const name = `providers.${id}`
  const {
    store,
    mail,
    hash,
    imported: importedHashes = [],
    breached: breachChecks = [],
    ...options
  } = passwordShape(name, given)
  const { minLength = usualMinLength, maxLength = usualMaxLength, signUp = true, changeRevokes = 'others' } = options
  return Object.freeze(
    definedOnly<ResolvedPassword>({
      store: guardPasswords(passwordRecords(name, store, surroundings.adapter), surroundings.adapterTimeout),
      mailer:
        mail === undefined
          ? requireMailer(id, surroundings.mailer)
          : resolveOwnMailer(`${name}.mail`, mail, surroundings),
      minLength,
      maxLength,
      hash,
      importedHashes,
      breachChecks,
      signUp,
      changeRevokes,
    }),
  )
}

function passwordRecords(name: string, store: RecordStore | true | undefined, adapter: unknown): RecordStore {
  if (adapter !== undefined || (store && store !== true))
    return requiredContract(`${name}.store`, 'records', { store, adapter })
  throw new InvalidConfiguration(
    `${name}: passwords belong to stored users. Set an \`adapter\`, for example \`memoryAdapter()\` of "server-auth/adapters/memory" to try it out.`,
  )
}

function requireMailer(id: string, mailer: ResolvedEmailProvider | undefined): ResolvedEmailProvider {
  if (mailer) return mailer
  throw new InvalidConfiguration(
    `Provider "${id}": it cannot send emails. Set \`mail\` of Password(), for example \`mail: Nodemailer({ server, from })\`, or add an email provider.`,
  )
}

/** Resolves an email provider that only sends the mails of `Password`. */
function resolveOwnMailer(name: string, given: unknown, surroundings: ProviderContext): ResolvedEmailProvider {
  if (!isRecord(given) || given.type !== 'email') {
    return rejectOption(
      name,
      `must be an email provider, such as \`Nodemailer({ server, from })\`, not ${describeValue(given)}.`,
    )
  }
  const options: Options = isRecord(given.options) ? given.options : {}
  const id = String(options.id ?? given.id)
  return resolveEmail(
    { ...given, ...options, options, id, name: String(options.name ?? given.name ?? id) },
    surroundings,
  )
}
