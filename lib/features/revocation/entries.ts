/** The ended sessions that this process knows. A million entries take about 100 MB, because entries are no objects. */
import type { KnownSession } from '../../contracts/index.js'
import type { Revocation } from '../../types/store.js'
import { endOfTime, providerUserName, userKeys } from './store.js'

/** Entries that one call of {@link Entries.sweep} visits: about a millisecond. */
const sweepSize = 10_000

type Mark = Omit<Revocation, 'key'>

/** The ends of a user's sessions. A number in the usual case, in which no session is excepted: see {@link packMarks}. */
type Marks = number | readonly Mark[]

/** Revocations by key, fast enough for each read of a session. */
export class Entries {
  /** Single sessions, with the second until which their end is needed. */
  readonly #sessions = new Map<string, number>()
  /** All sessions of a user. */
  readonly #users = new Map<string, Marks>()
  readonly #sweepSessions = createSweeper(this.#sessions)
  readonly #sweepUsers = createSweeper(this.#users)

  get size(): number {
    return this.#sessions.size + this.#users.size
  }

  /** Checks whether this session has ended. */
  hasEnded({ sid, formerSid, userId, startedAt = endOfTime, provider, actor }: KnownSession): boolean {
    if (actor && this.hasEnded(actor)) return true
    if (sid !== undefined && this.#sessions.has(sid)) return true
    if (formerSid !== undefined && this.#sessions.has(formerSid)) return true
    if (provider && this.#hasEndedThere(provider, startedAt)) return true
    if (userId === undefined || this.#users.size === 0) return false
    const { ended, disabled } = userKeys(userId)
    return hasMark(this.#users.get(ended), sid, startedAt) || hasMark(this.#users.get(disabled), sid, startedAt)
  }

  /** Checks whether the session at the provider has ended, or all sessions of the user there. */
  #hasEndedThere({ subject, session }: NonNullable<KnownSession['provider']>, startedAt: number): boolean {
    if (session !== undefined && this.#sessions.has(session)) return true
    if (this.#users.size === 0) return false
    const isOver = (person: string) => hasMark(this.#users.get(userKeys(person).ended), undefined, startedAt)
    return isOver(providerUserName(subject)) || (session === undefined && isOver(providerUserName(subject, true)))
  }

  /** Returns the second until which sessions of this user have ended, with any exception; 0 if none has. */
  endedUntil(userId: string): number {
    return Math.max(0, ...this.#marksOf(userKeys(userId).ended).map(({ notBefore }) => notBefore))
  }

  /** Checks whether this user is disabled. */
  isDisabled(userId: string): boolean {
    return this.#marksOf(userKeys(userId).disabled).some(({ notBefore }) => notBefore === endOfTime)
  }

  /** Merges an added entry. The later times apply. */
  add(revocation: Revocation): void {
    const { key, exceptSid, notBefore, until } = revocation
    const before = isSingleSession(revocation)
      ? { notBefore, until: this.#sessions.get(key) ?? 0 }
      : this.#marksOf(key).find((mark) => mark.exceptSid === exceptSid)
    this.put({
      key,
      exceptSid,
      notBefore: Math.max(before?.notBefore ?? 0, notBefore),
      until: Math.max(before?.until ?? 0, until),
    })
  }

  /** Replaces an entry by the store's. */
  put(revocation: Revocation): void {
    const { key, ...mark } = revocation
    if (isSingleSession(revocation)) {
      this.#sessions.set(key, mark.until)
      return
    }
    const others = this.#marksOf(key).filter(({ exceptSid }) => exceptSid !== mark.exceptSid)
    this.#users.set(key, packMarks([...others, mark]))
  }

  clear(): void {
    this.#sessions.clear()
    this.#users.clear()
  }

  /** Removes some expired entries. Repeated calls visit all of them. */
  sweep(now = Date.now() / 1000): void {
    this.#sweepSessions((until) => until < now)
    this.#sweepUsers((marks) => unpackMarks(marks).every(({ until }) => until < now))
  }

  #marksOf(key: string): readonly Mark[] {
    const marks = this.#users.get(key)
    return marks === undefined ? [] : unpackMarks(marks)
  }
}

function hasMark(marks: Marks | undefined, sid: string | undefined, startedAt: number): boolean {
  if (marks === undefined) return false
  if (typeof marks === 'number') return Math.floor(marks / hoursPerTime) >= startedAt
  return marks.some((mark) => mark.notBefore >= startedAt && (sid === undefined || mark.exceptSid !== sid))
}

/** The hours that fit beside a time: seven years. */
const hoursPerTime = 2 ** 16

/** Packs a single mark into a number: the second, and the hours until it can be forgotten. */
function packMarks(marks: readonly Mark[]): Marks {
  const [only] = marks
  if (!only || marks.length > 1 || only.exceptSid !== '') return marks
  const left = Math.max(0, Math.ceil((only.until - only.notBefore) / 3600))
  return only.notBefore < 2 ** 33 && left < hoursPerTime ? only.notBefore * hoursPerTime + left : marks
}

function unpackMarks(marks: Marks): readonly Mark[] {
  if (typeof marks !== 'number') return marks
  const notBefore = Math.floor(marks / hoursPerTime)
  return [{ exceptSid: '', notBefore, until: notBefore + (marks % hoursPerTime) * 3600 }]
}

/** Returns a function that visits some entries of a map at each call, and removes the expired ones. */
function createSweeper<Value>(map: Map<string, Value>): (isOver: (value: Value) => boolean) => void {
  let round = map.entries()
  return (isOver) => {
    for (let count = 0; count < sweepSize; count += 1) {
      const { value, done } = round.next()
      if (done) {
        round = map.entries()
        return
      }
      if (isOver(value[1])) map.delete(value[0])
    }
  }
}

/** Checks whether an entry ends a single session. Keys of users contain a dot, a `sid` does not. */
function isSingleSession({ key, exceptSid, notBefore }: Revocation): boolean {
  return exceptSid === '' && notBefore === endOfTime && !key.includes('.')
}
