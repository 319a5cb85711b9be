/**
 * Changes a user's email address: a link is sent to the new one. It works once, for one user, and only in a session of
 * this user. An attacker who requests another user's address in their own account gains nothing: when the owner of the
 * address opens the link, they are not signed in as the attacker.
 *
 * It is not bound to one browser, because users may open it on another device where they are signed in too.
 */

import { foldAddress } from '../../base/email-address.js'
import { callSignInCallback } from '../../callbacks/index.js'
import type { AuthContext, FlowResult, ResolvedEmailProvider } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { Verification } from '../../errors.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect, singleParam } from '../../http/urls.js'
import { emailChangeIdentifier, type Sealed, SealedLinks, spendLink, verificationTokens } from '../../links/index.js'
import { readStamp, requestMark } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { linkableUser } from '../../users/linking.js'
import { readAddress } from './address.js'
import { countMail } from './limits.js'
import { moveAddress } from './move-address.js'
import { sendMail } from './send.js'

/** The maximum lifetime of such a link, in seconds. */
const maxLifetime = 30 * 60

/** The query parameter and form field that marks a link for a change, not for a sign-in. */
const changeParameter = 'change'

/** The sealed facts of a link. */
interface EmailChange {
  readonly userId: string
  /** The user's address at the time of the request; `null` without one. */
  readonly from: string | null
  readonly to: string
  readonly callbackUrl: string
}

const changes = new SealedLinks(
  'email-change',
  (config, provider: ResolvedEmailProvider, change: Sealed<EmailChange>) => ({
    hashes: keyedHashes(provider, 'email change', [change.id, change.provider, change.userId, change.to]),
    place: verificationTokens(config, provider, emailChangeIdentifier(change.userId)),
  }),
)

/** Checks whether a request to the callback contains such a link, or comes from the form behind it. */
export function isEmailChange({ request }: AuthContext): boolean {
  return request.method === 'POST'
    ? request.body[changeParameter] !== undefined
    : request.url.searchParams.has(changeParameter)
}

/**
 * Sends the link. The new address is not looked up, so that the response does not reveal whether it belongs to another
 * user.
 *
 * @param wanted The signed-in user, and the page to which they return.
 * @returns `unchanged` for the user's own, verified address; `refused` if the `signIn` callback redirects.
 * @throws EmailSignInError for a value that is not one address, TooManyRequests, and AccessDenied of the `signIn`
 *   callback.
 */
export async function startEmailChange(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { user, callbackUrl }: { user: AdapterUser; callbackUrl: SafeRedirect },
): Promise<'sent' | 'unchanged' | 'refused'> {
  const { config, request, urls } = context
  const to = readAddress(provider, request.body.email)
  if (user.emailVerified && user.email && foldAddress(user.email) === foldAddress(to)) return 'unchanged'
  await countMail(context, provider, to)
  const verdict = await callSignInCallback(context, {
    user: { ...user, email: to },
    account: { provider: provider.id, type: 'email', providerAccountId: to, userId: user.id },
    email: { verificationRequest: true },
  })
  if (verdict !== true) return 'refused'
  const facts: EmailChange = { userId: user.id, from: user.email || null, to, callbackUrl }
  const mailed = await changes.create(config, provider, facts, Math.min(provider.maxAge, maxLifetime))
  const url = urls.endpoint('callback', provider.id, { [changeParameter]: mailed.token })
  sendMail(context, provider, { purpose: 'change-email', address: to, url, ...mailed })
  return 'sent'
}

/**
 * Shows the effect of a link, and applies it when the form behind it is sent, in a session of the same user that
 * started in this browser. Other users must sign in first; the link stays valid.
 *
 * @throws {@link Verification} for a link that is no longer valid, or if the user's address has changed since.
 */
export async function completeEmailChange(context: AuthContext, provider: ResolvedEmailProvider): Promise<FlowResult> {
  const { config, request } = context
  const typed =
    request.method === 'POST' ? request.body[changeParameter] : singleParam(request.url.searchParams, changeParameter)
  const { link, token, facts } = await changes.open(config, provider, typed)
  const { userId, from, to, callbackUrl } = facts
  // Read before the session is looked up: if the session ends later, the stamp changes.
  const stamp = await readStamp(config, { userId, mark: requestMark(context) })
  const owner = await linkableUser(context)
  const user = owner?.userId === userId ? await requireStore(config).getUser(userId) : null
  if (!owner || !user) return { kind: 'change-email', to }
  if (request.method !== 'POST') {
    if ((user.email || null) !== from)
      throw new Verification('The email address of the user has changed since the link was sent.')
    return { kind: 'change-email', to, ask: { from, fields: { [changeParameter]: token } } }
  }
  await spendLink(link)
  await moveAddress(context, provider, { owner, user, from, to, stamp })
  return { kind: 'response', response: { kind: 'redirect', to: safeRedirect(new URL(callbackUrl)) } }
}
