/** What this process knows to have ended. A million entries take about 100 MB: there is no object for each. */
import type { KnownSession } from '../../contracts/index.js'
import type { Revocation } from '../../types/store.js'
import { always, personAt, userKeys } from './store.js'

/** Entries that one call of {@link Entries.sweep} looks at: a millisecond's work. */
const sweepSize = 10_000

type Mark = Omit<Revocation, 'key'>

/** What has ended of a user. As a number where no session is left out, which is usual: see {@link pack}. */
type Marks = number | readonly Mark[]

/** Revocations by key, made to be asked at each read of a session. */
export class Entries {
  /** Sessions one by one: the seconds until which that has to be known. */
  readonly #sessions = new Map<string, number>()
  /** All sessions of a user. */
  readonly #users = new Map<string, Marks>()
  readonly #sweepSessions = sweeper(this.#sessions)
  readonly #sweepUsers = sweeper(this.#users)

  get size(): number {
    return this.#sessions.size + this.#users.size
  }

  /** Whether this session has ended. */
  hasEnded({ sid, formerSid, userId, startedAt = always, provider }: KnownSession): boolean {
    if (sid !== undefined && this.#sessions.has(sid)) return true
    if (formerSid !== undefined && this.#sessions.has(formerSid)) return true
    if (provider && this.#hasEndedThere(provider, startedAt)) return true
    if (userId === undefined || this.#users.size === 0) return false
    const { ended, disabled } = userKeys(userId)
    return hasMark(this.#users.get(ended), sid, startedAt) || hasMark(this.#users.get(disabled), sid, startedAt)
  }

  /** Whether the session at the provider has ended, or all that the person has there. */
  #hasEndedThere({ subject, session }: NonNullable<KnownSession['provider']>, startedAt: number): boolean {
    if (session !== undefined && this.#sessions.has(session)) return true
    if (this.#users.size === 0) return false
    const isOver = (person: string) => hasMark(this.#users.get(userKeys(person).ended), undefined, startedAt)
    return isOver(personAt(subject)) || (session === undefined && isOver(personAt(subject, true)))
  }

  /** The second until which sessions of this user have ended, whichever session was left out; 0 where none has. */
  endedUntil(userId: string): number {
    return Math.max(0, ...this.#marksOf(userKeys(userId).ended).map(({ notBefore }) => notBefore))
  }

  /** Whether this user is disabled. */
  isDisabled(userId: string): boolean {
    return this.#marksOf(userKeys(userId).disabled).some(({ notBefore }) => notBefore === always)
  }

  /** Notes an addition: the later times count. */
  add(revocation: Revocation): void {
    const { key, exceptSid, notBefore, until } = revocation
    const before = isSession(revocation)
      ? { notBefore, until: this.#sessions.get(key) ?? 0 }
      : this.#marksOf(key).find((mark) => mark.exceptSid === exceptSid)
    this.put({
      key,
      exceptSid,
      notBefore: Math.max(before?.notBefore ?? 0, notBefore),
      until: Math.max(before?.until ?? 0, until),
    })
  }

  /** Takes over an entry as the store has it. */
  put(revocation: Revocation): void {
    const { key, ...mark } = revocation
    if (isSession(revocation)) {
      this.#sessions.set(key, mark.until)
      return
    }
    const others = this.#marksOf(key).filter(({ exceptSid }) => exceptSid !== mark.exceptSid)
    this.#users.set(key, pack([...others, mark]))
  }

  clear(): void {
    this.#sessions.clear()
    this.#users.clear()
  }

  /** Removes some of what nobody has to know any more. Called again and again it comes to all. */
  sweep(now = Date.now() / 1000): void {
    this.#sweepSessions((until) => until < now)
    this.#sweepUsers((marks) => unpack(marks).every(({ until }) => until < now))
  }

  #marksOf(key: string): readonly Mark[] {
    const marks = this.#users.get(key)
    return marks === undefined ? [] : unpack(marks)
  }
}

function hasMark(marks: Marks | undefined, sid: string | undefined, startedAt: number): boolean {
  if (marks === undefined) return false
  if (typeof marks === 'number') return Math.floor(marks / hours) >= startedAt
  return marks.some((mark) => mark.notBefore >= startedAt && (sid === undefined || mark.exceptSid !== sid))
}

/** So many hours fit beside a time: seven years. */
const hours = 2 ** 16

/** A single mark in one number: the second, and how many hours later it may be forgotten. */
function pack(marks: readonly Mark[]): Marks {
  const [only] = marks
  if (!only || marks.length > 1 || only.exceptSid !== '') return marks
  const left = Math.max(0, Math.ceil((only.until - only.notBefore) / 3600))
  return only.notBefore < 2 ** 33 && left < hours ? only.notBefore * hours + left : marks
}

function unpack(marks: Marks): readonly Mark[] {
  if (typeof marks !== 'number') return marks
  const notBefore = Math.floor(marks / hours)
  return [{ exceptSid: '', notBefore, until: notBefore + (marks % hours) * 3600 }]
}

/** Goes through a map, some entries at each call, and removes those that are over. */
function sweeper<Value>(map: Map<string, Value>): (isOver: (value: Value) => boolean) => void {
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

/** Keys of users have a dot, which no `sid` has. */
function isSession({ key, exceptSid, notBefore }: Revocation): boolean {
  return exceptSid === '' && notBefore === always && !key.includes('.')
}
