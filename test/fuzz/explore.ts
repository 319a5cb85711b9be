/** Plays the inputs of strangers, and checks the process in between for faults that an answer does not show. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { searchLogs } from '../support/log-watch.js'
import { doors, type Site } from './site.js'
import { limits, Violation } from './stranger.js'
import { TooSlow } from './wire.js'

/** An input that a stranger can send, and the way in which it is sent. */
export interface Target {
  readonly name: string
  /** The number of inputs in `npm test`. */
  readonly runs: number
  explore(exploration: Exploration): Promise<Outcome>
}

/** The length and the start of an exploration. */
export interface Exploration {
  readonly site: Site
  readonly seed: number
  readonly runs: number
  /** The path of a counterexample, to play that one input again. */
  readonly path?: string
  readonly watch: Watch
}

/** The result of an exploration. */
export interface Outcome {
  readonly inputs: number
  /** The counterexample with its seed and path; `undefined` where there is none. */
  readonly find?: string
}

/** Milliseconds after which the search for a smaller counterexample ends. */
const shrinkTime = 30_000

/**
 * Creates a target. `play` throws {@link Violation} for a forbidden result. @param pinned Earlier finds, tried each
 * time.
 */
export function target<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  play: (site: Site, input: Input) => Promise<void>,
  { runs = 10, pinned = [] }: { readonly runs?: number; readonly pinned?: readonly Input[] } = {},
): Target {
  async function explore({ site, seed, runs, path, watch }: Exploration): Promise<Outcome> {
    const property = fc.asyncProperty(inputs, (input) => watch.around(() => play(site, input)))
    const details = await fc.check(property, {
      seed,
      numRuns: runs,
      interruptAfterTimeLimit: shrinkTime,
      markInterruptAsFailure: false,
      examples: path === undefined ? pinned.map((input): [Input] => [input]) : [],
      ...(path !== undefined && { path, endOnFailure: true }),
    })
    const { numRuns: played, numShrinks, failed, counterexample, counterexamplePath, errorInstance } = details
    if (!failed) return { inputs: played }
    const again = `--target ${name} --door ${site.door} --strategy ${site.strategy} --seed ${seed} --path "${counterexamplePath}"`
    return {
      inputs: played + numShrinks,
      find: `${name}@${site.door}: ${describe(errorInstance)}\n  ${fc.stringify(counterexample).slice(0, 4000)}\n  npm run fuzz -- ${again}`,
    }
  }
  return { name, runs, explore }
}

function describe(error: unknown): string {
  if (error instanceof Violation || error instanceof TooSlow) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The watch of the process besides answers: unhandled rejections and errors, prototypes, and the event loop. */
export interface Watch {
  /** Milliseconds that one input blocked the event loop for, at most, since {@link Watch.forget}. */
  readonly longest: number
  around(play: () => Promise<void>): Promise<void>
  forget(): void
  close(): void
}

/** The number of tries. A slow one may be caused by the machine; if all are slow, the input is the cause. */
const tries = 6

/** @param most Milliseconds that an input may block the event loop for. */
export function startWatch(most: number): Watch {
  const faults: unknown[] = []
  const note = (fault: unknown) => void faults.push(fault)
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  const blocks = startBlocks()
  const intact = prototypes()
  let longest = 0

  async function once(play: () => Promise<void>): Promise<number> {
    await setImmediate()
    blocks.reset()
    await play()
    await setImmediate()
    const [fault] = faults.splice(0)
    if (fault !== undefined) throw new Violation(`nobody took ${fault instanceof Error ? fault.stack : fault}`)
    const leak = searchLogs()
    if (leak !== undefined) throw new Violation(leak)
    const changed = changeOf(intact)
    if (changed !== undefined) throw new Violation(`a prototype was touched: ${changed}`)
    return blocks.longest()
  }

  return {
    get longest() {
      return longest
    },
    async around(play) {
      let least = Number.POSITIVE_INFINITY
      for (let turn = 1; turn <= tries && least > most; turn += 1) {
        try {
          least = Math.min(least, await once(play))
          if (least > most) await setTimeout(turn * 50)
        } catch (error) {
          if (!(error instanceof TooSlow) || turn === tries) throw error
          // Other work of the machine may be over by then.
          await setTimeout(turn * 100)
        }
      }
      if (least !== Number.POSITIVE_INFINITY) longest = Math.max(longest, least)
      if (least > most)
        throw new Violation(`the event loop stood still for ${Math.round(least)} ms, ${tries} times of ${tries}`)
    },
    forget() {
      longest = 0
    },
    close() {
      blocks.close()
      process.off('unhandledRejection', note)
      process.off('uncaughtException', note)
    },
  }
}

/**
 * Starts to read the clock every two milliseconds; the longest time between two reads is how long the event loop was
 * blocked. Only the work of this process counts, because work of other processes does not block the event loop here.
 */
function startBlocks() {
  let [at, worked, longest] = [performance.now(), process.cpuUsage(), 0]
  function look(): void {
    const now = performance.now()
    const usage = process.cpuUsage()
    const work = (usage.user - worked.user + usage.system - worked.system) / 1000
    longest = Math.max(longest, Math.min(now - at, work))
    at = now
    worked = usage
  }
  const timer = setInterval(look, 2)
  return {
    reset() {
      look()
      longest = 0
    },
    longest() {
      look()
      return longest
    },
    close: () => clearInterval(timer),
  }
}

const shared = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  Map,
  Set,
  Promise,
  Error,
  RegExp,
  Date,
  URL,
  Headers,
  Buffer,
]

function prototypes(): ReadonlyMap<object, ReadonlyMap<PropertyKey, unknown>> {
  const read = (prototype: object) => new Map(Reflect.ownKeys(prototype).map((key) => [key, memberOf(prototype, key)]))
  return new Map(shared.map(({ prototype }) => [prototype, read(prototype)]))
}

function memberOf(prototype: object, key: PropertyKey): unknown {
  const descriptor = Reflect.getOwnPropertyDescriptor(prototype, key)
  return descriptor?.get ?? descriptor?.value
}

function changeOf(before: ReturnType<typeof prototypes>): string | undefined {
  for (const [prototype, values] of before) {
    const keys = Reflect.ownKeys(prototype)
    const changed = keys.find((key) => !values.has(key) || memberOf(prototype, key) !== values.get(key))
    if (changed !== undefined || keys.length !== values.size) return String(changed ?? 'something is gone')
  }
  return undefined
}

/** Exports `limits` and doors from one module. */
export { doors, limits }
