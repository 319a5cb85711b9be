/** What happens after ANY flow proved an identity. */

import { emit } from '../callbacks/events.js'
import { tellEnded } from '../callbacks/session-ended.js'
import { toldAccount } from '../callbacks/told-account.js'
import type { AuthContext, Identity, SignedIn, StampOwner } from '../contracts/index.js'
import { ReauthenticationRequired } from '../errors.js'
import type { HeldSignIn, SessionWish } from '../factors/index.js'
import { keepProviderSession } from '../flows/index.js'
import { type AuthResponse, requestInfo, type SafeRedirect } from '../http/message.js'
import { asAttached, type Principal, proofOf, withProof } from '../principal/index.js'
import { renewCsrf, retireCsrf } from '../session/csrf.js'
import { markOf, readStamp } from '../session/security-stamp.js'
import { clearSessionCookie } from '../session/session-cookie.js'
import { sessionIdOf } from '../session/session-id.js'
import { detach } from '../users/detach.js'
import { resolveUser } from '../users/resolve-user.js'
import { ownUserOf, roomForTokens, setTokens, storeTokens } from './provider-tokens.js'
import { assertPresent, assertSamePerson, findReauthentication, forgetReauthentication } from './reauthentication.js'
import { takeRemembered } from './remember.js'
import { assertMayAttach, holdBack } from './second-factor.js'
import { placeOf } from './session-place.js'

/** Begins the session, and sends the person on; to their second factor where they need one. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const wish = { remembered: takeRemembered(context, identity) }
  const { to } = await beginSession(context, identity, { wish, callbackUrl })
  return { kind: 'redirect', to }
}

/**
 * Finds the user, asks the `signIn` callback, stores what is new; then begins the session, unless a second factor is needed.
 *
 * @param wish What the person, or the application, wants of the session. @param callbackUrl Where the person wants to be.
 * @returns Where the person goes; `signedIn` is absent where they go elsewhere first: to the second factor, or where the callback says.
 */
export async function beginSession(
  context: AuthContext,
  identity: Identity,
  { wish, callbackUrl }: { readonly wish: SessionWish; readonly callbackUrl: SafeRedirect },
): Promise<{ readonly to: SafeRedirect; readonly signedIn?: SignedIn }> {
  const { signedIn, attachedIn, stamp } = await findUser(context, identity)
  if (typeof signedIn === 'string') return { to: signedIn }
  const proved = provedIn(context, identity, attachedIn)
  const held = { ...identity, ...proved, stamp, isTyped: identity.credentials !== undefined }
  const to = (signedIn.isNewUser ? context.urls.customPage('newUser', { callbackUrl }) : undefined) ?? callbackUrl
  const { owner, elsewhere } = await holdBack(context, { identity: held, signedIn, wish, to })
  if (elsewhere) return { to: elsewhere }
  try {
    await openSession(context, { identity: held, signedIn, wish, owner })
  } catch (error) {
    if (attachedIn) await detach(context, identity)
    throw error
  }
  return { to, signedIn }
}

/** Returns the proofs of a sign-in. Attaching proves nothing about the user: the proofs of the session in which it happened go on. */
function provedIn({ config }: AuthContext, identity: Identity, attachedIn: Principal | undefined) {
  const proof = proofOf(identity, config.factors)
  if (!attachedIn) return { proofs: [proof] }
  const { startedAt, key: replaces } = attachedIn
  return { proofs: withProof(attachedIn.proofs, asAttached(proof)), startedAt, replaces }
}

/** The user; where one was to prove who they are, that one and nobody else. */
async function findUser(context: AuthContext, identity: Identity) {
  const isOwn = identity.account.type === 'application'
  const reauthentication = isOwn ? undefined : await findReauthentication(context)
  if (reauthentication) {
    forgetReauthentication(context)
    assertPresent(identity, reauthentication)
  }
  /** The session in which a sign-in method was attached to the user. */
  let attachedIn: Principal | undefined
  /** Absent for a new user, whose sessions nothing has ended. */
  let { stamp } = identity
  const signedIn = await resolveUser(context, identity, async ({ userId, isAttached }) => {
    if (userId !== undefined && stamp?.userId !== userId) {
      const sid = isAttached ? (await context.sessions.owner(context))?.sid : undefined
      stamp = await stampOf(context, identity, { userId, sid })
    }
    if (reauthentication) assertSamePerson(reauthentication, isAttached ? undefined : userId)
    else if (isAttached && userId !== undefined) attachedIn = await attachingSession(context, userId)
  })
  return { signedIn, attachedIn, stamp }
}

/** Reads the security stamp of the user whom a flow came to. Flows that know the user earlier have read it before they verified anything. */
function stampOf(
  context: AuthContext,
  { providerLink: link, account }: Identity,
  of: Pick<StampOwner, 'userId' | 'sid'>,
) {
  const { provider, providerAccountId } = account
  const credentialID = 'credentialID' in account ? account.credentialID : undefined
  const method = typeof credentialID === 'string' ? { credentialID } : { provider, providerAccountId }
  return readStamp(context.config, { ...of, link, method, mark: markOf(context) })
}

/** Returns the session in which something is attached. @throws {@link ReauthenticationRequired} */
async function attachingSession(context: AuthContext, userId: string): Promise<Principal> {
  await assertMayAttach(context, userId)
  const principal = await context.sessions.owner(context)
  if (principal?.userId === userId) return principal
  throw new ReauthenticationRequired('The session has ended while something was attached in it.')
}

/** A sign-in to which nothing is missing. `owner` is the name under which second factors and provider tokens are kept. */
type ProvedSignIn = Pick<HeldSignIn, 'identity' | 'signedIn' | 'wish'> & { readonly owner: string | undefined }

/** Begins the session, with the provider's tokens, and tells the event. */
export async function openSession(context: AuthContext, proved: ProvedSignIn): Promise<void> {
  const { identity, signedIn, wish, owner } = proved
  const { account, proofs, startedAt, replaces, stamp } = identity
  const isStored = signedIn.isNewUser !== undefined
  const tokensOf = isStored ? undefined : ownUserOf(context, account, owner)
  const userId = isStored ? signedIn.user.id : tokensOf
  const linked = { ...signedIn, providerLink: identity.providerLink, tokensOf }
  // The session and the tokens share the room in the browser: whether both fit is known before either is written.
  context.cookies.reserve(await roomForTokens(context, identity, { userId, sid: sessionIdOf('') }))
  await storeTokens(context, identity, userId)
  const provider = account.type === 'application' ? undefined : account.provider
  const began = { ...wish, proofs, startedAt, replaces, stamp, provider, ...placeOf(context) }
  const { sid, replaced } = await context.sessions
    .issue(context, linked, began)
    .finally(() => context.cookies.reserve())
  try {
    await setTokens(context, identity, { userId, sid })
  } catch (error) {
    // The sign-in fails, and leaves nobody signed in.
    clearSessionCookie(context)
    throw error
  }
  await keepProviderSession(context, identity.providerSession)
  retireCsrf(context)
  renewCsrf(context)
  // With credentials the event gets what `authorize` returned.
  const told = { ...signedIn, account: toldAccount(signedIn), sid, request: requestInfo(context.request) }
  const { request } = told
  await tellEnded(context.config, replaced, { reason: 'replaced', endedBy: sid, request })
  await emit(context.config, 'signIn', identity.isTyped ? { ...told, user: identity.user } : told)
}
