/**
 * The names by which a process tells JWT sessions, and cookies without one, from each other. There are three namespaces, and no name is
 * in two of them: whatever a client sends, it never bears the name of a session that began here.
 *
 * - 22 characters of base64url: a session that began here. The name is random. Earlier versions gave such names to foreign tokens as well.
 * - `t-` and 22 characters: the session of a token that has no name of ours. The name is made of the token.
 * - `x-` and 22 characters: a cookie that could not be decoded. Anybody can choose it. It never names a session.
 */
import { flat } from '../base/memory.js'

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
