/** What a worker of `mocha --parallel` tells of its tests: with the reasons and the causes that mocha leaves out. */
import ParallelBuffered from 'mocha/lib/nodejs/reporters/parallel-buffered.cjs'

export default class WorkerReporter extends ParallelBuffered {
  constructor(runner, options) {
    super(runner, options)
    runner.on('pending', (test) => {
      const { serialize, whySkipped } = test
      test.serialize = () => ({ ...serialize.call(test), whySkipped })
    })
    runner.on('fail', (_test, error) => {
      if (error.cause) Object.defineProperty(error, 'cause', { value: toPlain(error.cause), enumerable: true })
    })
  }
}

/** What the output shows of a cause, and can be sent. */
function toPlain({ message, stack, cause }) {
  return { message, stack, ...(cause && { cause: toPlain(cause) }) }
}
