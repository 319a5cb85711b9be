/**
 * Rows on their way to the database. A sign-in waits for its own row, but no longer than a bound: whoever brings the audit database to
 * its knees must not keep everybody out. While it is away nobody waits, rows are kept in memory, and are tried again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AuditRow } from '../adapters/sql/audit-table.js'
import { withTimeout } from '../base/timeout.js'

/** What a writer writes with, and its bounds. Times are milliseconds. */
export interface WriterOptions {
  /** Makes the row that says how many were dropped. */
  gap(dropped: number): AuditRow
  append(rows: readonly AuditRow[]): Promise<void>
  /** For so long the caller waits for its row. */
  readonly wait: number
  /** So many rows are kept in memory. */
  readonly limit: number
  /** After so long a statement counts as lost. It may still be done: a row that is there is not added twice. */
  readonly giveUp?: number
  /** Before the first further try; twice as long before each next one. */
  readonly retry?: number
  /** Between two messages for the log while the database is away. */
  readonly tellEvery?: number
}

interface Waiting {
  readonly row: AuditRow
  /** It was stored, or could not be for now: nobody waits any longer. */
  readonly settle: () => void
  /** How often it was refused alone, and how many rows had been written by then. */
  readonly refused?: { readonly times: number; readonly written: number }
}

const batchSize = 100
const longestPause = 30_000
/** A row that is refused so often, while others are written in between, is what the database cannot hold. */
const mostRefusals = 5
/** Statements without an answer at a time: each keeps a connection, which the application may need. */
const mostHanging = 2

export class AuditWriter {
  readonly #options: Required<WriterOptions>
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #hanging = 0
  /** Why the last try failed; `undefined` while all is well. */
  #fault: Error | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #written = 0
  #hurry = new AbortController()

  constructor(options: WriterOptions) {
    this.#options = { giveUp: 10_000, retry: 1_000, tellEvery: 60_000, ...options }
  }

  /**
   * Takes a row over, and waits for it to be stored, within the bound. With `0` it does not wait at all.
   *
   * @param isCheap Any stranger can cause it, as often as they like: such rows leave half of the memory to all others.
   * @throws {Error} For the log: it was not stored in time, or dropped. While the database is away, once in a while.
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
   * Tries what waits at once, and resolves when all is stored.
   *
   * @throws {Error} When it is not, after so many milliseconds.
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

  /** Goes on until nothing waits. Never rejects. */
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
        await this.#pause(Math.min(this.#options.retry * 2 ** tries, longestPause))
        tries = Math.min(tries + 1, 10)
      }
    }
    this.#running = undefined
  }

  /** Behind all others: one that the database cannot hold must not keep them out, and is dropped when that is sure. */
  #putBack([first]: readonly Waiting[]): void {
    if (!first) return
    this.#waiting.shift()
    const { times, written } = first.refused ?? { times: 0, written: -1 }
    const refused = { times: this.#written > written ? times + 1 : times, written: this.#written }
    if (refused.times < mostRefusals) this.#waiting.push({ ...first, refused })
    else this.#dropped += 1
  }

  async #append(rows: readonly AuditRow[]): Promise<void> {
    if (this.#hanging >= mostHanging) throw new Error(`${mostHanging} statements have had no answer yet.`)
    this.#hanging += 1
    const work = this.#options.append(rows).finally(() => {
      this.#hanging -= 1
    })
    await withTimeout(work, this.#options.giveUp, 'The audit database')
  }

  /** The table itself says where it has a gap. */
  #noteGap(): void {
    if (this.#dropped === 0) return
    const row = this.#options.gap(this.#dropped)
    this.#dropped = 0
    this.#waiting.push({ row, settle() {} })
  }

  async #pause(milliseconds: number): Promise<void> {
    this.#hurry = new AbortController()
    // A process that ends does not wait for the next try: `flush` does.
    await pause(milliseconds, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => {})
  }

  /** @throws {Error} Once in a while: a stranger who fails often must not fill the log. */
  #tell(): void {
    const now = performance.now()
    if (now - this.#toldAt < this.#options.tellEvery) return
    this.#toldAt = now
    throw this.#describe()
  }

  #describe(): Error {
    const lost = this.#dropped > 0 ? `, and ${this.#dropped} were dropped` : ''
    const told = `The audit log could not be written: ${this.#waiting.length} rows wait in memory${lost}. It is tried again.`
    return new Error(told, this.#fault && { cause: this.#fault })
  }
}
