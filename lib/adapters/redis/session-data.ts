/**
 * What an application put into a session. It has a key of its own, so that who extends the session and who changes its data need not
 * know of each other, and lives as long as the session.
 */
import type { AdapterSessionData } from '../../types/adapter.js'
import type { Commands } from './commands.js'
import { scripts } from './scripts.js'

/** The data. Times are milliseconds since the epoch, as text. */
export interface SessionTexts {
  read(sessionToken: string): Promise<string | null>
  /** Whether it was written: only where it still is `previous`. */
  write(change: AdapterSessionData, until: string): Promise<boolean>
  /** What lives longer already goes on doing so. */
  extend(sessionToken: string, until: string): Promise<void>
  forget(sessionToken: string): Promise<void>
}

export function createSessionTexts({ get, take, run }: Commands, prefix: string): SessionTexts {
  const keyOf = (sessionToken: string) => `${prefix}data:${encodeURIComponent(sessionToken)}`
  return {
    async read(sessionToken) {
      const text = await get(keyOf(sessionToken))
      return text === null ? null : String(text)
    },
    // No text of JSON is empty: that stands for none.
    write: async ({ sessionToken, data, previous }, until) =>
      Number(await run(scripts.swap, [keyOf(sessionToken)], previous ?? '', data, until)) === 1,
    extend: async (sessionToken, until) => void (await run(scripts.prolong, [keyOf(sessionToken)], until)),
    forget: async (sessionToken) => void (await take(keyOf(sessionToken))),
  }
}
