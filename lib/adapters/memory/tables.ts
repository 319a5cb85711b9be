/** The tables of the memory adapter: rows by key, found by one more name, so many at the most, and with a way back. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../types/adapter.js'

/** One table for each kind of record. */
export type Tables = ReturnType<typeof createTables>

export function createTables(capacity: number) {
  const journal = new Journal()
  const byUser = (row: { userId: string }) => row.userId
  return {
    journal,
    users: new Table<AdapterUser>('user', { capacity, journal, keyOf: ({ id }) => id, groupOf: ({ email }) => email }),
    accounts: new Table<AdapterAccount>('account', {
      capacity,
      journal,
      keyOf: ({ provider, providerAccountId }) => toKey(provider, providerAccountId),
      groupOf: byUser,
    }),
    sessions: new ExpiringTable<AdapterSession>('session', {
      capacity,
      journal,
      keyOf: ({ sessionToken }) => sessionToken,
      groupOf: byUser,
    }),
    verificationTokens: new ExpiringTable<VerificationToken>('verification token', {
      capacity,
      journal,
      keyOf: ({ identifier, token }) => toKey(identifier, token),
      groupOf: ({ identifier }) => identifier,
    }),
    authenticators: new Table<AdapterAuthenticator>('passkey', {
      capacity,
      journal,
      keyOf: ({ credentialID }) => credentialID,
      groupOf: byUser,
    }),
  }
}

/** One text for two, another one for each other two. */
export function toKey(first: string, second: string): string {
  return JSON.stringify([first, second])
}

/** How to take back what a transaction did. Outside of one it keeps nothing. */
class Journal {
  #steps: Array<() => void> | undefined

  begin(): void {
    this.#steps = []
  }

  note(step: () => void): void {
    this.#steps?.push(step)
  }

  end(): void {
    this.#steps = undefined
  }

  undo(): void {
    const steps = this.#steps ?? []
    this.end()
    for (const step of steps.reverse()) step()
  }
}

/** Keys of rows that belong together. */
interface Group {
  readonly keys: Set<string>
  readonly order: Cursor
}

function createGroup(): Group {
  const keys = new Set<string>()
  return { keys, order: new Cursor(keys) }
}

/**
 * The first key of a map or a set, found without a search: an iterator that begins anew walks over the holes that removed
 * keys leave, and in a table that is always full there are as many as rows.
 */
class Cursor {
  readonly #keys: Pick<Set<string> | Map<string, unknown>, 'keys'>
  #rest: Iterator<string>
  #first: string | undefined

  constructor(keys: Pick<Set<string> | Map<string, unknown>, 'keys'>) {
    this.#keys = keys
    this.#rest = keys.keys()
  }

  first(): string | undefined {
    this.#first ??= this.#next()
    return this.#first
  }

  /** To be told of each key that is removed. */
  passOver(key: string): void {
    if (key === this.#first) this.#first = undefined
  }

  #next(): string | undefined {
    const next = this.#rest.next()
    if (!next.done) return next.value
    // An iterator that has come to the end stays there, whatever is added.
    this.#rest = this.#keys.keys()
    return this.#rest.next().value
  }
}

interface TableOptions<Row> {
  readonly capacity: number
  readonly journal: Journal
  keyOf(row: Row): string
  /** Under what else rows are found. Nothing is found under an empty text. */
  groupOf(row: Row): string
}

/** Rows by key, oldest first. A row is replaced, never changed: a copy of it stays what it was. */
export class Table<Row extends object> {
  readonly what: string
  protected readonly options: TableOptions<Row>
  protected readonly rows = new Map<string, Row>()
  readonly #groups = new Map<string, Group>()
  readonly #order = new Cursor(this.rows)

  constructor(what: string, options: TableOptions<Row>) {
    this.what = what
    this.options = options
  }

  get(key: string): Row | null {
    return this.rows.get(key) ?? null
  }

  in(group: string): Row[] {
    return [...(this.#groups.get(group)?.keys ?? [])].flatMap((key) => this.rows.get(key) ?? [])
  }

  /** The key of the row that was stored first, among those of the same group if there are any. */
  protected oldestLike(row: Row): string | undefined {
    return (this.#groups.get(this.options.groupOf(row))?.order ?? this.#order).first()
  }

  /** @throws When there is a row with its key, or no room. */
  insert(row: Row): Row {
    if (this.rows.has(this.options.keyOf(row))) throw new Error(`There is such a ${this.what} already.`)
    if (this.rows.size >= this.options.capacity) this.makeRoomFor(row)
    return this.put(row)
  }

  put(row: Row): Row {
    const key = this.options.keyOf(row)
    const before = this.rows.get(key)
    this.rows.set(key, row)
    // A row that stays in its group keeps its place there.
    if (before && this.options.groupOf(before) !== this.options.groupOf(row)) this.#leaveGroup(before)
    this.#joinGroup(row)
    this.options.journal.note(() => (before ? this.put(before) : this.remove(key)))
    return row
  }

  remove(key: string): Row | null {
    const row = this.rows.get(key)
    if (!row) return null
    this.rows.delete(key)
    this.#order.passOver(key)
    this.#leaveGroup(row)
    this.options.journal.note(() => this.put(row))
    return row
  }

  removeAllIn(group: string): void {
    for (const row of this.in(group)) this.remove(this.options.keyOf(row))
  }

  protected makeRoomFor(_row: Row): void {
    throw new Error(`The memory adapter is full: it holds ${this.options.capacity} records of the kind ${this.what}.`)
  }

  #joinGroup(row: Row): void {
    const name = this.options.groupOf(row)
    if (!name) return
    const group = this.#groups.get(name) ?? createGroup()
    group.keys.add(this.options.keyOf(row))
    this.#groups.set(name, group)
  }

  #leaveGroup(row: Row): void {
    const name = this.options.groupOf(row)
    const group = this.#groups.get(name)
    if (!group) return
    const key = this.options.keyOf(row)
    group.keys.delete(key)
    group.order.passOver(key)
    if (group.keys.size === 0) this.#groups.delete(name)
  }
}

/** Rows that end by themselves, and that can be done without: the oldest ones make room. */
class ExpiringTable<Row extends { expires: Date }> extends Table<Row> {
  /** No row ends before: with a full table, nobody has to look at all rows for each new one. */
  #nextEnd = Number.POSITIVE_INFINITY

  override put(row: Row): Row {
    this.#nextEnd = Math.min(this.#nextEnd, row.expires.getTime())
    return super.put(row)
  }

  /** Removes expired rows, and says how many. */
  prune(now = Date.now()): number {
    if (now < this.#nextEnd) return 0
    const rows = [...this.rows.values()]
    const current = rows.filter(({ expires }) => expires.getTime() > now)
    for (const row of rows) if (row.expires.getTime() <= now) this.remove(this.options.keyOf(row))
    this.#nextEnd = current.reduce((end, { expires }) => Math.min(end, expires.getTime()), Number.POSITIVE_INFINITY)
    return rows.length - current.length
  }

  protected override makeRoomFor(row: Row): void {
    if (this.prune() > 0) return
    const oldest = this.oldestLike(row)
    if (oldest !== undefined) this.remove(oldest)
  }
}
