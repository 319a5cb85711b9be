/** The functions of `auth.sessions`. */
import { endAndForgetBrowsers } from '../features/factors/store.js'
import type { Runs } from '../functions/run.js'
import type { SessionFunctions, sessionRules } from '../functions/sessions.js'
import { sessionIdOf } from '../session/browser.js'
import { storedSessionKey } from '../session/database/end-rows.js'
import type { SessionEndReason } from '../types/config.js'
import { endDatabaseSessions } from './end-database-sessions.js'
import { endJwtSession, endOtherJwtSessions } from './jwt-sessions.js'
import { type SignedInUser, signedInUserOf } from './signed-in-user.js'
import { endAllSessions } from './users.js'

/** The functions of `auth.sessions`. */
export const sessionFunctions: Runs<SessionFunctions, typeof sessionRules> = {
  async end(call, id) {
    const signedIn = await signedInUserOf(call)
    const hasEnded = signedIn !== null && (await endSessionById(signedIn, id))
    return hasEnded ? { ok: true } : { ok: false, reason: 'unknown' }
  },

  async endOthers(call) {
    const signedIn = await signedInUserOf(call)
    if (!signedIn) return 0
    const { resolved, store, user, owner } = signedIn
    return endAndForgetBrowsers(resolved, user.id, async () => {
      if (resolved.session.strategy === 'jwt') return endOtherJwtSessions(signedIn)
      if (!store.abilities.listSessions) return 0
      return endDatabaseSessions(signedIn, {
        isSelected: ({ sessionToken }) => storedSessionKey(sessionToken) !== owner.key,
        facts: endFactsOf('endOtherSessions', signedIn),
        changesStamp: true,
      })
    })
  },

  endAll: endAllSessions,
  setData: (call, change) => call.setSessionData(change),
}

/** Ends one session. @returns `false` if the user has no such session. */
async function endSessionById(signedIn: SignedInUser, id: string): Promise<boolean> {
  if (signedIn.resolved.session.strategy === 'jwt') return endJwtSession(signedIn, id)
  if (!signedIn.store.abilities.listSessions) return false
  const ended = await endDatabaseSessions(signedIn, {
    isSelected: ({ sessionToken }) => sessionIdOf(sessionToken) === id,
    facts: endFactsOf('endSession', signedIn),
  })
  return ended > 0
}

function endFactsOf(reason: SessionEndReason, { facts: { sid, request } }: SignedInUser) {
  return { reason, endedBy: sid, request }
}
