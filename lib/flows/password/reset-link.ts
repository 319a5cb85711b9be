/** The link by which a user sets a new password: mailed to the address that is stored, good for one use, and only the newest. */
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { TooManyRequests, Verification } from '../../errors.js'
import { storeOf } from '../../store/store-of.js'
import type { AdapterUser } from '../../types/adapter.js'
import { countMail } from '../email/limits.js'
import { sendMail } from '../email/send.js'
import { keyedHashes } from '../email/token-format.js'
import { keepToken, spendToken } from '../email/tokens.js'

/** Seconds. */
const lifetime = 30 * 60

/** What a link says. */
interface ResetLink {
  /** Random. A hash of it is stored, and removed when the link is used. */
  readonly id: string
  readonly provider: string
  readonly userId: string
  /** The address that it was mailed to. */
  readonly email: string
  /** When the password was set that it replaces, in milliseconds since the epoch; 0: there was none. */
  readonly changedAt: number
}

/** A link that is good as far as it says itself, and whose it is. */
export interface FoundLink {
  readonly user: AdapterUser
  /** When the password was set that it replaces. */
  readonly replaces: Date | null
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
  }
  const expires = new Date(Date.now() + lifetime * 1000)
  const [hash = ''] = hashesOf(context, link)
  await keepToken(config, mailer, { identifier: identifierOf(link), hash, expires })
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

/** @throws {@link Verification} for a link that is too old, or that another password or another address has overtaken. */
export async function openReset(context: AuthContext, provider: PasswordProvider, token: string): Promise<FoundLink> {
  const { config } = context
  const payload = await unseal('password-reset', token, config.secrets)
  if (payload?.provider !== provider.id) throw new Verification('The link is too old, incomplete, or was changed.')
  const link = payload as unknown as ResetLink
  const user = await storeOf(config).getUser(link.userId)
  if (!user || user.email !== link.email) throw new Verification('The user is gone, or has another address by now.')
  const found = await provider.password.store.find(user.id)
  if ((found?.changedAt.getTime() ?? 0) !== link.changedAt) throw new Verification('The password was changed since.')
  return {
    user,
    replaces: found?.changedAt ?? null,
    spend: () =>
      spendToken(config, provider.password.mailer, {
        identifier: identifierOf(link),
        hashes: hashesOf(context, link),
      }),
  }
}

/** Under what the token is stored. No token of a sign-in is stored under it, because it is no address. */
function identifierOf({ userId }: ResetLink): string {
  return `password-reset:${shortHash(userId)}`
}

/** What is stored of a link, under each secret. */
function hashesOf({ config }: AuthContext, { id, provider, userId, email }: ResetLink): string[] {
  return keyedHashes(config, 'password reset', [id, provider, userId, email])
}
