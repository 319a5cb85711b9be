/** Sign-in with a mailed link (`design.md`, decision 6; `wire-contract.md`, section 13). */
import type { AuthContext, Flow, FlowResult, ResolvedEmailProvider, SessionOwner } from '../../context.js'
import { accountUuid } from '../../crypto/account-id.js'
import { randomText } from '../../crypto/random.js'
import { Verification } from '../../errors.js'
import { type AuthResponse, header, type SafeRedirect } from '../../http/message.js'
import { onlyValue } from '../../http/urls.js'
import { askSignIn } from '../../session/ask-sign-in.js'
import { storeOf } from '../../store/store-of.js'
import { userByAddress } from '../../store/user-by-address.js'
import type { Account, User } from '../../types.js'
import { isMailedAddress, readAddress } from './address.js'
import { clearAttempt, findAttempt, keepAttempt, type MailedLink } from './attempt.js'
import { countMail } from './limits.js'
import { sendMail } from './send.js'
import { createToken, isToken, useToken } from './token.js'

/** The flow of `email` providers. */
export const emailFlow: Flow<'email'> = {
  begin,
  finish,
  callbackMethods: () => ['GET', 'POST'],
  ownForm: true,
}

/** The same for known and unknown addresses: what is done, what is answered, and when. */
async function begin(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const { request, urls } = context
  const address = readAddress(provider, request.body.email)
  countMail(provider, address, request.ip)
  const verdict = await askSignIn(context, {
    user: (await userByAddress(storeOf(context.config), address)) ?? unknownUser(provider, address),
    account: accountOf(provider, address),
    email: { verificationRequest: true },
  })
  if (verdict !== true) return { kind: 'redirect', to: verdict }
  const { token, hash, expires } = await createToken(context, provider, address)
  const id = randomText(16)
  const startedBy = (await ownerOf(context))?.key
  await keepAttempt(context, {
    id,
    provider: provider.id,
    address,
    hash,
    callbackUrl,
    ...(startedBy !== undefined && { startedBy }),
  })
  const url = urls.endpoint('callback', provider.id, { callbackUrl, token, email: address, attempt: id })
  sendMail(context, provider, { address, url, token, expires })
  return { kind: 'redirect', to: urls.page('verifyRequest', { provider: provider.id, type: 'email' }) }
}

/** A link that is opened completes in the browser that asked for it; anywhere else a person has to confirm. */
async function finish(context: AuthContext, provider: ResolvedEmailProvider): Promise<FlowResult> {
  const { request } = context
  const link = readLink(context, provider)
  const attempt = await findAttempt(context, provider, link)
  const owner = await ownerOf(context)
  const isAsked = attempt !== undefined && attempt.startedBy === owner?.key
  if (request.method !== 'POST' && (!isAsked || isPrefetch(context))) {
    const otherSession =
      owner !== null && (await userByAddress(storeOf(context.config), link.address))?.id !== owner.userId
    return { kind: 'confirm', address: link.address, fields: fieldsOf(context, link), otherSession }
  }
  await useToken(context, provider, link)
  clearAttempt(context)
  const identity = {
    user: unknownUser(provider, link.address),
    account: accountOf(provider, link.address),
    addressProved: true,
    ...(isAsked && attempt.startedBy !== undefined && { startedBy: attempt.startedBy }),
  }
  return { kind: 'identity', identity, ...(attempt && { callbackUrl: attempt.callbackUrl }) }
}

/** What the link, or the form behind it, says. @throws {@link Verification} for what no mail of ours ever said. */
function readLink({ request }: AuthContext, provider: ResolvedEmailProvider): MailedLink {
  const { searchParams } = request.url
  const isForm = request.method === 'POST'
  const read = (name: string): unknown => (isForm ? request.body[name] : onlyValue(searchParams, name))
  const [token, address, attempt] = [read('token'), read('email'), read('attempt')]
  if (!isToken(token) || typeof address !== 'string' || !isMailedAddress(provider, address)) {
    throw new Verification('The link is incomplete, or was changed.')
  }
  return { token, address, attempt: typeof attempt === 'string' ? attempt : undefined }
}

function fieldsOf({ request }: AuthContext, { token, address, attempt }: MailedLink): Record<string, string> {
  const callbackUrl = request.url.searchParams.get('callbackUrl')
  return {
    token,
    email: address,
    ...(attempt !== undefined && { attempt }),
    ...(callbackUrl !== null && { callbackUrl }),
  }
}

/** A browser that looks ahead is nobody who wants to sign in. */
function isPrefetch({ request: { headers } }: AuthContext): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(header(headers, name) ?? ''),
  )
}

function ownerOf({ sessions, cookies, cookiePolicy }: AuthContext): Promise<SessionOwner | null> {
  return sessions.owner(cookies, cookiePolicy)
}

function unknownUser(provider: ResolvedEmailProvider, address: string): User {
  return { id: accountUuid(provider.id, address), email: address }
}

function accountOf({ id }: ResolvedEmailProvider, address: string): Account {
  return { provider: id, type: 'email', providerAccountId: address }
}
