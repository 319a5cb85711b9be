/** The functions of `auth.sessions`. */
import type { Runs } from '../functions/run.js'
import type { SessionFunctions, sessionRules } from '../functions/sessions.js'
import { sessionIdOf } from '../session/browser.js'
import { storedSessionKey } from '../session/database/ending.js'
import type { SessionEndReason } from '../types/config.js'
import { endRows } from './ended-rows.js'
import { endOtherTokens, endToken } from './jwt-sessions.js'
import { type Person, personOf } from './person.js'
import { endAllSessions, endAndForget } from './users.js'

/** The functions of `auth.sessions`. */
export const sessionFunctions: Runs<SessionFunctions, typeof sessionRules> = {
  async end(call, id) {
    const person = await personOf(call)
    const hasEnded = person !== null && (await endOne(person, id))
    return hasEnded ? { ok: true } : { ok: false, reason: 'unknown' }
  },

  async endOthers(call) {
    const person = await personOf(call)
    if (!person) return 0
    const { resolved, store, user, owner } = person
    return endAndForget(resolved, user.id, async () => {
      if (resolved.session.strategy === 'jwt') return endOtherTokens(person)
      if (!store.can.listSessions) return 0
      return endRows(person, {
        isMeant: ({ sessionToken }) => storedSessionKey(sessionToken) !== owner.key,
        facts: endedBy('endOtherSessions', person),
        changesStamp: true,
      })
    })
  },

  endAll: endAllSessions,
  setData: (call, change) => call.setSessionData(change),
}

/** Ends one session. @returns `false` if the user has no such session. */
async function endOne(person: Person, id: string): Promise<boolean> {
  if (person.resolved.session.strategy === 'jwt') return endToken(person, id)
  if (!person.store.can.listSessions) return false
  const ended = await endRows(person, {
    isMeant: ({ sessionToken }) => sessionIdOf(sessionToken) === id,
    facts: endedBy('endSession', person),
  })
  return ended > 0
}

function endedBy(reason: SessionEndReason, { facts: { sid, request } }: Person) {
  return { reason, endedBy: sid, request }
}
