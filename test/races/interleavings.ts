/**
 * Runs two operations in every order of their store calls that makes a difference: a model checker for races between processes.
 *
 * Every call of a store waits until the schedule releases it, and nothing else continues meanwhile. A run follows a list of choices, and
 * then continues with the last operation until it ends. Two orders differ only where two calls of different operations depend on
 * each other: they use the same data, and one of them writes. So further runs begin at such pairs, with the later call first (dynamic
 * partial-order reduction, Flanagan and Godefroid, POPL 2005).
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The call of a store that has happened. */
export interface Step {
  readonly operation: number
  /** `<store>.<method>` */
  readonly call: string
  /** The keys that a call of the store of ended sessions names. */
  readonly keys?: readonly string[]
}

/** One run, from its preparation to its judgement. */
export interface Run {
  /** Two operations, which call stores of {@link Schedule.gated}. */
  readonly operations: readonly (() => Promise<unknown>)[]
  /** Throws where what has come of the operations must not be. */
  judge(steps: readonly Step[]): Promise<void>
}

/** Milliseconds of computing between two calls of a store, on a machine that is busy. The clock of the tests does not stop it. */
const patience = 10_000

const current = new AsyncLocalStorage<{ readonly operation: number; readonly isInside?: boolean }>()

/** One run's order of the calls. */
export class Schedule {
  readonly steps: Step[] = []
  readonly #choices: readonly number[]
  /** The waiting calls by operation, the oldest first. An operation may make several at once. */
  readonly #waiting = new Map<number, Array<Omit<Step, 'operation'> & { go(): void }>>()

  constructor(choices: readonly number[]) {
    this.#choices = choices
  }

  /** A store, each of whose calls waits for its turn. @param name Of the data; of records, their table. */
  gated<T extends object>(store: T, name?: string): T {
    const gate = this.#call.bind(this)
    return new Proxy(store, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key)
        if (typeof value !== 'function' || key === 'store') return value
        return (...args: unknown[]) =>
          gate(`${name ?? tableIn(args)}.${String(key)}`, args, () => Reflect.apply(value, from, args))
      },
    })
  }

  /** Runs the operations to their end. @returns The result of each. */
  async run(operations: Run['operations']): Promise<PromiseSettledResult<unknown>[]> {
    const done = new Set<number>()
    const results = operations.map((work, operation) =>
      current.run({ operation }, work).finally(() => done.add(operation)),
    )
    const all = Promise.allSettled(results)
    for (;;) {
      await this.#settle(() => operations.every((_, at) => done.has(at) || this.#waiting.has(at)))
      if (this.#waiting.size === 0) return all
      const open = [...this.#waiting.keys()].sort()
      const wanted = this.#choices[this.steps.length] ?? this.steps.at(-1)?.operation ?? 0
      // An operation that has ended leaves the other one.
      const chosen = open.includes(wanted) ? wanted : (open[0] ?? 0)
      const turns = this.#waiting.get(chosen)
      const turn = turns?.shift()
      if (!turn) throw new Error('A run did not reach the same point as the one before.')
      if (turns?.length === 0) this.#waiting.delete(chosen)
      const { go, ...step } = turn
      this.steps.push({ operation: chosen, ...step })
      go()
    }
  }

  async #call(call: string, args: readonly unknown[], work: () => unknown): Promise<unknown> {
    const running = current.getStore()
    // Calls that prepare a run, and calls inside a transaction, are no steps of their own.
    if (!running || running.isInside) return work()
    const { operation } = running
    const keys = call.startsWith('revocations.') ? keysIn(args[0]) : undefined
    await new Promise<void>((resolve) => {
      const turn = { call, ...(keys && { keys }), go: resolve }
      this.#waiting.set(operation, [...(this.#waiting.get(operation) ?? []), turn])
    })
    return current.run({ operation, isInside: true }, async () => work())
  }

  /** Until both operations wait, or have ended. Between two calls there is nothing but computing. */
  async #settle(isSettled: () => boolean): Promise<void> {
    for (const end = performance.now() + patience; performance.now() < end; ) {
      if (isSettled()) return
      await new Promise((resolve) => setImmediate(resolve))
    }
    const order = this.steps.map(({ operation, call }) => `${'AB'[operation]} ${call}`).join('\n')
    throw new Error(`An operation waits for something that is no store, after:\n${order}`)
  }
}

/** Returns the name of the table of records. */
function tableIn([table]: readonly unknown[]): string {
  return typeof table === 'object' && table !== null ? String(Reflect.get(table, 'name')) : ''
}

/** Reads the keys of `find(keys)`, `add(entries)` and `replace(entry)`; `undefined` for other calls. */
function keysIn(given: unknown): readonly string[] | undefined {
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given]
  const keys = entries.map((entry) => (typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'key') : entry))
  return keys.every((key) => typeof key === 'string') ? keys : undefined
}

/**
 * Explores the orders.
 *
 * @param mostSwitches How often a run may change from one operation to the other before both have ended. Default: no limit.
 * @returns The number of runs.
 */
export async function explore(
  prepare: (schedule: Schedule) => Promise<Run>,
  mostSwitches = Number.POSITIVE_INFINITY,
): Promise<number> {
  const open: number[][] = [[]]
  const seen = new Set<string>()
  let runs = 0
  for (let choices = open.pop(); choices !== undefined; choices = open.pop()) {
    const schedule = new Schedule(choices)
    const { operations, judge } = await prepare(schedule)
    await schedule.run(operations)
    runs += 1
    const made = schedule.steps.map(({ operation }) => operation)
    await judge(schedule.steps).catch((error: Error) => {
      const order = schedule.steps.map(({ operation, call }) => `${'AB'[operation]} ${call}`).join('\n')
      throw new Error(`${error.message}\nin this order:\n${order}`)
    })
    for (const [at, step] of schedule.steps.entries()) {
      const before = schedule.steps.slice(0, at).findLastIndex((other) => isDependent(other, step))
      if (before < 0 || isOrdered(schedule.steps, before, at)) continue
      const next = [...made.slice(0, before), step.operation]
      const key = next.join('')
      if (seen.has(key) || switchesIn(next) > mostSwitches) continue
      seen.add(key)
      open.push(next)
    }
  }
  return runs
}

/** Checks whether a step comes after another one in any case, because an earlier step of its own operation does. */
function isOrdered(steps: readonly Step[], before: number, at: number): boolean {
  const own = steps[at]?.operation
  return steps.slice(before + 1, at).some((step, index) => {
    if (step.operation !== own) return false
    return steps.slice(before, before + 1 + index).some((other) => isDependent(other, step))
  })
}

function switchesIn(choices: readonly number[]): number {
  return choices.filter((each, at) => at > 0 && each !== choices[at - 1]).length
}

/** Checks whether the order of two steps can make a difference: they are of different operations, use the same data, and one of them writes. */
function isDependent(one: Step, other: Step): boolean {
  if (one.operation === other.operation || (isRead(one) && isRead(other))) return false
  const [mine, theirs] = [tablesOf(one), tablesOf(other)]
  if (!mine.some((table) => theirs.includes(table))) return false
  return !one.keys || !other.keys || one.keys.some((key) => other.keys?.includes(key))
}

function isRead({ call }: Step): boolean {
  return /\.(get|list|find)/.test(call)
}

const databaseTables = ['sessions', 'others']

/** Returns the parts of the data that a call uses. */
function tablesOf({ call }: Step): readonly string[] {
  const [store = '', method = ''] = call.split('.')
  if (store !== 'db') return [store]
  if (method === 'getSessionAndUser' || method === 'transaction' || method === 'deleteUser') return databaseTables
  return [/session/i.test(method) ? 'sessions' : 'others']
}
