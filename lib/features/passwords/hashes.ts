/** Hashes of passwords: making and checking them, a few at a time. */

import { perOwner } from '../../base/memory.js'
import type { AuthContext, PasswordProvider, ResolvedPassword } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { AuthError, CallbackRouteError, type PasswordFault, PasswordRejected, toError } from '../../errors.js'
import { toFault } from '../../store/fault.js'
import type { StoredPassword } from '../../store/tables.js'
import type { Awaitable } from '../../types/identity.js'
import { defaultHasher } from './hashing/hasher.js'
import { isTooLong, judgePassword, normalizePassword } from './hashing/judge.js'
import { isMeasured, type Measure, measure } from './hashing/measure.js'
import { readPhc } from './hashing/phc.js'
import { foreignWork, largest, spendRest, type Work, withTurn } from './hashing/work.js'
import type { ImportedHash, PasswordHasher } from './types.js'

/**
 * The hash of a new password.
 *
 * @param email The address of whose it is to be.
 * @throws {@link PasswordRejected} for one that is not taken; {@link PasswordsBusy}.
 */
export async function hashNew(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { password, email }: { password: string; email: string | null | undefined },
): Promise<string> {
  const fault = await faultOf(context, options, { password, email })
  if (fault) throw new PasswordRejected(fault)
  return withTurn(() => hasherOf(options).hash(normalizePassword(password)))
}

function faultOf(
  { config, urls }: AuthContext,
  { minLength, maxLength, breached }: ResolvedPassword,
  { password, email }: { password: string; email: string | null | undefined },
): Promise<PasswordFault | undefined> {
  const rules = {
    ...{ minLength, maxLength, breached },
    context: { email: email ?? undefined, siteName: config.theme.name ?? urls.host },
  }
  return judgePassword(password, rules, (failure) =>
    config.logger.error(
      new CallbackRouteError('A check of `breached` could not be asked.', { err: toFault(failure, [password]) }),
    ),
  )
}

/**
 * Checks a password. Each check does the same work, also where there is no stored password (`equal-work`).
 *
 * @throws {@link PasswordsBusy} {@link InvalidConfiguration} where a package is missing that can tell.
 */
export async function isRight(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { stored, password }: { stored: StoredPassword | null; password: string },
): Promise<boolean> {
  // Longer ones are no password of anybody's: not hashed, whoever is meant.
  if (isTooLong(password, options.maxLength)) return false
  const attempts = attemptsOf(options)
  const hash = stored ? await attempts.read(stored.hash) : undefined
  if (hash) noteUnexpected(context, options, hash)
  try {
    return await attempts.verify(hash, password)
  } catch (thrown) {
    if (thrown instanceof AuthError) throw thrown
    // To who signs in it is a wrong password; the log has what is wrong with the stored one.
    const err = toFault(thrown, [stored?.hash ?? '', password])
    context.config.logger.error(new CallbackRouteError('A stored password could not be checked.', { err }))
    return false
  }
}

/** A hash that takes more work than the others makes all attempts of this process take as much. Until then its owner is known by it. */
function noteUnexpected({ config }: AuthContext, options: ResolvedPassword, { work, isExpected }: StoredHash): void {
  if (!work || isExpected || !attemptsOf(options).meet(work)) return
  config.logger.warn(
    'password-work',
    `A stored password takes more work than \`imported\` of Password() declares: ${work.label}. ${howToDeclare(work)}`,
  )
}

function howToDeclare({ kind }: Work): string {
  const named = kind === undefined ? '' : `, for example with \`${kind}\``
  return `Declare it in \`imported\`${named}, so that each attempt takes as long.`
}

/**
 * Refuses a hash that nobody could sign in by, or that takes other work than the configuration says: the time of an attempt would tell
 * whose it is. Hashes of a `hash` of the application's own are checked no sooner than at a sign-in.
 *
 * @throws TypeError
 */
export async function assertImportable({ password: options }: PasswordProvider, hash: string): Promise<void> {
  const isKnown = options.hash !== undefined || options.imported.some((each) => each.recognizes(hash))
  if (!isKnown && readPhc(hash) === undefined) {
    throw new TypeError(
      'Nobody could sign in with this hash: no kind in `imported` recognizes it. Add the kind to Password(), for example `imported: [bcrypt()]` or `[django()]`.',
    )
  }
  const { work, isExpected } = await attemptsOf(options).read(hash)
  if (!work)
    throw new TypeError(
      'Nobody could sign in with this hash: it is damaged, or takes more work than is allowed. Send the user a link with `auth.passwords.sendLink`.',
    )
  if (!isExpected) {
    throw new TypeError(
      `This hash takes more work than \`imported\` of Password() declares: ${work.label}. ${howToDeclare(work)}`,
    )
  }
}

/**
 * Hashes a password anew that was just proved right, where its hash is of another system or of less work than is spent today. After the
 * answer; what fails is logged, and tried again at the next sign-in.
 */
export function renewHash(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { stored, password }: { stored: StoredPassword; password: string },
): void {
  const { userId, hash, version, changedAt } = stored
  const hasher = hasherOf(options)
  const work = async () => {
    const { isImported } = await attemptsOf(options).read(hash)
    if (!isImported && !hasher.needsRehash(hash)) return
    const renewed = await withTurn(() => hasher.hash(normalizePassword(password)))
    await options.store.write({ userId, hash: renewed, changedAt }, version)
  }
  context.background.run(
    work().catch((thrown: unknown) => {
      const error = thrown instanceof AuthError ? thrown : toFault(toError(thrown), [password])
      context.config.logger.error(error)
    }),
  )
}

/* ---- equal work -------------------------------------------------------------------------------------------------- */

// The same work for each attempt, whoever it is for: one hashing by the hasher, and for each function of the kinds in `imported` the
// most work that a hash of the application takes. A stored hash takes part of it, and the rest is done with a hash that is nobody's.
// Without that, the time of a wrong password would tell who has an account, and whose password came from another system.

const ours = defaultHasher()

/** Returns what hashes new passwords. */
function hasherOf({ hash }: ResolvedPassword): PasswordHasher {
  return hash ?? ours
}

/** A stored hash, as the options say how it is checked. */
interface StoredHash {
  /** Whether another system made it. */
  readonly isImported: boolean
  /** The work of each check; `undefined` where nothing here can check it, or it asks for too much. */
  readonly work: Work | undefined
  /** Whether the options say that there are hashes which take so much work. */
  readonly isExpected: boolean
  /** Checks a password. It rejects where {@link work} is `undefined`. */
  verify(password: string): Awaitable<boolean>
}

/** The attempts with these options. */
export interface Attempts {
  read(hash: string): Promise<StoredHash>
  /** Notes the work of a stored hash that is not expected. @returns Whether this process meets it for the first time. */
  meet(work: Work): boolean
  /**
   * Checks a password in one turn, with all the work of an attempt; without a hash it does the work alone.
   *
   * @throws Whatever the check threw, after the rest of the work. {@link PasswordsBusy}
   */
  verify(stored: StoredHash | undefined, password: string): Promise<boolean>
}

/** Works that one process notes. They are done at each of its attempts from then on. */
const mostMet = 8

/** Returns the attempts of a configuration. */
const attemptsOf = perOwner((options: ResolvedPassword): Attempts => {
  const hasher = hasherOf(options)
  const own = measureOfHasher(hasher)
  const kinds = options.imported.map((kind, at) => ({ kind, measured: measureOfKind(kind, at) }))
  const met = new Map<string, Work>()
  const expected = async () => {
    const most = await Promise.all([own, ...kinds.map(({ measured }) => measured)].map((each) => each.most()))
    return largest(most.flat())
  }

  async function read(hash: string): Promise<StoredHash> {
    const [most, ownMost] = [await expected(), await own.most()]
    const isExpected = (work: Work | undefined) => work !== undefined && work.units <= (most.get(work.by)?.units ?? 0)
    const found = kinds.find(({ kind }) => kind.recognizes(hash))
    const work = attempt(() => own.of(hash))
    // A kind recognizes the hashes of the hasher, too, where it is of the same function.
    if (!found || (isMeasured(hasher) && ownMost.some(({ by }) => by === work?.by))) {
      const verify = (password: string) => hasher.verify(hash, normalizePassword(password))
      return { isImported: false, work, isExpected: isExpected(work), verify }
    }
    const { kind, measured } = found
    const imported = attempt(() => measured.of(hash))
    const verify = (password: string) => kind.verify(hash, password)
    return { isImported: true, work: imported, isExpected: isExpected(imported), verify }
  }

  async function verify(stored: StoredHash | undefined, password: string): Promise<boolean> {
    // Before the turn: a decoy is made in a turn of its own.
    const budget = largest([...(await expected()).values(), ...met.values()])
    return withTurn(async () => {
      const outcome = await settle(() => stored?.verify(password) ?? false)
      // A check that threw may have done none of its work.
      await spendRest(budget, password, 'thrown' in outcome ? undefined : stored?.work)
      if ('thrown' in outcome) throw outcome.thrown
      return outcome.fits
    })
  }

  function meet(work: Work): boolean {
    if (work.units <= (met.get(work.by)?.units ?? 0)) return false
    if (met.size >= mostMet && !met.has(work.by)) return false
    met.set(work.by, work)
    return true
  }

  return Object.freeze({ read, meet, verify })
})

/** The work of a hasher of the application's own is not known: each attempt verifies once by it. */
function measureOfHasher(hasher: PasswordHasher): Measure {
  if (isMeasured(hasher)) return hasher[measure]
  const decoy = decoyOf(hasher)
  const workWith = (hash: string) =>
    foreignWork('hashes of `hash`', (password) => hasher.verify(hash, normalizePassword(password)))
  return { most: async () => [workWith(await decoy.made())], of: workWith }
}

/** The same for a kind of the application's own. */
function measureOfKind(kind: ImportedHash, at: number): Measure {
  if (isMeasured(kind)) return kind[measure]
  const work = foreignWork(`hashes of \`imported[${at}]\``, (password) => kind.verify(kind.decoy ?? '', password))
  return { most: () => [work], of: () => work }
}

/** A hash that costs what a new one costs, made once for a hasher. */
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

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

async function settle(verify: () => Awaitable<boolean>): Promise<{ fits: boolean } | { thrown: unknown }> {
  try {
    return { fits: (await verify()) === true }
  } catch (thrown) {
    return { thrown }
  }
}
