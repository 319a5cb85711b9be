/** Session tokens of the database strategy: what the cookie holds, and what is stored of it. How a session began, as text. */
import { parseJson } from '../base/json.js'
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
const maxLength = 1536

/** A cookie's value as a token; `undefined` for what cannot be one. */
export function toSessionToken(value: string): SessionToken | undefined {
  return value === '' || value.length > maxLength ? undefined : (value as SessionToken)
}

/**
 * SHA-256, hexadecimal: the token is random, so that nothing slower is needed; lower case, so that no collation folds it. How the
 * session began stands behind it, so that lists of rows show it with any adapter.
 */
export function hashSessionToken(token: SessionToken): HashedToken {
  return `${version}${sha256Hex(token)}${shownPart(token)}` as HashedToken
}

/** A token that another library stored in the clear. Not a hash: whoever has a copy of the database could send it. */
export function toClearToken(token: SessionToken): HashedToken | undefined {
  // In upper case, too: some databases take H1_ and h1_ for the same.
  return token.toLowerCase().startsWith(version) ? undefined : (token as string as HashedToken)
}

/* ---- how its session began ----------------------------------------------------------------------------------------- */

/** How a session began, as text says it: part of the token of a database session, an entry in the list of JWT sessions. */
export interface TokenFacts {
  /** Seconds since the epoch at which the user signed in. A step-up does not change it. */
  readonly startedAt: number
  /** When it ends at the latest, in seconds since the epoch. */
  readonly end?: number | undefined
  /** Whether the person wants to be kept signed in. */
  readonly remembered?: boolean | undefined
  /** The methods of the proofs, for lists; absent in tokens from before they were written. */
  readonly amr?: readonly string[] | undefined
  /** The id of the provider. */
  readonly provider?: string | undefined
  /** On what kind of device: two characters (`http/device`). */
  readonly device?: string | undefined
  /** From which network. */
  readonly network?: string | undefined
  /** Of a token from before proofs were written: present where two factors were proved. */
  readonly aal?: 2 | undefined
  /** By what a provider may end it: hashes of the person, and of the session there, with a space between. */
  readonly link?: string | undefined
  /** The proofs of the session as text (`principal/proofs`). Absent in tokens from before they were written, and in lists of rows. */
  readonly proofs?: string | undefined
}

/** At the end of a token, and of what is stored of it. */
const factsPart = /\.f([\w-]+)$/

/** Characters. The shortest column in which published adapters keep tokens has 191, of which the hash takes 67. */
const mostShown = 120

/** Adds how the session began. It is hashed with the rest, so clients cannot change it. */
export function withFacts(token: string, facts: TokenFacts): SessionToken {
  return `${token}.f${writeFacts(facts)}` as SessionToken
}

/** What may be left out of what is stored, in this order, until there is room. Only the cookie says it then. */
const dispensable: ReadonlyArray<Partial<TokenFacts>> = [
  { proofs: undefined },
  { link: undefined },
  { network: undefined },
  { amr: [] },
  { provider: undefined },
  { device: undefined },
]

/** What of the facts stands in the clear. */
function shownPart(token: SessionToken): string {
  const [part = '', text = ''] = factsPart.exec(token) ?? []
  if (part.length <= mostShown) return part
  let shown = readFacts(text)
  for (const without of dispensable) {
    if (!shown) return ''
    shown = { ...shown, ...without }
    const shorter = `.f${writeFacts(shown)}`
    if (shorter.length <= mostShown) return shorter
  }
  return ''
}

/** How the session began, by its token or what is stored of it; `undefined` where that does not say. */
export function factsOfToken(token: SessionToken | HashedToken): TokenFacts | undefined {
  const part = factsPart.exec(token)
  return part?.[1] === undefined ? factsBefore(token) : readFacts(part[1])
}

/** What a row says of it, by its token; `undefined` for a token that another library stored in the clear. */
export function factsOfRow(sessionToken: string): Partial<TokenFacts> | undefined {
  return sessionToken.startsWith(version) ? (factsOfToken(sessionToken as HashedToken) ?? {}) : undefined
}

/** As text of letters, digits, `-` and `_`. The order is for ever: what is added goes to the end. Empty is absent. */
export function writeFacts({ startedAt, amr = [], end, remembered, aal, ...texts }: TokenFacts): string {
  const { provider = '', device = '', network = '', link = '', proofs = '' } = texts
  const fields = [
    startedAt.toString(36),
    amr.join(' '),
    end?.toString(36) ?? '',
    remembered === undefined ? '' : Number(remembered),
    provider,
    device,
    network,
    aal ?? '',
    link,
    proofs,
  ]
  return Buffer.from(fields.join('\n').trimEnd()).toString('base64url')
}

/** What {@link writeFacts} wrote; `undefined` for what it cannot have written. */
export function readFacts(text: string): TokenFacts | undefined {
  const lines = Buffer.from(text, 'base64url').toString().split('\n')
  const [start = '', amr = '', end = '', remembered = '', provider = '', device = '', network = '', aal, link = ''] =
    lines
  const proofs = lines[9] ?? ''
  const startedAt = secondsOf(start)
  if (startedAt === undefined) return undefined
  return {
    startedAt,
    amr: amr === '' ? [] : amr.split(' '),
    // One that cannot be read has passed: it was said that there is one.
    ...(end !== '' && { end: secondsOf(end) ?? 0 }),
    ...(remembered !== '' && { remembered: remembered === '1' }),
    ...(provider !== '' && { provider }),
    ...(device !== '' && { device }),
    ...(network !== '' && { network }),
    ...(aal === '2' && { aal: 2 as const }),
    ...(link !== '' && { link }),
    ...(proofs !== '' && { proofs }),
  }
}

function secondsOf(text: string): number | undefined {
  return /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : undefined
}

/** As the version before wrote it. Such sessions may live for as long as nobody signs out. */
function factsBefore(token: string): TokenFacts | undefined {
  const [, start, methods] = /\.t([0-9a-z]{1,9})(?:\.m([\w-]+))?$/.exec(token) ?? []
  if (start === undefined) return undefined
  const startedAt = Number.parseInt(start, 36)
  const amr = methods === undefined ? undefined : wordsOf(methods)
  return { startedAt, ...(amr && { amr }) }
}

/** A token from before could end as ours do. */
function wordsOf(methods: string): readonly string[] | undefined {
  const words = parseJson(Buffer.from(methods, 'base64url').toString())
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined
}
