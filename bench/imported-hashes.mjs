/**
 * Checks whether the time of answers shows who has an account, where passwords come from other systems: `node --import
 * tsx bench/imported-hashes.mjs`. For each kind of hashes it asks for addresses with such a hash and for unknown ones,
 * in turn, at sign-in, forgot and sign-up. `COUNT` says how many of each (default 40), `KIND` and `STEP` choose by
 * name. The server is a process of its own, so that its work after an answer is not measured as time of the answer.
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { memoryAdapter } from '../lib/adapters/memory/index.ts'
import {
  argon2Hashes,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  django,
  firebaseHash,
  firebaseScrypt,
  pbkdf2,
  scryptHashes,
} from '../lib/features/passwords/index.ts'
import { defineAuth } from '../lib/index.ts'
import Password from '../lib/providers/password.ts'

const count = Number(process.env.COUNT ?? 40)
const firebase = { signerKey: 'A'.repeat(86), saltSeparator: 'Bw==', rounds: 8, memoryCost: 14 }
const phc = (begin, salt = 22) => `${begin}$${'A'.repeat(salt)}$${'A'.repeat(43)}`

/** The kinds by name: the option of the application, and a hash that its users have. No password matches it. */
const kinds = {
  'bcrypt, cost 12': [bcrypt(), `$2b$12$${'a'.repeat(53)}`],
  'bcrypt, cost 10 of 12': [bcrypt(), `$2b$10$${'a'.repeat(53)}`],
  'PBKDF2, 600,000': [pbkdf2(), phc('$pbkdf2-sha256$600000')],
  'PBKDF2, 29,000 of 600,000': [pbkdf2(), phc('$pbkdf2-sha256$29000')],
  Django: [django(), `pbkdf2_sha256$1200000$salt$${'A'.repeat(43)}=`],
  'ASP.NET Identity 3': [aspNetIdentity(), aspNet(2, 100_000)],
  'ASP.NET Identity 2': [aspNetIdentity(), Buffer.alloc(49).toString('base64')],
  'Better Auth': [betterAuth(), `${'a'.repeat(32)}:${'a'.repeat(128)}`],
  Firebase: [firebaseScrypt(firebase), firebaseHash({ salt: '42xEC+ixf3L2lw==', passwordHash: 'A'.repeat(86) })],
  scrypt: [scryptHashes(), phc('$scrypt$ln=14,r=8,p=5')],
  Argon2: [argon2Hashes({ memory: 65536, iterations: 3, parallelism: 4 }), phc('$argon2id$v=19$m=65536,t=3,p=4')],
}

function aspNet(digest, iterations) {
  const bytes = Buffer.alloc(13 + 16 + 32, 7)
  bytes[0] = 1
  bytes.writeUInt32BE(digest, 1)
  bytes.writeUInt32BE(iterations, 5)
  bytes.writeUInt32BE(16, 9)
  return bytes.toString('base64')
}

const known = Array.from({ length: count }, (_none, at) => `person-${1000 + at}@example.com`)

if (process.send) await serve(process.argv[2])
else {
  console.log(`medians of ${count}: known, unknown, their ratio`)
  for (const name of Object.keys(kinds)) if (name.includes(process.env.KIND ?? '')) await measure(name)
}

async function serve(name) {
  process.env.AUTH_URL = 'http://127.0.0.1'
  const [kind, hash] = kinds[name]
  const adapter = memoryAdapter()
  const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {}, limit: false }
  const config = {
    secret: 'a secret of the benchmark, and of nothing else',
    adapter,
    providers: [Password({ mail, imported: [kind] })],
    rateLimit: false,
    logger: { error: console.error, warn: console.error, debug() {} },
  }
  const auth = defineAuth(config)
  const server = createServer(express().use('/auth', auth.router))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  for (const email of known) {
    const made = { id: crypto.randomUUID(), email, emailVerified: new Date(), name: null, image: null }
    const user = await adapter.createUser(made)
    await auth.passwords.import({ userId: user.id, hash })
  }
  process.send(`http://127.0.0.1:${server.address().port}`)
}

async function measure(name) {
  const server = fork(fileURLToPath(import.meta.url), [name])
  const origin = await new Promise((resolve) => server.once('message', resolve))
  const steps = {
    'sign-in': ['/auth/callback/password', 'a long and wrong password'],
    forgot: ['/auth/password/forgot', ''],
    'sign-up': ['/auth/signup/password', 'another long password of somebody'],
  }
  for (const [step, [path, password]] of Object.entries(steps)) {
    if (!step.includes(process.env.STEP ?? '')) continue
    const times = { known: [], unknown: [] }
    for (let at = -3; at < count; at += 1) {
      const email = known[Math.abs(at)]
      const pair = [
        ['known', email],
        ['unknown', email.replace('person', 'nobody')],
      ]
      if (at % 2 !== 0) pair.reverse()
      for (const [whose, address] of pair) {
        const time = await send(origin + path, { email: address, password })
        // The pause keeps work after an answer apart from the next one.
        await pause(5)
        if (at >= 0) times[whose].push(time)
      }
    }
    const [one, other] = [median(times.known), median(times.unknown)]
    const told = `${one.toFixed(1)} ms, ${other.toFixed(1)} ms, ${(one / other).toFixed(3)}`
    console.log(`${name.padEnd(26)} ${step.padEnd(8)} ${told}`)
  }
  server.kill()
}

function median(times) {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]
}

async function send(url, fields) {
  const headers = {
    origin: 'http://127.0.0.1',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const begun = performance.now()
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  await answer.text()
  return performance.now() - begun
}
