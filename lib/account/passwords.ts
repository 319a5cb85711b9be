/** Passwords, for the application's own pages and code. */
import { refusals } from '../actions/index.js'
import { passwordProviderOf } from '../config/password-provider.js'
import type { AuthContext, PasswordProvider } from '../contracts/index.js'
import { type Auth, type CallEffect, sharedAuthOf } from '../engine/index.js'
import {
  AccountNotLinked,
  CredentialsSignin,
  InvalidProvider,
  type PasswordFault,
  PasswordRejected,
  TooManyRequests,
} from '../errors.js'
import { loadPasswords } from '../flows/index.js'
import type { SessionRequest } from '../get-session.js'
import { storeOf } from '../store/store-of.js'
import type { AdapterUser } from '../types/adapter.js'
import type { ServerAuthConfig } from '../types/config.js'
import { hasSecondFactors, isStrangers } from '../users/address-owner.js'
import { ownRequest } from './own-request.js'
import { personOf } from './person.js'

/** What a person typed who wants another password. */
export interface PasswordChange {
  /** The password that they have. May be left out in the five minutes after a sign-in. */
  readonly current?: string | undefined
  /** The new one. */
  readonly password: string
}

/** A password for a user. */
export interface UserPassword {
  /** The id of the stored user. */
  readonly userId: string
  /** The new password, as it is typed. */
  readonly password: string
}

/** The hash of a user's password, that another system made. */
export interface UserHash {
  /** The id of the stored user. */
  readonly userId: string
  /** The hash, as text without line breaks, of 1024 characters at most. */
  readonly hash: string
}

/** Who gets a link. */
export interface LinkReceiver {
  /** The id of the stored user. */
  readonly userId: string
}

/**
 * What {@link changePassword} came to. `wrong`: the current password is another one; `limited`: too many tries; `unknown`: nobody is signed
 * in; `stale`: a first password needs a session of the last five minutes; `unproved`: and an address that was proved. The others say why
 * the new one is not taken.
 */
export type ChangePasswordResult = 'changed' | 'wrong' | 'limited' | 'unknown' | 'stale' | 'unproved' | PasswordFault

/**
 * Whether the person who is signed in has a password.
 *
 * @throws {@link InvalidProvider} without the provider `Password`, {@link AdapterError} when the store fails; so do the functions below.
 */
export async function hasPassword(req: SessionRequest, config: ServerAuthConfig): Promise<boolean> {
  const { password } = providerOf(sharedAuthOf(config))
  const person = await personOf(req, config, 'reads')
  return person !== null && (await password.store.find(person.user.id)) !== null
}

/**
 * Gives the person who is signed in another password, or a first one. Their other sessions end (`changeRevokes`), and a mail tells them.
 * Check the form with {@link hasCsrfToken} before.
 *
 * @example
 * ```ts
 * if (hasCsrfToken(req, config)) await changePassword(req, config, { current: req.body.current, password: req.body.password })
 * ```
 */
export async function changePassword(
  req: SessionRequest,
  config: ServerAuthConfig,
  { current, password }: PasswordChange,
): Promise<ChangePasswordResult> {
  const { context, provider } = placeOf(config, req, 'changes', { current, password })
  const { change } = await loadPasswords()
  try {
    const changed = await change(context, provider, refusals(context))
    return changed === 'signedOut' ? 'unknown' : changed
  } catch (error) {
    if (error instanceof PasswordRejected) return error.code
    if (error instanceof TooManyRequests) return 'limited'
    if (error instanceof CredentialsSignin) return 'wrong'
    throw error
  }
}

/**
 * Sets the password of a user, whoever asks: for a support desk, and for code that makes users. All their sessions end, and a mail
 * tells them.
 *
 * @param req The request of who does it, for events. Leave it out where there is none.
 * @throws {@link PasswordRejected} for one that is not taken, by its `code`; {@link AccountNotLinked} when no stored user has the id;
 * {@link InvalidRequest} where neither `req` nor AUTH_URL says where the site is.
 */
export async function setPassword(
  config: ServerAuthConfig,
  { userId, password }: UserPassword,
  req?: SessionRequest,
): Promise<void> {
  const { context, provider } = placeOf(config, req, 'administers')
  const { hashNew, keepAccount, setPassword: write } = await loadPasswords()
  const user = await userOf(context, userId)
  const hash = await hashNew(context, provider, { password, email: user.email })
  await write(context, provider, { user, hash, reason: 'set', isUnasked: req === undefined })
  await keepAccount(context, provider, user)
}

/**
 * Stores the hash of a password that another system made, for a user who has none. It is checked by `imported` of the provider, and made
 * anew when its owner signs in. Nobody is told, and no session ends.
 *
 * Nothing is stored for a user whose email address is unverified and who has sign-in methods of their own: a stranger may have signed up with
 * the address. The log says so. The owner of the address signs up, or opens a link of {@link sendPasswordLink}, and gets a user of their own.
 *
 * @returns `false` for a user who has a password already, and where the user may be a stranger's.
 * @throws {@link AccountNotLinked} when no stored user has the id; TypeError for a text that cannot be a hash, for one that neither `imported`
 * nor the default hasher can check, and for one that takes more work than they say.
 */
export async function importPassword(config: ServerAuthConfig, { userId, hash }: UserHash): Promise<boolean> {
  const auth = sharedAuthOf(config)
  const provider = providerOf(auth)
  if (typeof hash !== 'string' || !/^[^\p{C}]{1,1024}$/u.test(hash)) {
    throw new TypeError('A hash is a text of one line, of 1 to 1024 characters.')
  }
  const { assertImportable, keepAccount } = await loadPasswords()
  await assertImportable(provider, hash)
  const user = await userOf(auth, userId)
  if (await mayBeStrangers(auth, user)) return false
  const isWritten = await provider.password.store.write({ userId: user.id, hash, changedAt: new Date() }, 0)
  await keepAccount(auth, provider, user)
  return isWritten
}

/**
 * Mails a user a link to set a password, whether they have one or not: for users that your own code makes. It works once, for half an
 * hour, and proves their address. Where a stranger may have signed up with the address before, as in {@link importPassword}, it leads to a
 * new user, who gets the address (`events.updateUser` with `lostAddress`).
 *
 * @param req The request that is being answered. Leave it out where there is none: then AUTH_URL says where the link leads.
 * @throws {@link AccountNotLinked} when no stored user has the id, or they have no address.
 */
export async function sendPasswordLink(
  config: ServerAuthConfig,
  { userId }: LinkReceiver,
  req?: SessionRequest,
): Promise<void> {
  const { context, provider } = placeOf(config, req, 'administers')
  const user = await userOf(context, userId)
  if (!user.email) throw new AccountNotLinked('The user has no address that a link could be mailed to.')
  const { mailReset } = await loadPasswords()
  await mailReset(context, provider, { user, isCounted: false })
}

function placeOf(
  config: ServerAuthConfig,
  req: SessionRequest | undefined,
  effect: CallEffect,
  body: Readonly<Record<string, unknown>> = {},
): { context: AuthContext; provider: PasswordProvider } {
  const auth = sharedAuthOf(config)
  const provider = providerOf(auth)
  const request = ownRequest(auth.config, req, { action: 'password', providerId: 'change', body })
  return { context: auth.ownContext(request, effect), provider }
}

function providerOf({ config }: Pick<Auth, 'config'>): PasswordProvider {
  const provider = passwordProviderOf(config)
  if (provider) return provider
  throw new InvalidProvider('No passwords are kept here: it needs the provider `Password` in `providers`.')
}

async function mayBeStrangers({ config }: Pick<AuthContext, 'config'>, user: AdapterUser): Promise<boolean> {
  const hasFactors = await hasSecondFactors(config, user)
  if (!(await isStrangers(config, storeOf(config), { user, hasFactors }))) return false
  config.logger.warn(
    'password-not-imported',
    'A password was not imported: the email address of the user is unverified, and the user has, or may have, sign-in methods of their own. Set `emailVerified` if the address is known to be theirs.',
  )
  return true
}

async function userOf({ config }: Pick<AuthContext, 'config'>, userId: string): Promise<AdapterUser> {
  const user = await storeOf(config).getUser(userId)
  if (user) return user
  throw new AccountNotLinked('No stored user has this id.')
}
