/**
 * Second factors: the step between the first factor and the session. Each sign-in method calls {@link suspendSignIn}. The
 * endpoint `two-factor` handles challenges and changes. Loaded if `factors` is set.
 */
import type { AuthContext } from '../../contracts/index.js'
import { CallbackRouteError, InvalidRequest, toError } from '../../errors.js'
import { clearAttempt, pendingSignInSlot } from '../../flows/attempt.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { hasRequirement, meetsRequirement, readRequirement, requiresTwoFactors } from '../../principal/index.js'
import { answerChallenge, renderChallenge } from './challenge.js'
import { isTrustedBrowser } from './devices.js'
import { createFactorContext, type FactorContext, isEnrolled } from './factor-context.js'
import { type PendingSignInData, storePendingSignIn } from './pending-sign-in.js'
import { changeFactors } from './setup.js'
import { answerCodes, answerRemoval, answerSetup, renderSetup } from './setup-pages.js'
import {
  type FactorResult,
  type FactorTarget,
  findPendingSignInTarget,
  findSessionTarget,
  mayManageFactors,
  requireSessionTarget,
  usableKinds,
} from './target.js'

export { enrolledFactors } from './manage.js'
export { confirmNewFactor, enrolEmail, enrolTotp, removeOwnFactor, renewOwnCodes } from './own-factors.js'
export { factorOwnerOf, removeFactors } from './owner.js'
export type { PendingIdentity, PendingSignInData, SignInSessionOptions } from './pending-sign-in.js'
export type { FactorResult, ProvedFactor } from './target.js'

/**
 * Suspends a sign-in that needs a second factor.
 *
 * The required level follows from the user's enrolled factors and the application's rules. The reached level follows
 * from the proofs of this sign-in. (In CVE-2024-45042, Kratos derived both from the available factors.)
 *
 * @returns The URL of the challenge; `undefined` if no second factor is needed.
 */
export async function suspendSignIn(context: AuthContext, data: PendingSignInData): Promise<SafeRedirect | undefined> {
  const { userId, identity, to } = data
  const factorContext = await createFactorContext(context, {
    userId,
    reportedUserId: userId,
    purposeKey: '',
    proofs: identity.proofs,
  })
  if (
    meetsRequirement(identity.proofs, { aal: 2 }) ||
    !(await needsSecondFactor(factorContext, data)) ||
    isTrustedBrowser(factorContext)
  ) {
    clearAttempt(context, pendingSignInSlot)
    return undefined
  }
  await storePendingSignIn(factorContext, data)
  return context.urls.endpoint('two-factor', undefined, { callbackUrl: to })
}

/**
 * Checks whether a sign-in needs level 2. @throws {@link CallbackRouteError} if `require` throws, or returns another
 * value.
 */
async function needsSecondFactor(
  { options, records }: FactorContext,
  { identity, signedIn }: PendingSignInData,
): Promise<boolean> {
  const enrolled = isEnrolled(records)
  if (enrolled && options.whenEnrolled === 'always') return true
  if (!options.require) return false
  const account = identity.account.type === 'application' ? null : identity.account
  let needed: unknown
  try {
    needed = await options.require({ user: { ...signedIn.user }, account, reached: 1, isEnrolled: enrolled })
  } catch (error) {
    throw new CallbackRouteError('`factors.require` threw.', toError(error))
  }
  if (needed === 1 || needed === 2) return needed === 2
  throw new CallbackRouteError('`factors.require` must return 1 or 2: any other value is rejected.')
}

/** Answers `GET two-factor[/<type>]`. */
export async function handleTwoFactorGet(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const query = request.url.searchParams
  const wantsSetup = query.has('setup')
  const pending = await findPendingSignInTarget(context)
  if (pending && mustAddFirstFactor(pending)) return renderSetup(context, pending)
  if (pending && !wantsSetup) return renderChallenge(context, pending)
  const target = await findSessionTarget(context)
  if (!target) return redirect(urls.page('signIn', { callbackUrl: query.get('callbackUrl') ?? undefined }))
  const { to } = target
  const enrolled = isEnrolled(target.factorContext.records)
  if (wantsSetup || !hasRequirement(query)) {
    if (mayManageFactors(target)) return renderSetup(context, target)
    const here = urls.endpoint('two-factor', request.providerId, { setup: '1', callbackUrl: to })
    return enrolled ? renderChallenge(context, { ...target, to: here }) : reauthenticate(context, here)
  }
  const requirement = readRequirement(query)
  if (meetsRequirement(target.principal.proofs, requirement)) return redirect(isThisPage(context, to) ? urls.home : to)
  if (usableKinds(target).length > 0) return renderChallenge(context, target)
  if (enrolled || !requiresTwoFactors(requirement)) return reauthenticate(context, to, requirement.maxAge)
  // Being required does not create a second factor. The user has to add one first.
  if (mayManageFactors(target)) return renderSetup(context, target)
  return reauthenticate(context, urls.endpoint('two-factor', undefined, { setup: '1', aal: '2', callbackUrl: to }))
}

/** Sends the user to the sign-in page to sign in again. @param maxAge The highest age of the sign-in, in seconds. */
function reauthenticate({ urls }: AuthContext, callbackUrl: SafeRedirect, maxAge = 300): AuthResponse {
  return redirect(urls.endpoint('signin', undefined, { callbackUrl, reauth: String(maxAge) }))
}

/** Answers `POST two-factor[/<type>]`, after the CSRF check. */
export async function handleTwoFactorPost(context: AuthContext): Promise<FactorResult> {
  const { intent } = context.request.body
  const pending = await findPendingSignInTarget(context)
  const change = changesByIntent.get(intent)
  if (change) {
    const target = pending && mustAddFirstFactor(pending) ? pending : await requireSessionTarget(context)
    return changeFactors(target, () => change(context, target))
  }
  if (intent !== undefined && intent !== 'send') throw new InvalidRequest('The form has an unknown `intent`.')
  return answerChallenge(context, pending ?? (await requireSessionTarget(context)))
}

/** The forms that add or remove factors, by their `intent`. */
const changesByIntent = new Map<unknown, (context: AuthContext, target: FactorTarget) => Promise<FactorResult>>([
  ['setup', answerSetup],
  ['setup-begin', answerSetup],
  ['setup-send', answerSetup],
  ['codes', answerCodes],
  ['remove', answerRemoval],
])

/** Checks whether a pending sign-in waits for the user to add their first factor. */
function mustAddFirstFactor({ factorContext: { records } }: FactorTarget): boolean {
  return !isEnrolled(records)
}

/** Checks whether a URL is this page with requirements that are already met. A redirect to it would loop. */
function isThisPage({ urls }: AuthContext, to: SafeRedirect): boolean {
  const { origin, pathname, searchParams } = new URL(to)
  const own = new URL(urls.endpoint('two-factor'))
  const isHere = origin === own.origin && `${pathname}/`.startsWith(`${own.pathname}/`)
  return isHere && !searchParams.has('setup') && hasRequirement(searchParams)
}

function redirect(to: SafeRedirect): AuthResponse {
  return { kind: 'redirect', to }
}
