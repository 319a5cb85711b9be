/** Sign-in with an email link. */

import { callSignInCallback } from '../../callbacks/index.js'
import type { AuthContext, ConfirmEffect, Flow, FlowResult, ResolvedEmailProvider } from '../../contracts/index.js'
import { accountUuid } from '../../crypto/account-id.js'
import { Verification } from '../../errors.js'
import { type AuthResponse, header, type SafeRedirect } from '../../http/message.js'
import { singleParam } from '../../http/urls.js'
import type { StoredPrincipal } from '../../principal/index.js'
import { requireStore } from '../../store/guard.js'
import type { Account, User } from '../../types/identity.js'
import { linkableKey, mayLink } from '../../users/linking.js'
import { type AddressOwner, ownerOfAddress } from '../../users/records.js'
import { isMailedAddress, readAddress } from './address.js'
import { completeEmailChange, isEmailChange } from './email-change.js'
import { countMail } from './limits.js'
import { sentMailParams } from './mailed-address.js'
import { clearRequestedLink, type EmailLink, findRequestedLink, storeRequestedLink } from './requested-link.js'
import { sendMail } from './send.js'
import { isToken } from './token-format.js'
import { consumeToken, createToken } from './tokens.js'

export { startEmailChange } from './email-change.js'

/** The flow of `email` providers. */
export const emailFlow: Flow<'email'> = {
  start: startEmailSignIn,
  complete: completeEmailSignIn,
  callbackMethods: () => ['GET', 'POST'],
  hasOwnForm: true,
}

/**
 * Starts the sign-in and sends the link. It does the same for known and unknown addresses, so that neither the response
 * nor its time reveals whether a user exists.
 */
async function startEmailSignIn(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const { request, urls } = context
  const address = readAddress(provider, request.body.email)
  await countMail(context, provider, address)
  const session = await sessionOwner(context)
  const verdict = await callSignInCallback(context, {
    user: (await findUserOfLink(context, address, session)).user ?? newUserFor(provider, address),
    account: emailAccount(provider, address),
    email: { verificationRequest: true },
  })
  if (verdict !== true) return { kind: 'redirect', to: verdict }
  const { hash, kept, ...mailed } = await createToken(context, provider, address)
  const startedBy = mayLink(context) ? linkableKey(session) : undefined
  const { id } = await storeRequestedLink(context, {
    provider: provider.id,
    address,
    hash,
    kept,
    callbackUrl,
    startedBy,
  })
  const url = urls.endpoint('callback', provider.id, { callbackUrl, token: mailed.token, email: address, attempt: id })
  sendMail(context, provider, { purpose: 'sign-in', address, url, ...mailed })
  return { kind: 'redirect', to: urls.page('verifyRequest', sentMailParams(context, provider.id, 'email')) }
}

/**
 * Signs in at once if the link is opened in the browser that requested it, and would not change the signed-in user. In
 * all other cases the user has to confirm: mail scanners open links, and an attacker could send their own link to a
 * victim.
 */
async function completeEmailSignIn(context: AuthContext, provider: ResolvedEmailProvider): Promise<FlowResult> {
  if (isEmailChange(context)) return completeEmailChange(context, provider)
  const link = readEmailLink(context, provider)
  const request = await findRequestedLink(context, provider, link)
  const owner = await sessionOwner(context)
  const isAsked = request !== undefined && request.startedBy === linkableKey(owner)
  if (context.request.method !== 'POST') {
    // A link that was not requested in this session does not verify the address of its user: it would create another
    // user.
    const asked = isAsked && request.startedBy !== undefined ? owner : null
    const found = await findUserOfLink(context, link.address, asked)
    const effect = (owner ?? (await isSignedIn(context))) ? confirmEffectOf(owner, found) : 'sign-in'
    const isPlain = effect === 'sign-in' || effect === 'prove'
    if (!isAsked || !isPlain || isPrefetch(context)) {
      return { kind: 'confirm', address: link.address, fields: confirmFields(context, link), effect }
    }
  }
  const stamp = await consumeToken(context, provider, link)
  clearRequestedLink(context)
  const identity = {
    user: newUserFor(provider, link.address),
    account: emailAccount(provider, link.address),
    // A link contains a one-time password, as a code does.
    amr: ['otp'],
    addressProved: true,
    startedBy: isAsked ? request.startedBy : undefined,
    stamp,
  }
  return { kind: 'identity', identity, callbackUrl: request?.callbackUrl }
}

/** Returns the user that the link signs in. @param asked The user in whose session the link was requested. */
function findUserOfLink(
  { config }: AuthContext,
  address: string,
  asked: StoredPrincipal | null,
): Promise<AddressOwner> {
  return ownerOfAddress(config, requireStore(config), { address, session: async () => asked })
}

/** Checks whether there is a session without a stored user: of an older version, or of credentials. */
async function isSignedIn(context: AuthContext): Promise<boolean> {
  try {
    return (await context.sessions.read(context, { writable: true })) !== null
  } catch {
    // A callback threw, so there may be a session. The user has to confirm.
    return true
  }
}

/** Returns what the link would change for the signed-in user. */
function confirmEffectOf(owner: StoredPrincipal | null, { user }: AddressOwner): ConfirmEffect {
  if (!user) return 'new-user'
  if (user.id !== owner?.userId) return 'other-user'
  return user.emailVerified ? 'sign-in' : 'prove'
}

/**
 * Reads the link, or the form of the confirmation page. @throws {@link Verification} for values that no email link
 * contains.
 */
function readEmailLink({ request }: AuthContext, provider: ResolvedEmailProvider): EmailLink {
  const { searchParams } = request.url
  const isForm = request.method === 'POST'
  const read = (name: string): unknown => (isForm ? request.body[name] : singleParam(searchParams, name))
  const [token, address, attempt] = [read('token'), read('email'), read('attempt')]
  if (!isToken(token) || typeof address !== 'string' || !isMailedAddress(provider, address)) {
    throw new Verification('The link is incomplete, or was changed.')
  }
  return { token, address, attempt: typeof attempt === 'string' ? attempt : undefined }
}

function confirmFields({ request }: AuthContext, { token, address, attempt }: EmailLink): Record<string, string> {
  const callbackUrl = request.url.searchParams.get('callbackUrl')
  return {
    token,
    email: address,
    ...(attempt !== undefined && { attempt }),
    ...(callbackUrl !== null && { callbackUrl }),
  }
}

/** Checks whether the browser fetches the link ahead of a click. The user may never click. */
function isPrefetch({ request: { headers } }: AuthContext): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(header(headers, name) ?? ''),
  )
}

function sessionOwner(context: AuthContext): Promise<StoredPrincipal | null> {
  return context.sessions.principal(context)
}

function newUserFor(provider: ResolvedEmailProvider, address: string): User {
  return { id: accountUuid(provider.id, address), email: address }
}

function emailAccount({ id }: ResolvedEmailProvider, address: string): Account {
  return { provider: id, type: 'email', providerAccountId: address }
}
