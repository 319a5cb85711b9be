/**
 * Runs the tests: `node scripts/test.mjs [quick|usual|programs|ci|express4|express4-oldest|all|all-express4] [options of mocha]`. Which files belong
 * to which run, in which order, and in how many processes stands here; what of a file, in `test/support/extent.ts`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install-packages.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const [name = 'usual', ...options] = process.argv.slice(2)

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'))
  .sort()

/**
 * The files that take longest. The last one to start should be short, so that no process is left alone with a long one.
 */
const longest = [
  // Most of these times is waiting: they leave the processors to the next ones.
  'test/examples/next-app.test.ts',
  'test/tokens/late-answers.test.ts',
  'test/races/security-stamp.test.ts',
  'test/examples/main.test.ts',
  'test/browser/accessibility.test.ts',
  'test/tokens/processes.test.ts',
  'test/tokens/soak.test.ts',
  'test/password/equal-work.test.ts',
  'test/passwords/imported.test.ts',
  'test/hosts/',
  'test/faults/killed.test.ts',
  'test/browser/account.test.ts',
  'test/browser/passkey-account.test.ts',
  'test/browser/again.test.ts',
  'test/browser/',
  'test/client/',
  'test/faults/',
  'test/package.test.ts',
  'test/compilers.test.ts',
  'test/examples/',
  'test/adapters/',
  'test/cli/',
  'test/fuzz/',
  'test/flows/email/token.test.ts',
  'test/account/change-email.test.ts',
]

/** The tests of routes, bodies, guards and one whole sign-in, for the oldest supported Express. */
const expressOldest = [
  'test/router/',
  'test/oidc.test.ts',
  'test/define-auth.test.ts',
  'test/get-session.test.ts',
  'test/require-session.test.ts',
  'test/require-csrf.test.ts',
  'test/get-csrf-token.test.ts',
  'test/flows/oauth/form-post.test.ts',
  'test/threats/base-paths.test.ts',
  'test/threats/web.test.ts',
  'test/support/express-version.test.ts',
]

/**
 * The tests for which Express 4 and 5 may differ: routes and mounts, bodies, guards and doors, one whole sign-in and
 * sign-out, the example.
 */
const express = [
  ...expressOldest,
  'test/actions/csrf-token.test.ts',
  'test/flows/oauth/backchannel-logout.test.ts',
  'test/flows/oauth/glewlwyd.test.ts',
  'test/account/ending.test.ts',
  'test/tokens/connect.test.ts',
  'test/testing/kit.test.ts',
  'test/shim/two-doors.test.ts',
  'test/threats/spellings.test.ts',
  'test/examples/express-app.test.ts',
]

/** Applications that know no Express. */
const fullStack = ['test/hosts/', 'test/examples/next-app']

/**
 * The files that a quick run leaves out because they need other programs and servers, by folder or by their imports.
 */
const slow = [
  'test/adapters/',
  'test/audit/',
  'test/cli/',
  'test/examples/',
  'test/faults/',
  'test/hosts/',
  'test/package.test.ts',
  'test/compilers.test.ts',
  'test/cold-start.test.ts',
  'test/option-comments.test.ts',
  'test/public-comments.test.ts',
  'test/docs/',
]
/**
 * Files that start many programs: compilers and bundlers of others, npm, applications in several processes, servers that are killed, and
 * browsers for whole pages; and the search through all orders of store calls. They are half of the work, for parts that break more rarely. `.ci/run` has
 * them, too.
 */
const programs = [
  'test/examples/next-app',
  'test/examples/main.test.ts',
  'test/examples/dockerfiles.test.ts',
  'test/hosts/',
  'test/package.test.ts',
  'test/compilers.test.ts',
  'test/option-comments.test.ts',
  'test/public-comments.test.ts',
  'test/docs/',
  'test/browser/',
  'test/tokens/processes.test.ts',
  'test/tokens/soak.test.ts',
  'test/limits/processes.test.ts',
  'test/races/',
  'test/client/react-tabs.test.ts',
  'test/client/webauthn-page.test.ts',
  'test/examples/express-app.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/seal-tokens.test.ts',
  'test/cli/doctor/command.test.ts',
  'test/adapters/published.test.ts',
  'test/faults/killed.test.ts',
  'test/faults/under-load.test.ts',
  'test/faults/revocation.test.ts',
  'test/faults/two-processes.test.ts',
  'test/threats/load.test.ts',
]
/**
 * The same as another file has it, in another way: an application that starts otherwise, a page without scripts whose forms other
 * tests send, comments as editors of others show them. And what is random, for as long as one likes.
 */
const nightly = [
  'test/tokens/soak.test.ts',
  'test/browser/two-factor-plain.test.ts',
  'test/client/published-webauthn.test.ts',
  'test/client/published-revocation.test.ts',
  'test/docs/moving-guides.test.ts',
  'test/examples/next-app-browser.test.ts',
  'test/examples/next-app-dev.test.ts',
  'test/examples/dockerfiles.test.ts',
  'test/option-comments.test.ts',
  'test/public-comments.test.ts',
  'test/hosts/init',
  // Other runtimes: large programs, which are installed at the first run.
  'test/hosts/runtimes/',
  'test/hosts/create-next-app',
  'test/hosts/frameworks',
]
const others = /test\/support\/(browser|own-servers|own-process)\.ts$|^(redis|ioredis)$/

const runs = {
  usual: () => files.filter((path) => !begins(path, programs)),
  programs: () => files.filter((path) => begins(path, programs) && !begins(path, nightly)),
  // One run: while a program starts or a browser loads, other files use the processors.
  ci: () => files.filter((path) => !begins(path, nightly)),
  all: () => files,
  express4: () => files.filter((path) => begins(path, express)),
  'express4-oldest': () => files.filter((path) => begins(path, expressOldest)),
  'all-express4': () => files.filter((path) => !begins(path, fullStack)),
  quick: () => files.filter((path) => !begins(path, slow) && !reaches(path, others)),
}

function begins(path, patterns) {
  return patterns.some((pattern) => path.startsWith(pattern))
}

/** Checks whether a file, or one that it imports, imports such a module. Only files below `test/` are read. */
function reaches(path, wanted, seen = new Set()) {
  if (seen.has(path)) return false
  seen.add(path)
  const text = readFileSync(join(root, path), 'utf8')
  const imported = [...text.matchAll(/^(?:import|export|\} from)[^'\n]*'([^']+)'/gm)].map(([, from]) =>
    from.startsWith('.') ? posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts') : from,
  )
  if (imported.some((each) => wanted.test(each))) return true
  return imported.some(
    (each) => each.startsWith('test/') && existsSync(join(root, each)) && reaches(each, wanted, seen),
  )
}

const chosen = runs[name]?.()
if (!chosen) throw new Error(`there is no run "${name}": ${Object.keys(runs).join(', ')}`)
const rank = (path) => {
  const at = longest.findIndex((pattern) => path.startsWith(pattern))
  return at < 0 ? longest.length : at
}
const ordered = chosen.toSorted((a, b) => rank(a) - rank(b))

/** The folder that workers share: the application of Next.js is built once, by the first that needs it. */
const shared = mkdtempSync(join(tmpdir(), 'server-auth-tests-'))
const env = {
  ...process.env,
  TEST_SHARED: shared,
  TEST_EXTENT: ['quick', 'all'].find((extent) => name.startsWith(extent)) ?? 'usual',
  ...(name.endsWith('express4') && { EXPRESS_VERSION: '4' }),
  ...(name === 'express4-oldest' && { EXPRESS_VERSION: '4.16.4' }),
}
if (name === 'express4-oldest') installPackages(join(root, 'test/express-oldest'))
const runtimes = 'test/hosts/runtimes/'
if (chosen.some((path) => path.startsWith(runtimes))) {
  try {
    // Here, because the workers would install it at the same time.
    installPackages(join(root, runtimes), '--ignore-scripts')
  } catch (error) {
    // Its own tests fail, and the others run.
    console.error(String(error))
  }
}
// More than there are processors: a file often waits, for a database, a mail server or a browser. The servers take so many
// connections, and no more.
const jobs = process.env.TEST_JOBS || String(Math.min(availableParallelism(), 7) + 2)
const words = ['--parallel', '--jobs', jobs, ...options, ...ordered]
const mocha = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...words], {
  cwd: root,
  env,
  stdio: 'inherit',
})
// Mocha ends its workers with SIGINT only.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => mocha.kill('SIGINT'))
mocha.once('close', (code) => {
  rmSync(shared, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
