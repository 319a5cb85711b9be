/**
 * Mocha's `spec` output, and at the end one line with what was skipped and why.
 * With `MOCHA_COUNTS=<file>` it adds a line `<passed> <failed> <skipped>` to that file, for `.ci/run`.
 */
import { appendFileSync } from 'node:fs'
import Mocha from 'mocha'

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    // Mocha sets the real code when it ends. A run that dies on the way must not look like a success.
    process.exitCode = 1
    const skipped = new Map()
    runner.on('pending', (test) => {
      const why = whySkipped(test)
      skipped.set(why, (skipped.get(why) ?? 0) + 1)
    })
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      if (skipped.size > 0) Mocha.reporters.Base.consoleLog(`  skipped ${pending}: ${toText(skipped)}\n`)
      if (process.env.MOCHA_COUNTS) appendFileSync(process.env.MOCHA_COUNTS, `${passes} ${failures} ${pending}\n`)
    })
  }
}

/** The reason that `skip()` left on the test or on a suite around it. */
function whySkipped(runnable) {
  if (!runnable) return 'no reason given'
  return runnable.whySkipped ?? whySkipped(runnable.parent)
}

function toText(skipped) {
  return [...skipped].map(([why, count]) => `${why} (${count})`).join('; ')
}
