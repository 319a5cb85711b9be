/** What this process knows to have ended. A million sessions take about 100 MB. */
import type { KnownSession } from '../contracts/index.js'
import type { Revocation } from '../types/revocation.js'
import { always, userKeys } from './keys.js'

/** Entries that one call of {@link Entries.sweep} looks at: a millisecond's work. */
const sweepSize = 10_000

type Mark = Omit<Revocation, 'key'>
type Marks = readonly Mark[]

/** Revocations by key, made to be asked at each read of a session. */
export class Entries {
  /** Sessions one by one: the seconds until which that has to be known. No object for each, for there are many. */
  readonly #sessions = new Map<string, number>()
  /** All sessions of a user. */
  readonly #users = new Map<string, Marks>()
  readonly #sweepSessions = sweeper(this.#sessions)
  readonly #sweepUsers = sweeper(this.#users)

  get size(): number {
    return this.#sessions.size + this.#users.size
  }

  /** Whether this session has ended. */
  hasEnded({ sid, userId, startedAt = always }: KnownSession): boolean {
    if (sid !== undefined && this.#sessions.has(sid)) return true
    if (userId === undefined || this.#users.size === 0) return false
    const { ended, disabled } = userKeys(userId)
    const isMeant = ({ notBefore, exceptSid }: Mark) =>
      notBefore >= startedAt && (sid === undefined || exceptSid !== sid)
    return this.#users.get(disabled)?.some(isMeant) === true || this.#users.get(ended)?.some(isMeant) === true
  }

  /** The second until which sessions of this user have ended, whichever session was left out; 0 where none has. */
  endedUntil(userId: string): number {
    return Math.max(0, ...(this.#users.get(userKeys(userId).ended) ?? []).map(({ notBefore }) => notBefore))
  }

  /** Whether this user is disabled. */
  isDisabled(userId: string): boolean {
    return this.#users.get(userKeys(userId).disabled)?.some(({ notBefore }) => notBefore === always) === true
  }

  /** Notes an addition: the later times count. */
  add({ key, ...mark }: Revocation): void {
    if (isSession({ key, ...mark })) {
      this.#sessions.set(key, Math.max(this.#sessions.get(key) ?? 0, mark.until))
      return
    }
    const marks = this.#users.get(key) ?? []
    const before = marks.find(({ exceptSid }) => exceptSid === mark.exceptSid)
    const later = {
      exceptSid: mark.exceptSid,
      notBefore: Math.max(before?.notBefore ?? 0, mark.notBefore),
      until: Math.max(before?.until ?? 0, mark.until),
    }
    this.#users.set(key, [...marks.filter((each) => each !== before), later])
  }

  /** Takes over an entry as the store has it. */
  put({ key, ...mark }: Revocation): void {
    if (isSession({ key, ...mark })) {
      this.#sessions.set(key, mark.until)
      return
    }
    const others = (this.#users.get(key) ?? []).filter(({ exceptSid }) => exceptSid !== mark.exceptSid)
    this.#users.set(key, [...others, mark])
  }

  clear(): void {
    this.#sessions.clear()
    this.#users.clear()
  }

  /** Removes some of what nobody has to know any more. Called again and again it comes to all. */
  sweep(now = Date.now() / 1000): void {
    this.#sweepSessions((until) => until < now)
    this.#sweepUsers((marks) => marks.every(({ until }) => until < now))
  }
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
