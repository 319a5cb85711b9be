/**
 * Mocha's `spec` output, and at the end the files that took longest, one line with what was skipped and why, and one for
 * each test that needed a second try.
 * With `MOCHA_COUNTS=<file>` it adds a line `<passed> <failed> <skipped>` to that file, for `.ci/run`.
 * It sees the tests themselves, or with `mocha --parallel` what `worker-reporter.mjs` tells of them.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { timeSuites } from './worker-reporter.mjs'

const { Base, Spec } = Mocha.reporters

/** How many of the slowest files are shown, where there are more. */
const shown = 25

export default class Reporter extends Spec {
  constructor(runner, options) {
    if (runner.isParallelMode()) {
      runner.workerReporter(fileURLToPath(new URL('./worker-reporter.mjs', import.meta.url)))
      // Mocha forgets to say so, and takes each failure without a test for the end of the run.
      runner.state = Mocha.Runner.constants.STATE_RUNNING
    }
    runner.on('fail', nameFile)
    super(runner, options)
    if (!runner.isParallelMode()) timeSuites(runner)
    const times = new Map()
    runner.on('suite end', ({ file, took, worked }) => {
      if (!file || took === undefined) return
      const before = times.get(file) ?? { took: 0, worked: 0 }
      times.set(file, { took: before.took + took, worked: before.worked + worked })
    })
    const skipped = new Map()
    runner.on('pending', ({ whySkipped = 'no reason given' }) => {
      skipped.set(whySkipped, (skipped.get(whySkipped) ?? 0) + 1)
    })
    const again = []
    runner.on('retry', (test) => void again.push(test.fullTitle()))
    const sumUp = (more = 0) => {
      const { passes, failures, pending } = this.stats
      if (times.size > shown) Base.consoleLog(`  the files that took longest:\n${toTable(times)}\n`)
      for (const title of again) Base.consoleLog(`  needed a second try: ${title}`)
      if (skipped.size > 0) Base.consoleLog(`  skipped ${pending}: ${toText(skipped)}\n`)
      const { MOCHA_COUNTS } = process.env
      if (MOCHA_COUNTS) appendFileSync(MOCHA_COUNTS, `${passes} ${failures + more} ${pending}\n`)
    }
    const onDeath = () => {
      // Whatever the code was: a run that dies on the way must not look like a success.
      process.exitCode = 1
      Base.list(this.failures)
      Base.consoleLog('  The run died before its end: some tests did not run.\n')
      sumUp(1)
    }
    process.once('exit', onDeath)
    runner.once('end', () => {
      process.off('exit', onDeath)
      sumUp()
    })
  }
}

/** Where a file could not be loaded, or its worker died, mocha makes a failure without a test. It gets the file's name. */
function nameFile(failed) {
  if (failed.type === undefined && failed.file) failed.title = relative('', failed.file)
}

/** Seconds by the clock, with other files at the same time; and of processors. */
function toTable(times) {
  const longest = [...times].sort(([, a], [, b]) => b.took - a.took).slice(0, shown)
  const seconds = (time) => (time / 1000).toFixed(1).padStart(6)
  return longest
    .map(([file, { took, worked }]) => `    ${seconds(took)} s, worked ${seconds(worked)} s  ${relative('', file)}`)
    .join('\n')
}

function toText(skipped) {
  return [...skipped].map(([why, count]) => `${why} (${count})`).join('; ')
}
