/** Writes a password, ends the sessions that go with the old one, and tells. */
import { emit, tellEnded } from '../../callbacks/events.js'
import type { AuthContext, GuardedPasswords, LostSession, PasswordProvider } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import { requestInfo } from '../../http/message.js'
import { type StoredPrincipal, singleFactorOf } from '../../principal/index.js'
import { endBefore, markOf } from '../../session/security-stamp.js'
import type { StoredPassword } from '../../store/tables.js'
import type { AdapterUser } from '../../types/adapter.js'
import { forgetBrowsers, notePasswordByMail } from '../factors/store.js'
import { mailChanged } from './mails.js'
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
