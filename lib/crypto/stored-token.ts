/** Session tokens of the database strategy: what the cookie holds, and what is stored of it. */
import { sha256 } from './hash.js'

declare const cookieToken: unique symbol
declare const storedToken: unique symbol
/** What a browser's cookie holds. Never stored. */
export type SessionToken = string & { readonly [cookieToken]: true }
/** What an adapter sees. Worthless in a cookie. */
export type HashedToken = string & { readonly [storedToken]: true }

/** Says how the rest was made, and keeps a hash from ever being a token that was stored in the clear. */
const version = 'h1_'
/** Characters. Longer ones are none of ours, and not worth a query. */
const maxLength = 512

/** A cookie's value as a token; `undefined` for what cannot be one. */
export function toSessionToken(value: string): SessionToken | undefined {
  return value === '' || value.length > maxLength ? undefined : (value as SessionToken)
}

/** SHA-256, hexadecimal: the token is random, so that nothing slower is needed; lower case, so that no collation folds it. */
export function hashSessionToken(token: SessionToken): HashedToken {
  return `${version}${sha256(token).toString('hex')}` as HashedToken
}

/** A token that another library stored in the clear. A hash of ours, read out of a dump, is none. */
export function toClearToken(token: SessionToken): HashedToken | undefined {
  // In no case: there are databases that do not tell H1_ from h1_.
  return token.toLowerCase().startsWith(version) ? undefined : (token as string as HashedToken)
}

/** Seconds since the epoch at which the session began, at the end of its token: under the hash nobody changes it. */
export function withStart(token: string, startedAt: number): SessionToken {
  return `${token}.t${startedAt.toString(36)}` as SessionToken
}

/** When the session began; `undefined` where its token does not say. */
export function startOfToken(token: SessionToken): number | undefined {
  const text = /\.t([0-9a-z]{1,9})$/.exec(token)?.[1]
  return text === undefined ? undefined : Number.parseInt(text, 36)
}
