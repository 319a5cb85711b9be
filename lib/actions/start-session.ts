/** Starts a session for the application's own proof. It has no route; the application calls `startSession`. */

import { readCallbackUrl } from '../callbacks/index.js'
import { assertTrusted } from '../config/site.js'
import type { AuthContext, Identity, SessionMetadata } from '../contracts/index.js'
import { MissingAdapter } from '../errors.js'
import type { StartedSession, StartSessionUserOptions } from '../types/calls.js'
import { linkableKey, mayLink } from '../users/linking.js'
import { withSafeImage } from './callback.js'
import { startProvedSession } from './sign-in-pipeline.js'

/** The user and the proofs that the application vouches for. */
export type ApplicationProof = Pick<StartSessionUserOptions, 'user' | 'maxAge' | 'remember'> &
  Pick<SessionMetadata, 'data'> &
  Pick<Identity, 'amr' | 'aal' | 'stated'>

/** Starts the session as after any flow: verdict, first proof, events and callbacks are the same. */
export async function startSession(context: AuthContext, proof: ApplicationProof): Promise<StartedSession> {
  assertTrusted(context.config, context.request.url.origin)
  const identity = withSafeImage(await identityOf(context, proof))
  const to = await readCallbackUrl(context)
  const { maxAge, remember = false, data } = proof
  const remembered = context.config.session.rememberMaxAge === undefined ? undefined : remember
  const sessionOptions = { maxAge, remembered, data }
  const { to: url, signedIn } = await startProvedSession(context, { identity, sessionOptions, to })
  if (!signedIn) return { started: false, url }
  const { user, isNewUser = false } = signedIn
  return { started: true, user, isNewUser, url }
}

async function identityOf(context: AuthContext, { user, amr, aal, stated }: ApplicationProof): Promise<Identity> {
  const { store } = context.config
  const providerAccountId = user.id ?? user.email
  const proof = { account: { type: 'application', provider: '', providerAccountId }, amr, aal, stated } as const
  if (user.id !== undefined) return { user: store ? { id: user.id } : user, ...proof }
  if (!store)
    throw new MissingAdapter('`startSession` with an email address needs an `adapter`. Without one, pass `user.id`.')
  const { email, name, image } = user
  // The session in which users prove their own address. A request from another site proves nothing about the signed-in
  // user.
  const startedBy = mayLink(context) ? linkableKey(await context.sessions.principal(context)) : undefined
  return { user: { email, name, image }, ...proof, addressProved: true, startedBy }
}
