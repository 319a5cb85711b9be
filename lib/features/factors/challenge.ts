/** The challenge for a second factor, and the check of its answer. */
import type { AuthContext, FactorKind } from '../../contracts/index.js'
import {
  InvalidCode,
  InvalidRequest,
  ReauthenticationRequired,
  SecondFactorFailed,
  TooManyRequests,
} from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { pageResponse, renderTwoFactor } from '../../pages/index.js'
import { forwardedRequirement, type Proof, rejectionReasonOf } from '../../principal/index.js'
import { csrfTokenForForm } from '../../session/csrf.js'
import { trustBrowser } from './devices.js'
import { mailFactorCode } from './email-factor.js'
import { reloadFactorRecords } from './factor-context.js'
import { passkeyFactorOptions } from './passkey-factor.js'
import { countFactorTry, endPendingSignIn, isLastTry } from './pending-sign-in.js'
import {
  type FactorResult,
  type FactorTarget,
  type PendingSignInTarget,
  type SessionTarget,
  selectKind,
  usableKinds,
  wantsJson,
} from './target.js'
import { verifyFactor } from './verify.js'

/**
 * Renders the challenge, or returns it as JSON. Throws if the user has no factor that can be used after this sign-in
 * method.
 */
export async function renderChallenge(context: AuthContext, target: FactorTarget): Promise<AuthResponse> {
  const { request, urls, config } = context
  const kind = selectKind(target, request.providerId)
  const isJson = wantsJson(context)
  if (isJson && request.providerId === 'passkey' && kind.type === 'passkey') {
    return { kind: 'json', status: 200, data: await passkeyFactorOptions(target.factorContext, kind) }
  }
  const others = usableKinds(target).filter(({ type }) => type !== kind.type)
  if (isJson) {
    const factors = [kind, ...others].map(({ type }) => type)
    return { kind: 'json', status: 200, data: { asksFor: 'factor', factors, callbackUrl: target.to } }
  }
  const query = request.url.searchParams
  const own = config.pages.twoFactor
  const params = { callbackUrl: target.to, factor: kind.type, error: query.get('error') ?? undefined }
  if (own !== undefined) return { kind: 'redirect', to: urls.customUrl(own, params) }
  return pageResponse(context, 200, (frame) =>
    renderTwoFactor({
      frame,
      type: kind.type,
      action: urls.endpoint('two-factor', kind.type, forwardedRequirement(query)),
      csrfToken: csrfTokenForForm(context),
      callbackUrl: target.to,
      error: params.error,
      isSent: query.has('sent'),
      remember: target.kind === 'held' ? target.factorContext.options.remember : undefined,
      others: others.map(({ type }) => ({
        type,
        url: urls.endpoint('two-factor', type, { callbackUrl: target.to, ...forwardedRequirement(query) }),
      })),
      cancelUrl: target.kind === 'held' ? urls.page('signIn', { callbackUrl: target.to }) : urls.home,
    }),
  )
}

/** Checks the answer to the challenge. @throws InvalidCode, SecondFactorFailed, TooManyRequests, AdapterError. */
export async function answerChallenge(context: AuthContext, target: FactorTarget): Promise<FactorResult> {
  const { request, urls } = context
  const kind = selectKind(target, request.providerId)
  if (request.body.intent === 'send') {
    if (kind.type !== 'email') throw new InvalidRequest('Only a factor of the type "email" sends codes.')
    await mailFactorCode(target.factorContext, kind, 'challenge')
    const params = { callbackUrl: target.to, sent: '1', ...forwardedRequirement(request.url.searchParams) }
    return { kind: 'redirect', to: urls.endpoint('two-factor', 'email', params) }
  }
  const proof = await (target.kind === 'held' ? verifyInPendingSignIn(target, kind) : verifyInSession(target, kind))
  if (!proof) throw new InvalidCode(`A wrong answer was given for the second factor "${kind.type}".`)
  const isTheirs = target.kind === 'held' && request.body.rememberDevice === '1'
  // Before the session is created: an end of the user's sessions either forgets the browser as well, or rejects the
  // session.
  const undo = isTheirs ? await trustBrowser(await reloadFactorRecords(target.factorContext)) : undefined
  return { kind: 'proved', target, proof, next: () => ({ kind: 'redirect', to: target.to }), ...(undo && { undo }) }
}

/** Checks the answer in a pending sign-in. Counts the try for the sign-in and for the user before the check. */
async function verifyInPendingSignIn(
  { factorContext, pending: before }: PendingSignInTarget,
  kind: FactorKind,
): Promise<Proof | undefined> {
  const pending = await countFactorTry(factorContext, before)
  if (!pending) throw tooManyAnswers()
  const proof = await verifyFactor(factorContext, kind).catch((thrown: unknown) => {
    // The user has no tries left, and this was the last try of the sign-in. Another challenge could not be answered.
    if (!(thrown instanceof TooManyRequests) || !isLastTry(pending)) throw thrown
    return undefined
  })
  if (!proof && !isLastTry(pending)) return undefined
  if (!(await endPendingSignIn(factorContext, pending)) || !proof) throw tooManyAnswers()
  return proof
}

/**
 * Checks the answer in a session. @throws {@link ReauthenticationRequired} if the session did not begin in this
 * browser, because it may be a copy.
 */
async function verifyInSession(
  { factorContext, principal }: SessionTarget,
  kind: FactorKind,
): Promise<Proof | undefined> {
  if (rejectionReasonOf(principal, 'stepUp', true) === undefined) return verifyFactor(factorContext, kind)
  throw new ReauthenticationRequired(
    'The session did not begin in this browser. Sign in again to prove a second factor.',
  )
}

function tooManyAnswers(): SecondFactorFailed {
  return new SecondFactorFailed(
    'Five wrong answers were given for a second factor, or the sign-in was completed elsewhere.',
  )
}
