/**
 * Mocha's `spec` output; with `CI` in the environment failures only. The end of a run lists the files that took
 * longest, the reasons of skipped tests, tests that needed a second try, and each failed test again, with its message.
 *
 * With `MOCHA_RESULTS=<folder>`, for `.ci/run`, it also appends to three files of that folder: `counts` (`<passed>
 * <failed> <skipped>`), `slowest` and `failures`. It sees the tests themselves, or with `mocha --parallel` the events
 * that `worker-reporter.mjs` sends.
 */
import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { timeSuites } from './worker-reporter.mjs'

const { Base, Spec } = Mocha.reporters
const { CI, MOCHA_RESULTS } = process.env

/** The number of slowest files that are listed. Runs of fewer files list none. */
const shown = 25

/** The longest message of a failed test at the end of a run, in lines: the whole message is above. */
const linesOfMessage = 12

/** Prints each failed test, and the totals. */
class Failures extends Base {
  constructor(runner, options) {
    super(runner, options)
    runner.on('fail', (test) => Base.consoleLog('  failed: %s', titleOf(test)))
    runner.once('end', () => this.epilogue())
  }
}

export default class Reporter extends (CI ? Failures : Spec) {
  constructor(runner, options) {
    if (runner.isParallelMode()) {
      runner.workerReporter(fileURLToPath(new URL('./worker-reporter.mjs', import.meta.url)))
      // Mocha does not set it, and takes each failure without a test for the end of the run.
      runner.state = Mocha.Runner.constants.STATE_RUNNING
    }
    runner.on('fail', nameFile)
    super(runner, options)
    if (!runner.isParallelMode()) timeSuites(runner)
    const times = timeFiles(runner)
    const skipped = new Map()
    runner.on('pending', ({ whySkipped = 'no reason given' }) => {
      skipped.set(whySkipped, (skipped.get(whySkipped) ?? 0) + 1)
    })
    const again = []
    runner.on('retry', (test) => void again.push(test.fullTitle()))
    const sumUp = (more = 0) => {
      const { passes, failures, pending } = this.stats
      if (times.size > shown) write('slowest', 'the files that took longest:', toRows(times))
      for (const title of again) Base.consoleLog(`  needed a second try: ${title}`)
      if (skipped.size > 0) Base.consoleLog(`  skipped ${pending}: ${toText(skipped)}\n`)
      if (this.failures.length > 0) write('failures', 'failed once more:', this.failures.flatMap(toLines))
      keep('counts', [`${passes} ${failures + more} ${pending}`])
    }
    const onDeath = () => {
      // The code is always 1, because a run that dies must not look like a success.
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

/**
 * Names a failure without a test, which mocha makes for a file that could not be loaded or whose worker died. It gets
 * the file's name.
 */
function nameFile(failed) {
  if (failed.type === undefined && failed.file) failed.title = relative('', failed.file)
}

/** Adds up what the suites of each file took. */
function timeFiles(runner) {
  const times = new Map()
  runner.on('suite end', ({ file, took, worked }) => {
    if (!file || took === undefined) return
    const before = times.get(file) ?? { took: 0, worked: 0 }
    times.set(file, { took: before.took + took, worked: before.worked + worked })
  })
  return times
}

/** Prints a list, and keeps it for `.ci/run`. */
function write(name, heading, lines) {
  Base.consoleLog('%s', `  ${heading}\n${lines.map((line) => `    ${line}\n`).join('')}`)
  keep(name, lines)
}

function keep(name, lines) {
  if (MOCHA_RESULTS) appendFileSync(join(MOCHA_RESULTS, name), lines.map((line) => `${line}\n`).join(''))
}

/** Seconds by the clock, with other files at the same time; and of processors. */
function toRows(times) {
  const longest = [...times].sort(([, a], [, b]) => b.took - a.took).slice(0, shown)
  const seconds = (time) => (time / 1000).toFixed(1).padStart(6)
  return longest.map(([file, { took, worked }]) => {
    return `${seconds(took)} s, worked ${seconds(worked)} s  ${relative('', file)}`
  })
}

/** The title of a failed test, and the beginning of its message. */
function toLines(test) {
  const { err: { message = '' } = {}, file } = test
  const lines = message.split('\n').slice(0, linesOfMessage)
  return [`${titleOf(test)} (${file ? relative('', file) : 'no file'})`, ...lines.map((line) => `  ${line}`)]
}

/** A failure without a test has a title only. */
function titleOf(test) {
  return test.fullTitle?.() ?? test.title
}

function toText(skipped) {
  return [...skipped].map(([why, count]) => `${why} (${count})`).join('; ')
}
