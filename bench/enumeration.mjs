/**
 * Checks whether the time of answers shows who has an account: `node --import tsx bench/enumeration.mjs`. 200 addresses
 * that are known and 200 that are not, in turn, at each step of passwords; and the effect of fifty sign-ins a second on
 * the event loop. The bodies are compared, too. The server is a process of its own, so that its work after an answer is
 * not measured as time of the answer.
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { memoryAdapter } from '../lib/adapters/memory/index.ts'
import { defineAuth } from '../lib/index.ts'
import Password from '../lib/providers/password.ts'

const count = Number(process.env.COUNT ?? 200)
const known = Array.from({ length: count }, (_none, at) => `person-${1000 + at}@example.com`)

if (process.send) await serve()
else await ask()

async function serve() {
  process.env.AUTH_URL = 'http://127.0.0.1'
  const adapter = memoryAdapter()
  const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {}, limit: false }
  const config = {
    secret: 'a secret of the benchmark, and of nothing else',
    adapter,
    providers: [Password({ mail })],
    rateLimit: false,
    logger: { error() {}, warn() {}, debug() {} },
  }
  const auth = defineAuth(config)
  const server = createServer(express().use('/auth', auth.router))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  for (const email of known) {
    const made = { id: crypto.randomUUID(), email, emailVerified: new Date(), name: null, image: null }
    const user = await adapter.createUser(made)
    await auth.passwords.set({ userId: user.id, password: 'a long and right password' })
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  process.on('message', (message) => {
    if (message === 'begin') delay.enable()
    if (message === 'end') process.send(delay.percentile(99) / 1e6)
  })
  process.send(`http://127.0.0.1:${server.address().port}`)
}

async function ask() {
  const server = fork(fileURLToPath(import.meta.url))
  const next = () => new Promise((resolve) => server.once('message', resolve))
  const origin = await next()
  const unknown = known.map((email) => email.replace('person', 'nobody'))
  const post = (path, fields) => send(origin + path, fields)
  const compare = (name, step) => compareAt(name, { unknown, step })
  await compare('sign-in, wrong password', (email) =>
    post('/auth/callback/password', { email, password: 'a long and wrong password' }),
  )
  await compare('forgot', (email) => post('/auth/password/forgot', { email }))
  await compare('sign-up', (email) =>
    post('/auth/signup/password', { email, password: 'another long password of somebody' }),
  )
  server.send('begin')
  const answers = []
  for (let at = 0; at < 500; at += 1) {
    const fields = { email: known[at % count], password: 'a long and right password' }
    answers.push(post('/auth/callback/password', fields))
    await pause(20)
  }
  await Promise.all(answers)
  server.send('end')
  console.log(`fifty sign-ins a second: event loop p99 ${(await next()).toFixed(1)} ms, ${answers.length} answered`)
  server.kill()
}

async function send(url, fields) {
  const headers = {
    origin: 'http://127.0.0.1',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const begun = performance.now()
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  const body = await answer.text()
  const time = performance.now() - begun
  return { time, seen: `${answer.status} ${answer.headers.get('location')} ${body.replace(/[\w-]{16,}/g, '')}` }
}

async function compareAt(name, { unknown, step }) {
  const median = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]
  const [times, seen] = [
    { known: [], unknown: [] },
    { known: new Set(), unknown: new Set() },
  ]
  for (let at = -10; at < count; at += 1) {
    const place = Math.abs(at)
    const pair = [
      ['known', known[place]],
      ['unknown', unknown[place]],
    ]
    if (at % 2 !== 0) pair.reverse()
    for (const [kind, email] of pair) {
      const answer = await step(email)
      // The pause keeps work after an answer apart from the next one.
      await pause(5)
      if (at < 0) continue
      times[kind].push(answer.time)
      seen[kind].add(answer.seen.replaceAll(email, '').replaceAll(encodeURIComponent(email), ''))
    }
  }
  const [one, other] = [median(times.known), median(times.unknown)]
  const same = [...seen.known].join() === [...seen.unknown].join() ? 'same answer' : 'ANOTHER ANSWER'
  const told = `known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms, ratio ${(one / other).toFixed(3)}, ${same}`
  console.log(`${name.padEnd(24)} ${told}`)
}
