/**
 * Second factors: the step between the first factor and the session. Each sign-in method calls {@link holdBack}. The
 * endpoint `two-factor` handles challenges and changes. Loaded if `factors` is set.
 */
import type { AuthContext } from '../../contracts/index.js'
import { CallbackRouteError, InvalidRequest, toError } from '../../errors.js'
import { clearAttempt, heldSlot } from '../../flows/attempt.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { hasRequirement, meets, requirementIn, wantsTwo } from '../../principal/index.js'
import { type Asked, askedInSession, askedNow, askedToSignIn, type FactorResult, kindsFor, mayManage } from './asked.js'
import { answerChallenge, showChallenge } from './challenge.js'
import { isRemembered } from './devices.js'
import { type HeldSignIn, hold } from './held.js'
import { changeFactors } from './setup.js'
import { answerCodes, answerRemoval, answerSetup, showSetup } from './setup-pages.js'
import { isEnrolled, type Scene, sceneOf } from './subject.js'

export { confirm, enrolEmail, enrolTotp, newCodes, remove } from './api.js'
export type { FactorResult, ProvedFactor } from './asked.js'
export type { HeldIdentity, HeldSignIn, SessionWish } from './held.js'
export { enrolledFactors } from './manage.js'
export { ownerOf, removeFactors } from './owner.js'

/**
 * Suspends a sign-in that needs a second factor.
 *
 * The required level follows from the user's enrolled factors and the application's rules. The reached level follows
 * from the proofs of this sign-in. (In CVE-2024-45042, Kratos derived both from the available factors.)
 *
 * @returns The URL of the challenge; `undefined` if no second factor is needed.
 */
export async function holdBack(context: AuthContext, held: HeldSignIn): Promise<SafeRedirect | undefined> {
  const { userId, identity, to } = held
  const scene = await sceneOf(context, { userId, told: userId, key: '', proofs: identity.proofs })
  if (meets(identity.proofs, { aal: 2 }) || !(await needsTwo(scene, held)) || isRemembered(scene)) {
    clearAttempt(context, heldSlot)
    return undefined
  }
  await hold(scene, held)
  return context.urls.endpoint('two-factor', undefined, { callbackUrl: to })
}

/**
 * Checks whether a sign-in needs level 2. @throws {@link CallbackRouteError} if `require` throws, or returns another
 * value.
 */
async function needsTwo({ options, rows }: Scene, { identity, signedIn }: HeldSignIn): Promise<boolean> {
  const enrolled = isEnrolled(rows)
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
export async function show(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const query = request.url.searchParams
  const wantsSetup = query.has('setup')
  const held = await askedToSignIn(context)
  if (held && mustEnrol(held)) return showSetup(context, held)
  if (held && !wantsSetup) return showChallenge(context, held)
  const asked = await askedInSession(context)
  if (!asked) return redirect(urls.page('signIn', { callbackUrl: query.get('callbackUrl') ?? undefined }))
  const { to } = asked
  const enrolled = isEnrolled(asked.scene.rows)
  if (wantsSetup || !hasRequirement(query)) {
    if (mayManage(asked)) return showSetup(context, asked)
    const here = urls.endpoint('two-factor', request.providerId, { setup: '1', callbackUrl: to })
    return enrolled ? showChallenge(context, { ...asked, to: here }) : reauthenticate(context, here)
  }
  const requirement = requirementIn(query)
  if (meets(asked.principal.proofs, requirement)) return redirect(leadsHere(context, to) ? urls.home : to)
  if (kindsFor(asked).length > 0) return showChallenge(context, asked)
  if (enrolled || !wantsTwo(requirement)) return reauthenticate(context, to, requirement.maxAge)
  // Being required does not create a second factor. The user has to add one first.
  if (mayManage(asked)) return showSetup(context, asked)
  return reauthenticate(context, urls.endpoint('two-factor', undefined, { setup: '1', aal: '2', callbackUrl: to }))
}

/** Sends the user to the sign-in page to sign in again. @param maxAge The highest age of the sign-in, in seconds. */
function reauthenticate({ urls }: AuthContext, callbackUrl: SafeRedirect, maxAge = 300): AuthResponse {
  return redirect(urls.endpoint('signin', undefined, { callbackUrl, reauth: String(maxAge) }))
}

/** Answers `POST two-factor[/<type>]`, after the CSRF check. */
export async function answer(context: AuthContext): Promise<FactorResult> {
  const { intent } = context.request.body
  const held = await askedToSignIn(context)
  const change = changes.get(intent)
  if (change) {
    const asked = held && mustEnrol(held) ? held : await askedNow(context)
    return changeFactors(asked, () => change(context, asked))
  }
  if (intent !== undefined && intent !== 'send') throw new InvalidRequest('The form has an unknown `intent`.')
  return answerChallenge(context, held ?? (await askedNow(context)))
}

/** The forms that add or remove factors, by their `intent`. */
const changes = new Map<unknown, (context: AuthContext, asked: Asked) => Promise<FactorResult>>([
  ['setup', answerSetup],
  ['setup-begin', answerSetup],
  ['setup-send', answerSetup],
  ['codes', answerCodes],
  ['remove', answerRemoval],
])

/** Checks whether a pending sign-in waits for the user to add their first factor. */
function mustEnrol({ scene: { rows } }: Asked): boolean {
  return !isEnrolled(rows)
}

/** Checks whether a URL is this page with requirements that are already met. A redirect to it would loop. */
function leadsHere({ urls }: AuthContext, to: SafeRedirect): boolean {
  const { origin, pathname, searchParams } = new URL(to)
  const own = new URL(urls.endpoint('two-factor'))
  const isHere = origin === own.origin && `${pathname}/`.startsWith(`${own.pathname}/`)
  return isHere && !searchParams.has('setup') && hasRequirement(searchParams)
}

function redirect(to: SafeRedirect): AuthResponse {
  return { kind: 'redirect', to }
}
