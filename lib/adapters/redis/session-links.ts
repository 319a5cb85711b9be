/** Which session at a provider a session began by. A link lives as long as its session, however often that is extended. */
import type { AdapterSessionLink } from '../../types/adapter.js'
import type { Commands } from './commands.js'
import { scripts } from './scripts.js'

/** The links. Times are milliseconds since the epoch, as text. */
export interface SessionLinks {
  write(link: AdapterSessionLink, until: string): Promise<void>
  /** Those under a name: of a person, or of a session there. */
  list(name: string): Promise<AdapterSessionLink[]>
  extend(sessionToken: string, until: string): Promise<void>
  forget(sessionToken: string): Promise<void>
}

/** Where the names lead is written first: a link that nobody finds would end nothing. */
export function createSessionLinks({ get, take, run }: Commands, prefix: string): SessionLinks {
  const keyOf = (sessionToken: string) => `${prefix}link:${encodeURIComponent(sessionToken)}`
  const read = async (sessionToken: string) => toLink(await get(keyOf(sessionToken)))
  const put = async (link: AdapterSessionLink, until: string, condition: 'NX' | 'XX') => {
    const { sessionToken, subject, providerSession } = link
    for (const name of [subject, ...(providerSession === null ? [] : [providerSession])]) {
      await run(scripts.note, [`${prefix}linked:${encodeURIComponent(name)}`], until, sessionToken)
    }
    await run(scripts.set, [keyOf(sessionToken)], JSON.stringify(link), until, condition)
  }
  return {
    write: (link, until) => put(link, until, 'NX'),
    async list(name) {
      const tokens = await run(scripts.read, [`${prefix}linked:${encodeURIComponent(name)}`])
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

/** Reads what `put` wrote. */
function toLink(value: unknown): AdapterSessionLink | null {
  if (value === null) return null
  const { sessionToken, subject, providerSession = null } = JSON.parse(String(value))
  return { sessionToken, subject, providerSession }
}
