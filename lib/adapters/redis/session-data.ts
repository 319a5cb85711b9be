/**
 * Data of the application in a session. It has its own key, so that extending the session and changing its data are
 * independent, and lives as long as the session.
 */
import type { AdapterSessionData } from '../../types/adapter.js'
import type { Commands } from './commands.js'
import { sessionScripts } from './scripts.js'

/** The data of sessions. Times are milliseconds since the epoch, as text. */
export interface RedisSessionData {
  read(sessionToken: string): Promise<string | null>
  /** Writes the data if it still is `previous`. Returns whether it did. */
  write(change: AdapterSessionData, until: string): Promise<boolean>
  /** Extends the lifetime. A longer lifetime is kept. */
  extend(sessionToken: string, until: string): Promise<void>
  forget(sessionToken: string): Promise<void>
}

export function createRedisSessionData({ get, take, run }: Commands, prefix: string): RedisSessionData {
  const keyOf = (sessionToken: string) => `${prefix}data:${encodeURIComponent(sessionToken)}`
  return {
    async read(sessionToken) {
      const text = await get(keyOf(sessionToken))
      return text === null ? null : String(text)
    },
    // JSON is never empty text, so an empty text represents `null`.
    write: async ({ sessionToken, data, previous }, until) =>
      Number(await run(sessionScripts.swap, [keyOf(sessionToken)], previous ?? '', data, until)) === 1,
    extend: async (sessionToken, until) => void (await run(sessionScripts.prolong, [keyOf(sessionToken)], until)),
    forget: async (sessionToken) => void (await take(keyOf(sessionToken))),
  }
}
