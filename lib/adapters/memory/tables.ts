/** The tables of the memory adapter: rows by key and by one group, with a maximum number. */
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterSessionLink,
  AdapterUser,
  VerificationToken,
} from '../../types/adapter.js'

/** Data that the application stored in a session. */
interface StoredData {
  readonly sessionToken: string
  readonly data: string
}

/** The tables, one for each kind of record. */
export type Tables = ReturnType<typeof createTables>

export function createTables(capacity: number) {
  const byUser = ({ userId }: { userId: string }) => userId
  const endOf = ({ expires }: { expires: Date }) => expires.getTime()
  const bySession = ({ sessionToken }: { sessionToken: string }) => sessionToken
  const data = new Table<StoredData>('data of a session', { capacity, keyOf: bySession, groupOf: () => '' })
  const sessions = new Table<AdapterSession>('session', {
    capacity,
    keyOf: bySession,
    groupOf: byUser,
    endOf,
    // So there are never more rows than sessions, and the data of a live session is never dropped.
    onRemove: ({ sessionToken }) => void data.remove(sessionToken),
  })
  return {
    data,
    users: new Table<AdapterUser>('user', { capacity, keyOf: ({ id }) => id, groupOf: ({ email }) => email }),
    accounts: new Table<AdapterAccount>('account', { capacity, keyOf: accountTableKey, groupOf: byUser }),
    sessions,
    links: new Table<AdapterSessionLink>('session link', {
      capacity,
      keyOf: bySession,
      groupOf: ({ subject }) => subject,
      // A link ends with its session, also when that is extended.
      endOf: ({ sessionToken }) => sessions.get(sessionToken)?.expires.getTime() ?? 0,
    }),
    tokens: new Table<VerificationToken>('verification token', {
      capacity,
      keyOf: tokenTableKey,
      groupOf: ({ identifier }) => identifier,
      endOf,
    }),
    passkeys: new Table<AdapterAuthenticator>('passkey', {
      capacity,
      keyOf: ({ credentialID }) => credentialID,
      groupOf: byUser,
    }),
  }
}

/** Returns one text for two values. The quotes of JSON separate them, so no other pair gives the same text. */
export function accountTableKey({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

export function tokenTableKey({ identifier, token }: Omit<VerificationToken, 'expires'>): string {
  return JSON.stringify([identifier, token])
}

interface TableOptions<Row> {
  readonly capacity: number
  keyOf(row: Row): string
  /** Returns the group of a row, by which rows are found too. Rows with an empty group are not. */
  groupOf(row: Row): string
  /**
   * Returns the end of a row in milliseconds. In a full table, expired rows make room for new ones. Without this
   * function no row is dropped.
   */
  endOf?(row: Row): number
  /** True if only expired rows make room. */
  readonly keepsLiveRows?: boolean
  /** Called for each removed row. */
  onRemove?(row: Row): void
}

/** Rows by key, oldest first. Rows are replaced and never changed, so a snapshot needs no copies of rows. */
export class Table<Row extends object> {
  readonly #what: string
  readonly #options: TableOptions<Row>
  readonly #rows = new Map<string, Row>()
  readonly #groups = new Map<string, Set<string>>()
  /** The earliest end of all rows. Before it, a full table is not searched for expired rows at each insert. */
  #nextEnd = Number.POSITIVE_INFINITY

  constructor(what: string, options: TableOptions<Row>) {
    this.#what = what
    this.#options = options
  }

  get(key: string): Row | null {
    return this.#rows.get(key) ?? null
  }

  all(): Row[] {
    return [...this.#rows.values()]
  }

  in(group: string): Row[] {
    return [...(this.#groups.get(group) ?? [])].flatMap((key) => this.#rows.get(key) ?? [])
  }

  /**
   * Returns the row.
   *
   * @throws {Error} When there is no such row.
   */
  existing(key: string): Row {
    const row = this.#rows.get(key)
    if (row) return row
    throw new Error(`The ${this.#what} does not exist.`)
  }

  /**
   * Adds a row.
   *
   * @throws {Error} When a row with its key exists, or there is no room.
   */
  insert(row: Row): Row {
    if (this.#rows.has(this.#options.keyOf(row))) throw new Error(`The ${this.#what} already exists.`)
    if (this.#rows.size >= this.#options.capacity) this.#makeRoomFor(row)
    return this.put(row)
  }

  put(row: Row): Row {
    const { keyOf, groupOf, endOf } = this.#options
    const [key, name] = [keyOf(row), groupOf(row)]
    const before = this.#rows.get(key)
    // A row that stays in its group keeps its position there.
    if (before && groupOf(before) !== name) this.#leaveGroup(before)
    this.#rows.set(key, row)
    if (name) this.#groups.set(name, (this.#groups.get(name) ?? new Set()).add(key))
    if (endOf) this.#nextEnd = Math.min(this.#nextEnd, endOf(row))
    return row
  }

  remove(key: string): Row | null {
    const row = this.get(key)
    if (row) this.#leaveGroup(row)
    this.#rows.delete(key)
    if (row) this.#options.onRemove?.(row)
    return row
  }

  removeAllIn(group: string): void {
    for (const row of this.in(group)) this.remove(this.#options.keyOf(row))
  }

  /** Removes expired rows and returns their number. */
  prune(now = Date.now()): number {
    const { keyOf, endOf } = this.#options
    if (!endOf || now < this.#nextEnd) return 0
    const size = this.#rows.size
    this.#nextEnd = Number.POSITIVE_INFINITY
    for (const row of this.#rows.values()) {
      if (endOf(row) <= now) this.remove(keyOf(row))
      else this.#nextEnd = Math.min(this.#nextEnd, endOf(row))
    }
    return size - this.#rows.size
  }

  /** Saves the current rows. Returns a function that restores them. */
  snapshot(): () => void {
    const rows = [...this.#rows.values()]
    return () => {
      this.#rows.clear()
      this.#groups.clear()
      for (const row of rows) this.put(row)
    }
  }

  /** Removes expired rows, else the oldest row of the same group, else the oldest of all. */
  #makeRoomFor(row: Row): void {
    const { capacity, groupOf, endOf, keepsLiveRows = !endOf } = this.#options
    if (this.prune() > 0) return
    if (keepsLiveRows)
      throw new Error(`The memory adapter is full: it holds ${capacity} records of the kind ${this.#what}.`)
    const [oldest] = this.#groups.get(groupOf(row)) ?? this.#rows.keys()
    if (oldest !== undefined) this.remove(oldest)
  }

  #leaveGroup(row: Row): void {
    const name = this.#options.groupOf(row)
    const group = this.#groups.get(name)
    group?.delete(this.#options.keyOf(row))
    if (group?.size === 0) this.#groups.delete(name)
  }
}
