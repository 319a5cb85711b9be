/** Writes a password, ends the sessions of the old one, and sends the mails. */
import { emitEvent, emitSessionsEnded } from '../../callbacks/index.js'
import type { AuthContext, EndedSession, GuardedPasswords, PasswordProvider } from '../../contracts/index.js'
import { AdapterError, AuthError, CallbackRouteError, InvalidRequest, toError } from '../../errors.js'
import { lookUpAddress } from '../../flows/email/address.js'
import { sendMail, sendNotice } from '../../flows/email/send.js'
import { requestInfo } from '../../http/message.js'
import { type StoredPrincipal, singleFactorOf } from '../../principal/index.js'
import { endSessionsBefore, requestMark } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { forgetTrustedBrowsers, notePasswordByMail } from '../factors/store.js'
import type { StoredPassword } from './description.js'
import type { PasswordChangedMessage } from './provider-types.js'

/** A password to be written. */
export interface NewPassword {
  readonly user: AdapterUser
  readonly hash: string
  readonly reason: PasswordChangedMessage['reason']
  /** The time at which the replaced password was set. `null`: there must be none. Absent: any password is replaced. */
  readonly replaces?: Date | null
  /** The session that makes the change. It continues. */
  readonly owner?: StoredPrincipal
  /** True if the other sessions of the user continue as well. */
  readonly keepsSessions?: boolean
  /** True if there is no request. */
  readonly isWithoutRequest?: boolean
}

/**
 * Writes a password. Forgets remembered browsers and pending sign-ins of the user. Ends sessions before and after the
 * write.
 *
 * @returns `false` if the stored password is not the one to replace, or the session of `owner` has ended. Nothing is
 *   changed then.
 * @throws {@link AdapterError}
 */
export async function setPassword(
  context: AuthContext,
  provider: PasswordProvider,
  set: NewPassword,
): Promise<boolean> {
  const { config, request } = context
  const { user, reason, owner } = set
  await forgetTrustedBrowsers(config, user.id)
  const isByMail = reason === 'reset' || (owner !== undefined && singleFactorOf(owner.proofs) === 'mail')
  if (isByMail) await notePasswordByMail(config, user.id)
  const { ended, endAfter } = await endSessionsBefore(config, () => endSessionsOfPassword(context, set))
  const { store } = provider.password
  const before = await store.find(user.id)
  if (!(await writePassword(store, set))) return false
  await forgetTrustedBrowsers(config, user.id)
  const late = await endAfter()
  if (owner && !(await context.sessions.isLive(context, owner.id))) {
    await restorePassword(store, set, before)
    return false
  }
  const facts = set.isWithoutRequest ? {} : { request: requestInfo(request) }
  const endedBy = owner && { endedBy: owner.id }
  await emitSessionsEnded(config, [...ended, ...late], { reason: 'passwordChanged', ...endedBy, ...facts })
  await emitEvent(config, 'passwordChanged', { user, reason, ...(owner && { sid: owner.id }), ...facts })
  if (reason !== 'signUp') mailPasswordChanged(context, provider, user)
  return true
}

/** Restores the earlier password, if a new one was set while the session ended, unless it was changed again since. */
async function restorePassword(
  store: GuardedPasswords,
  { user: { id: userId }, hash }: NewPassword,
  before: StoredPassword | null,
): Promise<void> {
  const found = await store.find(userId)
  if (found?.hash !== hash) return
  if (before) await store.write({ userId, hash: before.hash, changedAt: before.changedAt }, found.version)
  else await store.remove(userId)
}

async function endSessionsOfPassword(context: AuthContext, set: NewPassword): Promise<EndedSession[]> {
  // A new user has no sessions.
  if (set.reason === 'signUp') return []
  if (set.keepsSessions) {
    // Pending sign-ins with the earlier password end nevertheless.
    await context.config.session.stamps?.change(set.user.id, requestMark(context))
    return []
  }
  return context.sessions.endAllSessions(context.config, set.user.id, { ...set.owner, mark: requestMark(context) })
}

/** The number of tries. A concurrent rehash of the same password makes a write fail. */
const mostTries = 8

async function writePassword(store: GuardedPasswords, { user, hash, replaces }: NewPassword): Promise<boolean> {
  for (let count = 0; count < mostTries; count++) {
    const found = await store.find(user.id)
    if (replaces !== undefined && found?.changedAt.getTime() !== replaces?.getTime()) return false
    if (await store.write({ userId: user.id, hash, changedAt: new Date() }, found?.version ?? 0)) return true
  }
  throw new AdapterError('The password could not be written, because other writes changed it each time. Try again.', {
    method: 'write',
  })
}

/* Mails. */

// Mails about passwords, and work after the response, whose time must not reveal whether the address is known.

/** Milliseconds. The response has been sent by then, so that work for known addresses only does not delay it. */
const responseDelay = 10

/** Runs work after the response was sent. Errors are logged. */
export function runAfterResponse(
  { config, background }: AuthContext,
  { id }: PasswordProvider,
  work: () => Promise<unknown>,
) {
  const later = async () => {
    await new Promise((resolve) => setTimeout(resolve, responseDelay))
    await work()
  }
  background.run(
    later().catch((thrown: unknown) => {
      const what = `The background work of the provider "${id}" failed.`
      config.logger.error(thrown instanceof AuthError ? thrown : new CallbackRouteError(what, toError(thrown)))
    }),
  )
}

/** Emails the owner of an account that someone tried to sign up with their address. */
export function mailAccountExists(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  const { urls } = context
  sendMail(context, password.mailer, {
    purpose: 'have-account',
    address: email,
    url: urls.page('signIn'),
    resetUrl: urls.endpoint('password', 'forgot'),
    token: '',
    // This email has no token that expires.
    expires: new Date(Date.now() + 24 * 60 * 60 * 1000),
    lifetime: 24 * 60 * 60,
  })
}

/** Emails a user that their password was changed, if the provider sends such mails. */
function mailPasswordChanged(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  if (email) sendNotice(context, password.mailer, email, 'password')
}

/** Stores the account if it does not exist. */
export async function ensurePasswordAccount(
  { config }: Pick<AuthContext, 'config'>,
  { id: provider }: PasswordProvider,
  { id: userId }: { readonly id: string },
): Promise<void> {
  const store = requireStore(config)
  const key = { provider, providerAccountId: userId }
  if (await store.getUserByAccount(key)) return
  await store.linkAccount({ ...key, type: 'credentials', userId })
}

/** Returns the email address in its stored form. @throws {@link EmailSignInError} for anything but one address. */
export function typedAddress({ request }: AuthContext, { password }: PasswordProvider): string {
  return lookUpAddress(password.mailer, request.body.email)
}

/** The password fields of a form or a call. */
export type TypedSecrets = Readonly<Record<string, unknown>>

/** Returns a password field. @throws {@link InvalidRequest} if it is missing or no text. */
export function typedSecret(typed: TypedSecrets, name: 'password' | 'current' = 'password'): string {
  const value = Object.hasOwn(typed, name) ? typed[name] : undefined
  if (typeof value === 'string') return value
  throw new InvalidRequest(`The field \`${name}\` must be sent once, as text.`)
}
