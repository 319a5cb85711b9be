/** Results on the terminal. */
import { isQuiet } from '../harness/run-job.mjs'
import { differenceOf, intervalOf } from '../harness/statistics.mjs'
import { digitsOf, shareOf } from './numbers.mjs'

/**
 * Prints a result.
 * @param comparisons `[name, lane, base, note]`: the lane that is compared with the base, and a note about the interval
 */
export function printResult({ id, title, floor, unit, version, lanes, machine }, comparisons) {
  const show = digitsOf(unit)
  const line = (name, { mean, low, high }, note = '') =>
    console.log(`  ${name.padEnd(42)} ${show(mean).padStart(8)} ${unit}  [${show(low)}, ${show(high)}]  ${note}`)
  console.log(`\n${title.replaceAll('`', '')} (${id}), Node.js ${version}\n  ${describeMachine(machine)}`)
  line('floor', intervalOf(lanes[0].costs), floor)
  for (const [name, lane, base, note] of comparisons) {
    const difference = differenceOf(lanes[lane].costs, lanes[base].costs)
    line(name, difference, note?.(difference))
  }
}

/** Says whether 0 is in an interval of identical code, where about 95 of 100 intervals contain it. */
export function checkIdentical({ low, high }) {
  return low <= 0 && high >= 0 ? 'contains 0, as it should' : 'does not contain 0: 1 of 20 intervals may'
}

function describeMachine(machine) {
  const { load, stolen, waited, interruptions } = machine
  const word = isQuiet(machine) ? 'quiet' : 'busy'
  return `${word}: load average ${load.toFixed(1)}, steal ${shareOf(stolen)}, waited for a CPU ${shareOf(waited)}, ${interruptions.toFixed(0)} interruptions a second`
}
