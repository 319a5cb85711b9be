/**
 * Session tokens of the database strategy: the token in the cookie, its stored hash, and the sign-in metadata in both.
 */
import { parseJson } from '../base/json.js'
import { sha256Hex } from './hash.js'

declare const cookieToken: unique symbol
declare const storedToken: unique symbol
/** The token in a browser's cookie. It is never stored. */
export type SessionToken = string & { readonly [cookieToken]: true }
/** The token that an adapter stores. It is not valid in a cookie. */
export type HashedToken = string & { readonly [storedToken]: true }

/** The version of the hash. It also distinguishes hashes from tokens that were stored in the clear. */
const hashVersion = 'h1_'
/** The longest token, in characters. Longer values are not looked up. */
const maxTokenLength = 1536

/** Converts a cookie's value to a token; returns `undefined` when it cannot be one. */
export function toSessionToken(value: string): SessionToken | undefined {
  return value === '' || value.length > maxTokenLength ? undefined : (value as SessionToken)
}

/**
 * Hashes a token for storage, with its sign-in metadata after the hash, so that session lists show it with any adapter.
 *
 * SHA-256 is enough because the token is random. The hash is in lower-case hexadecimal, so that no collation changes
 * it.
 */
export function hashSessionToken(token: SessionToken): HashedToken {
  return readSessionToken(token).stored
}

/** Returns the hash of {@link hashSessionToken} and the metadata of {@link metadataOfToken}, which is parsed once. */
export function readSessionToken(token: SessionToken): {
  readonly stored: HashedToken
  readonly metadata: TokenMetadata | undefined
} {
  const [part = '', text] = metadataPattern.exec(token) ?? []
  const metadata = text === undefined ? previousTokenMetadata(token) : readTokenMetadata(text)
  const stored = `${hashVersion}${sha256Hex(token)}${storedMetadataPart(part, metadata)}` as HashedToken
  return { stored, metadata }
}

/**
 * Returns a token as another library stored it in the clear; `undefined` for a hash. A leaked hash must not be valid as
 * a cookie.
 */
export function toClearToken(token: SessionToken): HashedToken | undefined {
  // Compared without case, because some databases treat `H1_` and `h1_` as equal.
  return token.toLowerCase().startsWith(hashVersion) ? undefined : (token as string as HashedToken)
}

/* ---- how its session began ----------------------------------------------------------------------------------------- */

/**
 * The sign-in metadata of a session: part of the token of a database session, and of an entry in the list of JWT
 * sessions.
 */
export interface TokenMetadata {
  /** Seconds since the epoch at which the user signed in. A step-up does not change it. */
  readonly startedAt: number
  /** The latest end of the session, in seconds since the epoch. */
  readonly end?: number | undefined
  /** True if the user chose to stay signed in. */
  readonly remembered?: boolean | undefined
  /** The methods of the proofs, for lists. Absent in tokens of earlier versions. */
  readonly amr?: readonly string[] | undefined
  /** The id of the provider. */
  readonly provider?: string | undefined
  /** The device, as two characters (`http/device`). */
  readonly device?: string | undefined
  /** The network of the sign-in. */
  readonly network?: string | undefined
  /** Set in tokens of earlier versions, which have no proofs, when two factors were proved. */
  readonly aal?: 2 | undefined
  /**
   * The hashes by which a provider may end the session, separated by a space: of the user, and of the session at the
   * provider.
   */
  readonly link?: string | undefined
  /**
   * The proofs of the session as text (`principal/proofs`). Absent in tokens of earlier versions and in session lists.
   */
  readonly proofs?: string | undefined
  /** The actor as text (`principal/actor`). In the stored hash and in session lists: the beginning of the reason. */
  readonly act?: string | undefined
  /** The id of the active organization. */
  readonly organization?: string | undefined
  /** The id of the app that uses the session. */
  readonly app?: string | undefined
}

/** The metadata at the end of a token and of its hash. */
const metadataPattern = /\.f([\w-]+)$/

/**
 * The longest stored metadata, in characters. The shortest token column of published adapters has 191, and the hash
 * takes 67.
 */
const maxStoredMetadata = 120

/** Appends the metadata to a token. It is hashed with the token, so clients cannot change it. */
export function appendTokenMetadata(token: string, metadata: TokenMetadata): SessionToken {
  return `${token}.f${writeTokenMetadata(metadata)}` as SessionToken
}

/** The metadata that is left out of the stored hash, in this order, until it fits. The cookie always has all of it. */
const omissionOrder: ReadonlyArray<Partial<TokenMetadata>> = [
  { organization: undefined },
  { proofs: undefined },
  { link: undefined },
  { network: undefined },
  { amr: [] },
  { provider: undefined },
  { device: undefined },
]

/** Returns the metadata that is stored in the clear: the part of the token, or as many of its fields as fit. */
function storedMetadataPart(part: string, metadata: TokenMetadata | undefined): string {
  if (part.length <= maxStoredMetadata) return part
  let shown = metadata?.act === undefined ? metadata : { ...metadata, act: listedAct(metadata.act) }
  for (const without of omissionOrder) {
    if (!shown) return ''
    shown = { ...shown, ...without }
    const shorter = `.f${writeTokenMetadata(shown)}`
    if (shorter.length <= maxStoredMetadata) return shorter
  }
  return ''
}

/** The most bytes of the actor's reason that are stored. All other metadata of such a session fit beside it. */
const maxStoredReason = 60

/** Returns the part of an actor's text that lists show: the reason, or its beginning. */
export function listedAct(act: string): string {
  const reason = Buffer.from(act.split('\t', 1).join())
  if (reason.length <= maxStoredReason) return reason.toString()
  // A character that was cut becomes a replacement character.
  const beginning = reason.subarray(0, maxStoredReason - '…'.length * 3).toString()
  return `${beginning.replace(/\ufffd+$/, '')}…`
}

/** Returns the metadata of a token or of its hash; `undefined` when it has none. */
export function metadataOfToken(token: SessionToken | HashedToken): TokenMetadata | undefined {
  const part = metadataPattern.exec(token)
  return part?.[1] === undefined ? previousTokenMetadata(token) : readTokenMetadata(part[1])
}

/** Returns the metadata of a stored session; `undefined` for a token that another library stored in the clear. */
export function metadataOfStoredToken(sessionToken: string): Partial<TokenMetadata> | undefined {
  return sessionToken.startsWith(hashVersion) ? (metadataOfToken(sessionToken as HashedToken) ?? {}) : undefined
}

/**
 * Writes metadata as letters, digits, `-` and `_`. An empty field is absent. Stored tokens depend on the order: append
 * new fields at the end.
 */
export function writeTokenMetadata({ startedAt, amr = [], end, remembered, aal, ...texts }: TokenMetadata): string {
  const {
    provider = '',
    device = '',
    network = '',
    link = '',
    proofs = '',
    act = '',
    organization = '',
    app = '',
  } = texts
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
    act,
    organization,
    app,
  ]
  return Buffer.from(fields.join('\n').trimEnd()).toString('base64url')
}

/** Reads the text of {@link writeTokenMetadata}; returns `undefined` when it is malformed. */
export function readTokenMetadata(text: string): TokenMetadata | undefined {
  const lines = Buffer.from(text, 'base64url').toString().split('\n')
  const [start = '', amr = '', end = '', remembered = '', provider = '', device = '', network = '', aal, link = ''] =
    lines
  const startedAt = parseSeconds(start)
  if (startedAt === undefined) return undefined
  // One literal, because it is read at each request: each spread costs as much as the whole object.
  return {
    startedAt,
    amr: amr === '' ? [] : amr.split(' '),
    // An unreadable end is treated as past, because the session was limited.
    end: end === '' ? undefined : (parseSeconds(end) ?? 0),
    remembered: remembered === '' ? undefined : remembered === '1',
    provider: provider || undefined,
    device: device || undefined,
    network: network || undefined,
    aal: aal === '2' ? 2 : undefined,
    link: link || undefined,
    proofs: lines[9] || undefined,
    act: lines[10] || undefined,
    organization: lines[11] || undefined,
    app: lines[12] || undefined,
  }
}

function parseSeconds(text: string): number | undefined {
  return /^[0-9a-z]{1,9}$/.test(text) ? Number.parseInt(text, 36) : undefined
}

/** Reads the metadata format of the previous version. Such sessions may live until the user signs out. */
function previousTokenMetadata(token: string): TokenMetadata | undefined {
  const [, start, methods] = /\.t([0-9a-z]{1,9})(?:\.m([\w-]+))?$/.exec(token) ?? []
  if (start === undefined) return undefined
  const startedAt = Number.parseInt(start, 36)
  const amr = methods === undefined ? undefined : previousMethodsOf(methods)
  return { startedAt, ...(amr && { amr }) }
}

/** Reads the methods of that format. A random token may end in the same way. */
function previousMethodsOf(methods: string): readonly string[] | undefined {
  const words = parseJson(Buffer.from(methods, 'base64url').toString())
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined
}
