/**
 * Checks the cost of our types for an application's compiler: the example must stay below a number of type
 * instantiations. A type that computes too much makes every editor that opens it slow, and no test would show it.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

/** Measured 32,739 with TypeScript 5.9, mostly for the types of Express. The limit leaves a tenth for new features. */
const limit = 36_000

const compiler = createRequire(import.meta.url).resolve('typescript5/bin/tsc')
const { status, stdout } = spawnSync(
  process.execPath,
  // The example compiles against the declarations that users get, because our sources cost only us.
  [compiler, '-p', 'examples/express-app/tsconfig.json', '--extendedDiagnostics'],
  { encoding: 'utf8' },
)
const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1])

if (status !== 0) {
  console.error(stdout)
  process.exitCode = 1
} else if (!(instantiations <= limit)) {
  console.error(`The example costs ${instantiations} type instantiations; ${limit} is the limit.`)
  process.exitCode = 1
} else {
  console.log(`The example costs ${instantiations} type instantiations of ${limit}.`)
}
