/** Links from sessions to sessions at a provider. A link lives as long as its session, also when that is extended. */
import type { AdapterSessionLink } from '../../types/adapter.js'
import type { Commands } from './commands.js'
import { sessionScripts } from './scripts.js'

/** The links of sessions. Times are milliseconds since the epoch, as text. */
export interface SessionLinks {
  write(link: AdapterSessionLink, until: string): Promise<void>
  /** Returns the links of a name: a user or a session at the provider. */
  list(name: string): Promise<AdapterSessionLink[]>
  extend(sessionToken: string, until: string): Promise<void>
  forget(sessionToken: string): Promise<void>
}

/** Creates the links. The index by name is written first, because a link that is not found would end no session. */
export function createRedisSessionLinks({ get, take, run }: Commands, prefix: string): SessionLinks {
  const keyOf = (sessionToken: string) => `${prefix}link:${encodeURIComponent(sessionToken)}`
  const read = async (sessionToken: string) => toLink(await get(keyOf(sessionToken)))
  const put = async (link: AdapterSessionLink, until: string, condition: 'NX' | 'XX') => {
    const { sessionToken, subject, providerSession } = link
    for (const name of [subject, ...(providerSession === null ? [] : [providerSession])]) {
      await run(sessionScripts.note, [`${prefix}linked:${encodeURIComponent(name)}`], until, sessionToken)
    }
    await run(sessionScripts.set, [keyOf(sessionToken)], JSON.stringify(link), until, condition)
  }
  return {
    write: (link, until) => put(link, until, 'NX'),
    async list(name) {
      const tokens = await run(sessionScripts.read, [`${prefix}linked:${encodeURIComponent(name)}`])
      const links = await Promise.all(Array.isArray(tokens) ? tokens.map((token) => read(String(token))) : [])
      return links.filter((link) => link !== null)
    },
    async extend(sessionToken, until) {
      const link = await read(sessionToken)
      if (link) await put(link, until, 'XX')
    },
    forget: async (sessionToken) => void (await take(keyOf(sessionToken))),
  }
}

/** Reads the text of `put`. */
function toLink(value: unknown): AdapterSessionLink | null {
  if (value === null) return null
  const { sessionToken, subject, providerSession = null } = JSON.parse(String(value))
  return { sessionToken, subject, providerSession }
}
