/**
 * The time limit of a test finds what hangs. It does not measure: where `CI` is set, machines are shared, and at times several times
 * slower, so each limit is four times as long.
 */
import Mocha from 'mocha'

const factor = process.env.CI ? 4 : 1

/** Returns how long something may take that takes so many milliseconds at most on a machine that does nothing else. */
export function timeLimit(milliseconds: number): number {
  return milliseconds * factor
}

const { timeout } = Mocha.Runnable.prototype
const { clone } = Mocha.Test.prototype

/** Returns the limit as the test, or its suite, has set it. */
const limitOf = (test: Mocha.Runnable): number => Reflect.apply(timeout, test, [])

Object.defineProperty(Mocha.Runnable.prototype, 'timeout', {
  value(this: Mocha.Runnable, ...limit: [] | [number | string]): Mocha.Runnable | number {
    return limit.length === 0 ? timeLimit(limitOf(this)) : Reflect.apply(timeout, this, limit)
  },
})

/** A second try is a copy, with the same limit. */
Mocha.Test.prototype.clone = function (this: Mocha.Test): Mocha.Test {
  const copy = clone.call(this)
  copy.timeout(limitOf(this))
  return copy
}
