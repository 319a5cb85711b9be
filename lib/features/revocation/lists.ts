/** Lists of the JWT sessions that users have, for their account pages. */
import { rescue } from '../../base/after.js'
import type { Logger } from '../../base/logger.js'
import { BoundedMap } from '../../base/memory.js'
import type { NotedSession, SessionLists } from '../../contracts/index.js'
import { readFacts, writeFacts } from '../../crypto/stored-token.js'
import { toError } from '../../errors.js'
import type { ListedSession } from '../../types/store.js'
import { mostKeys, type RevocationCopy } from './copy.js'
import type { GuardedStore } from './guard.js'
import { userKeys } from './keys.js'

/** Milliseconds. A `jwt` callback may change the token with each request, and no list has to know it so exactly. */
const pause = 60_000

/** Makes use of a store that has the methods for it. @param copy Knows which sessions have ended. */
export function createLists(store: GuardedStore, copy: RevocationCopy, logger: Logger): SessionLists {
  const notedAt = new BoundedMap<string, number>(10_000)
  return {
    note({ sid, userId, startedAt = 0, expires, began }) {
      const now = Date.now()
      if (sid === undefined || userId === undefined || now - (notedAt.get(sid) ?? 0) < pause) return undefined
      notedAt.set(sid, now)
      const times = { begunAt: startedAt, usedAt: Math.floor(now / 1000), until: Math.ceil(expires / 1000) }
      const beginning = began && { beginning: writeFacts({ ...began, startedAt: began.signedInAt }) }
      const entry = { sid, userKey: userKeys(userId).ended, ...times, ...beginning }
      return rescue<unknown>(
        () => store.list?.(entry),
        (thrown) => logger.error(toError(thrown)),
      )
    },
    async of(userId) {
      const { ended: userKey, disabled } = userKeys(userId)
      const entries = (await store.listed?.(userKey)) ?? []
      const sids = entries.map(({ sid }) => sid)
      await copy.ask([...sids, userKey, disabled])
      const isOver = (sid: string, begunAt: number) => copy.hasEnded({ sid, userId, startedAt: begunAt })
      const over = entries.filter(({ sid, begunAt }) => isOver(sid, begunAt)).map(({ sid }) => sid)
      for (let at = 0; at < over.length; at += mostKeys) await store.unlist?.(userKey, over.slice(at, at + mostKeys))
      const gone = new Set(over)
      return entries.filter(({ sid }) => !gone.has(sid)).map(toNoted)
    },
  }
}

function toNoted({ sid, begunAt, usedAt, until, beginning }: ListedSession): NotedSession {
  const began = typeof beginning === 'string' ? readFacts(beginning) : undefined
  return {
    sid,
    signedInAt: began?.startedAt ?? begunAt,
    usedAt: usedAt * 1000,
    expires: until * 1000,
    ...(began && { began }),
  }
}
