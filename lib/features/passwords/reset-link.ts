/** The link by which a user sets a new password: mailed to the address that is stored, good for one use, and only the newest. */
import type { AuthContext, GuardedPasswords, PasswordProvider, SecurityStamp } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { TooManyRequests, Verification } from '../../errors.js'
import { countMail } from '../../flows/email/limits.js'
import { sendMail } from '../../flows/email/send.js'
import { keyedHashes } from '../../flows/email/token-format.js'
import { markOf, readStamp } from '../../session/security-stamp.js'
import { storeOf } from '../../store/store-of.js'
import type { PasswordAttempt } from '../../store/tables.js'
import type { AdapterUser } from '../../types/adapter.js'

/** Seconds. */
const lifetime = 30 * 60

/** What a link says. */
interface ResetLink {
  /** Random. A hash of it is stored with the newest link, and removed when the link is used. */
  readonly id: string
  readonly provider: string
  readonly userId: string
  /** The address that it was mailed to. */
  readonly email: string
  /** When the password was set that it replaces, in milliseconds since the epoch; 0: there was none. */
  readonly changedAt: number
  /** The security stamp of the user when it was mailed: what ends their sessions ends the link. Absent in links from before it was written. */
  readonly stamp?: string
}

/** A link that is good as far as it says itself, and whose it is. */
export interface FoundLink {
  readonly user: AdapterUser
  /** When the password was set that it replaces. */
  readonly replaces: Date | null
  /** The security stamp of the user. */
  readonly stamp: SecurityStamp | undefined
  /** Uses it up. @throws {@link Verification} the second time, and where a newer one was sent. */
  spend(): Promise<void>
}

/**
 * Mails a link. Older ones of the user end.
 *
 * @param isCounted Whether it counts as a mail that somebody asked for: of too many none is sent.
 */
export async function mailReset(
  context: AuthContext,
  provider: PasswordProvider,
  { user, isCounted }: { user: AdapterUser; isCounted: boolean },
): Promise<void> {
  const { config, urls } = context
  const { mailer, store } = provider.password
  if (isCounted && !(await mayMail(context, provider, user.email))) return
  const found = await store.find(user.id)
  const link: ResetLink = {
    id: randomText(32),
    provider: provider.id,
    userId: user.id,
    email: user.email,
    changedAt: found?.changedAt.getTime() ?? 0,
    stamp: (await readStamp(config, { userId: user.id }))?.value ?? '',
  }
  const expires = new Date(Date.now() + lifetime * 1000)
  const [hash = ''] = hashesOf(context, link)
  await keepNewest(store, { ...placeOf(link), data: hash, expires })
  const token = await seal('password-reset', { ...link }, { secrets: config.secrets, maxAge: lifetime })
  const url = urls.endpoint('password', 'reset', { token })
  sendMail(context, mailer, { purpose: 'reset-password', address: user.email, url, token, expires, lifetime })
}

async function mayMail(context: AuthContext, { password }: PasswordProvider, email: string): Promise<boolean> {
  try {
    await countMail(context, password.mailer, email)
    return true
  } catch (error) {
    if (error instanceof TooManyRequests) return false
    throw error
  }
}

/**
 * Finds the user whose password a link may set. A link that a newer one replaced is refused before its form is shown.
 *
 * @throws {@link Verification} for a link that is too old, was used, or that another link, password or address, or the end of all sessions,
 * has overtaken.
 */
export async function openReset(context: AuthContext, provider: PasswordProvider, token: string): Promise<FoundLink> {
  const { config } = context
  const { store } = provider.password
  const payload = await unseal('password-reset', token, config.secrets)
  if (payload?.provider !== provider.id) throw new Verification('The link is too old, incomplete, or was changed.')
  const link = payload as unknown as ResetLink
  const user = await storeOf(config).getUser(link.userId)
  if (!user || user.email !== link.email) throw new Verification('The user is gone, or has another address by now.')
  const found = await store.find(user.id)
  if ((found?.changedAt.getTime() ?? 0) !== link.changedAt) throw new Verification('The password was changed since.')
  const stamp = await readStamp(config, { userId: user.id, mark: markOf(context) })
  if ((stamp?.value ?? '') !== (link.stamp ?? '')) {
    throw new Verification('All sessions of the user were ended since. Ask for a new link.')
  }
  const { tokenHash } = placeOf(link)
  const hashes = hashesOf(context, link)
  assertNewest(await store.findAttempt(tokenHash), hashes)
  return { user, replaces: found?.changedAt ?? null, stamp, spend: () => spend(store, tokenHash, hashes) }
}

/** @throws {@link Verification} for a link that is not the newest of its user, or was used. */
function assertNewest(kept: PasswordAttempt | null, hashes: readonly string[]): asserts kept is PasswordAttempt {
  if (!kept || !hashes.includes(kept.data)) throw new Verification('The link was used, or replaced by a newer one.')
  if (kept.expires.getTime() <= Date.now()) throw new Verification('The link is too old.')
}

/** Uses the newest link up: of many calls at once one succeeds. */
async function spend(store: GuardedPasswords, tokenHash: string, hashes: readonly string[]): Promise<void> {
  assertNewest(await store.findAttempt(tokenHash), hashes)
  const taken = await store.takeAttempt(tokenHash)
  // A newer link was mailed between the two calls. It stays good, unless yet another one has its place by now.
  if (taken && !hashes.includes(taken.data)) await store.keepAttempt(taken).catch(() => undefined)
  assertNewest(taken, hashes)
}

/** Several links for one user may be mailed at once: each try gives its place up to another one. */
const mostTries = 8

/** Stores a link in the place of the one before. */
async function keepNewest(store: GuardedPasswords, link: PasswordAttempt): Promise<void> {
  for (let tries = 1; ; tries++) {
    await store.takeAttempt(link.tokenHash)
    try {
      return await store.keepAttempt(link)
    } catch (error) {
      if (tries >= mostTries || !(await store.findAttempt(link.tokenHash))) throw error
    }
  }
}

/** The place of the newest link of a user. No password that waits for an address is stored there: its hash has another length. */
function placeOf({ provider, userId }: ResetLink): Pick<PasswordAttempt, 'tokenHash' | 'identifier'> {
  const tokenHash = shortHash(JSON.stringify(['password reset', provider, userId]))
  return { tokenHash, identifier: `password-reset:${tokenHash}` }
}

/** Returns what is stored of a link, under each secret. */
function hashesOf({ config }: AuthContext, { id, provider, userId, email }: ResetLink): string[] {
  return keyedHashes(config, 'password reset', [id, provider, userId, email])
}
