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
import { keptRequirement, type Proof, refusalOf } from '../../principal/index.js'
import { csrfTokenFor } from '../../session/csrf.js'
import {
  type Asked,
  type AskedInSession,
  type AskedToSignIn,
  type FactorResult,
  kindAsked,
  kindsFor,
  wantsData,
} from './asked.js'
import { rememberDevice } from './devices.js'
import { mailCode } from './email-factor.js'
import { countTry, endHeld, isLastTry } from './held.js'
import { passkeyOptionsOf } from './passkey-factor.js'
import { lookAgain } from './subject.js'
import { verify } from './verify.js'

/**
 * Renders the challenge, or returns it as JSON. Throws if the user has no factor that can be used after this sign-in
 * method.
 */
export async function showChallenge(context: AuthContext, asked: Asked): Promise<AuthResponse> {
  const { request, urls, config } = context
  const kind = kindAsked(asked, request.providerId)
  const isJson = wantsData(context)
  if (isJson && request.providerId === 'passkey' && kind.type === 'passkey') {
    return { kind: 'json', status: 200, data: await passkeyOptionsOf(asked.scene, kind) }
  }
  const others = kindsFor(asked).filter(({ type }) => type !== kind.type)
  if (isJson) {
    const factors = [kind, ...others].map(({ type }) => type)
    return { kind: 'json', status: 200, data: { asksFor: 'factor', factors, callbackUrl: asked.to } }
  }
  const query = request.url.searchParams
  const own = config.pages.twoFactor
  const params = { callbackUrl: asked.to, factor: kind.type, error: query.get('error') ?? undefined }
  if (own !== undefined) return { kind: 'redirect', to: urls.at(own, params) }
  return pageResponse(context, 200, (frame) =>
    renderTwoFactor({
      frame,
      type: kind.type,
      action: urls.endpoint('two-factor', kind.type, keptRequirement(query)),
      csrfToken: csrfTokenFor(context),
      callbackUrl: asked.to,
      error: params.error,
      isSent: query.has('sent'),
      remember: asked.kind === 'held' ? asked.scene.options.remember : undefined,
      others: others.map(({ type }) => ({
        type,
        url: urls.endpoint('two-factor', type, { callbackUrl: asked.to, ...keptRequirement(query) }),
      })),
      cancelUrl: asked.kind === 'held' ? urls.page('signIn', { callbackUrl: asked.to }) : urls.home,
    }),
  )
}

/** Checks the answer to the challenge. @throws InvalidCode, SecondFactorFailed, TooManyRequests, AdapterError. */
export async function answerChallenge(context: AuthContext, asked: Asked): Promise<FactorResult> {
  const { request, urls } = context
  const kind = kindAsked(asked, request.providerId)
  if (request.body.intent === 'send') {
    if (kind.type !== 'email') throw new InvalidRequest('Only a factor of the type "email" sends codes.')
    await mailCode(asked.scene, kind, 'challenge')
    const params = { callbackUrl: asked.to, sent: '1', ...keptRequirement(request.url.searchParams) }
    return { kind: 'redirect', to: urls.endpoint('two-factor', 'email', params) }
  }
  const proof = await (asked.kind === 'held' ? verifyPending(asked, kind) : verifyInSession(asked, kind))
  if (!proof) throw new InvalidCode(`A wrong answer was given for the second factor "${kind.type}".`)
  const isTheirs = asked.kind === 'held' && request.body.rememberDevice === '1'
  // Before the session is created: an end of the user's sessions either forgets the browser as well, or rejects the
  // session.
  const undo = isTheirs ? await rememberDevice(await lookAgain(asked.scene)) : undefined
  return { kind: 'proved', asked, proof, next: () => ({ kind: 'redirect', to: asked.to }), ...(undo && { undo }) }
}

/** Checks the answer in a pending sign-in. Counts the try for the sign-in and for the user before the check. */
async function verifyPending({ scene, pending: before }: AskedToSignIn, kind: FactorKind): Promise<Proof | undefined> {
  const pending = await countTry(scene, before)
  if (!pending) throw tooOften()
  const proof = await verify(scene, kind).catch((thrown: unknown) => {
    // The user has no tries left, and this was the last try of the sign-in. Another challenge could not be answered.
    if (!(thrown instanceof TooManyRequests) || !isLastTry(pending)) throw thrown
    return undefined
  })
  if (!proof && !isLastTry(pending)) return undefined
  if (!(await endHeld(scene, pending)) || !proof) throw tooOften()
  return proof
}

/**
 * Checks the answer in a session. @throws {@link ReauthenticationRequired} if the session did not begin in this
 * browser, because it may be a copy.
 */
async function verifyInSession({ scene, principal }: AskedInSession, kind: FactorKind): Promise<Proof | undefined> {
  if (refusalOf(principal, 'stepUp', true) === undefined) return verify(scene, kind)
  throw new ReauthenticationRequired(
    'The session did not begin in this browser. Sign in again to prove a second factor.',
  )
}

function tooOften(): SecondFactorFailed {
  return new SecondFactorFailed(
    'Five wrong answers were given for a second factor, or the sign-in was completed elsewhere.',
  )
}
