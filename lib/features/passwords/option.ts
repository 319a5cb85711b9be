/** The options of the provider `Password`: its rules, its store, and its mailer. */
import { definedOnly, isRecord } from '../../base/guards.js'
import { describe, type Options, refuse } from '../../config/refusal.js'
import type { ProviderSurroundings } from '../../config/resolve-client.js'
import { resolveEmail } from '../../config/resolve-email.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { anything, boolean, type Check, oneOf, optional, shape, wholeNumber } from '../../config/shape.js'
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
      return refuse(`${name}[${at}]`, `must be one of ${what}, not ${describe(value[at])}.`)
    }
    return refuse(name, `must be an array of ${what}, not ${describe(value)}.`)
  }
}

const kindsOfHashes = listOf<ImportedHash>('kinds of hashes, such as `bcrypt()`', 'recognizes', 'verify')

/** Checks the kinds of hashes. Without a decoy, the time of an attempt would reveal who has a hash of the kind. */
const kinds: Check<readonly ImportedHash[] | undefined> = (name, value) => {
  const found = kindsOfHashes(name, value)
  const lacking = found?.findIndex((kind) => !isMeasured(kind) && !isDecoy(kind)) ?? -1
  if (lacking < 0) return found
  return refuse(
    `${name}[${lacking}]`,
    'needs a `decoy`: a hash of the kind with the most work and an unknown password.',
  )
}

function isDecoy(kind: ImportedHash): boolean {
  return typeof kind.decoy === 'string' && kind.recognizes(kind.decoy)
}

const passwordShape = shape({
  store: storeOption('records'),
  mail: anything,
  minLength: wholeNumber('of characters', leastMinLength, mostMinLength),
  maxLength: wholeNumber('of characters', mostMinLength, usualMaxLength),
  hash: optional<PasswordHasher>(
    (value) =>
      isRecord(value) && ['hash', 'verify', 'needsRehash'].every((method) => typeof value[method] === 'function'),
    'must be an object with the functions hash, verify and needsRehash, not {kind}.',
  ),
  imported: kinds,
  breached: listOf<BreachCheck>('checks, such as `hibp()`', 'isBreached'),
  signUp: boolean,
  changeRevokes: oneOf('others', 'none'),
})

/** The surroundings of the provider `Password`, with those of all providers. */
interface PasswordSurroundings extends ProviderSurroundings {
  /** The first email provider of the configuration. */
  readonly mailer: ResolvedEmailProvider | undefined
}

/** Resolves the options. @param id The provider's id. @param given The options of `Password`. */
export function resolvePassword(id: string, given: unknown, surroundings: PasswordSurroundings): ResolvedPassword {
  const name = `providers.${id}`
  const { store, mail, hash, imported = [], breached = [], ...options } = passwordShape(name, given)
  const { minLength = usualMinLength, maxLength = usualMaxLength, signUp = true, changeRevokes = 'others' } = options
  return Object.freeze(
    definedOnly<ResolvedPassword>({
      store: guardPasswords(recordsFor(name, store, surroundings.adapter), surroundings.adapterTimeout),
      mailer: mail === undefined ? mailerOf(id, surroundings.mailer) : ownMailer(`${name}.mail`, mail, surroundings),
      minLength,
      maxLength,
      hash,
      imported,
      breached,
      signUp,
      changeRevokes,
    }),
  )
}

function recordsFor(name: string, store: RecordStore | true | undefined, adapter: unknown): RecordStore {
  if (adapter !== undefined || (store && store !== true))
    return requiredContract(`${name}.store`, 'records', { store, adapter })
  throw new InvalidConfiguration(
    `${name}: passwords belong to stored users. Set an \`adapter\`, for example \`memoryAdapter()\` of "server-auth/adapters/memory" to try it out.`,
  )
}

function mailerOf(id: string, mailer: ResolvedEmailProvider | undefined): ResolvedEmailProvider {
  if (mailer) return mailer
  throw new InvalidConfiguration(
    `Provider "${id}": it cannot send emails. Set \`mail\` of Password(), for example \`mail: Nodemailer({ server, from })\`, or add an email provider.`,
  )
}

/** Resolves an email provider that only sends the mails of `Password`. */
function ownMailer(name: string, given: unknown, surroundings: ProviderSurroundings): ResolvedEmailProvider {
  if (!isRecord(given) || given.type !== 'email') {
    return refuse(name, `must be an email provider, such as \`Nodemailer({ server, from })\`, not ${describe(given)}.`)
  }
  const options: Options = isRecord(given.options) ? given.options : {}
  const id = String(options.id ?? given.id)
  return resolveEmail(
    { ...given, ...options, options, id, name: String(options.name ?? given.name ?? id) },
    surroundings,
  )
}
