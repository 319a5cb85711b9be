/**
 * Measures the effect of fifty sign-ins in a second on the rest of the process: the delay of the event loop, and the
 * wait for a file, which shares its threads with the hashing. Each sign-in verifies one password. Not part of `npm
 * test`, since it measures time.
 *
 *   node --import tsx bench/passwords.mjs
 */
import { stat } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { withTurn } from '../lib/features/passwords/hashing/work.js'
import { argon2id, bcrypt, scrypt } from '../lib/features/passwords/index.ts'

const perSecond = 50
const seconds = 15
const password = 'correct horse battery staple'

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const percentile = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
const inMilliseconds = (time) => `${time.toFixed(1)} ms`

async function measure(name, verify, turn) {
  await verify()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const [answered, files] = [[], []]
  let refused = 0
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      const began = performance.now()
      await stat(fileURLToPath(import.meta.url))
      files.push(performance.now() - began)
      await pause(5)
    }
  })()
  delay.enable()
  const began = performance.now()
  const all = []
  for (let at = 0; at < perSecond * seconds; at += 1) {
    await pause(Math.max(0, began + (at * 1000) / perSecond - performance.now()))
    const asked = performance.now()
    all.push(
      turn(verify).then(
        () => answered.push(performance.now() - asked),
        () => {
          refused += 1
        },
      ),
    )
  }
  await Promise.all(all)
  delay.disable()
  isOver = true
  await watch
  const loop = [50, 99, 99.9].map((each) => inMilliseconds(delay.percentile(each) / 1e6)).join(', ')
  console.log(`${name}: ${answered.length} answered, ${refused} refused`)
  console.log(`  event loop p50, p99, p99.9: ${loop}; longest ${inMilliseconds(delay.max / 1e6)}`)
  console.log(
    `  a file p50, p99: ${inMilliseconds(percentile(files, 0.5))}, ${inMilliseconds(percentile(files, 0.99))}`,
  )
  console.log(
    `  a sign-in p50, p99: ${inMilliseconds(percentile(answered, 0.5))}, ${inMilliseconds(percentile(answered, 0.99))}`,
  )
}

async function verifierOf(hasher) {
  const hash = await hasher.hash(password)
  return () => hasher.verify(hash, password)
}

const own = '$2b$10$Sqo9CRzGMyXeDoxRUVsQOOOONhU0yVSX2zDdhLR66iGBQ6F2HQrdq'
await measure('argon2id', await verifierOf(argon2id()), withTurn)
await measure('scrypt', await verifierOf(scrypt()), withTurn)
await measure('scrypt without turns', await verifierOf(scrypt()), (work) => work())
await measure('imported bcrypt of cost 10', () => bcrypt().verify(own, password), withTurn)
