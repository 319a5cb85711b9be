/**
 * Switches off one defence after the other, and runs the tests that must notice: `npm run mutate [-- words]`, where words choose
 * those whose line has one of them. Works on copies of the tree, one for each processor; the tree itself is not touched.
 * Exits with 1 when a defence can be missing without a test that fails.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutations } from './mutations.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const words = process.argv.slice(2)
const chosen = mutations.filter((line) => words.length === 0 || words.some((word) => line.join(' ').includes(word)))
const leftOut = new Set(['.git', 'node_modules', 'dist', 'coverage'])
/** Milliseconds for the tests of one defence, which may be what ends a loop. On a busy machine: `MUTATE_PATIENCE`. */
const patience = Number(process.env.MUTATE_PATIENCE ?? 120_000)

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'server-auth-mutate-'))
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !leftOut.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/**
 * Runs tests. Returns whether all passed, whether they were killed, and their output.
 * @param limit Milliseconds after which the run is killed, and has failed. Default: none.
 */
function runTests(copy, tests, limit) {
  const paths = tests.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : `${path}.test.ts`))
  const child = spawn(process.execPath, [join(copy, 'node_modules/mocha/bin/mocha.js'), '--bail', ...paths], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: mocha starts a process with the options of Node.js, which must end with it.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let isKilled = false
  const kill = () => {
    isKilled = true
    process.kill(-child.pid, 'SIGKILL')
  }
  const timer = limit && setTimeout(kill, limit)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ passed: code === 0, isKilled, output })
    })
  })
}

const problems = []

async function tryOne(copy, [gain, file, text, replacement, tests]) {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(text).length - 1
  if (places !== 1) {
    problems.push(
      `${gain}: the text stands ${places} times in ${file}, not once. Move the entry to where the defence is.`,
    )
    return
  }
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  )
  const { passed, isKilled } = await runTests(copy, tests, patience)
  writeFileSync(path, source)
  // An endless loop is noticed too, but a slow machine looks the same.
  console.log(`${passed ? 'SURVIVED' : isKilled ? 'ENDLESS ' : 'noticed '}  ${gain}  (${file})`)
  if (isKilled) problems.push(`${gain}: ${tests.join(', ')} had not ended after ${patience / 1000} s.`)
  if (passed) problems.push(`${gain}: no test of ${tests.join(', ')} fails without this defence of ${file}.`)
}

async function work(queue) {
  const copy = copyTree()
  try {
    for (let next = queue.shift(); next; next = queue.shift()) await tryOne(copy, next)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const copy = copyTree()
const baseline = await runTests(copy, [...new Set(chosen.flatMap((line) => line[4]))])
rmSync(copy, { recursive: true, force: true })
if (!baseline.passed) {
  console.error(baseline.output.split('\n').slice(-40).join('\n'))
  throw new Error('The tests fail with all defences in place: nothing can be said then.')
}
const queue = [...chosen]
await Promise.all(Array.from({ length: availableParallelism() }, () => work(queue)))
console.log(`\n${chosen.length - problems.length} of ${chosen.length} defences are held by a test.`)
for (const problem of problems) console.error(`- ${problem}`)
if (problems.length > 0) process.exit(1)
