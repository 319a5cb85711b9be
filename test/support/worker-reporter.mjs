/**
 * What a worker of `mocha --parallel` tells of its tests: with the reasons and the causes that mocha leaves out, and with
 * the time that the suites of the file took.
 */
import ParallelBuffered from 'mocha/lib/nodejs/reporters/parallel-buffered.cjs'

export default class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    timeSuites(runner)
    runner.on('suite end', (suite) => {
      const { serialize, file, took } = suite
      suite.serialize = () => ({ ...serialize.call(suite), file, took })
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

/** Gives each suite of the first level its `took`, in milliseconds: with its hooks, without loading the file. */
export function timeSuites(runner) {
  const begun = new Map()
  runner.on('suite', (suite) => void begun.set(suite, Date.now()))
  runner.on('suite end', (suite) => {
    if (suite.parent?.root) suite.took = Date.now() - begun.get(suite)
  })
}

/** What the output shows of a cause, and can be sent. */
function toPlain({ message, stack, cause }) {
  return { message, stack, ...(cause && { cause: toPlain(cause) }) }
}
