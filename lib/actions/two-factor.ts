/** `GET|POST two-factor[/:factor]`: the second factor, at a sign-in and in a session, and what a person adds and removes. */
import { tellEnded } from '../callbacks/session-ended.js'
import type { AuthContext, SignedIn, TokenHolder } from '../contracts/index.js'
import { InvalidRequest, ReauthenticationRequired } from '../errors.js'
import type { FactorResult, HeldSignIn } from '../factors/index.js'
import { type AuthResponse, requestInfo } from '../http/message.js'
import { type Proof, withProof } from '../principal/index.js'
import { assertCsrf, renewCsrf, retireCsrf } from '../session/csrf.js'
import { isStillTheirs } from '../users/still-theirs.js'
import { openSession } from './complete-sign-in.js'
import { adoptTokens } from './provider-tokens.js'
import { canonicalUrl } from './request.js'
import { loadFactors } from './second-factor.js'

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
  const { asked, proof } = result
  try {
    if (asked.kind === 'held') await signIn(context, asked.pending.held, proof)
    else await stepUp(context, asked.holder, proof)
  } catch (error) {
    // Nobody has seen the recovery codes, and nobody is signed in. Nor is the browser theirs.
    await result.undo?.()
    throw error
  }
  return result.next()
}

/** The sign-in that waited goes on, with the user as they are now. */
async function signIn(context: AuthContext, held: HeldSignIn, proof: Proof): Promise<void> {
  const signedIn = await current(context, held)
  const { identity, wish, userId: owner } = held
  const proved = { ...identity, proofs: withProof(identity.proofs, proof) }
  await openSession(context, { identity: proved, signedIn, wish, owner })
}

async function current({ config }: AuthContext, { signedIn, userId }: HeldSignIn): Promise<SignedIn> {
  // JWT sessions with credentials need no user row: what `authorize` returned is the user.
  if (!config.store || signedIn.isNewUser === undefined) return signedIn
  const user = await config.store.getUser(userId)
  if (!user) throw new ReauthenticationRequired('The user was removed while their second factor was asked for.')
  // Security stamps end it too, where a store holds them.
  if (await isStillTheirs(config, { ...signedIn, user })) return { ...signedIn, user }
  throw new ReauthenticationRequired('The sign-in method was removed while the second factor was asked for.')
}

/** Another session takes the place of the one in which more was proved; of no other one that the request carries. */
async function stepUp(context: AuthContext, { userId, id: of }: TokenHolder, proof: Proof): Promise<void> {
  const issued = await context.sessions.stepUp(context, { of, proof })
  if (!issued) throw new ReauthenticationRequired('The session has ended meanwhile.')
  const { sid, replaced } = issued
  await adoptTokens(context, { userId, id: sid })
  retireCsrf(context)
  renewCsrf(context)
  const request = requestInfo(context.request)
  await tellEnded(context.config, replaced, { reason: 'steppedUp', endedBy: sid, request })
}
