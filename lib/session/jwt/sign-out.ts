/** The sign-out of a browser with JWT sessions. */
import type { BrowserSignOut, CookieContext } from '../../contracts/index.js'
import { recordEndedSessions, sessionIdOf, sessionsInUse } from '../browser.js'
import { impersonationOf } from '../own-session.js'
import { clearSessionCookie } from '../session-cookie.js'
import { chooseToken, hasSessionCookie, presentedJwtTokens, sessionNamesIn } from './presented-tokens.js'

/** Chooses the session in use by what this process knows, because a store that fails must not prevent the sign-out. */
export async function signOutOfJwt(context: CookieContext): Promise<BrowserSignOut | null> {
  if (!hasSessionCookie(context)) return null
  const { revocation } = context.config.session
  const presented = await presentedJwtTokens(context, false)
  const choice = await chooseToken(context, presented)
  const names = presented.names()
  recordEndedSessions(context.config, names)
  clearSessionCookie(context)
  const { found } = choice
  return {
    message: found ? { token: found.token, sid: sessionIdOf(found.claims.sid) } : { token: null },
    impersonation: found && impersonationOf(found.known.userId, sessionIdOf(found.claims.sid), found.verified.actor),
    async owners() {
      const owners: Array<string | undefined> = []
      for (const each of sessionsInUse(presented.valid, choice)) {
        if (each.verified.actor) continue
        const { auth_owner: owner, auth_epoch: epoch } = each.claims
        // Another process may have ended it. It must not end sessions that began since.
        if (!(await revocation?.querySession(each.known))) owners.push(owner?.id ?? epoch?.user)
      }
      return owners
    },
    end: async () => revocation?.end(sessionNamesIn(names)),
  }
}
