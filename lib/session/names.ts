/**
 * The names by which a process tells JWT sessions, and cookies without one, from each other. There are three namespaces, and no name is
 * in two of them: whatever a client sends, it never bears the name of a session that began here.
 *
 * - 22 characters of base64url: a session that began here. The name is random. Earlier versions gave such names to foreign tokens as well.
 * - `t-` and 22 characters: the session of a token that has no name of ours. The name is made of the token.
 * - `x-` and 22 characters: a cookie that could not be decoded. Anybody can choose it. It never names a session.
 */
import { ExpiringSet, flat, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'

const prefixOfForeign = 't-'
const prefixOfUnknown = 'x-'
const pattern = /^(?:t-)?[\w-]{22}$/

/** Checks whether a claim is the name of a session, as this version or an earlier one wrote it. */
export function isSessionName(name: unknown): name is string {
  return typeof name === 'string' && pattern.test(name)
}

/**
 * Returns the name of the session of a foreign token: part of the token's id, or of its tag or signature where there is no id. Two
 * requests which renew one token at once give the session the same name.
 *
 * @param jti The id of the token; empty where it has none.
 * @param text The token as it was sent.
 */
export function foreignName(jti: string, text: string): string {
  return prefixOfForeign + (/[\w-]{22}/.exec(jti.replaceAll('-', ''))?.[0] ?? endOfText(text))
}

/** Returns the name that earlier versions gave to the session of a foreign token; `undefined` for the names of other sessions. */
export function formerName(name: string): string | undefined {
  return name.length > 22 && name.startsWith(prefixOfForeign) ? name.slice(prefixOfForeign.length) : undefined
}

/** Returns the name of a cookie that could not be decoded. */
export function unknownName(text: string): string {
  return prefixOfUnknown + endOfText(text)
}

/** Returns 22 characters that tell a token from all others: the end of its tag, or of its signature. */
function endOfText(text: string): string {
  const end = text.slice(-22).replace(/[^\w-]/g, '_')
  return flat(end.padStart(22, '_'))
}

/* ---- session id -------------------------------------------------------------------------------------------------- */

// What a session is called outside: in lists, in events.

/**
 * Names a session from its beginning to its end, and opens nothing.
 *
 * @param name The `sid` of a JWT session, or the token of a database session as it is stored.
 */
export function sessionIdOf(name: string): string {
  return shortHash(`session id ${name}`)
}

/* ---- ended sessions ---------------------------------------------------------------------------------------------- */

// Sessions that ended in this process a moment ago, by sign-out or by a sign-in in their place. An answer that was under way meanwhile
// would otherwise write the cookie of an ended session anew, or clear the cookie of whoever signed in after it.

/** Milliseconds: as long as a request can last. */
const lifetime = 10 * 60 * 1000

/** Clients can send any number of made-up cookies; those are noted apart, so that they push no session out. */
const endedOf = perOwner((_site: SiteMemory) => {
  const hashOf = (name: string) => name
  return {
    sessions: new ExpiringSet({ lifetime, capacity: 100_000, hashOf }),
    unknown: new ExpiringSet({ lifetime, capacity: 10_000, hashOf }),
  }
})

/**
 * Notes what a sign-in or a sign-out replaced.
 *
 * @param names By what each cookie's content is told from others (short, and no secret): whether it belonged to a session.
 */
export function noteEnded({ memory }: ResolvedConfig, names: ReadonlyMap<string, boolean>): void {
  const { sessions, unknown } = endedOf(memory)
  for (const [name, isSession] of names) (isSession ? sessions : unknown).add(name)
}

/** Whether one of these has ended. */
export function hasEnded({ memory }: ResolvedConfig, names: Iterable<string>): boolean {
  const { sessions, unknown } = endedOf(memory)
  for (const name of names) if (sessions.has(name) || unknown.has(name)) return true
  return false
}
