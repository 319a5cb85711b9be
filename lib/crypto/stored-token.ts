/** Session tokens of the database strategy: what the cookie holds, and what is stored of it. */
import { sha256Hex } from './hash.js'

declare const cookieToken: unique symbol
declare const storedToken: unique symbol
/** What a browser's cookie holds. Never stored. */
export type SessionToken = string & { readonly [cookieToken]: true }
/** What an adapter sees. Worthless in a cookie. */
export type HashedToken = string & { readonly [storedToken]: true }

/** The version of the hash; it also tells hashes from tokens that were stored in the clear. */
const version = 'h1_'
/** Characters. A longer one is no token, and not looked up. */
const maxLength = 1024

/** A cookie's value as a token; `undefined` for what cannot be one. */
export function toSessionToken(value: string): SessionToken | undefined {
  return value === '' || value.length > maxLength ? undefined : (value as SessionToken)
}

/** SHA-256, hexadecimal: the token is random, so that nothing slower is needed; lower case, so that no collation folds it. */
export function hashSessionToken(token: SessionToken): HashedToken {
  return `${version}${sha256Hex(token)}` as HashedToken
}

/** A token that another library stored in the clear. Not a hash: whoever has a copy of the database could send it. */
export function toClearToken(token: SessionToken): HashedToken | undefined {
  // In upper case, too: some databases take H1_ and h1_ for the same.
  return token.toLowerCase().startsWith(version) ? undefined : (token as string as HashedToken)
}

/** What the token of a session says of how it began. */
export interface TokenFacts {
  /** When the person signed in, in seconds since the epoch. */
  readonly startedAt: number
  /** By which methods; absent in tokens from before they were written. */
  readonly amr?: readonly string[]
}

/** Adds how the session began. It is hashed with the rest, so clients cannot change it. */
export function withFacts(token: string, { startedAt, amr = [] }: TokenFacts): SessionToken {
  const methods = Buffer.from(JSON.stringify(amr)).toString('base64url')
  return `${token}.t${startedAt.toString(36)}.m${methods}` as SessionToken
}

/** How the session began; `undefined` where its token does not say. */
export function factsOfToken(token: SessionToken): TokenFacts | undefined {
  const [, start, methods] = /\.t([0-9a-z]{1,9})(?:\.m([\w-]+))?$/.exec(token) ?? []
  if (start === undefined) return undefined
  const startedAt = Number.parseInt(start, 36)
  const amr = methods === undefined ? undefined : wordsOf(methods)
  return { startedAt, ...(amr && { amr }) }
}

/** A token from before could end as ours do. */
function wordsOf(methods: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(Buffer.from(methods, 'base64url').toString())
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined
  } catch {
    return undefined
  }
}
