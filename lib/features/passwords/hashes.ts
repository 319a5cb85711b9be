/** Creates and verifies hashes of passwords, a few at a time, with equal work for each attempt. */

import { perOwner } from '../../base/memory.js'
import type { AuthContext, PasswordProvider, ResolvedPassword } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { AuthError, CallbackRouteError, PasswordRejected, type PasswordRejectionReason, toError } from '../../errors.js'
import { toRedactedError } from '../../store/redacted-error.js'
import type { Awaitable } from '../../types/identity.js'
import type { StoredPassword } from './description.js'
import { defaultHasher } from './hashing/hasher.js'
import { isMeasured, type Measure, measure } from './hashing/measure.js'
import { checkNewPassword, isTooLong, normalizePassword } from './hashing/password-rules.js'
import { readPhc } from './hashing/phc.js'
import { customWork, largestWorks, spendRemainingWork, type Work, withTurn } from './hashing/work.js'
import type { ImportedHash, PasswordHasher } from './types.js'

/**
 * Hashes a new password.
 *
 * @param email The email address of its user.
 * @throws {@link PasswordRejected} {@link PasswordsBusy}
 */
export async function hashNewPassword(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { password, email }: { password: string; email: string | null | undefined },
): Promise<string> {
  const reason = await findRejectionReason(context, options, { password, email })
  if (reason) throw new PasswordRejected(reason)
  return withTurn(() => passwordHasherOf(options).hash(normalizePassword(password)))
}

function findRejectionReason(
  { config, urls }: AuthContext,
  { minLength, maxLength, breachChecks }: ResolvedPassword,
  { password, email }: { password: string; email: string | null | undefined },
): Promise<PasswordRejectionReason | undefined> {
  const rules = {
    ...{ minLength, maxLength, breached: breachChecks },
    context: { email: email ?? undefined, siteName: config.theme.name ?? urls.host },
  }
  return checkNewPassword(password, rules, (failure) =>
    config.logger.error(
      new CallbackRouteError('A check of `breached` failed.', { err: toRedactedError(failure, [password]) }),
    ),
  )
}

/**
 * Verifies a password. Each call does the same work, even without a stored password.
 *
 * @throws {@link PasswordsBusy} {@link InvalidConfiguration} if a package that is needed is missing.
 */
export async function verifyPassword(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { stored, password }: { stored: StoredPassword | null; password: string },
): Promise<boolean> {
  // No user has a longer password, so it is not hashed, whoever the user is.
  if (isTooLong(password, options.maxLength)) return false
  const attempts = equalWorkVerifierOf(options)
  const hash = stored ? await attempts.read(stored.hash) : undefined
  if (hash) noteUnexpectedWork(context, options, hash)
  try {
    return await attempts.verify(hash, password)
  } catch (thrown) {
    if (thrown instanceof AuthError) throw thrown
    // The response is that of a wrong password. The log contains the error of the stored one.
    const err = toRedactedError(thrown, [stored?.hash ?? '', password])
    context.config.logger.error(new CallbackRouteError('A stored password could not be checked.', { err }))
    return false
  }
}

/**
 * Makes all further attempts of this process take the work of an unexpected hash. Its owner can be recognized by the
 * time until then.
 */
function noteUnexpectedWork(
  { config }: AuthContext,
  options: ResolvedPassword,
  { work, isExpected }: StoredHash,
): void {
  if (!work || isExpected || !equalWorkVerifierOf(options).meet(work)) return
  config.logger.warn(
    'password-work',
    `A stored password takes more work than \`imported\` of Password() declares: ${work.label}. ${howToDeclare(work)}`,
  )
}

function howToDeclare({ kind }: Work): string {
  const named = kind === undefined ? '' : `, for example with \`${kind}\``
  return `Declare it in \`imported\`${named}, so that all attempts take the same time.`
}

/**
 * Rejects a hash that cannot be verified, or that takes more work than the configuration declares: the time of an
 * attempt would identify its owner. Hashes for a custom `hash` are first checked at a sign-in.
 *
 * @throws TypeError
 */
export async function assertImportable({ password: options }: PasswordProvider, hash: string): Promise<void> {
  const isKnown = options.hash !== undefined || options.importedHashes.some((each) => each.recognizes(hash))
  if (!isKnown && readPhc(hash) === undefined) {
    throw new TypeError(
      'The hash cannot be verified: no kind in `imported` recognizes it. Add the kind to Password(), for example `imported: [bcrypt()]` or `[django()]`.',
    )
  }
  const { work, isExpected } = await equalWorkVerifierOf(options).read(hash)
  if (!work)
    throw new TypeError(
      'The hash cannot be verified: it is damaged, or takes more work than is allowed. Send the user a link with `auth.passwords.sendLink`.',
    )
  if (!isExpected) {
    throw new TypeError(
      `This hash takes more work than \`imported\` of Password() declares: ${work.label}. ${howToDeclare(work)}`,
    )
  }
}

/**
 * Hashes a verified password again, if its hash is imported or takes less work than new ones. Runs after the response.
 * Errors are logged, and it is tried again at the next sign-in.
 */
export function renewHash(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { stored, password }: { stored: StoredPassword; password: string },
): void {
  const { userId, hash, version, changedAt } = stored
  const hasher = passwordHasherOf(options)
  const work = async () => {
    const { isImported } = await equalWorkVerifierOf(options).read(hash)
    if (!isImported && !hasher.needsRehash(hash)) return
    const renewed = await withTurn(() => hasher.hash(normalizePassword(password)))
    await options.store.write({ userId, hash: renewed, changedAt }, version)
  }
  context.background.run(
    work().catch((thrown: unknown) => {
      const error = thrown instanceof AuthError ? thrown : toRedactedError(toError(thrown), [password])
      context.config.logger.error(error)
    }),
  )
}

/* Equal work. */

// Each attempt does the same work, for all users: one verification by the hasher, and for each function of the kinds in
// `importedHashes` the most work of a hash. A stored hash takes part of this work, and a decoy takes the rest. Otherwise the
// time of a wrong password would reveal which accounts exist, and whose password was imported.

const builtInHasher = defaultHasher()

/** Returns the hasher of new passwords. */
function passwordHasherOf({ hash }: ResolvedPassword): PasswordHasher {
  return hash ?? builtInHasher
}

/** A stored hash, and how the options verify it. */
interface StoredHash {
  /** True if another system made it. */
  readonly isImported: boolean
  /** The work of each verification; `undefined` if the hash cannot be verified, or takes too much work. */
  readonly work: Work | undefined
  /** True if the options declare hashes with this much work. */
  readonly isExpected: boolean
  /** Verifies a password. Rejects if {@link work} is `undefined`. */
  verify(password: string): Awaitable<boolean>
}

/** The verification of passwords with given options. */
export interface EqualWorkVerifier {
  read(hash: string): Promise<StoredHash>
  /** Adds the work of an unexpected hash to all attempts. @returns Whether it is new in this process. */
  meet(work: Work): boolean
  /**
   * Verifies a password in one turn, with all the work of an attempt. Without a hash it only does the work.
   *
   * @throws The error of the verification, after the rest of the work. {@link PasswordsBusy}
   */
  verify(stored: StoredHash | undefined, password: string): Promise<boolean>
}

/** The most unexpected works of a process. Each attempt does them from then on. */
const maxNotedWorks = 8

/** Returns the attempts of a configuration. */
const equalWorkVerifierOf = perOwner((options: ResolvedPassword): EqualWorkVerifier => {
  const hasher = passwordHasherOf(options)
  const own = measureOfHasher(hasher)
  const kinds = options.importedHashes.map((kind, at) => ({ kind, measured: measureOfKind(kind, at) }))
  const met = new Map<string, Work>()
  const expected = async () => {
    const most = await Promise.all([own, ...kinds.map(({ measured }) => measured)].map((each) => each.most()))
    return largestWorks(most.flat())
  }

  async function read(hash: string): Promise<StoredHash> {
    const [most, ownMost] = [await expected(), await own.most()]
    const isExpected = (work: Work | undefined) =>
      work !== undefined && work.units <= (most.get(work.algorithm)?.units ?? 0)
    const found = kinds.find(({ kind }) => kind.recognizes(hash))
    const work = tryOrUndefined(() => own.of(hash))
    // A kind also recognizes the hashes of the hasher, if both use the same function.
    if (!found || (isMeasured(hasher) && ownMost.some(({ algorithm }) => algorithm === work?.algorithm))) {
      const verify = (password: string) => hasher.verify(hash, normalizePassword(password))
      return { isImported: false, work, isExpected: isExpected(work), verify }
    }
    const { kind, measured } = found
    const imported = tryOrUndefined(() => measured.of(hash))
    const verify = (password: string) => kind.verify(hash, password)
    return { isImported: true, work: imported, isExpected: isExpected(imported), verify }
  }

  async function verify(stored: StoredHash | undefined, password: string): Promise<boolean> {
    // Before the turn, because a decoy is made in its own turn.
    const budget = largestWorks([...(await expected()).values(), ...met.values()])
    return withTurn(async () => {
      const outcome = await settleVerification(() => stored?.verify(password) ?? false)
      // A verification that threw may have done none of its work.
      await spendRemainingWork(budget, password, 'thrown' in outcome ? undefined : stored?.work)
      if ('thrown' in outcome) throw outcome.thrown
      return outcome.fits
    })
  }

  function meet(work: Work): boolean {
    if (work.units <= (met.get(work.algorithm)?.units ?? 0)) return false
    if (met.size >= maxNotedWorks && !met.has(work.algorithm)) return false
    met.set(work.algorithm, work)
    return true
  }

  return Object.freeze({ read, meet, verify })
})

/** Returns the measure of a hasher. The work of a custom one is unknown, so each attempt verifies once with it. */
function measureOfHasher(hasher: PasswordHasher): Measure {
  if (isMeasured(hasher)) return hasher[measure]
  const decoy = decoyOf(hasher)
  const workWith = (hash: string) =>
    customWork('hashes of `hash`', (password) => hasher.verify(hash, normalizePassword(password)))
  return { most: async () => [workWith(await decoy.made())], of: workWith }
}

/** Returns the measure of a kind, in the same way. */
function measureOfKind(kind: ImportedHash, at: number): Measure {
  if (isMeasured(kind)) return kind[measure]
  const work = customWork(`hashes of \`imported[${at}]\``, (password) => kind.verify(kind.decoy ?? '', password))
  return { most: () => [work], of: () => work }
}

/** A hash with the work of a new one, created once for a hasher. */
const decoyOf = perOwner((hasher: PasswordHasher) => {
  let hash: Promise<string> | undefined
  return {
    made(): Promise<string> {
      hash ??= withTurn(() => hasher.hash(randomText(32))).catch((error: unknown) => {
        hash = undefined
        throw error
      })
      return hash
    },
  }
})

function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

async function settleVerification(verify: () => Awaitable<boolean>): Promise<{ fits: boolean } | { thrown: unknown }> {
  try {
    return { fits: (await verify()) === true }
  } catch (thrown) {
    return { thrown }
  }
}
