/**
 * Changing a user's address: a link is mailed to the new one. It works once, for one user, and only in a session of theirs. So
 * an attacker who asks for somebody else's address in their own account gets nothing by it: when the owner of the address
 * opens the link, they are not signed in as the attacker.
 *
 * It is no attempt of one browser: people may open it on another device, where they are signed in as well.
 */

import { foldAddress } from '../../base/address.js'
import { askSignIn } from '../../callbacks/index.js'
import type { AuthContext, FlowResult, ResolvedEmailProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { Verification } from '../../errors.js'
import type { SafeRedirect } from '../../http/message.js'
import { onlyValue, safeRedirect } from '../../http/urls.js'
import { type Sealed, SealedLinks, spendLink, verificationTokens } from '../../links/index.js'
import { markOf, readStamp } from '../../session/security-stamp.js'
import { storeOf } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { liveOwner } from '../../users/linking.js'
import { readAddress } from './address.js'
import { countMail } from './limits.js'
import { moveAddress } from './move-address.js'
import { sendMail } from './send.js'

/** Seconds that such a link lives at the most. */
const maxLifetime = 30 * 60

/** The query parameter, and the form's field, that tells such a link from one that signs in. */
const marker = 'change'

/** The facts of a link. */
interface Change {
  readonly userId: string
  /** The user's address when it was asked for; `null` without one. */
  readonly from: string | null
  readonly to: string
  readonly callbackUrl: string
}

/** No token of a sign-in is stored under the identifier, because it is no address. */
const changes = new SealedLinks('email-change', (config, provider: ResolvedEmailProvider, change: Sealed<Change>) => ({
  hashes: keyedHashes(provider, 'email change', [change.id, change.provider, change.userId, change.to]),
  place: verificationTokens(config, provider, `change-email:${shortHash(change.userId)}`),
}))

/** Whether a request to the callback comes with such a link, or with the form behind it. */
export function isChange({ request }: AuthContext): boolean {
  return request.method === 'POST' ? request.body[marker] !== undefined : request.url.searchParams.has(marker)
}

/**
 * Sends the link. Whether the new address is another user's is not looked up, so that the answer does not tell it.
 *
 * @param wanted The user who is signed in, and the page that they come to afterwards.
 * @returns `unchanged` for the user's own address, proved; `refused` where the `signIn` callback sends them elsewhere.
 * @throws EmailSignInError for what is not one address, TooManyRequests, and AccessDenied of the `signIn` callback.
 */
export async function beginChange(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { user, callbackUrl }: { user: AdapterUser; callbackUrl: SafeRedirect },
): Promise<'sent' | 'unchanged' | 'refused'> {
  const { config, request, urls } = context
  const to = readAddress(provider, request.body.email)
  if (user.emailVerified && user.email && foldAddress(user.email) === foldAddress(to)) return 'unchanged'
  await countMail(context, provider, to)
  const verdict = await askSignIn(context, {
    user: { ...user, email: to },
    account: { provider: provider.id, type: 'email', providerAccountId: to, userId: user.id },
    email: { verificationRequest: true },
  })
  if (verdict !== true) return 'refused'
  const facts: Change = { userId: user.id, from: user.email || null, to, callbackUrl }
  const mailed = await changes.create(config, provider, facts, Math.min(provider.maxAge, maxLifetime))
  const url = urls.endpoint('callback', provider.id, { [marker]: mailed.token })
  sendMail(context, provider, { purpose: 'change-email', address: to, url, ...mailed })
  return 'sent'
}

/**
 * Shows what a link would do, and does it when the form behind it is sent, in a session of the same user that began in this
 * browser. Anybody else is asked to sign in first; the link stays good.
 *
 * @throws {@link Verification} for a link that is not good any more, or not for the address that the user has by now.
 */
export async function finishChange(context: AuthContext, provider: ResolvedEmailProvider): Promise<FlowResult> {
  const { config, request } = context
  const typed = request.method === 'POST' ? request.body[marker] : onlyValue(request.url.searchParams, marker)
  const { link, token, facts } = await changes.open(config, provider, typed)
  const { userId, from, to, callbackUrl } = facts
  // Before the session is looked up: an end that comes later changes the stamp.
  const stamp = await readStamp(config, { userId, mark: markOf(context) })
  const owner = await liveOwner(context)
  const user = owner?.userId === userId ? await storeOf(config).getUser(userId) : null
  if (!owner || !user) return { kind: 'change-email', to }
  if (request.method !== 'POST') {
    if ((user.email || null) !== from) throw new Verification('The user has another address by now.')
    return { kind: 'change-email', to, ask: { from, fields: { [marker]: token } } }
  }
  await spendLink(link)
  await moveAddress(context, provider, { owner, user, from, to, stamp })
  return { kind: 'response', response: { kind: 'redirect', to: safeRedirect(new URL(callbackUrl)) } }
}
