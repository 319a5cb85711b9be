/** Hashes of passwords: making and checking them, a few at a time. */
import type { AuthContext, PasswordProvider, ResolvedPassword } from '../../contracts/index.js'
import { AuthError, CallbackRouteError, type PasswordFault, PasswordRejected, toError } from '../../errors.js'
import { toFault } from '../../store/fault.js'
import type { StoredPassword } from '../../store/tables.js'
import { attemptsOf, hasherOf, type StoredHash } from './equal-work.js'
import { judgePassword } from './hashing/judge.js'
import { readPhc } from './hashing/phc.js'
import { isTooLong, normalizePassword } from './hashing/text.js'
import { withTurn } from './hashing/turns.js'
import type { Work } from './hashing/work.js'

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
