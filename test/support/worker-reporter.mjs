/**
 * The reporter of a worker of `mocha --parallel`: it also sends the reasons and the causes that mocha leaves out, and
 * the time that the suites of the file took.
 */
import { readFileSync } from 'node:fs'
import ParallelBuffered from 'mocha/lib/nodejs/reporters/parallel-buffered.cjs'

export default class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    timeSuites(runner)
    runner.on('suite end', (suite) => {
      const { serialize, file, took, worked } = suite
      suite.serialize = () => ({ ...serialize.call(suite), file, took, worked })
    })
    runner.on('pending', (test) => {
      const { serialize, whySkipped } = test
      test.serialize = () => ({ ...serialize.call(test), whySkipped })
    })
    runner.on('fail', (_test, error) => {
      if (error.cause) Object.defineProperty(error, 'cause', { value: toPlain(error.cause), enumerable: true })
    })
  }
}

/**
 * Gives each suite of the first level its `took`, and the `worked` of processors, in milliseconds: with its hooks, without loading the
 * file. Processes that it started count where they have ended.
 */
export function timeSuites(runner) {
  const begun = new Map()
  runner.on('suite', (suite) => void begun.set(suite, { at: Date.now(), work: workDone() }))
  runner.on('suite end', (suite) => {
    if (!suite.parent?.root) return
    const { at, work } = begun.get(suite)
    suite.took = Date.now() - at
    suite.worked = workDone() - work
  })
}

/** Milliseconds of processors, of this process and of those that it waited for; 0 where the system does not say (not Linux). */
function workDone() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    // utime, stime, cutime and cstime of proc(5), in hundredths of a second.
    return fields.slice(11, 15).reduce((sum, each) => sum + Number(each) * 10, 0)
  } catch {
    return 0
  }
}

/** Returns the parts of a cause that the output shows, and that can be sent. */
function toPlain({ message, stack, cause }) {
  return { message, stack, ...(cause && { cause: toPlain(cause) }) }
}
