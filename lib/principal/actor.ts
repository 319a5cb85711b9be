/** The actor of a session: the user who uses it in place of its user (RFC 8693 §4.1, `act`), and its text form. */
import { parseJson } from '../base/json.js'

/** The user and session at a provider, as hashes, which may end a session of this library. */
export interface ProviderOrigin {
  readonly subject: string
  readonly session?: string | undefined
}

/** The user who uses a session of another user. Only the engine writes it, when the session begins. */
export interface Actor {
  readonly userId: string
  /** The reason that the actor gave. Without control characters. */
  readonly reason: string
  /** The start, in seconds since the epoch. */
  readonly since: number
  /** The name of the actor's own session: the claim `sid`, or the stored token. If it ends, so does the other one. */
  readonly session: string
  /** The second, by the store's clock, after which an end of all sessions of the actor also ends the other session. */
  readonly startedAt: number
  /** Random text, also in the cookie with the actor's own session, which is valid with this session only. */
  readonly binding: string
  /** The origin of the actor's own session, if it is a JWT session that a provider may end. */
  readonly provider?: ProviderOrigin | undefined
}

/** Writes an actor as text without line breaks. The reason comes first, so that lists can show it alone. */
export function writeActor({ reason, userId, session, since, startedAt, binding, provider }: Actor): string {
  const origin = provider ? [JSON.stringify([provider.subject, provider.session])] : []
  return [reason, JSON.stringify(userId), session, since, startedAt, binding, ...origin].join('\t')
}

/** Reads the text of {@link writeActor}; returns `undefined` when it is malformed. Such a session must be rejected. */
export function readActor(text: string): Actor | undefined {
  const [reason = '', id = '', session = '', since = '', startedAt = '', binding = '', origin] = text.split('\t')
  const userId = parseJson(id)
  if (typeof userId !== 'string' || userId === '' || session === '' || binding === '') return undefined
  if (!/^\d+ \d+$/.test(`${since} ${startedAt}`)) return undefined
  const times = { since: Number(since), startedAt: Number(startedAt) }
  if (origin === undefined) return { reason, userId, session, ...times, binding }
  const provider = readOrigin(parseJson(origin))
  return provider && { reason, userId, session, ...times, binding, provider }
}

function readOrigin(value: unknown): ProviderOrigin | undefined {
  const [subject, session]: unknown[] = Array.isArray(value) ? value : []
  if (typeof subject !== 'string') return undefined
  return typeof session === 'string' ? { subject, session } : { subject }
}

/** Returns the reason in the text of {@link writeActor}, also in the shorter one of lists (`crypto/session-token`). */
export function reasonOfActor(text: string): string {
  return text.split('\t', 1).join()
}
