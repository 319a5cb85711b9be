/** Writes a password, ends the sessions that go with the old one, and sends the mails. */
import { emit, tellEnded } from '../../callbacks/index.js'
import type { AuthContext, GuardedPasswords, LostSession, PasswordProvider } from '../../contracts/index.js'
import { AdapterError, AuthError, CallbackRouteError, InvalidRequest, toError } from '../../errors.js'
import { lookUpAddress } from '../../flows/email/address.js'
import { sendMail, sendNotice } from '../../flows/email/send.js'
import { requestInfo } from '../../http/message.js'
import { type StoredPrincipal, singleFactorOf } from '../../principal/index.js'
import { endBefore, markOf } from '../../session/security-stamp.js'
import { storeOf } from '../../store/guard.js'
import type { StoredPassword } from '../../store/tables.js'
import type { AdapterUser } from '../../types/adapter.js'
import { forgetBrowsers, notePasswordByMail } from '../factors/store.js'
import type { PasswordChangedMessage } from './provider-types.js'

/** A password that is to be written. */
export interface NewPassword {
  readonly user: AdapterUser
  readonly hash: string
  readonly reason: PasswordChangedMessage['reason']
  /** When the one that it replaces was set; `null`: there must be none; absent: whichever there is. */
  readonly replaces?: Date | null
  /** The session in which it is done, which goes on. */
  readonly owner?: StoredPrincipal
  /** Whether the other sessions of the user go on as well. */
  readonly keepsSessions?: boolean
  /** Whether it is done without a request. */
  readonly isUnasked?: boolean
}

/**
 * Writes a password. Browsers that are spared the second factor are forgotten, and pending sign-ins. Sessions end before and after it.
 *
 * @returns `false` where the password is another one by now than what it was to replace, and where the session of `owner` has ended until it was
 * written. Nothing is changed then.
 * @throws {@link AdapterError}
 */
export async function setPassword(
  context: AuthContext,
  provider: PasswordProvider,
  set: NewPassword,
): Promise<boolean> {
  const { config, request } = context
  const { user, reason, owner } = set
  await forgetBrowsers(config, user.id)
  const isByMail = reason === 'reset' || (owner !== undefined && singleFactorOf(owner.proofs) === 'mail')
  if (isByMail) await notePasswordByMail(config, user.id)
  const { ended, endAfter } = await endBefore(config, () => endSessions(context, set))
  const { store } = provider.password
  const before = await store.find(user.id)
  if (!(await write(store, set))) return false
  await forgetBrowsers(config, user.id)
  const late = await endAfter()
  if (owner && !(await context.sessions.isLive(context))) {
    await takeBack(store, set, before)
    return false
  }
  const facts = set.isUnasked ? {} : { request: requestInfo(request) }
  const endedBy = owner && { endedBy: owner.id }
  await tellEnded(config, [...ended, ...late], { reason: 'passwordChanged', ...endedBy, ...facts })
  await emit(config, 'passwordChanged', { user, reason, ...(owner && { sid: owner.id }), ...facts })
  if (reason !== 'signUp') mailChanged(context, provider, user)
  return true
}

/** Puts the password that there was in the place of one that was set while the session ended, unless there is another one by now. */
async function takeBack(
  store: GuardedPasswords,
  { user: { id: userId }, hash }: NewPassword,
  before: StoredPassword | null,
): Promise<void> {
  const found = await store.find(userId)
  if (found?.hash !== hash) return
  if (before) await store.write({ userId, hash: before.hash, changedAt: before.changedAt }, found.version)
  else await store.remove(userId)
}

async function endSessions(context: AuthContext, set: NewPassword): Promise<LostSession[]> {
  // A new user has none.
  if (set.reason === 'signUp') return []
  if (set.keepsSessions) {
    // Sign-ins with the password before that are under way end all the same.
    await context.config.session.stamps?.change(set.user.id, markOf(context))
    return []
  }
  return context.sessions.endAllOf(context.config, set.user.id, { ...set.owner, mark: markOf(context) })
}

/** A hash may be made anew at the same time, of the same password: then it is tried again. */
const mostTries = 8

async function write(store: GuardedPasswords, { user, hash, replaces }: NewPassword): Promise<boolean> {
  for (let count = 0; count < mostTries; count++) {
    const found = await store.find(user.id)
    if (replaces !== undefined && found?.changedAt.getTime() !== replaces?.getTime()) return false
    if (await store.write({ userId: user.id, hash, changedAt: new Date() }, found?.version ?? 0)) return true
  }
  throw new AdapterError('The password of a user is changed again and again while it was to be written.', {
    method: 'write',
  })
}

/* ---- mails ------------------------------------------------------------------------------------------------------- */

// Mails about passwords, and the work behind an answer that must not tell by its time what was found.

/** Milliseconds: the answer has left the process by then, so that work for known addresses alone does not delay it. */
const pause = 10

/** Works once the answer is out. What fails is logged. */
export function inBackground(
  { config, background }: AuthContext,
  { id }: PasswordProvider,
  work: () => Promise<unknown>,
) {
  const later = async () => {
    await new Promise((resolve) => setTimeout(resolve, pause))
    await work()
  }
  background.run(
    later().catch((thrown: unknown) => {
      const what = `What the provider "${id}" does after its answer failed.`
      config.logger.error(thrown instanceof AuthError ? thrown : new CallbackRouteError(what, toError(thrown)))
    }),
  )
}

/** Tells who has an account already that somebody tried to sign up with their address. */
export function mailHaveAccount(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  const { urls } = context
  sendMail(context, password.mailer, {
    purpose: 'have-account',
    address: email,
    url: urls.page('signIn'),
    resetUrl: urls.endpoint('password', 'forgot'),
    token: '',
    // It does not end.
    expires: new Date(Date.now() + 24 * 60 * 60 * 1000),
    lifetime: 24 * 60 * 60,
  })
}

/** Tells a user that their password was changed, if the provider sends such mails. */
function mailChanged(context: AuthContext, { password }: PasswordProvider, { email }: AdapterUser): void {
  if (email) sendNotice(context, password.mailer, email, 'password')
}

/** Stores the account where it is not there. */
export async function keepAccount(
  { config }: Pick<AuthContext, 'config'>,
  { id: provider }: PasswordProvider,
  { id: userId }: { readonly id: string },
): Promise<void> {
  const store = storeOf(config)
  const key = { provider, providerAccountId: userId }
  if (await store.getUserByAccount(key)) return
  await store.linkAccount({ ...key, type: 'credentials', userId })
}

/** The address, as it is stored. @throws {@link EmailSignInError} for what is not exactly one. */
export function typedAddress({ request }: AuthContext, { password }: PasswordProvider): string {
  return lookUpAddress(password.mailer, request.body.email)
}

/** The secret fields of a form, or of a call. */
export type TypedSecrets = Readonly<Record<string, unknown>>

/** Returns a field that is typed unseen. @throws {@link InvalidRequest} for one that is missing, or is no text. */
export function typedSecret(typed: TypedSecrets, name: 'password' | 'current' = 'password'): string {
  const value = Object.hasOwn(typed, name) ? typed[name] : undefined
  if (typeof value === 'string') return value
  throw new InvalidRequest(`The field \`${name}\` must be there once, as text.`)
}
