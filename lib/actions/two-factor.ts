/** `GET|POST two-factor[/:factor]`: the second factor, at a sign-in and in a session, and what a person adds and removes. */
import type { AuthContext } from '../contracts/index.js'
import { InvalidRequest } from '../errors.js'
import type { FactorResult } from '../factors/index.js'
import type { AuthResponse } from '../http/message.js'
import { assertCsrf } from '../session/csrf.js'
import { canonicalUrl } from './request.js'
import { loadFactors } from './second-factor.js'
import { resumeSignIn, stepUpSession } from './sign-in-pipeline.js'

/** GET shows, POST answers. @throws {@link InvalidRequest} where nobody has second factors. */
export async function twoFactor(context: AuthContext): Promise<AuthResponse> {
  const { config, request } = context
  if (!config.factors) throw new InvalidRequest('There are no second factors here.', 404)
  const { show, answer } = await loadFactors()
  if (request.method === 'POST') {
    assertCsrf(context)
    return complete(context, await answer(context))
  }
  if (request.method === 'HEAD') return { kind: 'empty', status: 200 }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  return show(context)
}

async function complete(context: AuthContext, result: FactorResult): Promise<AuthResponse> {
  if (result.kind !== 'proved') return result
  const { asked, next } = result
  // When the session is refused, nobody has seen the recovery codes, and the browser is not remembered.
  if (asked.kind === 'held') await resumeSignIn(context, asked.pending.held, result)
  else await stepUpSession(context, asked.holder, result)
  return next()
}
