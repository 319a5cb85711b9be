/**
 * The link by which a user sets a new password. It is emailed to the stored address, works once, and replaces earlier
 * links.
 */
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { TooManyRequests, Verification } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import { checkLink, linkRecords, type Sealed, SealedLinks } from '../../links/index.js'
import { readStamp, requestMark } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'

/** Seconds. */
const lifetime = 30 * 60

/** The data of a link. */
interface ResetFacts {
  readonly userId: string
  /** The email address that it was sent to. */
  readonly email: string
  /** The time at which the replaced password was set, in milliseconds since the epoch; 0 if there was none. */
  readonly changedAt: number
  /**
   * The user's security stamp when it was sent. The link ends with the sessions of the user. Absent in links of earlier
   * versions.
   */
  readonly stamp?: string
}

/** The links. The record contains no pending password, whose hash has another length. */
const resets = new SealedLinks('password-reset', (config, provider: PasswordProvider, link: Sealed<ResetFacts>) => {
  const key = shortHash(JSON.stringify(['password reset', link.provider, link.userId]))
  return {
    hashes: keyedHashes(config, 'password reset', [link.id, link.provider, link.userId, link.email]),
    place: linkRecords(provider.password.store.links, { key, identifier: `password-reset:${key}` }),
  }
})

/**
 * Emails a link. Earlier links of the user end.
 *
 * @param isCounted Whether it is counted as an email that a client requested. Above the limit none is sent.
 */
export async function mailResetLink(
  context: AuthContext,
  provider: PasswordProvider,
  { user, isCounted }: { user: AdapterUser; isCounted: boolean },
): Promise<void> {
  const { config, urls } = context
  const { mailer, store } = provider.password
  if (isCounted && !(await countResetMail(context, provider, user.email))) return
  const found = await store.find(user.id)
  const facts: ResetFacts = {
    userId: user.id,
    email: user.email,
    changedAt: found?.changedAt.getTime() ?? 0,
    stamp: (await readStamp(config, { userId: user.id }))?.value ?? '',
  }
  const mailed = await resets.create(config, provider, facts, lifetime)
  const url = urls.endpoint('password', 'reset', { token: mailed.token })
  sendMail(context, mailer, { purpose: 'reset-password', address: user.email, url, ...mailed })
}

async function countResetMail(context: AuthContext, { password }: PasswordProvider, email: string): Promise<boolean> {
  try {
    await countMail(context, password.mailer, email)
    return true
  } catch (error) {
    if (error instanceof TooManyRequests) return false
    throw error
  }
}

/**
 * Opens a link, and changes nothing. A link that was replaced by a newer one is rejected before its form is shown.
 *
 * @returns `user`: the owner of the password, and their security stamp. `replaces`: the time at which the replaced
 *   password was set.
 * @throws {@link Verification} for a link that has expired or was used, and after a newer link, another password,
 *   another email address, or the end of all sessions.
 */
export async function openResetLink(context: AuthContext, provider: PasswordProvider, token: string) {
  const { config } = context
  const { store } = provider.password
  const { facts, link } = await resets.open(config, provider, token)
  const user = await requireStore(config).getUser(facts.userId)
  if (!user || user.email !== facts.email)
    throw new Verification('The user was deleted, or has another email address now.')
  const found = await store.find(user.id)
  if ((found?.changedAt.getTime() ?? 0) !== facts.changedAt)
    throw new Verification('The password was changed in the meantime.')
  const stamp = await readStamp(config, { userId: user.id, mark: requestMark(context) })
  if ((stamp?.value ?? '') !== (facts.stamp ?? '')) {
    throw new Verification('All sessions of the user were ended after the link was sent. Request a new link.')
  }
  await checkLink(link)
  return { user, replaces: found?.changedAt ?? null, stamp, link }
}
