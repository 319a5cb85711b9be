/** `npm run fuzz`: all targets in turn, for a number of minutes, each time from another seed. */
import { parseArgs } from 'node:util'
import { startWatch, type Target } from './explore.js'
import { type DoorName, doors, openSite, type Site, type StrategyName, strategies } from './site.js'
import { limits } from './stranger.js'
import { targets } from './targets/index.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    target: { type: 'string' },
    door: { type: 'string' },
    strategy: { type: 'string' },
    path: { type: 'string' },
  },
})

/** Milliseconds for one target at one door, before the next one's turn. */
const slice = 2000

interface Count {
  inputs: number
  longest: number
}

const seed = readSeed(values.seed)
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes must be a number above zero, not ${values.minutes}`)
const wantedTargets = chosen(targets, values.target, ({ name }) => name)
const wantedDoors: readonly DoorName[] = chosen(doors, values.door, (name) => name)
const wantedStrategies: readonly StrategyName[] = chosen(strategies, values.strategy, (name) => name)

limits.patience = 1000
const watch = startWatch(50)
const counts = new Map<string, Count>()
const finds = new Map<string, string>()
try {
  await (values.path === undefined ? run(performance.now() + minutes * 60_000) : again(values.path))
} catch (error) {
  // The watch would take it for one of the library's.
  console.error(error)
  process.exit(2)
}
watch.close()
report()
process.exitCode = finds.size > 0 ? 1 : 0

function readSeed(text: string | undefined): number {
  const value = text === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`--seed must be an integer, not ${text}`)
  return value
}

function chosen<T>(all: readonly T[], name: string | undefined, nameOf: (one: T) => string): readonly T[] {
  if (name === undefined) return all
  const found = all.filter((one) => nameOf(one) === name)
  if (found.length === 0) throw new Error(`there is no "${name}": ${all.map(nameOf).join(', ')}`)
  return found
}

async function run(until: number): Promise<void> {
  console.log(`seed ${seed}, ${minutes} minutes, ${wantedTargets.length} targets`)
  const all = wantedTargets.length * wantedDoors.length
  for (let round = 0; performance.now() < until && finds.size < all; round += 1) {
    for (const door of wantedDoors) {
      const strategy = wantedStrategies[round % wantedStrategies.length]
      if (strategy === undefined) return
      const site = await openSite(door, strategy)
      for (const [at, target] of wantedTargets.entries()) {
        const time = Math.min(slice, until - performance.now())
        if (time <= 0) break
        site.renew()
        const end = performance.now() + time
        for (let turn = 0; performance.now() < end && !finds.has(`${target.name}@${door}`); turn += 1) {
          await explore(target, site, { seed: (seed + round * 1_000_003 + at * 9176 + turn) | 0, runs: 25 })
        }
      }
      await site.close()
    }
    // A run that is ended from outside has said how far it came.
    console.log(`${new Date().toISOString()}  round ${round + 1}: ${played()} inputs, ${finds.size} finds`)
  }
}

function played(): number {
  return [...counts.values()].reduce((sum, { inputs }) => sum + inputs, 0)
}

/** Plays one counterexample. */
async function again(path: string): Promise<void> {
  for (const door of wantedDoors) {
    for (const strategy of wantedStrategies) {
      const site = await openSite(door, strategy)
      for (const target of wantedTargets) await explore(target, site, { seed, runs: 100, path })
      await site.close()
    }
  }
}

async function explore(target: Target, site: Site, how: { seed: number; runs: number; path?: string }): Promise<void> {
  const name = `${target.name}@${site.door}`
  // A target that has failed would fail again, and is skipped. The others continue.
  if (finds.has(name)) return
  watch.forget()
  const { inputs, find } = await target.explore({ site, watch, ...how })
  const count = counts.get(name) ?? { inputs: 0, longest: 0 }
  counts.set(name, { inputs: count.inputs + inputs, longest: Math.max(count.longest, watch.longest) })
  if (find === undefined) return
  finds.set(name, find)
  console.log(`\n${find}\n`)
}

function report(): void {
  for (const [name, { inputs, longest }] of [...counts].sort()) {
    console.log(`${String(inputs).padStart(9)}  ${longest.toFixed(0).padStart(4)} ms  ${name}`)
  }
  console.log(
    `${String(played()).padStart(9)}  inputs, ${finds.size} finds, seed ${seed}. The second column is the longest that one blocked the event loop.`,
  )
}
