/** The endpoint `GET|POST two-factor[/:factor]`, for sign-ins and for changes of second factors in a session. */

import { canonicalUrl } from '../../actions/requested-provider.js'
import { resumeSignIn, stepUpSession } from '../../actions/sign-in-pipeline.js'
import { checkedCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { assertCsrf } from '../../session/csrf.js'
import type { FactorResult, ProvedFactor } from './entry.js'
import { loadFactors } from './steps.js'
import type { FactorConfirmation } from './types.js'

/**
 * Answers `two-factor`: GET renders a page, POST handles its forms. @throws {@link InvalidRequest} without `factors`.
 */
export async function twoFactor(context: AuthContext): Promise<AuthResponse> {
  const { config, request } = context
  if (!config.factors) throw new InvalidRequest('Second factors are not configured. Set `factors`.', 404)
  const { handleTwoFactorGet, handleTwoFactorPost } = await loadFactors()
  if (request.method === 'POST') {
    assertCsrf(context)
    // The form below new recovery codes. The factor was added, and any session began, before they were shown.
    if (request.body.intent === 'kept') return { kind: 'redirect', to: await checkedCallbackUrl(context) }
    return applyFactorResult(context, await handleTwoFactorPost(context))
  }
  if (request.method === 'HEAD') return { kind: 'empty', status: 200 }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  return handleTwoFactorGet(context)
}

async function applyFactorResult(context: AuthContext, result: FactorResult): Promise<AuthResponse> {
  if (result.kind !== 'proved') return result
  await continueAfterProof(context, result)
  return result.next()
}

/**
 * Adds a second factor for a call of the application's own code, and raises the session's level. @returns The first
 * recovery codes.
 */
export async function confirmFactor(
  context: AuthContext,
  confirmation: FactorConfirmation,
): Promise<readonly string[] | undefined> {
  const { confirmNewFactor } = await loadFactors()
  const added = await confirmNewFactor(context, confirmation)
  await continueAfterProof(context, added)
  return added.codes
}

/**
 * Continues the pending sign-in, or raises the session's level. If the session is rejected, the recovery codes were not
 * shown and the browser is not remembered.
 */
async function continueAfterProof(context: AuthContext, proved: ProvedResult): Promise<void> {
  const { target } = proved
  if (target.kind === 'held') await resumeSignIn(context, target.pending.data, proved)
  else await stepUpSession(context, target.holder, proved)
}

/** A verified second factor, and the sign-in or session that it belongs to. */
type ProvedResult = Pick<ProvedFactor, 'target' | 'proof' | 'undo'>
