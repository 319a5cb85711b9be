/** Skipping a test, or a whole suite from its `before`, with a reason. `REQUIRE_ALL=1` turns every skip into a failure. */

declare global {
  namespace Mocha {
    interface Runnable {
      whySkipped?: string
    }
  }
}

/**
 * Skips the test, or with `before` the suite. The reporter says the reasons in one line at the end of the run.
 *
 * @example
 * ```ts
 * before(function () {
 *   if (!browser) skip(this, 'no Chromium found')
 * })
 * ```
 */
export function skip(context: Mocha.Context, why: string): never {
  if (process.env.REQUIRE_ALL === '1') throw new Error(`REQUIRE_ALL=1 forbids to skip: ${why}`)
  const runnable = context.runnable()
  const mark = (test: Mocha.Runnable) => Object.assign(test, { whySkipped: why })
  if (isHook(runnable)) runnable.parent?.eachTest(mark)
  else mark(runnable)
  return context.skip()
}

function isHook(runnable: Mocha.Runnable): boolean {
  return 'type' in runnable && runnable.type === 'hook'
}
