/**
 * Writes records to the database. An event waits for its own record, but only for a limited time, so that an overloaded
 * audit database cannot block sign-in. While the database is unavailable, records are kept in memory and retried, and
 * events do not wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AuditRow } from '../adapters/sql/audit-table.js'
import { withTimeout } from '../base/timeout.js'

/** The functions and limits of a writer. Times are in milliseconds. */
export interface WriterOptions {
  /** Creates the record that counts dropped records. */
  gap(dropped: number): AuditRow
  append(rows: readonly AuditRow[]): Promise<void>
  /** The time that a caller waits for its record. */
  readonly wait: number
  /** The number of records kept in memory. */
  readonly limit: number
  /**
   * The time after which a statement is treated as failed. It may still succeed later: a record with an existing id is
   * not added again.
   */
  readonly statementTimeout?: number
  /** The pause before the first retry. It doubles with each further one. */
  readonly retryDelay?: number
  /** The time between two errors for the log while the database is unavailable. */
  readonly reportEvery?: number
}

interface PendingRow {
  readonly row: AuditRow
  /** Ends the wait of the caller: the record was stored, or cannot be stored for now. */
  readonly settle: () => void
  /** The number of failed writes of this record alone, and the number of records that had been written by then. */
  readonly failures?: { readonly times: number; readonly written: number }
}

const batchSize = 100
const longestPause = 30_000
/** A record that fails this often, while others are written in between, cannot be stored by the database. */
const maxFailures = 5
/** The maximum number of statements without a response. Each holds a connection, which the application may need. */
const maxHanging = 2

export class AuditWriter {
  readonly #options: Required<WriterOptions>
  readonly #waiting: PendingRow[] = []
  #running: Promise<void> | undefined
  #hanging = 0
  /** The error of the last attempt; `undefined` when it succeeded. */
  #fault: Error | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #written = 0
  #hurry = new AbortController()

  constructor(options: WriterOptions) {
    this.#options = { statementTimeout: 10_000, retryDelay: 1_000, reportEvery: 60_000, ...options }
  }

  /**
   * Adds a record, and waits for it to be stored, within the limit. With `0` it does not wait.
   *
   * @param isCheap Whether any client can cause the event without limit. Such records leave half of the memory to
   *   others.
   * @throws {Error} For the log: the record was not stored in time, or was dropped. Limited in frequency while the
   *   database is unavailable.
   */
  async add(row: AuditRow, isCheap: boolean): Promise<void> {
    const { limit, wait } = this.#options
    if (this.#waiting.length >= (isCheap ? limit / 2 : limit)) {
      this.#dropped += 1
      return this.#tell()
    }
    const settled = new Promise<void>((settle) => this.#waiting.push({ row, settle }))
    this.#running ??= this.#drain()
    if (this.#fault) return this.#tell()
    if (wait === 0) return
    await withTimeout(settled, wait, 'The audit database').catch((error: Error) => {
      this.#fault ??= error
    })
    if (this.#fault) this.#tell()
  }

  /**
   * Writes the pending records now, and resolves when all are stored.
   *
   * @throws {Error} When they are not stored within this many milliseconds.
   */
  async flush(milliseconds: number): Promise<void> {
    const deadline = Date.now() + milliseconds
    while (this.#waiting.length > 0) {
      const left = deadline - Date.now()
      if (left <= 0) throw this.#describe()
      this.#hurry.abort()
      this.#running ??= this.#drain()
      await Promise.race([this.#running, pause(Math.min(left, 100))])
    }
  }

  /** Writes until no record is pending. Never rejects. */
  async #drain(): Promise<void> {
    for (let [tries, size] = [0, batchSize]; this.#waiting.length > 0; ) {
      const batch = this.#waiting.slice(0, size)
      try {
        await this.#append(batch.map(({ row }) => row))
        tries = 0
        size = Math.min(size * 2, batchSize)
        this.#fault = undefined
        this.#written += batch.length
        this.#waiting.splice(0, batch.length)
        for (const { settle } of batch) settle()
        this.#noteGap()
      } catch (error) {
        this.#fault = error instanceof Error ? error : new Error('a non-error was thrown')
        for (const { settle } of this.#waiting) settle()
        if (batch.length === 1) this.#putBack(batch)
        size = 1
        await this.#pause(Math.min(this.#options.retryDelay * 2 ** tries, longestPause))
        tries = Math.min(tries + 1, 10)
      }
    }
    this.#running = undefined
  }

  /**
   * Moves a record behind all others, so that one that the database cannot store does not block them. Drops it after
   * enough failures.
   */
  #putBack([first]: readonly PendingRow[]): void {
    if (!first) return
    this.#waiting.shift()
    const { times, written } = first.failures ?? { times: 0, written: -1 }
    const failures = { times: this.#written > written ? times + 1 : times, written: this.#written }
    if (failures.times < maxFailures) this.#waiting.push({ ...first, failures })
    else this.#dropped += 1
  }

  async #append(rows: readonly AuditRow[]): Promise<void> {
    if (this.#hanging >= maxHanging) throw new Error(`${maxHanging} statements have had no response yet.`)
    this.#hanging += 1
    const work = this.#options.append(rows).finally(() => {
      this.#hanging -= 1
    })
    await withTimeout(work, this.#options.statementTimeout, 'The audit database')
  }

  /** Adds a record that tells how many were dropped. */
  #noteGap(): void {
    if (this.#dropped === 0) return
    const row = this.#options.gap(this.#dropped)
    this.#dropped = 0
    this.#waiting.push({ row, settle() {} })
  }

  async #pause(milliseconds: number): Promise<void> {
    this.#hurry = new AbortController()
    // The process can exit during the pause: `flush` handles pending records then.
    await pause(milliseconds, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => {})
  }

  /**
   * Throws the error for the log, limited in frequency, so that a client that fails often cannot fill the log.
   *
   * @throws {Error}
   */
  #tell(): void {
    const now = performance.now()
    if (now - this.#toldAt < this.#options.reportEvery) return
    this.#toldAt = now
    throw this.#describe()
  }

  #describe(): Error {
    const lost = this.#dropped > 0 ? `, and ${this.#dropped} were dropped` : ''
    const told = `The audit log could not be written: ${this.#waiting.length} rows are pending in memory${lost}. The pending rows are retried.`
    return new Error(told, this.#fault && { cause: this.#fault })
  }
}
