/** Hashes of passwords: making and checking them, a few at a time. */
import { perOwner } from '../../base/memory.js'
import type { AuthContext, PasswordProvider, ResolvedPassword } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { AuthError, CallbackRouteError, type PasswordFault, PasswordRejected, toError } from '../../errors.js'
import { defaultHasher } from '../../passwords/hasher.js'
import { judgePassword } from '../../passwords/judge.js'
import { readPhc } from '../../passwords/phc.js'
import { isTooLong, normalizePassword } from '../../passwords/text.js'
import { withTurn } from '../../passwords/turns.js'
import { toFault } from '../../store/fault.js'
import type { PasswordHasher, StoredPassword } from '../../types/passwords.js'

const ours = defaultHasher()

function hasherOf({ hash }: ResolvedPassword): PasswordHasher {
  return hash ?? ours
}

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

/** Whether a password is that of a hash; in the place of one that is not there a hash is checked that nobody has the password of. */
export async function isRight(
  context: AuthContext,
  { password: options }: PasswordProvider,
  { stored, password }: { stored: StoredPassword | null; password: string },
): Promise<boolean> {
  // Longer ones are no password of anybody's: not hashed, whoever is meant.
  if (isTooLong(password, options.maxLength)) return false
  const hasher = hasherOf(options)
  const decoy = await decoyOf(hasher).made()
  const hash = stored?.hash ?? decoy
  const text = normalizePassword(password)
  const imported = options.imported.find((each) => each.recognizes(hash))
  try {
    const fits = await withTurn(() => (imported ? imported.verify(hash, password) : hasher.verify(hash, text)))
    return fits === true && stored !== null
  } catch (thrown) {
    if (thrown instanceof AuthError) throw thrown
    // To who signs in it is a wrong password; the log has what is wrong with the stored one.
    const err = toFault(thrown, [hash, password])
    context.config.logger.error(new CallbackRouteError('A stored password could not be checked.', { err }))
    return false
  }
}

/** Whether a sign-in can check a hash, as far as that is known: a `hash` of the application's own is asked no sooner than then. */
export function isCheckable({ password: { hash: own, imported } }: PasswordProvider, hash: string): boolean {
  return own !== undefined || imported.some((each) => each.recognizes(hash)) || readPhc(hash) !== undefined
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
  const isForeign = options.imported.some((each) => each.recognizes(hash))
  if (!isForeign && !hasher.needsRehash(hash)) return
  const work = async () => {
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
